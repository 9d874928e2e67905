"""Do the records that a searcher attached before help to rank the next search of that searcher?

    python -m benchmarks.quality.personalization --folder FOLDER --tune 71 72 --judge 73 74

Simulated archives (`forebear_lab.simulation`) have users who look for people of one family
and return.  Each user's searches are made in the order of days; what is attached (with position
bias, misses and mistakes: `forebear_lab.simulation.behavior`) makes the user's profile for later
searches.  A hit gets a bonus in bits if one of its conditions holds, given the earlier attachments:

    parish   the record is of a place where the user attached a record
    county   the record is of a county where the user did
    period   its year is within five years of that of an attached record
    family   a person on it has a surname of an attached record that the query does not give

The bonuses are tuned by coordinate ascent on NDCG@100 on some seeds and judged once on others.
The control gives every search the profile of another user, of the same number of attachments: what
it gains is no personalization.  Records that the user attached before are in no list, because they
would be found by their own places and years.  Intervals are 95 % by bootstrap over users.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.default_measures import IDEAL
from forebear.archive import Archive
from forebear.records.record import Record
from forebear.search.expansion.learned_variants import name_form
from forebear_lab.experiments.worlds import SimulatedSize, World, import_world, simulate_world
from forebear_lab.simulation.behavior import Behavior, act

CONDITIONS = ("parish", "county", "period", "family")
STEPS = (0.0, 0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)  # bits
PERIOD = 5  # years
CUTOFF = 100
HITS = 100  # of the fused list that are ranked again
SHUFFLES = 5
RESAMPLES = 2000

Floats = NDArray[np.float64]
Bits = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordFacts:
    """What a profile has of a record."""

    parish: str = ""
    county: str = ""
    year: int | None = None
    surnames: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProfiledSearch:
    """One search of a user who attached records before."""

    user: str
    scores: Floats  # of the fused hits, in bits
    right: Bits
    expected: int  # right records that the user has not attached
    personal: Bits  # a row a hit, a column a condition, by the user's profile
    others: tuple[Bits, ...]  # the same by the profiles of other users


def main() -> int:
    """Tune, judge, and print; 1 if the gain over unpersonalized search is not above zero."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="a folder for the archives")
    parser.add_argument("--personas", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--tune", type=int, nargs="+", default=[71, 72])
    parser.add_argument("--judge", type=int, nargs="+", default=[73, 74])
    options = parser.parse_args()
    tuning, judging = (
        [
            search
            for seed in seeds
            for search in collect(
                options.folder, SimulatedSize(personas=options.personas, seed=seed), options
            )
        ]
        for seeds in (options.tune, options.judge)
    )
    print(f"simulated: {len(tuning):,} searches to tune on, {len(judging):,} to judge on")
    for number, name in enumerate(CONDITIONS):
        print(f"{name:<8} {describe(judging, number)}")
    every = list(range(len(CONDITIONS)))
    reached = 0.0
    for chosen in ([number] for number in every), [every]:
        for conditions in chosen:
            bonus = tune(tuning, conditions)
            words = " ".join(f"{CONDITIONS[n]} {bonus[n]:g}" for n in conditions)
            print(f"\nbonus in bits: {words}")
            print(f"  tuned on: {shown(gains(tuning, bonus))}")
            judged = gains(judging, bonus)
            print(f"  judged:   {shown(judged)}")
            print(f"  control:  {shown(gains(judging, bonus, control=True))}", flush=True)
            reached = judged[1]
    return int(reached <= 0)


def collect(folder: Path, size: SimulatedSize, options: argparse.Namespace) -> list[ProfiledSearch]:
    """Search a simulated archive as its users would, and return their later searches."""
    home = simulate_world(size, folder, queries=options.queries, progress=_progress)
    world = World(folder=home)
    with import_world(world, folder, progress=_progress) as archive:
        return list(_visits(archive, world, size.seed, options.queries))


def _visits(archive: Archive, world: World, seed: int, count: int) -> Iterable[ProfiledSearch]:
    right, visits = world.right_records(), world.visits()
    queries = [query for query in world.queries(count) if query.id in visits]
    queries.sort(key=lambda query: visits[query.id].day)
    facts: dict[str, RecordFacts] = {}
    decided: dict[str, set[str]] = {}
    attached: dict[str, list[str]] = {}
    searches = []
    for query in queries:
        user = visits[query.id].user
        fused = archive.search(query, log=False).search_result.fused[:HITS]
        keys = [hit.record_key for hit in fused]
        _read(archive, keys, facts)
        already = decided.setdefault(user, set())
        earlier = tuple(attached.setdefault(user, []))
        relevant = right.get(query.id, frozenset())
        names = (*query.names, *query.relatives)
        stated = frozenset(name_form(name.surname) for name in names)
        scores = np.array([hit.fused_score for hit in fused], np.float64) / 64
        searches.append((user, earlier, keys, scores, relevant, stated))
        actions = act(
            keys, relevant, user=user, query_id=query.id, seed=seed, behavior=Behavior(),
            already=already,
        )  # fmt: skip
        already.update(actions.attached, actions.rejected)
        attached[user] += actions.attached
    chance = np.random.default_rng(seed)
    profiles = {user: keys for user, keys in attached.items() if keys}
    users = sorted(profiles)
    for user, earlier, keys, scores, relevant, stated in searches:
        rows = [place for place, key in enumerate(keys) if key not in earlier]
        expected = len(relevant - set(earlier))
        if not earlier or not rows or not expected:
            continue
        listed = [keys[place] for place in rows]
        others = [name for name in users if name != user and len(profiles[name]) >= len(earlier)]
        sampled = [others[n] for n in chance.integers(len(others), size=SHUFFLES)] if others else []
        yield ProfiledSearch(
            user=f"{seed}/{user}",
            scores=scores[rows],
            right=np.array([key in relevant for key in listed]),
            expected=expected,
            personal=_conditions(listed, earlier, facts, stated),
            others=tuple(
                _conditions(listed, profiles[name][: len(earlier)], facts, stated)
                for name in sampled
            ),
        )


def _read(archive: Archive, keys: Sequence[str], facts: dict[str, RecordFacts]) -> None:
    missing = [key for key in keys if key not in facts]
    records = archive.storage.records(missing, viewer=archive.viewer("owner"))
    for key in missing:
        facts[key] = _facts(records[key][0]) if key in records else RecordFacts()


def _facts(record: Record) -> RecordFacts:
    place, date = record.event.place, record.event.date
    levels = place.levels if place else ()
    names = (name.surname for persona in record.personas for name in persona.names)
    return RecordFacts(
        parish=", ".join(levels),
        county=", ".join(levels[1:]),
        year=date.first_year if date else None,
        surnames=frozenset(filter(None, map(name_form, names))),
    )


def _conditions(
    keys: Sequence[str],
    profile: Sequence[str],
    facts: dict[str, RecordFacts],
    stated: frozenset[str],
) -> Bits:
    """Return which conditions hold for each hit, given the records that were attached."""
    attached = [facts[key] for key in profile if key in facts]
    parishes = {one.parish for one in attached} - {""}
    counties = {one.county for one in attached} - {""}
    years = {
        year + off for one in attached if (year := one.year) for off in range(-PERIOD, PERIOD + 1)
    }
    surnames = frozenset().union(*(one.surnames for one in attached)) - stated
    hits = [facts[key] for key in keys]
    return np.array(
        [
            (
                hit.parish in parishes,
                hit.county in counties,
                hit.year in years,
                not surnames.isdisjoint(hit.surnames),
            )
            for hit in hits
        ],
        dtype=np.bool_,
    )


def tune(searches: Sequence[ProfiledSearch], conditions: Sequence[int]) -> Floats:
    """Return the bonus of each condition that ranks best, by coordinate ascent."""
    bonus = np.zeros(len(CONDITIONS))
    best = _mean(searches, bonus)
    while True:
        before = best
        for number in conditions:
            for step in STEPS:
                tried = bonus.copy()
                tried[number] = step
                if (value := _mean(searches, tried)) > best:
                    best, bonus = value, tried
        if best == before:
            return bonus


def gains(
    searches: Sequence[ProfiledSearch], bonus: Floats, *, control: bool = False
) -> tuple[float, float, float]:
    """Return what a bonus gains in NDCG, with its interval over users."""
    differences: dict[str, list[float]] = {}
    for search in searches:
        fired = search.others if control else (search.personal,)
        if fired:
            plain = _ndcg(search, np.zeros(len(search.scores)))
            mean = float(np.mean([_ndcg(search, one @ bonus) for one in fired]))
            differences.setdefault(search.user, []).append(mean - plain)
    sums = np.array([sum(values) for values in differences.values()])
    sizes = np.array([len(values) for values in differences.values()])
    samples = np.random.default_rng(1).integers(len(sums), size=(RESAMPLES, len(sums)))
    means = sums[samples].sum(axis=1) / sizes[samples].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(sums.sum() / sizes.sum()), float(low), float(high)


def describe(searches: Sequence[ProfiledSearch], number: int) -> str:
    """Return how often a condition holds on right records and on others."""
    fired = np.concatenate([search.personal[:, number] for search in searches])
    shuffled = np.concatenate([one[:, number] for search in searches for one in search.others])
    right = np.concatenate([search.right for search in searches])
    twice = np.concatenate([search.right for search in searches for _ in search.others])
    return (
        f"holds on {fired[right].mean():.3f} of right records, {fired[~right].mean():.3f} of the "
        f"others; another user's: {shuffled[twice].mean():.3f}, {shuffled[~twice].mean():.3f}"
    )


def shown(value: tuple[float, float, float]) -> str:
    """Return a difference with its interval."""
    mean, low, high = value
    return f"NDCG@{CUTOFF} {mean:+.4f} [{low:+.4f}, {high:+.4f}]"


def _mean(searches: Sequence[ProfiledSearch], bonus: Floats) -> float:
    return float(np.mean([_ndcg(search, search.personal @ bonus) for search in searches]))


def _ndcg(search: ProfiledSearch, bonus: Floats) -> float:
    order = np.argsort(-(search.scores + bonus), kind="stable")[:CUTOFF]
    ranks = np.flatnonzero(search.right[order]) + 1
    return float((1 / np.log2(ranks + 1)).sum() / IDEAL[min(search.expected, CUTOFF) - 1])


def _progress(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
