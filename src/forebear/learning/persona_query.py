"""A persona as a query: what would somebody ask who knew only what one record says?

An archive describes the same people many times over.  Asking for one persona in the words of
its own record, with that record left out, therefore shows how records of one person agree and
how those of others do, without anybody having said which is which.

Only what happens once in a life is asked with its date: two records of one woman give the same
birth, but hardly the same day in court or year of residence, so those say where she was and no
more.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from msgspec import structs

from forebear.records.record import Record
from forebear.search.query.from_persona import query_from_persona
from forebear.search.query.person_query import LifeEvent, PersonQuery

# A marriage too, for most people; a second one is rarer than a namesake.
ONCE_IN_A_LIFE = frozenset({"birth", "baptism", "marriage", "death", "burial"})
MOST_RELATIVES = 20  # a bigger household is a ship or a workhouse


def persona_query(record: Record, position: int, group: Sequence[Record]) -> PersonQuery | None:
    """Return the query a persona makes; None for somebody without a whole name.

    ``group`` holds the records of the household, the record itself among them.
    """
    persona = record.personas[position]
    if not any(name.given and name.surname for name in persona.names):
        return None
    others = [other for each in group if each.key != record.key for other in each.personas]
    if len(others) > MOST_RELATIVES:
        others = []
    together = structs.replace(record, personas=(*record.personas, *others))
    query = query_from_persona(together, position, query_id=f"{record.key}/{position}")
    return replace(query, events=tuple(_lasting(query.events)), source="")


def _lasting(events: Iterable[LifeEvent]) -> Iterator[LifeEvent]:
    """Yield what another record of the same person would say too."""
    for event in events:
        if event.kind in ONCE_IN_A_LIFE:
            yield event
        elif event.place is not None:
            yield LifeEvent(kind="residence", place=event.place)
