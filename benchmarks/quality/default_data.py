"""Judged lists of the sources that default weights are fitted on, with the clauses that fired.

Soldiers in the census of 1900, London orders among the settlement examinations (three kinds of
query), simulated archives of ``make_records.py`` ("simulated"), and those of
`forebear_lab.simulation` ("lab").  Each source has a tuning part and a judging part: halves of the
real ones, other seeds of the simulated ones.  A part is searched once; its lists are kept in the
folder as arrays, with the hash of the clauses they were collected for.
"""

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from benchmarks.quality.london import SHARED
from benchmarks.quality.london_data import EXAMINATIONS, KINDS, read_orders
from benchmarks.quality.london_data import our_query as london_query
from benchmarks.quality.probability_data import (
    Query,
    import_census,
    import_examinations,
    london_half,
    make_archive,
    record_keys,
)
from benchmarks.quality.soldiers_data import CENSUS, Half, read_soldiers
from benchmarks.quality.soldiers_data import our_query as soldier_query
from benchmarks.quality.worlds_data import World, import_world, make_world
from benchmarks.simulated_world import SHARED as TOOLS
from forebear.archive import Archive, open_archive
from forebear.learning.dataset import bounds, records_of
from forebear.records.collections import RECORD_TYPES
from forebear.search.expansion.catalog import load_catalog
from forebear.search.expansion.clause_hashes import catalog_hash, clause_hashes
from forebear.search.hits import tie_key
from forebear.search.model import HAND_SET
from forebear.search.query.person_query import parse_query
from forebear.search.search_result import SearchOptions, SearchResult
from forebear.trec import read_qrels
from forebear_lab import simulation
from forebear_lab.simulation.archives import read_archive, write_archive

