"""What does the untouched proposal of ``forebear map`` lose against a mapping written by hand?

    python -m benchmarks.quality.proposals --queries 300

Each source is imported twice, through its built-in mapping and through the proposal as it is.  The
queries are people of the records as the mapping by hand describes them: their names, the year of
the event one year off, sex and birthplace.  A quarter lack the last letter of the surname and a
quarter all given names but the first.  A row is right if it is the one that the query was made of;
of several rows with the first one's score each counts for its share, as their order is chance.

Two figures for each source: success@1 in both archives with the difference and its interval, and
agreement, the share of names, dates, places, ages and occupations of the mapping by hand that the
proposal reads too.  The status is 1 unless at least three sources lose at most one point of
success@1.
"""

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from forebear.archive import create_archive, open_archive
from forebear.archive.result import Result
from forebear.errors import RecordError
from forebear.ingest.assemble import RecordReader
from forebear.ingest.find_mapping import recognize
from forebear.ingest.formats import open_mapped_table
from forebear.ingest.mapping import Mapping, parse_mapping
from forebear.ingest.propose import propose_mapping
from forebear.records.record import Persona, Record

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "data" / "records"
SOURCES = (
    "freereg/freereg_baptisms.csv",
    "freereg/freereg_marriages.csv",
    "parish_sondondo/bautismos_clean.csv",
    "parish_sondondo/matrimonios_clean.csv",
    "old_bailey/obv_defendants_trials.tsv",
    "naturalization/new_south_wales.csv",
    "freecen/census.csv",
    "union_army/census_1900.csv",
)
# No built-in mapping fits the soldiers' census; states and countries stay codes in both.
SOLDIERS = """
[collection]
name = "census_1900"
title = "Census of 1900"
record_type = "census"

[joined.given]
columns = ["first_name", "middle_name"]

[record]
id = "id"

[[persona]]
role = "person"
kin = "self"
principal = true
given = "given"
surname = "last_name"
sex_column = "gender"
events.birth = { date = "birth_year", place = "birth_place" }
"""
SEED = 26
MAX_LOSS = 0.01
MIN_SOURCES = 3
SAMPLES = 1000  # of the bootstrap


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query, and the line of the file that is right."""

    source: str
    facts: dict[str, object]


def main() -> int:
    options = _options()
    passed = 0
    print(f"{'source':<40}{'by hand':>9}{'proposal':>10}{'difference':>24}{'agreement':>11}")
    for name in options.sources or SOURCES:
        path = SHARED / name
        by_hand = recognize(path) or parse_mapping(SOLDIERS)
        proposed = parse_mapping(propose_mapping(path).to_toml())
        records = {record.source: record for record in _read(path, by_hand)}
        others = {record.source: record for record in _read(path, proposed)}
        queries = [*_queries([*records.values()], options.queries)]
        first = _successes(path, by_hand, records, queries)
        second = _successes(path, proposed, others, queries)
        low, high = _interval([b - a for a, b in zip(first, second, strict=True)])
        difference = (sum(second) - sum(first)) / len(queries)
        passed += difference >= -MAX_LOSS
        spread = f"{difference:+.3f} [{low:+.3f}, {high:+.3f}]"
        print(
            f"{name:<40}{sum(first) / len(queries):>9.3f}{sum(second) / len(queries):>10.3f}"
            f"{spread:>24}{_agreement(records, others):>11.3f}",
            flush=True,
        )
    print(f"{passed} sources lose at most {MAX_LOSS} of success@1")
    return 0 if passed >= min(MIN_SOURCES, len(options.sources or SOURCES)) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--queries", type=int, default=300, help="for each source")
    parser.add_argument("sources", nargs="*", help="files below the records; all if none")
    return parser.parse_args()


def _read(path: Path, mapping: Mapping) -> Iterator[Record]:
    """Yield the records of a table, each with its line."""
    table = open_mapped_table(path, mapping)
    reader = RecordReader(mapping, file_name=path.name, headings=table.headings)
    for row in table.rows():
        try:
            yield reader.read(row).record
        except RecordError:
            continue


def _queries(records: list[Record], count: int) -> Iterator[Query]:
    chance = random.Random(SEED)
    chance.shuffle(records)
    for record in records[:count]:
        person = next((person for person in record.personas if person.is_principal), None)
        if person is None or not person.names:
            continue
        yield Query(source=record.source, facts=_facts(record, person, chance))


def _facts(record: Record, person: Persona, chance: random.Random) -> dict[str, object]:
    name = person.names[0]
    given, surname = name.given, name.surname
    if chance.random() < 0.25 and len(surname) > 4:
        surname = surname[:-1]
    if chance.random() < 0.25:
        given = given.split(" ")[0]
    facts: dict[str, object] = {"given": given, "surname": surname}
    if person.sex:
        facts["sex"] = person.sex
    events = []
    if record.event.date and record.event.date.start:
        year = int(str(record.event.date.start)[:4]) + chance.choice((-1, 0, 1))
        events.append({"kind": record.event.kind, "date": str(year)})
    for event in person.events:
        if event.kind == "birth":
            texts = {
                "date": str(event.date.start)[:4] if event.date and event.date.start else "",
                "place": event.place.text if event.place else "",
            }
            if stated := {key: text for key, text in texts.items() if text}:
                events.append({"kind": "birth", **stated})
    return {**facts, "events": events} if events else facts


def _successes(
    path: Path, mapping: Mapping, records: dict[str, Record], queries: list[Query]
) -> list[float]:
    """Return for each query whether its row comes first: 1 or 0, and a share among equals."""
    lines = {f"{record.collection}:{record.id}": line for line, record in records.items()}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "archive.db"
        create_archive(file).close()
        with open_archive(file) as archive:
            archive.import_file(path, mapping=_mapping_file(path, mapping, Path(folder)))
            return [
                _share_of_first(archive.search(query.facts, log=False), lines, query)
                for query in queries
            ]


def _share_of_first(answer: Result, lines: dict[str, str], query: Query) -> float:
    hits = list(answer.search_result.fused)
    first = [lines.get(hit.record_key) for hit in hits if hit.score == hits[0].score]
    return first.count(query.source) / len(first) if first else 0.0


def _mapping_file(path: Path, mapping: Mapping, folder: Path) -> str:
    """Return what an import calls the mapping: a built-in name, or a file written here."""
    built_in = recognize(path)
    if built_in is not None and built_in == mapping:
        return mapping.collection.name
    file = folder / "mapping.toml"
    is_soldiers = built_in is None and mapping == parse_mapping(SOLDIERS)
    file.write_text(SOLDIERS if is_soldiers else propose_mapping(path).to_toml(), "utf-8")
    return str(file)


def _agreement(records: dict[str, Record], others: dict[str, Record]) -> float:
    """Return the share of the facts that are in the other reading of the same row."""
    facts = [
        (fact, line) for line, record in records.items() for fact in set(_stated_facts(record))
    ]
    other_facts = {line: set(_stated_facts(record)) for line, record in others.items()}
    agreed = sum(fact in other_facts.get(line, ()) for fact, line in facts)
    return agreed / len(facts)


def _stated_facts(record: Record) -> Iterator[tuple[str, ...]]:
    """Yield names, dates, places, ages and occupations, with the position of the person."""
    if record.event.date:
        yield ("date", record.event.date.text)
    if record.event.place:
        yield ("place", *record.event.place.levels)
    for person in record.personas:
        position = "principal" if person.is_principal else f"{person.kin} {person.sex}"
        for name in person.names:
            yield ("given", position, name.given)
            yield ("surname", position, name.surname)
        if person.age:
            yield ("age", position, person.age.text)
        if person.occupation:
            yield ("occupation", position, person.occupation)
        for event in person.events:
            if event.date:
                yield (event.kind, position, event.date.text)
            if event.place:
                yield (event.kind, position, *event.place.levels)


def _interval(differences: list[float]) -> tuple[float, float]:
    """Return the 95 % interval of the mean, by a bootstrap over queries."""
    chance = random.Random(SEED)
    count = len(differences)
    means = sorted(sum(chance.choices(differences, k=count)) / count for _ in range(SAMPLES))
    return means[int(0.025 * SAMPLES)], means[int(0.975 * SAMPLES)]


if __name__ == "__main__":
    sys.exit(main())
