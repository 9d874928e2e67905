"""Searches with known answers, among them people who are not in the archive.

Soldiers: the census of 1900 with linked and unlinked soldiers.  London: the settlement
examinations, where those of every second order are removed before the import.  Simulated archives:
a third of the people searched for are removed from the tables.  Each source is divided in two
halves: one tunes, one judges; simulated archives are divided by their seeds.
"""

import csv
import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchmarks.quality.london_data import EXAMINATIONS, KINDS, Order, read_orders, read_table
from benchmarks.quality.london_data import our_query as london_query
from benchmarks.quality.soldiers_data import CENSUS, Half, read_soldiers, write_census
from benchmarks.quality.soldiers_data import our_query as soldier_query
from benchmarks.quality.worlds_data import World, import_world, make_world
from forebear.archive import Archive, create_archive, open_archive
from forebear.learning.probability import JudgedHits, judge_result
from forebear.search.query.person_query import PersonQuery
from forebear.search.search_result import SearchOptions

FIRST_TUNING_SEED = 1_000
REMOVED = 3  # one person of this many is removed from a simulated archive
Query = PersonQuery | dict[str, object]


def soldiers(
    records: Path, folder: Path, half: Half, *, model: str, linked: bool | None = None
) -> list[JudgedHits]:
    """Search for the soldiers of one half: all, or only the linked or the unlinked ones."""
    path = make_archive(folder / "soldiers.forebear", lambda part: import_census(records, part))
    chosen = [
        soldier
        for soldier in read_soldiers(records)
        if soldier.half == half and linked in (None, bool(soldier.right))
    ]
    with open_archive(path) as archive:
        return _search(
            archive,
            ((soldier_query(soldier), record_keys(CENSUS, soldier.right)) for soldier in chosen),
            model,
        )


def london(
    records: Path, folder: Path, half: Half, *, model: str, kinds: Iterable[str] = KINDS
) -> list[JudgedHits]:
    """Search for the orders of one half; the answers of every second order are not there."""
    orders = read_orders(records)
    removed = {key for order in orders if _digit(order.id, 1) % 2 for key in order.right}
    path = make_archive(
        folder / "london.forebear", lambda part: import_examinations(records, part, removed)
    )
    chosen = [order for order in orders if london_half(order) == half]
    with open_archive(path) as archive:
        return _search(
            archive,
            (
                (london_query(order, kind), record_keys(EXAMINATIONS, order.right - removed))
                for kind in kinds
                for order in chosen
            ),
            model,
        )


def london_half(order: Order) -> Half:
    """Return whether an order tunes or judges."""
    return "tune" if _digit(order.id, 0) % 2 == 0 else "judge"


def simulated(
    folder: Path, *, personas: int, seed: int, queries: int, model: str
) -> list[JudgedHits]:
    """Search a simulated archive from which a third of the people were removed."""
    home = folder / f"{personas}-{seed}"
    path = home / "archive.forebear"
    if not path.exists():
        world = make_world(home, personas=personas, seed=seed, queries=queries)
        remove_people(world)
        import_world(world, path)
    world = World(home)
    with open_archive(path) as archive:
        right = world.qrels_of({list_.record_type for list_ in archive.lists()}).grades
        removed = _removed(world)
        return _search(
            archive,
            ((query, right.get(query.id, {}).keys() - removed) for query in world.queries),
            model,
        )


def remove_people(world: World) -> None:
    """Remove every record of a third of the people searched for from the tables of a world."""
    removed = _removed(world)
    for table in {key.partition(":")[0] for key in removed}:
        path = world.folder / f"{table}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(head)
            writer.writerows(row for row in rows if f"{table}:{row[0]}" not in removed)


def _removed(world: World) -> set[str]:
    grades = world.qrels_of({path.stem for path in world.folder.glob("*.csv")}).grades
    return {
        key for query, keys in grades.items() if _digit(query, 0, 60) % REMOVED == 0 for key in keys
    }


def _search(
    archive: Archive, queries: Iterable[tuple[Query, Iterable[str]]], model: str
) -> list[JudgedHits]:
    options = SearchOptions(model=model)
    return [
        judge_result(
            archive.search(query, options=options, log=False).search_result, frozenset(right)
        )
        for query, right in queries
    ]


def make_archive(path: Path, fill: Callable[[Path], None]) -> Path:
    """Return an archive, created and filled if it is not there."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        create_archive(part).close()
        fill(part)
        part.rename(path)
    return path


def import_census(records: Path, path: Path) -> None:
    """Import the census of 1900 into an archive."""
    with open_archive(path) as archive:
        table, mapping = write_census(records, path.parent)
        archive.import_file(table, mapping=str(mapping))


def import_examinations(records: Path, path: Path, removed: set[str]) -> None:
    """Import the settlement examinations without those that are removed."""
    table = path.parent / "examinations.tsv"
    source = records / "london_poor_law" / "examinations.tsv"
    lines = source.read_text("utf-8").split("\n")
    rows = list(read_table(source))
    if len(rows) != len([line for line in lines[1:] if line]):
        sys.exit("the examinations are not one line each")
    left = [
        line for line, row in zip(lines[1:], rows, strict=False) if row["exam_id"] not in removed
    ]
    table.write_text("\n".join([lines[0], *left, ""]), "utf-8")
    with open_archive(path) as archive:
        archive.import_file(table, mapping=EXAMINATIONS)


def record_keys(collection: str, ids: Iterable[str]) -> Iterator[str]:
    """Yield the keys of records of a collection."""
    return (f"{collection}:{name}" for name in ids)


def _digit(name: str, place: int, digits: int = 1) -> int:
    return int(hashlib.sha256(name.encode()).hexdigest()[place : place + digits], 16)