TOP = 200  # records of a list: what other weights may bring into the first hundred
PERSONAS = 60_000
QUERIES = 1500
SEEDS: dict[Half, tuple[int, ...]] = {"tune": (1001, 1002), "judge": (31, 33)}
SOURCES = ("soldiers", "London", "simulated", "lab")
# Which weight each column is: a record type and a clause.
COLUMNS = tuple((name, row.clause) for name, rows in load_catalog().items() for row in rows)
INPUTS = {
    "soldiers": tuple(
        SHARED / "union_army" / f"{name}.csv" for name in ("soldiers", "links", "census_1900")
    ),
    "London": tuple(
        SHARED / "london_poor_law" / name
        for name in ("examinations.tsv", "removal_order_names.tsv", "links.csv")
    ),
    "simulated": (TOOLS / "tools" / "make_records.py",),
}

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedLists:
    """The lists of many queries, one query after the other, before they are fused."""

    fired: csr_array  # one row a record, one column for each of COLUMNS
    labels: NDArray[np.bool_]
    types: Integers  # of each record, its place in RECORD_TYPES
    ties: Integers  # of each record, its place among records of the same score
    offsets: Integers  # query q has the records offsets[q]:offsets[q + 1]
    right: Integers  # of each query, how many records are right, retrieved or not
    persons: NDArray[np.str_]  # of each query: what must stay on one side of a division
    kinds: NDArray[np.str_]  # of each query

    @property
    def queries(self) -> Integers:
        """Return the number of each record's query."""
        return np.repeat(np.arange(len(self.right)), np.diff(self.offsets))

    def take(self, queries: Integers) -> "JudgedLists":
        """Return the lists of these queries."""
        rows, offsets = records_of(self.offsets, queries)
        return replace(
            self._with_rows(rows, offsets),
            right=self.right[queries],
            persons=self.persons[queries],
            kinds=self.kinds[queries],
        )

    def first(self, count: int, weights: Floats) -> "JudgedLists":
        """Return the best records of each list by these weights, and the right ones."""
        lists = self.queries * len(RECORD_TYPES) + self.types
        order = np.lexsort((self.ties, -(self.fired @ weights), lists))
        _, starts, sizes = np.unique(lists[order], return_index=True, return_counts=True)
        ranks = np.arange(len(order)) - np.repeat(starts, sizes)
        rows = np.sort(order[(ranks < count) | self.labels[order]])
        left = np.bincount(self.queries[rows], minlength=len(self.right))
        return self._with_rows(rows, bounds(left.tolist()))

    def _with_rows(self, rows: Integers, offsets: Integers) -> "JudgedLists":
        return replace(
            self,
            fired=csr_array(self.fired[rows]),
            labels=self.labels[rows],
            types=self.types[rows],
            ties=self.ties[rows],
            offsets=offsets,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedQuery:
    """A query with its right records."""

    query: Query
    right: frozenset[str]
    person: str
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One archive of a source, and the queries that tune on it or judge it."""

    name: str
    source: str
    make: Callable[[], Path]  # the archive
    queries: Callable[[Archive], Iterator[JudgedQuery]]


def parts(folder: Path, half: Half) -> list[Part]:
    """Return what a half of every source is made of."""
    soldiers = Part(
        name="soldiers",
        source="soldiers",
        make=lambda: make_archive(
            folder / "soldiers.forebear", lambda path: import_census(SHARED, path)
        ),
        queries=lambda _: soldier_queries(half),
    )
    london = Part(
        name="London",
        source="London",
        make=lambda: make_archive(
            folder / "london_whole.forebear", lambda path: import_examinations(SHARED, path, set())
        ),
        queries=lambda _: london_queries(half),
    )
    archives = [make(folder, seed) for make in (simulated, lab_simulated) for seed in SEEDS[half]]
    return [soldiers, london, *archives]


def soldier_queries(half: Half) -> Iterator[JudgedQuery]:
    """Yield the linked soldiers of one half."""
    for soldier in read_soldiers(SHARED):
        if soldier.half == half and soldier.right:
            yield JudgedQuery(
                query=soldier_query(soldier),
                right=frozenset(record_keys(CENSUS, soldier.right)),
                person=soldier.id,
            )


def london_queries(half: Half) -> Iterator[JudgedQuery]:
    """Yield the orders of one half, each as three kinds of query."""
    for order in read_orders(SHARED):
        if london_half(order) == half:
            right = frozenset(record_keys(EXAMINATIONS, order.right))
            for kind in KINDS:
                query = london_query(order, kind)
                yield JudgedQuery(query=query, right=right, person=order.id, kind=kind)


def simulated(folder: Path, seed: int, personas: int = PERSONAS) -> Part:
    """Return an archive of ``make_records.py``."""
    home = folder / f"{personas}-{seed}-whole"

    def make() -> Path:
        path = home / "archive.forebear"
        if not path.exists():
            world = make_world(home, personas=personas, seed=seed, queries=QUERIES)
            import_world(world, path)
        return path

    def queries(archive: Archive) -> Iterator[JudgedQuery]:
        world = World(home)
        grades = world.qrels_of({list_.record_type for list_ in archive.lists()}).grades
        for query in world.queries:
            right = frozenset(key for key, grade in grades.get(query.id, {}).items() if grade > 0)
            if right:
                yield JudgedQuery(query=query, right=right, person=f"{seed}/{query.id}")

    return Part(name=f"simulated, seed {seed}", source="simulated", make=make, queries=queries)


def lab_simulated(folder: Path, seed: int) -> Part:
    """Return an archive of `forebear_lab.simulation`."""
    home = folder / f"lab-{PERSONAS}-{seed}"

    def make() -> Path:
        return make_archive(home / "archive.forebear", write)

    def write(path: Path) -> None:
        written = write_archive(home / "world", personas=PERSONAS, seed=seed, queries=QUERIES)
        with open_archive(path) as archive:
            for table in written.tables:
                archive.import_file(table)

    def queries(_: Archive) -> Iterator[JudgedQuery]:
        written = read_archive(home / "world")
        grades = read_qrels(written.qrels).grades
        for line in written.queries.read_text("utf-8").splitlines():
            query = parse_query(line)
            if right := frozenset(grades.get(query.id, ())):
                yield JudgedQuery(query=query, right=right, person=f"lab {seed}/{query.id}")

    return Part(name=f"lab, seed {seed}", source="lab", make=make, queries=queries)


def judged_lists(folder: Path, half: Half) -> dict[str, JudgedLists]:
    """Return the lists of each part of a half, collected or as they were kept."""
    lists = {}
    for part in parts(folder, half):
        path = folder / f"{part.name.replace(', seed ', '-')}-{half}.npz"
        collected = _load(path)
        if collected is None:
            with open_archive(part.make()) as archive:
                collected = _collect(archive, part.queries(archive))
            _save(path, collected)
            print(
                f"{part.name}: {len(collected.right):,} queries, {len(collected.labels):,} records",
                file=sys.stderr,
                flush=True,
            )
        lists[part.name] = collected
    return lists


def source_of(part: str) -> str:
    """Return the source of a part, by its name."""
    return part.partition(",")[0]


def input_hashes() -> dict[str, str]:
    """Return the SHA-256 of every file that the sources are made from; of a package, one."""
    files = {
        path.relative_to(TOOLS).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for paths in INPUTS.values()
        for path in paths
    }
    package = Path(simulation.__file__).parent
    contents = b"".join(
        path.read_bytes()
        for path in sorted(package.rglob("*"))
        if path.suffix in (".py", ".csv", ".toml")
    )
    return files | {simulation.__name__: hashlib.sha256(contents).hexdigest()}


def _collect(archive: Archive, queries: Iterable[JudgedQuery]) -> JudgedLists:
    number = {column: place for place, column in enumerate(COLUMNS)}
    type_number = {name: place for place, name in enumerate(RECORD_TYPES)}
    options = SearchOptions(model=HAND_SET, top=TOP)
    fired, ends, labels, types, ties = [], [0], [], [], []
    offsets, right, persons, kinds = [0], [], [], []
    for judged in queries:
        result: SearchResult = archive.search(
            judged.query, options=options, log=False
        ).search_result
        for ranked in result.lists:
            for hit in ranked.hits:
                fired += [number[ranked.record_type, clause] for clause in hit.fired]
                ends.append(len(fired))
                labels.append(hit.record_key in judged.right)
                types.append(type_number[ranked.record_type])
                ties.append(tie_key(hit.record_key))
        offsets.append(len(labels))
        right.append(len(judged.right))
        persons.append(judged.person)
        kinds.append(judged.kind)
    return JudgedLists(
        fired=_ones(np.array(fired, np.int32), np.array(ends, np.int64)),
        labels=np.array(labels, np.bool_),
        types=np.array(types, np.int64),
        ties=np.array(ties, np.int64),
        offsets=np.array(offsets, np.int64),
        right=np.array(right, np.int64),
        persons=np.array(persons),
        kinds=np.array(kinds),
    )


def _ones(indices: NDArray[np.int32], ends: Integers) -> csr_array:
    values = np.ones(len(indices), np.float32)
    return csr_array((values, indices, ends), shape=(len(ends) - 1, len(COLUMNS)))


def _save(path: Path, lists: JudgedLists) -> None:
    np.savez_compressed(
        path,
        catalog=np.array(catalog_hash(clause_hashes())),
        indices=lists.fired.indices,
        ends=lists.fired.indptr,
        labels=lists.labels,
        types=lists.types,
        ties=lists.ties,
        offsets=lists.offsets,
        right=lists.right,
        persons=lists.persons,
        kinds=lists.kinds,
    )


def _load(path: Path) -> JudgedLists | None:
    """Return the lists that were kept, if they are of the clauses of now."""
    if not path.exists():
        return None
    with np.load(path) as arrays:
        if str(arrays["catalog"]) != catalog_hash(clause_hashes()):
            return None
        return JudgedLists(
            fired=_ones(arrays["indices"], arrays["ends"]),
            labels=arrays["labels"],
            types=arrays["types"],
            ties=arrays["ties"],
            offsets=arrays["offsets"],
            right=arrays["right"],
            persons=arrays["persons"],
            kinds=arrays["kinds"],
        )
