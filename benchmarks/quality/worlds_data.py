"""A world of ``make_records.py``: made, imported, and told to peers.

What peers get to read is what our own readers made of the files: everybody on every record,
with names, the year of the record, the year of birth (stated, or from the age) and the place.
So the peers compete in finding, not in reading.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.simulated_world import import_world as import_tables
from benchmarks.simulated_world import make_world as make_tables
from forebear.archive import Archive, create_archive, open_archive
from forebear.records.record import HistoricalDate, Persona, Record
from forebear.search.query.person_query import PersonQuery, parse_query
from forebear.trec import Qrels, Run, read_qrels


@dataclass(frozen=True)
class World:
    """A folder that ``make_records.py`` filled."""

    folder: Path

    @cached_property
    def queries(self) -> list[PersonQuery]:
        """Return the queries, in our form."""
        lines = (self.folder / "queries.made.jsonl").read_text("utf-8").splitlines()
        return [parse_query(line) for line in lines]

    def qrels_of(self, types: set[str]) -> Qrels:
        """Return what is right, among records of these types."""
        grades = read_qrels(self.folder / "qrels.txt").grades
        return Qrels(
            grades={
                query: {key: grade for key, grade in judged.items() if _type_of(key) in types}
                for query, judged in grades.items()
            }
        )

    def types(self, runs: Mapping[str, Run]) -> dict[str, str]:
        """Return the type of every record that is relevant, or in a run."""
        of_runs = [scores for run in runs.values() for scores in run.scores.values()]
        grades = read_qrels(self.folder / "qrels.txt").grades
        return {key: _type_of(key) for keys in (*of_runs, *grades.values()) for key in keys}


def _type_of(key: str) -> str:
    return key.partition(":")[0]


def make_world(folder: Path, *, personas: int, seed: int, queries: int) -> World:
    """Make a world in a folder; the queries move aside, where peers keep theirs."""
    make_tables(folder, personas=personas, seed=seed, queries=queries)
    (folder / "queries.jsonl").rename(folder / "queries.made.jsonl")
    return World(folder)


def import_world(world: World, path: Path) -> Path:
    """Import every type of a world, each as the collection of its name; all of it, or none."""
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)  # of a run that was broken off
    create_archive(part).close()
    with open_archive(part) as archive:
        import_tables(archive, world.folder)
    return part.rename(path)


def peer_people(archive: Archive, types: set[str]) -> Iterator[dict[str, object]]:
    """Yield everybody on every record of these types."""
    for group, _ in archive.storage.groups():
        for record in group:
            if record.record_type in types:
                yield from (_person(record, persona) for persona in record.personas)


def _person(record: Record, persona: Persona) -> dict[str, object]:
    name = persona.names[0] if persona.names else None
    birth = persona.event("birth")
    place = record.event.place
    facts = {
        "record": record.key,
        "given": name.given if name else "",
        "surname": name.surname if name else "",
        "year": _year(record.event.date),
        "birth": _year(birth.date if birth else None) or _born(persona),
        "place": place.text if place else "",
    }
    return {key: value for key, value in facts.items() if value}


def _born(persona: Persona) -> int | None:
    age = persona.age
    if age is None or age.born_from is None or age.born_to is None:
        return None
    return (age.born_from.year + age.born_to.year) // 2


def _year(date: HistoricalDate | None) -> int | None:
    if date is None or date.first_year is None or date.last_year is None:
        return None
    return (date.first_year + date.last_year) // 2


def peer_query(query: PersonQuery) -> dict[str, object]:
    """Return a query's facts for the peers: names, year of birth, a place of the life."""
    name = query.names[0] if query.names else None
    births = [event for event in query.events if event.kind == "birth"]
    places = [event.place.text for event in query.events if event.place is not None]
    facts = {
        "id": query.id,
        "given": name.given if name else "",
        "surname": name.surname if name else "",
        "birth": next((year for event in births if (year := _year(event.date))), None),
        "place": places[0] if places else "",
    }
    return {key: value for key, value in facts.items() if value}
