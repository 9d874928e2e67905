"""Does `forebear train` learn from real links?  Soldiers in a census, and London's poor law.

    python -m benchmarks.quality.learning_links --folder /tmp/links

Only the judging halves are used: no weight of `default` was fitted on them.  They are divided once
more, by surname, so no family is on both sides: models learn from links of one part and rank the
searches of the other.  The lists are those that `default` finds.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.quality import london, soldiers
from benchmarks.quality.london import SHARED
from benchmarks.quality.london_data import EXAMINATIONS, KINDS, read_orders
from benchmarks.quality.london_data import our_query as order_query
from benchmarks.quality.probability_data import london_half
from benchmarks.quality.soldiers_data import CENSUS, our_query, read_soldiers
from forebear.archive import Archive, open_archive
from forebear.search.model import default_model, hand_set_model
from forebear.search.query.person_query import parse_query
from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.loop_differences import estimate_all
from forebear_lab.experiments.loop_feedback import link
from forebear_lab.experiments.loop_learners import learn_model
from forebear_lab.experiments.loop_searches import KnownSearch, SearchLog
from forebear_lab.experiments.rescored_lists import RescoredLists

SIZES = (50, 200, 1_000)
MEASURES = ("success@1", "success@10", "ndcg@100")


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedQuery:
    """A query and the records that experts linked to it."""

    id: str
    query: dict[str, object]
    right: frozenset[str]
    person: str
    surname: str


def main() -> int:
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    sets = {
        "soldiers": (soldiers.make_archive, _soldiers),
        "london": (london.make_archive, _london),
    }
    for name in options.sets:
        make_archive, read = sets[name]
        path = options.folder / f"{name}.forebear"
        if not path.exists():
            make_archive(path)
        with open_archive(path) as archive:
            searches = _search(archive, list(read())[:: options.every])
        _report(name, searches, draws=options.draws, sizes=options.sizes)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="keeps archives and their logs")
    parser.add_argument("--sets", nargs="+", default=["soldiers", "london"])
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--every", type=int, default=1, help="take only every Nth query")
    return parser.parse_args()


def _soldiers() -> Iterator[LinkedQuery]:
    for soldier in read_soldiers(SHARED):
        if soldier.right and soldier.half == "judge":
            yield LinkedQuery(
                id=soldier.id,
                query=our_query(soldier),
                right=frozenset(f"{CENSUS}:{key}" for key in soldier.right),
                person=soldier.id,
                surname=soldier.surname,
            )


def _london() -> Iterator[LinkedQuery]:
    """Yield each order of the judging half with every kind of query."""
    for order in read_orders(SHARED):
        for kind in KINDS if london_half(order) == "judge" else ():
            yield LinkedQuery(
                id=f"{order.id}-{kind.replace(' ', '-')}",
                query=order_query(order, kind),
                right=frozenset(f"{EXAMINATIONS}:{key}" for key in order.right),
                person=order.id,
                surname=order.surname,
            )


def _search(
    archive: Archive, queries: Sequence[LinkedQuery]
) -> tuple[list[KnownSearch], list[KnownSearch]]:
    """Return the searches to learn from and the others; a surname is on one side."""
    log = SearchLog(archive)
    surnames = sorted({one.surname.casefold() for one in queries})
    order = np.random.default_rng(1).permutation(len(surnames))
    learned = {surnames[number] for number in order[: len(surnames) // 2]}
    sides: tuple[list[KnownSearch], list[KnownSearch]] = ([], [])
    for one in queries:
        query = parse_query(json.dumps({**one.query, "id": one.id}))
        search = KnownSearch(
            search=log.search(query), right=one.right, person=one.person, user="", day=0, born=None
        )
        sides[one.surname.casefold() not in learned].append(search)
    return sides


def _report(
    name: str,
    sides: tuple[list[KnownSearch], list[KnownSearch]],
    *,
    draws: int,
    sizes: Sequence[int],
) -> None:
    pool, test = sides
    lists = RescoredLists(test)
    persons = [one.person for one in test]
    baselines = {model.name: lists.rank(model) for model in (default_model(), hand_set_model())}
    print(f"\n{name}: {len(pool):,} searches to learn from, {len(test):,} to judge on")
    rows = [
        (model, "", *(f"{estimate.mean:.4f}" for estimate in _shown(values, persons)))
        for model, values in baselines.items()
    ]
    for size in sizes:
        count = min(draws, 1 if size >= len(pool) else draws)
        fitted = []
        for draw in range(count):
            order = np.random.default_rng([1, draw]).permutation(len(pool))[:size]
            model = learn_model(link([pool[place] for place in order.tolist()]), seed=1)
            fitted.append(lists.rank(model or default_model()))
        for baseline, values in baselines.items():
            differences = estimate_all([one.minus(values) for one in fitted], persons, seed=1)
            shown = (f"{differences[m].shown} {differences[m].worst:+.4f}" for m in MEASURES)
            rows.append((f"{min(size, len(pool)):,} searches over {baseline}", str(count), *shown))
    headings = ("model", "draws", *(f"{measure}, worst draw" for measure in MEASURES))
    print(Table(headings=headings, rows=rows).as_text(), flush=True)


def _shown(values: object, persons: Sequence[str]) -> Iterator[object]:
    estimates = estimate_all([values], persons, seed=1)
    return (estimates[measure] for measure in MEASURES)


if __name__ == "__main__":
    sys.exit(main())
