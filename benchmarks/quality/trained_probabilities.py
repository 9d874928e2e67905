"""Do percentages still mean what they say after training?  Calibration of models that were learned.

    python -m benchmarks.quality.trained_probabilities --world DIR --folder FOLDER

The searches of a simulated archive are divided by the person sought, as in `forebear experiment
loop`, whose folder (`--out`) can be given.  From links of some, models are learned as by `forebear
train`, with new constants of the probabilities as its last step.  Judged are the first 20 hits of
searches for other people; a third of these people are taken out of the lists.  It ends with status
1 unless every bound holds.
"""

import argparse
import hashlib
import sys
from pathlib import Path

import numpy as np

from benchmarks.quality.probabilities import BOUNDS, OWN
from benchmarks.quality.probability_measures import Measures, forecast, measure
from forebear.learning.logged_rankings import rank_search
from forebear.learning.probability import JudgedHits, estimate_offset, judge_log
from forebear.learning.train import train
from forebear.search.model import Model, default_model, shipped_constants
from forebear.search.results.probability import ScoredHits
from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.loop_feedback import link
from forebear_lab.experiments.loop_searches import KnownSearch, divide_searches, log_searches
from forebear_lab.experiments.worlds import World, import_world

SIZES = (20, 50, 200, 1_000)
REMOVED = 1 / 3  # of the people that are searched for to judge
HEADINGS = ("searches", "offset", "mass", "ECE", "sum", "log loss", "rank alone", "inversions")


def main() -> int:
    options = _options()
    world = World(folder=options.world)
    with import_world(world, options.folder / "data", progress=_say) as archive:
        logged = log_searches(archive, world, count=options.queries, progress=_say)
    searches = divide_searches(logged, seed=1, label="simulated")
    print(
        f"simulated archive {options.world.name}: {len(searches.pool):,} searches to learn from, "
        f"{len(searches.test):,} to judge on, {REMOVED:.0%} of these for people taken out"
    )
    default = default_model()
    order = np.random.default_rng([1, 0]).permutation(len(searches.pool))
    rows, holds = [], True
    for size in (0, *(size for size in options.sizes if size <= len(order))):
        chosen = [searches.pool[place] for place in order[:size].tolist()]
        model = train(link(chosen), default, seed=1).model if size else default
        constants = model.probability or shipped_constants(model.name)
        hits = [_hits(one, model) for one in searches.test]
        offset = estimate_offset([one.hits for one in hits], constants)
        for bits in (0.0, offset):
            result = measure(forecast(hits, constants, bits))
            rows.append((f"{size:,}" if size else "default", f"{bits:+.2f}", *_cells(result)))
            # Offsets are for archives with another share of absent people.
            holds &= not size or bits != 0 or _is_within(result)
    print(Table(headings=HEADINGS, rows=rows).as_text())
    return 0 if holds else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--world", type=Path, required=True, help="folder of a simulated archive")
    parser.add_argument("--folder", type=Path, required=True, help="keeps the archive and its log")
    parser.add_argument("--queries", type=int, default=2_400)
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    return parser.parse_args()


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _cells(of: Measures) -> tuple[str, ...]:
    return (
        *(f"{value:.3f}" for value in (of.mass, of.ece)),
        f"{of.sum:.2f}",
        *(f"{value:.3f}" for value in (of.log_loss, of.rank_log_loss)),
        f"{of.inversions}",
    )


def _is_within(of: Measures) -> bool:
    mass, ece, low, high = BOUNDS[OWN]
    return of.mass <= mass and of.ece <= ece and low <= of.sum <= high and not of.inversions


def _hits(one: KnownSearch, model: Model) -> JudgedHits:
    """Return the hits of a search, best first; of a person who is taken out the wrong ones."""
    judged = one.perfectly_judged
    place = {record: at for at, record in enumerate(rank_search(model, judged).records)}
    records = [record for shown in judged.search.lists for record in shown.records]
    order = sorted(range(len(records)), key=lambda at: place[records[at]])
    in_log_order = judge_log(judged, model)
    hits = in_log_order.hits
    ordered = JudgedHits(
        hits=ScoredHits(
            scores=hits.scores[order],
            classes=[hits.classes[at] for at in order],
            groups=[hits.groups[at] for at in order],
            records=[hits.records[at] for at in order],
        ),
        labels=in_log_order.labels[order],
    )
    return ordered.without_right() if _is_removed(one.person) else ordered


def _is_removed(person: str) -> bool:
    return int(hashlib.sha256(person.encode()).hexdigest()[:8], 16) / 2**32 < REMOVED


if __name__ == "__main__":
    sys.exit(main())
