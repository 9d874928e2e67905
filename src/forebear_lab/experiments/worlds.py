"""How does a simulated archive become judged searches?  The engine imports and searches it.

A world is a folder with tables (there or in `records/`), `queries.jsonl`, and the right records of
each query in `qrels.txt` (there or in `truth/`).  Files of answers are never imported.  A table can
be split into several collections by a column, such as a census by its year; its records then have
other keys, and the judgments follow them.

`N:SEED` simulates a world of N personas with `forebear_lab.simulation.archives`, which has users
too.  A simulation or an import that was interrupted leaves nothing that looks complete.
"""

import csv
import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from forebear.archive import Archive, create_archive, open_archive
from forebear.errors import InputError
from forebear.ingest.find_mapping import builtin_mappings, recognize
from forebear.interactions.events import JudgedSearch, logged_search
from forebear.records.collections import RecordList
from forebear.search.query.person_query import PersonQuery, parse_query
from forebear.search.search_result import SearchOptions
from forebear.trec import read_qrels
from forebear_lab.simulation.archives import read_visits, write_archive
from forebear_lab.simulation.users import Visit

Progress = Callable[[str], None]

QUERIES, QRELS, PLACES = "queries.jsonl", "qrels.txt", "places.csv"
PERSONS = "query_people.csv"  # who is sought by each query
TRUTH, RECORDS = "truth", "records"  # folders
NOT_TABLES = frozenset({"people", "places", "query_people", "truth"})
PREFIX = "made_"  # of the mappings of simulated tables
SEARCHES_BETWEEN_MESSAGES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedSize:
    """How large a world is to be simulated, and from which seed."""

    personas: int
    seed: int


@dataclass(frozen=True, kw_only=True)
class World:
    """A folder of tables, queries and judgments."""

    folder: Path
    splits: Mapping[str, str] = field(default_factory=dict)  # the column that divides a table

    def __post_init__(self) -> None:
        for name in (QUERIES, QRELS):
            if not self._file(name).is_file():
                raise InputError(
                    f"{self.folder} is no simulated archive: it has no {name}",
                    hint="give a folder with tables, queries.jsonl and qrels.txt, or N:SEED",
                )
        unknown = sorted(self.splits.keys() - {path.stem for path in self.tables})
        if unknown:
            raise InputError(
                f"{self.folder} has no table {unknown[0]!r} to split",
                hint=f"it has {', '.join(path.stem for path in self.tables)}",
            )

    @cached_property
    def tables(self) -> tuple[Path, ...]:
        """Return the tables of records."""
        home = self.folder / RECORDS
        files = sorted((home if home.is_dir() else self.folder).glob("*.csv"))
        return tuple(path for path in files if path.stem not in NOT_TABLES)

    @cached_property
    def digest(self) -> str:
        """Return a hash of the tables and how they are split."""
        digest = hashlib.sha256(repr(sorted(self.splits.items())).encode())
        for path in self.tables:
            digest.update(path.name.encode() + path.read_bytes())
        return digest.hexdigest()[:12]

    def queries(self, count: int) -> list[PersonQuery]:
        """Return the first queries, at most this many."""
        path = self._file(QUERIES)
        lines = path.read_text("utf-8").splitlines()[:count]
        return [parse_query(line, where=f"{path}:{n}") for n, line in enumerate(lines, start=1)]

    def right_records(self) -> dict[str, frozenset[str]]:
        """Return the keys of the right records of each query, as the import names them."""
        moved = self._moved_keys()
        return {
            query: frozenset(moved.get(key, key) for key, grade in grades.items() if grade > 0)
            for query, grades in read_qrels(self._file(QRELS)).grades.items()
        }

    def visits(self) -> dict[str, Visit]:
        """Return which user made each query; none if the world has no users."""
        if not (self.folder / TRUTH / "visits.csv").is_file():
            return {}
        return {visit.query_id: visit for visit in read_visits(self.folder)}

    def persons(self) -> dict[str, str]:
        """Return whom each query seeks; of no query if the world does not say."""
        if visits := self.visits():
            return {query: str(visit.person) for query, visit in visits.items()}
        if not self._file(PERSONS).is_file():
            return {}
        return {row["query_id"]: row["person_id"] for row in _read_table(self._file(PERSONS))[1]}

    def import_tables(self, archive: Archive, work: Path, progress: Progress) -> None:
        """Import every table, each as one collection or split, and the places."""
        for path in self.tables:
            name = PREFIX + path.stem
            mapping = name if name in builtin_mappings() else None
            for part, collection in self._parts(path, work):
                report = archive.import_file(part, mapping=mapping, collection=collection)
                progress(f"imported {report.accepted:,} records of {part.stem}")
        if (places := self.folder / PLACES).is_file():
            archive.import_gazetteer(places)

    def _file(self, name: str) -> Path:
        hidden = self.folder / TRUTH / name
        return hidden if hidden.is_file() else self.folder / name

    def _parts(self, path: Path, work: Path) -> list[tuple[Path, str | None]]:
        """Return the files that a table is imported from, with their collections."""
        column = self.splits.get(path.stem)
        if column is None:
            return [(path, None)]
        headings, rows = _read_table(path)
        if column not in headings:
            raise InputError(
                f"{path.name} has no column {column!r}", hint=f"it has {', '.join(headings)}"
            )
        work.mkdir(parents=True, exist_ok=True)
        parts: dict[str, list[dict[str, str]]] = {}
        for row in rows:
            parts.setdefault(_collection(path.stem, row[column]), []).append(row)
        for name, members in parts.items():
            with (work / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, headings)
                writer.writeheader()
                writer.writerows(members)
        return [(work / f"{name}.csv", name) for name in sorted(parts)]

    def _moved_keys(self) -> dict[str, str]:
        """Return the new key of every record of a table that is split."""
        moved = {}
        for path in self.tables:
            if column := self.splits.get(path.stem):
                mapping = recognize(path)
                if mapping is None or len(mapping.record.id) != 1:
                    raise InputError(f"{path.name} cannot be split: its records have no id column")
                for row in _read_table(path)[1]:
                    key = row[mapping.record.id[0]]
                    moved[f"{path.stem}:{key}"] = f"{_collection(path.stem, row[column])}:{key}"
        return moved


