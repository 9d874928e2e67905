"""What does a type decay give in diversity, and what does it cost in relevance?

    python -m benchmarks.quality.type_decay --folder FOLDER --source simulated --half judge

Each query is searched with the default model and no decay, and its hits are ordered with several
decays: a record loses the decay for every record of its type before it.  The types also take
turns, and last is the order of a search without options.  Four sources:

simulated  archives of ``make_records.py``, 60,000 personas, as default weights are fitted to
large      one of 300,000 personas
lab        archives of `forebear_lab.simulation`, another generator
london     all record files of the shared data, and London removal orders in three kinds of query

Printed are success@1, success@10, NDCG@100 and NCE@100 (every list of the archive is a type) with
their differences from no decay and 95 % bootstrap intervals, query by query.  Then, of the first 20
hits, how many searches have a later hit that is likelier by more than five points, and what the
probabilities are worth: pooled down the list that is shown (all people are in these archives, which
the constants are not fitted for, so this compares orders).

Soldiers are not in it, nor is any other archive of one type: a decay cannot change its order.  The
exit status is 1 if, in the order of ``--order``, a measure of relevance falls by more than its
interval.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality import default_data, london
from benchmarks.quality.default_data import JudgedQuery, Part
from benchmarks.quality.default_measures import CUTOFF, measure_ranking
from benchmarks.quality.london_measures import interval
from benchmarks.quality.probability_measures import FIRST, forecast, measure
from benchmarks.quality.soldiers_data import Half
from forebear.archive import Archive, open_archive
from forebear.learning.probability import JudgedHits, judge_result
from forebear.search.fusion import Ordering
from forebear.search.model import UNITS_PER_BIT, shipped_constants
from forebear.search.search_result import SearchOptions, decide_decay
from forebear_lab.evaluation.measures.entropy import nce
from forebear_lab.evaluation.tables import Cell, Table

SOURCES = ("simulated", "large", "lab", "london")
LARGE = 300_000
LARGE_SEEDS: dict[Half, int] = {"tune": 1_003, "judge": 51}
DECAYS = (0.0, 0.125, 0.25, 0.5, 1.0)  # bits
ORDERINGS = {
    **{f"{bits:g}": Ordering(decay=round(bits * UNITS_PER_BIT)) for bits in DECAYS},
    "by types": Ordering(order="types"),
}
DEFAULT = "default"
NAMES = (*ORDERINGS, DEFAULT)
MEASURES = ("success@1", "success@10", f"NDCG@{CUTOFF}", f"NCE@{CUTOFF}")
OF_PROBABILITIES = ("inversions", "mass", "ECE", "sum", "log loss")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shown:
    """A result in one order."""

    measures: tuple[float, float, float, float]
    judged: JudgedHits


def main() -> int:
    """Print a table for each archive; 1 if a measure falls in the chosen order."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="a folder for the archives")
    parser.add_argument("--half", choices=("tune", "judge"), default="tune")
    parser.add_argument("--source", choices=SOURCES, default="simulated")
    parser.add_argument("--queries", type=int, default=1500, help="the first of each archive")
    parser.add_argument("--order", choices=NAMES[1:], default=DEFAULT)
    options = parser.parse_args()
    falls = False
    for part in parts(options.folder, options.source, options.half):
        with open_archive(part.make()) as archive:
            chosen = list(islice(part.queries(archive), options.queries))
            results = [_measure(archive, query, len(archive.lists())) for query in chosen]
        for kind in sorted({query.kind for query in chosen}):
            of_kind = [
                result for query, result in zip(chosen, results, strict=True) if query.kind == kind
            ]
            print(f"\n{part.name}, {kind or 'all'}: {len(of_kind):,} queries")
            falls |= _print(of_kind, NAMES.index(options.order))
    return int(falls)


def parts(folder: Path, source: str, half: Half) -> list[Part]:
    """Return the archives of a source with their queries."""
    if source == "large":
        return [default_data.simulated(folder, LARGE_SEEDS[half], LARGE)]
    if source == "london":
        return [_london(folder, half)]
    return [part for part in default_data.parts(folder, half) if part.source == source]


def _london(folder: Path, half: Half) -> Part:
    path = folder / "london_all.forebear"

    def make() -> Path:
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            london.make_archive(path)
        return path

    return Part(
        name="all record files",
        source="london",
        make=make,
        queries=lambda _: default_data.london_queries(half),
    )


def _measure(archive: Archive, query: JudgedQuery, type_count: int) -> list[Shown]:
    """Return the result of a query in each order."""
    options = SearchOptions(decay=0.0)
    by_score = archive.search(query.query, options=options, log=False).search_result
    shown = []
    default = decide_decay(SearchOptions(), by_score.probabilities.best).ordering
    for ordering in (*ORDERINGS.values(), default):
        result = by_score.in_order(ordering.apply(by_score.fused))
        keys = result.fused.record_keys()
        first, tenth, ndcg = measure_ranking(
            [key in query.right for key in keys[:CUTOFF]], len(query.right)
        )
        types = result.fused.record_types()[:CUTOFF].tolist()
        shown.append(
            Shown(
                measures=(first, tenth, ndcg, nce(types, type_count=type_count) if types else 0.0),
                judged=judge_result(result, query.right),
            )
        )
    return shown


def _print(results: Sequence[Sequence[Shown]], chosen: int) -> bool:
    """Print the measures of each order; return whether one of relevance falls with the chosen."""
    values = np.array([[one.measures for one in of_query] for of_query in results])
    rows: list[tuple[Cell, ...]] = []
    falls = False
    for column, name in enumerate(NAMES):
        means = values[:, column].mean(axis=0)
        gains = interval(values[:, column] - values[:, 0])
        cells = [
            f"{mean:.4f}" if not column else f"{mean:.4f} {gain:+.4f} [{low:+.4f}, {high:+.4f}]"
            for mean, (gain, low, high) in zip(means.tolist(), gains, strict=True)
        ]
        if column == chosen:
            falls = any(high < 0 for _, _, high in gains[:-1])
        stated = measure(forecast([o[column].judged for o in results], shipped_constants()))
        rows.append(
            (
                *(name, *cells, stated.inversions),
                *(f"{stated.mass:.3f}", f"{stated.ece:.3f}", f"{stated.sum:.2f}"),
                f"{stated.log_loss:.3f}",
            )
        )
    headings = ("order", *MEASURES, *(f"{name}, first {FIRST}" for name in OF_PROBABILITIES))
    print(Table(headings=headings, rows=rows).as_text(), flush=True)
    return falls


if __name__ == "__main__":
    sys.exit(main())
