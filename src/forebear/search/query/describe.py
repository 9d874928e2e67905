"""How was a query understood?  Its facts one by one, in words that a searcher can check."""

from collections.abc import Iterator
from dataclasses import dataclass

from forebear.search.query.person_query import SEX_WORDS, LifeEvent, PersonQuery

RELATIVES = {
    "spouse": "husband or wife",
    "spouse_father": "father of the husband or wife",
    "spouse_mother": "mother of the husband or wife",
    "other": "other person",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryFact:
    """One fact of a query, as it was understood."""

    fact: str  # "surname", "date of birth", "father"
    value: str

    def __str__(self) -> str:
        return f"{self.fact} {self.value}"


def describe_query(query: PersonQuery) -> tuple[QueryFact, ...]:
    """Return what a query states of the person, in the order of a form.

    >>> from forebear.search.query.text import query_from_text
    >>> ", ".join(map(str, describe_query(query_from_text("Mary Brown b. 1851 Layham"))))
    'given names Mary, surname Brown, date of birth 1851, place of birth Layham'
    """
    pairs = [*_names(query), ("sex", SEX_WORDS.get(query.sex or "", ""))]
    for event in query.events:
        pairs += _event(event, "")
    if query.age is not None:
        pairs.append(("age", f"{query.age.years} in {query.age.at.text}"))
    for relative in query.relatives:
        label = RELATIVES.get(relative.kind, relative.kind)
        pairs.append((label, f"{relative.given} {relative.surname}".strip()))
        for event in relative.events:
            pairs += _event(event, f" of the {label}")
    pairs += (
        (name, getattr(query, name))
        for name in ("occupation", "religion", "organization", "identifier")
    )
    pairs.append(("words in notes", query.keywords))
    return tuple(QueryFact(fact=fact, value=value) for fact, value in pairs if value)


def _names(query: PersonQuery) -> Iterator[tuple[str, str]]:
    given = ""
    for name in query.names:
        if name.given != given:  # a married name repeats the given names
            given = name.given
            yield "given names", given
        yield "surname" if name.kind == "birth" else f"{name.kind} surname", name.surname
        yield "title", name.title
        yield "suffix", name.suffix


def _event(event: LifeEvent, of_whom: str) -> Iterator[tuple[str, str]]:
    yield f"date of {event.kind}{of_whom}", event.date.text if event.date else ""
    yield f"place of {event.kind}{of_whom}", event.place.text if event.place else ""
    yield f"address of {event.kind}{of_whom}", event.address
    yield "ship", event.ship
