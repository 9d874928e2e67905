"""What does a type decay give in diversity, and what does it cost in relevance?

    python -m benchmarks.quality.type_decay --folder FOLDER --half judge

The simulated archives that default weights are judged on (``make_records.py``, 60,000 personas) are
searched with the default model, and each result is ordered with several decays: a record loses the
decay for every record of its type before it.  Printed are NDCG@100 and NCE@100 (every list of the
archive is a type), and their differences from no decay with 95 % bootstrap intervals, query by
query.  Archives of one type are not in it: a decay cannot change their order.

Probabilities are pooled down the list by score.  So beside are the share of first pages on which a
later hit is more than five points likelier, and the calibration error by mass if probabilities are
pooled down the list that is shown (all people are in these archives, which it is not fitted for: it
compares decays).
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.default_data import JudgedQuery, Part, parts
from benchmarks.quality.default_measures import CUTOFF, measure_ranking
from benchmarks.quality.london_measures import interval
from benchmarks.quality.probability_measures import FIRST, INVERSION, forecast, mass_error
from forebear.archive import Archive, open_archive
from forebear.learning.probability import JudgedHits
from forebear.search.fusion import Ordering
from forebear.search.model import UNITS_PER_BIT, shipped_constants
from forebear.search.results.probability import scored_hits
from forebear_lab.evaluation.measures.entropy import nce
from forebear_lab.evaluation.tables import Cell, Table

DECAYS = (0.0, 0.125, 0.25, 0.5, 1.0)  # bits
HEADINGS = (
    *("decay in bits", "NDCG@100", "difference", "NCE@100", "difference"),
    *("inversions", "mass, pooled again"),
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shown:
    """A result in the order of one decay."""

    ndcg: float
    nce: float
    is_inverted: bool  # a later hit of the first page is likelier by more than five points
    judged: JudgedHits


def main() -> int:
    """Print a table for each archive; 1 if NDCG falls in one of them with the decay asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="a folder for the archives")
    parser.add_argument("--half", choices=("tune", "judge"), default="tune")
    parser.add_argument("--source", choices=("simulated", "lab"), default="simulated")
    parser.add_argument("--queries", type=int, default=1500, help="the first of each archive")
    parser.add_argument("--decay", type=float, choices=DECAYS[1:], default=0.25)
    options = parser.parse_args()
    falls = False
    for part in parts(options.folder, options.half):
        if part.source == options.source:
            results = measure_part(part, options.queries)
            values = np.array([[(one.ndcg, one.nce) for one in of_query] for of_query in results])
            _print(part.name, values, results)
            column = DECAYS.index(options.decay)
            falls |= bool(values[:, column, 0].mean() < values[:, 0, 0].mean())
    return int(falls)


def measure_part(part: Part, most: int) -> list[list[Shown]]:
    """Return the result of each query in the order of each decay."""
    with open_archive(part.make()) as archive:
        count = len(archive.lists())
        return [_measure(archive, query, count) for query in islice(part.queries(archive), most)]


def _measure(archive: Archive, query: JudgedQuery, type_count: int) -> list[Shown]:
    result = archive.search(query.query, log=False).search_result
    shown = []
    for decay in DECAYS:
        hits = Ordering(decay=round(decay * UNITS_PER_BIT)).apply(result.fused)
        right = [hit.record_key in query.right for hit in hits]
        chances = np.array([result.probabilities[hit.record_key] for hit in hits[:FIRST]])
        rises = chances - np.minimum.accumulate(chances) if len(chances) else chances
        shown.append(
            Shown(
                ndcg=measure_ranking(right[:CUTOFF], len(query.right))[2],
                nce=nce([hit.record_type for hit in hits[:CUTOFF]], type_count=type_count),
                is_inverted=bool((rises > INVERSION).any()),
                judged=JudgedHits(
                    hits=scored_hits(hits, result.lists), labels=np.array(right, np.bool_)
                ),
            )
        )
    return shown


def _print(name: str, values: Floats, results: Sequence[Sequence[Shown]]) -> None:
    print(f"\n{name} (simulated): {len(values):,} queries")
    rows: list[tuple[Cell, ...]] = []
    for column, decay in enumerate(DECAYS):
        means = values[:, column].mean(axis=0)
        gains = interval(values[:, column] - values[:, 0])
        shown = [f"{mean:+.4f} [{low:+.4f}, {high:+.4f}]" for mean, low, high in gains]
        of_decay = [of_query[column] for of_query in results]
        inverted = np.mean([one.is_inverted for one in of_decay])
        stated = forecast([one.judged for one in of_decay], shipped_constants())
        mass = mass_error(stated.stated, stated.right)
        rows.append(
            (
                *(f"{decay:g}", f"{means[0]:.4f}", shown[0], f"{means[1]:.4f}", shown[1]),
                *(f"{inverted:.3f}", f"{mass:.3f}"),
            )
        )
    print(Table(headings=HEADINGS, rows=rows).as_text(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
