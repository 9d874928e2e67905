"""Do percentages mean what they say?  Calibration on searches that no constant was fitted on.

    python -m benchmarks.quality.probabilities --folder /tmp/probability_sets --plot reliability.png

Judged are the first 20 hits of soldiers (linked and unlinked, judging half), London orders
(judging half, half of the answers removed) and simulated archives with a third of the people
removed (seeds 31, 32, 33).  Two sets of constants: "own" are fitted on the tuning half of the
source, or on simulated archives of other seeds; "shipped" are those of the model, with the offset
that the archive's own searches give without labels.  A baseline knows only how often each rank is
right.  It ends with status 1 unless every bound holds.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.quality.fit_probabilities import tuning_sets
from benchmarks.quality.london import SHARED
from benchmarks.quality.london_data import KINDS
from benchmarks.quality.probability_data import london, simulated, soldiers
from benchmarks.quality.probability_measures import (
    Floats,
    Measures,
    forecast,
    measure,
    reliability,
)
from forebear.learning.probability import JudgedHits, estimate_offset, fit_constants
from forebear.search.model import DEFAULT, ProbabilityConstants, shipped_constants
from forebear.search.results.probability import UNLIKELY
from forebear_lab.evaluation.tables import Table

WORLDS = {20_000: 31, 100_000: 32, 300_000: 33}
QUERIES = 1000
OWN, SHIPPED = "own", "shipped + offset"
# mass, expected calibration error, the sum from and to: at most, or within
BOUNDS = {OWN: (0.15, 0.05, 0.85, 1.15), SHIPPED: (0.25, 0.07, 0.8, 1.2)}
LEAST_GAIN = {"simulated": 0.35, "real": 0.25}
HEADINGS = (
    *("searches of", "constants", "offset", "mass", "ECE", "ECE, all hits", "sum"),
    *("log loss", "rank alone", "gain", "inversions", "holds"),
)


def main() -> int:
    options = _options()
    tuned = tuning_sets(options.folder, options.model)
    simulations = [search for name, part in tuned.items() if "seed" in name for search in part]
    shipped = shipped_constants(options.model)
    fitted = {
        "soldiers": fit_constants(tuned["soldiers"], shipped),
        "London": fit_constants(tuned["London"], shipped),
        "simulated": fit_constants(simulations, shipped),
    }
    judged = _judged(options.folder, options.model, options.largest)
    rows, holds = [], True
    for name, searches in judged.items():
        source = name.partition(",")[0]
        offset = estimate_offset([search.hits for search in searches], shipped)
        for constants, which, bits in ((fitted[source], OWN, 0.0), (shipped, SHIPPED, offset)):
            result = measure(forecast(searches, constants, bits))
            good = within(result, which, source)
            holds &= good
            rows.append((name, which, f"{bits:+.2f}", *_cells(result), "yes" if good else "NO"))
    print(Table(headings=HEADINGS, rows=rows).as_text(), flush=True)
    _print_kinds(options.folder, options.model, fitted["London"])
    _print_reliability(judged, shipped)
    if options.plot:
        plot(options.plot, judged, shipped)
    return 0 if holds else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="keeps the archives")
    parser.add_argument("--model", default=DEFAULT)
    parser.add_argument("--largest", type=int, default=100_000, help="personas; 300000 takes long")
    parser.add_argument("--plot", type=Path, help="write a reliability plot (needs matplotlib)")
    return parser.parse_args()


def _judged(folder: Path, model: str, largest: int) -> dict[str, list[JudgedHits]]:
    sets = {
        "soldiers, linked and unlinked": soldiers(SHARED, folder, "judge", model=model),
        "London, half removed": london(SHARED, folder, "judge", model=model),
    }
    for personas, seed in WORLDS.items():
        if personas <= largest:
            sets[f"simulated, {personas:,}"] = simulated(
                folder, personas=personas, seed=seed, queries=QUERIES, model=model
            )
    return sets


def within(result: Measures, which: str, source: str) -> bool:
    """Return whether the measures are within their bounds."""
    mass, ece, low, high = BOUNDS[which]
    gain = LEAST_GAIN["simulated" if source == "simulated" else "real"]
    return (
        result.mass <= mass
        and result.ece <= ece
        and low <= result.sum <= high
        and (which != OWN or result.gain >= gain)
        and not result.inversions
    )


def _cells(result: Measures) -> tuple[str | int, ...]:
    return (
        f"{result.mass:.3f}",
        f"{result.ece:.3f}",
        f"{result.ece_all:.4f}",
        f"{result.sum:.2f}",
        f"{result.log_loss:.3f}",
        f"{result.rank_log_loss:.3f}",
        f"{result.gain:.0%}",
        result.inversions,
    )


def _print_kinds(folder: Path, model: str, constants: ProbabilityConstants) -> None:
    rows = [
        (kind, *_cells(measure(forecast(searches, constants))))
        for kind in KINDS
        for searches in [london(SHARED, folder, "judge", model=model, kinds=[kind])]
    ]
    headings = ("London, own constants", *HEADINGS[3:-1])
    print(Table(headings=headings, rows=rows).as_text(), flush=True)


def _print_reliability(
    judged: Mapping[str, Sequence[JudgedHits]], constants: ProbabilityConstants
) -> None:
    rows = []
    for name, searches in judged.items():
        rows += [
            (name, f"{stated:.3f}", f"{right:.3f}", size)
            for stated, right, size in reliability(*_with_offset(searches, constants))
        ]
    headings = ("searches of", "stated", "right", "hits")
    print(Table(headings=headings, rows=rows).as_text(), flush=True)


def plot(
    path: Path, judged: Mapping[str, Sequence[JudgedHits]], constants: ProbabilityConstants
) -> None:
    """Write a reliability plot: what was stated against how often it was right."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 6))
    axes = figure.add_subplot(xlabel="probability", ylabel="share that is right")
    axes.plot([0, 1], [0, 1], color="gray", linewidth=1)
    for name, searches in judged.items():
        rows = reliability(*_with_offset(searches, constants))
        axes.plot([row[0] for row in rows], [row[1] for row in rows], marker="o", label=name)
    axes.legend()
    figure.savefig(path)
    print(f"wrote {path}", file=sys.stderr)


def _with_offset(
    searches: Sequence[JudgedHits], constants: ProbabilityConstants
) -> tuple[Floats, Floats]:
    """Return what was stated of the hits above the line, and which are right."""
    offset = estimate_offset([search.hits for search in searches], constants)
    result = forecast(searches, constants, offset)
    likely = result.stated >= UNLIKELY
    return result.stated[likely], result.right[likely]


if __name__ == "__main__":
    sys.exit(main())
