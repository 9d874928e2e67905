"""Which terms do the events of a life give: births, marriages, deaths, residences, journeys?

A record's event belongs to those it is about: the child of a birth, the couple of a
marriage, the whole household of a census, the whole party of a passage.  It is written under
its kind unless the person has such an event too, which is nearer to the fact.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial

from forebear.records.record import Event, HistoricalDate, Persona, Record
from forebear.search.terms.attributes import organization_words, ship_name
from forebear.search.terms.term import CACHED_NAMES, Terms, by_identity, fragment
from forebear.search.terms.values import (
    address_terms,
    age_terms,
    bounded_date_terms,
    date_terms,
    place_terms,
)

# What kinds of event mean, where they are not themselves a subject of terms.
SUBJECTS = {
    **{kind: kind for kind in ("birth", "marriage", "death", "residence", "arrival", "departure")},
    "burial": "burial",
    "destination": "destination",
    "immigration": "arrival",
    "emigration": "departure",
    "census": "residence",
    "cremation": "burial",
}
# Of which the place alone is a field; the date of a departure counts as that of the arrival.
PLACE_ONLY = frozenset({"burial", "residence", "destination", "departure"})
HOLDERS = {
    "birth": frozenset({"self"}),
    "death": frozenset({"self"}),
    "marriage": frozenset({"self", "spouse"}),
}
FAMILY = frozenset({"self", "spouse", "child", "parent", "sibling", "parent_in_law", "grandchild"})
ORGANIZED = frozenset({"service", "admission", "education", "employment", "membership"})


def add_life(fragments: list[Terms], record: Record, persona: Persona) -> None:
    """Add what the record says of the persona's life."""
    events = events_of(record, persona)
    born = _birth_date(events)
    if persona.age is not None:
        is_stated = born is not None and born.is_known
        fragments.append((_age_beside_birth if is_stated else _age_alone)(persona.age))
    for event in events:
        if born is not None and event.kind == "death":
            fragments += _event_terms(event, born)
        else:
            fragments += _any_event_terms(event)


def _birth_date(events: Iterable[Event]) -> HistoricalDate | None:
    for event in events:
        if event.kind == "birth" and event.date:
            return event.date
    return None


def events_of(record: Record, persona: Persona) -> Sequence[Event]:
    """Return the persona's events, and those of the record that are theirs too."""
    subjects = [SUBJECTS.get(event.kind) for event in persona.events]
    events = [*persona.events]
    for event in (record.event, *record.events):
        subject = SUBJECTS.get(event.kind)
        if subject is None or not _is_theirs(subject, record, persona):
            continue
        if subject not in subjects or subject in ("residence", "arrival"):
            events.append(event)
    return events


def _is_theirs(subject: str, record: Record, persona: Persona) -> bool:
    if subject == "burial" and record.record_type == "burial":
        return False  # there it is the event of the record
    if subject in HOLDERS:
        return persona.kin in HOLDERS[subject]
    return record.record_type == "census" or persona.is_principal or persona.kin in FAMILY


def _event_terms(event: Event, born: HistoricalDate | None = None) -> list[Terms]:
    """Return what an event gives; ``born`` is the date of birth on the same record."""
    fragments: list[Terms] = []
    subject = SUBJECTS.get(event.kind)
    if event.detail and event.kind in ORGANIZED:
        fragments.append(_organization(event.detail))
    if subject is None:
        return fragments
    if event.date is not None:
        if subject == "death" and born is not None and event.date.start is None:
            # No one dies before the birth that the same record states.
            fragments.append(bounded_date_terms("death", event.date, born.first_year, None))
        elif subject not in PLACE_ONLY:
            fragments.append(date_terms(subject, event.date))
        elif subject == "departure":
            fragments.append(date_terms("arrival", event.date))
    if event.place is not None:
        fragments.append(place_terms(f"{subject}.place", event.place))
    if event.address and subject == "residence":
        fragments.append(address_terms(event.address))
    if event.detail and subject in ("arrival", "departure"):
        fragments.append(_ship(event.detail))
    return fragments


_any_event_terms = by_identity(_event_terms)
_age_alone = by_identity(partial(age_terms, is_birth_stated=False))
_age_beside_birth = by_identity(partial(age_terms, is_birth_stated=True))


@lru_cache(maxsize=CACHED_NAMES)
def _organization(detail: str) -> Terms:
    return fragment("self.organization", organization_words(detail))


@lru_cache(maxsize=CACHED_NAMES)
def _ship(detail: str) -> Terms:
    return fragment("arrival.ship", [ship_name(detail)])
