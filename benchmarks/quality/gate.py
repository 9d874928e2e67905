"""Which right records does each branch of the gate retrieve, and at what cost?

    python -m benchmarks.quality.gate --folder /tmp/gate

For every branch: the right records that only it retrieves, and the candidates a query that only
it adds.  Then four recalls of right records: they pass the gate, survive narrowing, are among the
first 100 of their record type, and are in the fused list.  All this is without relaxation, which
would hide what a branch is worth; a last line has the fused list with it.  The sources are
soldiers of the census of 1900, orders of London, and two simulated archives.  The tuning half is
measured unless ``--half judge`` is given; simulated archives are divided by their seeds.
"""

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.quality import soldiers
from benchmarks.quality.london_data import EXAMINATIONS, KINDS, read_orders
from benchmarks.quality.london_data import our_query as london_query
from benchmarks.quality.probability_data import london_half
from benchmarks.quality.soldiers_data import CENSUS, read_soldiers
from benchmarks.quality.soldiers_data import our_query as soldier_query
from benchmarks.quality.worlds_data import World, import_world, make_world
from forebear.archive import Archive, create_archive, open_archive
from forebear.records.privacy import OWNER
from forebear.search.query.person_query import PersonQuery
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.search.search_result import SearchOptions
from forebear_lab.evaluation.tables import Table

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "data" / "records"
SEEDS = {"tune": (1001, 1002), "judge": (31, 32)}
UNLIMITED = 10**9
RECALLS = (
    *("passes the gate", "survives narrowing", "first 100 of its type", "fused list"),
    "fused list, relaxed where little is found",
)

Judged = tuple[PersonQuery | dict[str, object], frozenset[str]]  # a query and its right records


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, path, judged in _sources(folder, options):
            with open_archive(path) as archive:
                _report(name, archive, judged[: options.queries], options.model)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, help="keep the archives here, and use them again")
    parser.add_argument("--half", choices=tuple(SEEDS), default="tune")
    parser.add_argument("--personas", type=int, default=20_000, help="of a simulated archive")
    parser.add_argument("--queries", type=int, default=300, help="of each source, at most")
    parser.add_argument("--model", default="default")
    return parser.parse_args()


def _sources(
    folder: Path, options: argparse.Namespace
) -> Iterator[tuple[str, Path, Sequence[Judged]]]:
    """Yield the name, the archive and the judged queries of each source."""
    path = folder / "soldiers.forebear"
    if not path.exists():
        soldiers.make_archive(path)
    linked = (soldier for soldier in read_soldiers(SHARED) if soldier.half == options.half)
    yield (
        "soldiers",
        path,
        [
            (soldier_query(soldier), _keys(CENSUS, soldier.right))
            for soldier in linked
            if soldier.right
        ],
    )
    path = folder / "london.forebear"
    if not path.exists():
        _import_examinations(path)
    orders = [order for order in read_orders(SHARED) if london_half(order) == options.half]
    yield (
        "London",
        path,
        [
            (london_query(order, kind), _keys(EXAMINATIONS, order.right))
            for order in orders
            for kind in KINDS
        ],
    )
    for seed in SEEDS[options.half]:
        yield f"simulated, seed {seed}", *_simulated(folder, seed, options)


def _import_examinations(path: Path) -> None:
    create_archive(path).close()
    with open_archive(path) as archive:
        archive.import_file(SHARED / "london_poor_law" / "examinations.tsv", mapping=EXAMINATIONS)


def _simulated(
    folder: Path, seed: int, options: argparse.Namespace
) -> tuple[Path, Sequence[Judged]]:
    home = folder / f"{options.personas}-{seed}"
    path = home / "archive.forebear"
    if not path.exists():
        world = make_world(home, personas=options.personas, seed=seed, queries=options.queries)
        import_world(world, path)
    world = World(home)
    right = world.qrels_of({table.stem for table in home.glob("*.csv")}).grades
    return path, [(query, frozenset(right.get(query.id, ()))) for query in world.queries]


def _keys(collection: str, ids: Iterable[str]) -> frozenset[str]:
    return frozenset(f"{collection}:{name}" for name in ids)


def _report(name: str, archive: Archive, judged: Sequence[Judged], model: str) -> None:
    only: Counter[str] = Counter()
    extra: Counter[str] = Counter()
    recalled: Counter[str] = Counter()
    candidates = 0
    for query, right in judged:
        result, relaxed = (
            archive.search(
                query, options=SearchOptions(model=model, relax=relax), log=False
            ).search_result
            for relax in (False, True)
        )
        searches = {name: _unlimited(search) for name, search in result.searches.items()}
        whole = _find(archive, searches)
        passed = right & _found(whole)
        candidates += _candidates(whole)
        stages = (
            _found(whole),
            _found(_find(archive, result.searches)),
            _found(result.lists),
            {hit.record_key for hit in result.fused},
            {hit.record_key for hit in relaxed.fused},
        )
        for stage, keys in zip(RECALLS, stages, strict=True):
            recalled[stage] += len(right & keys)
        branches = {branch.name for search in searches.values() for branch in search.gate.branches}
        for branch in branches:
            without = _find(archive, _without(searches, branch))
            only[branch] += len(passed - _found(without))
            extra[branch] += _candidates(whole) - _candidates(without)
    total = sum(len(right) for _, right in judged)
    print(f"\n{name}: {len(judged):,} queries, {total:,} right records")
    rows = [
        (branch, f"{only[branch]:,}", f"{extra[branch] / len(judged):.1f}")
        for branch in sorted(extra, key=lambda branch: (-only[branch], branch))
    ]
    headings = ("branch", "right only by it", "extra candidates a query")
    print(Table(headings=headings, rows=rows).as_text())
    print(f"{candidates / len(judged):.1f} candidates a query")
    shares = [(stage, f"{recalled[stage] / total:.3f}") for stage in RECALLS]
    print(Table(headings=("right records", "share"), rows=shares).as_text(), flush=True)


def _find(archive: Archive, searches: Mapping[str, ListSearch]) -> list[RankedList]:
    return archive.storage.find(list(searches.values()), viewer=OWNER, top=UNLIMITED)


def _unlimited(search: ListSearch) -> ListSearch:
    return replace(search, gate=replace(search.gate, limit=UNLIMITED))


def _without(searches: Mapping[str, ListSearch], branch: str) -> dict[str, ListSearch]:
    """Return the searches of the lists whose gate stays open without a branch."""
    left = {}
    for name, search in searches.items():
        branches = tuple(one for one in search.gate.branches if one.name != branch)
        if branches:
            left[name] = replace(search, gate=replace(search.gate, branches=branches))
    return left


def _found(lists: Iterable[RankedList]) -> set[str]:
    return {hit.record_key for list_ in lists for hit in list_.hits}


def _candidates(lists: Iterable[RankedList]) -> int:
    return sum(list_.candidates for list_ in lists)


if __name__ == "__main__":
    sys.exit(main())
