"""How does a person of a GEDCOM file become a query?

The file is read by the one GEDCOM reader there is; a person is named by the cross-reference
(``@I12@`` or ``I12``) or by name, if only one person of the tree has it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from forebear.errors import InputError
from forebear.ingest.readers.gedcom.file import read_gedcom
from forebear.ingest.readers.gedcom.people import TreeReader
from forebear.normalize.spelling import normalize_name
from forebear.records.record import Record
from forebear.search.query.from_persona import query_from_persona
from forebear.search.query.person_query import PersonQuery

MAX_LISTED = 8  # people of the same name in an error


def tree_query(path: Path, who: str) -> PersonQuery:
    """Return the query for a person of a GEDCOM file."""
    person = find_person(list(read_people(path)), who, path.name)
    return query_from_persona(person, 0, query_id=person.id)


def read_people(path: Path) -> Iterator[Record]:
    """Yield the record of each person of a GEDCOM file; the person is its first persona."""
    for entry in TreeReader(read_gedcom(path), collection="tree").entries():
        yield from entry.records


def find_person(people: Sequence[Record], who: str, file: str) -> Record:
    """Return the one person with this cross-reference or name."""
    by_id = {person.id: person for person in people}
    if who.strip("@ ") in by_id:
        return by_id[who.strip("@ ")]
    name = normalize_name(who)
    namesakes = [person for person in people if name in _full_names(person)]
    if len(namesakes) == 1:
        return namesakes[0]
    if namesakes:
        listed = ", ".join(map(_number_and_date, namesakes[:MAX_LISTED]))
        raise InputError(
            f"{file}: {len(namesakes)} people are called {who!r}",
            hint=f"name one by its number: {listed}",
        )
    raise InputError(
        f"{file}: no person is called {who!r}",
        hint="give a number such as @I1@, or the whole name as the file has it",
    )


def _full_names(person: Record) -> set[str]:
    return {normalize_name(f"{name.given} {name.surname}") for name in person.personas[0].names}


def _number_and_date(person: Record) -> str:
    date = person.event.date.text if person.event.date else "no date"
    return f"@{person.id}@ ({date})"