def parse_world(text: str) -> Path | SimulatedSize:
    """Return the folder that a text names, or the size and seed of `N:SEED`.

    >>> parse_world("20000:7")
    SimulatedSize(personas=20000, seed=7)
    """
    personas, colon, seed = text.partition(":")
    if colon and personas.isascii() and personas.isdigit() and seed.isascii() and seed.isdigit():
        return SimulatedSize(personas=int(personas), seed=int(seed))
    if Path(text).is_dir():
        return Path(text)
    raise InputError(
        f"{text!r} is neither a folder nor N:SEED",
        hint="give a folder of simulated records, or such as 20000:7 for 20,000 personas, seed 7",
    )


def simulate_world(size: SimulatedSize, folder: Path, *, queries: int, progress: Progress) -> Path:
    """Simulate a world in a folder, unless it is there already, and return where it is."""
    home = folder / f"world-{size.personas}-{size.seed}-{queries}"
    if not home.is_dir():
        part = home.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        write_archive(
            part, personas=size.personas, seed=size.seed, queries=queries, progress=progress
        )
        part.rename(home)
    return home


def import_world(world: World, folder: Path, *, progress: Progress) -> Archive:
    """Return an archive with the world's records, imported unless it is there already."""
    path = folder / f"world-{world.digest}.forebear"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        with create_archive(part) as archive:
            world.import_tables(archive, folder / "split", progress)
        part.rename(path)
    return open_archive(path)


def search_world(
    archive: Archive,
    world: World,
    *,
    lists: Sequence[RecordList] | None,
    searches: int,
    model: str | None,
    progress: Progress,
) -> list[JudgedSearch]:
    """Search for all queries, and return their lists with judgments.

    A query for a person without any record has no right record.
    """
    right, queries = world.right_records(), world.queries(searches)
    options = SearchOptions(model=model)
    judged = []
    for done, query in enumerate(queries, start=1):
        result = archive.search(query, options=options, log=False, search_id=query.id, lists=lists)
        entry = logged_search(
            result.search_result,
            search_id=query.id,
            at="",
            query=result.query.source,
            viewer="owner",
        )
        attached = right.get(query.id, frozenset())
        judged.append(JudgedSearch(search=entry, attached=attached, rejected=frozenset()))
        if done % SEARCHES_BETWEEN_MESSAGES == 0 or done == len(queries):
            progress(f"searched for {done:,} of {len(queries):,} people")
    return judged


def _read_table(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        return list(reader.fieldnames or ()), list(reader)


def _collection(table: str, value: str) -> str:
    """Return the name of the collection that has the rows of this value.

    >>> _collection("census", "1851"), _collection("birth", "West: Riding")
    ('census-1851', 'birth-West-Riding')
    """
    words = "".join(letter if letter.isalnum() else " " for letter in value).split()
    return "-".join([table, *words]) if words else f"{table}-none"
