"""How good are rankings held in arrays, and is one better than another by more than luck?

NDCG and NCE of many queries at once, for callers that have scores and labels in memory and
measure often: no names, no files, and nothing is sorted where counting is enough.  The values
equal those of the scalar definitions in ``forebear_lab.evaluation.measures`` (ties averaged).

Shapes: one entry per document; query q holds the documents ``offsets[q]:offsets[q + 1]``.

Two rankings are compared on the same queries by the paired bootstrap: the difference is taken
query by query, and resampling the queries with replacement shows how far the mean moves by chance
(percentile interval).  Queries of one group are sampled together.  They are also held out
together, when a part of the queries is learned from and the rest measured.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forebear.errors import InputError
from forebear.kernels.nce import (
    count_types,
    entropies_by_query,
    ideal_entropies,
    supplied_entropies,
)
from forebear.kernels.ndcg import Floats, Integers, summed_discounts, unsorted_ndcg

Gain = Literal["linear", "exponential"]
Ideal = Literal["paper", "hits", "supply"]  # what the most varied list could consist of

_NO_ENTROPY = 1e-9  # bits: an ideal below it is 0; two records of two types already have 1
_SAMPLES_AT_ONCE = 4_000_000  # keeps the table of sampled queries within some 32 MB


def ndcg_of_arrays(
    scores: ArrayLike,
    grades: ArrayLike,
    offsets: ArrayLike,
    *,
    cutoff: int | None = None,
    gain: Gain = "linear",
    ideals: ArrayLike | None = None,
) -> Floats:
    """Return the NDCG of each query from scores in any order, ties averaged.

    Scores and grades may be of any type of number.
    ``ideals`` is the best DCG of each query if documents were judged that are not here.
    """
    numbers, judged = _as_floating(scores), _as_numbers(grades)
    bounds = _check_offsets(offsets, numbers)
    if judged.shape != numbers.shape:
        raise InputError(f"{numbers.size} scores but {judged.size} grades")
    longest = int(np.diff(bounds).max(initial=1))
    discounts = summed_discounts(longest, cutoff=longest if cutoff is None else cutoff)
    best = np.zeros(0) if ideals is None else _check_ideals(ideals, bounds)
    values = unsorted_ndcg(numbers, judged, bounds, best, discounts, gain == "exponential")
    if np.isnan(values).any():
        raise InputError("a relevant document has a score that is not a number")
    return values


def nce_of_arrays(
    types: ArrayLike,
    offsets: ArrayLike,
    *,
    type_count: int | None = None,
    cutoff: int | None = None,
    ideal: Ideal = "paper",
    supply: ArrayLike | None = None,
) -> Floats:
    """Return the NCE of each query from the types of its documents, best first.

    ``types`` are numbers from 0; ``supply`` has one row per query and one column per type (for
    `hits` and `supply`; without it, what the lists hold).
    """
    numbers = np.asarray(types, np.int64)
    bounds = _check_offsets(offsets, numbers)
    longest = int(np.diff(bounds).max(initial=1))
    depth = longest if cutoff is None else min(cutoff, longest)
    columns = int(numbers.max(initial=-1)) + 1
    sums, _ = entropies_by_query(numbers, bounds, columns, depth)
    counts = count_types(numbers, bounds, columns)
    lengths = np.minimum(np.diff(bounds), depth)
    if ideal == "paper":
        best = ideal_entropies(_declared(counts, type_count), depth)[lengths]
    else:
        best = _supplied(counts, supply, lengths, ideal)
    varies = best > _NO_ENTROPY
    return np.where(varies, sums / np.where(varies, best, 1.0), 1.0)


def _supplied(
    counts: Integers, supply: ArrayLike | None, lengths: Integers, ideal: Ideal
) -> Floats:
    available = counts if supply is None else np.asarray(supply, np.int64)
    if available.shape[0] != lengths.size or (available[:, : counts.shape[1]] < counts).any():
        raise InputError("a list holds more records of a type than its supply has")
    if ideal == "supply":
        return supplied_entropies(available, lengths)
    hits = np.count_nonzero(available, axis=1)
    best = np.zeros(lengths.size)
    for type_count in np.unique(hits[hits > 0]).tolist():
        chosen = hits == type_count
        best[chosen] = ideal_entropies(type_count, int(lengths.max(initial=0)))[lengths[chosen]]
    return best


def _declared(counts: Integers, type_count: int | None) -> int:
    present = int(np.count_nonzero(counts, axis=1).max(initial=0))
    if not type_count:
        raise InputError("the paper's ideal needs to know how many types could appear")
    if present > type_count:
        raise InputError(f"{present} types in the list, but only {type_count} could appear")
    return type_count


def _as_floating(scores: ArrayLike) -> NDArray[np.floating]:
    numbers = np.asarray(scores)
    # Not copied if it need not be: a copy would take longer than the measure.
    return numbers if np.issubdtype(numbers.dtype, np.floating) else numbers.astype(np.float64)


def _as_numbers(grades: ArrayLike) -> NDArray[np.number]:
    judged = np.asarray(grades)
    return judged.view(np.uint8) if judged.dtype == np.bool_ else judged


def _check_ideals(ideals: ArrayLike, offsets: Integers) -> Floats:
    best = np.asarray(ideals, np.float64)
    if best.shape != (offsets.size - 1,):
        raise InputError(f"{best.size} ideals for {offsets.size - 1} queries")
    return best


def _check_offsets(offsets: ArrayLike, documents: NDArray[np.generic]) -> Integers:
    bounds = np.asarray(offsets, np.int64)
    whole = bounds.ndim == 1 and bounds.size > 0 and documents.ndim == 1
    if not whole or bounds[0] != 0 or bounds[-1] != documents.size or (np.diff(bounds) < 0).any():
        raise InputError(f"the offsets do not divide {documents.size} documents into queries")
    return bounds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedDifferences:
    """What two rankings differ by, after minus before, summed over each group of queries."""

    sums: Floats
    sizes: Floats  # how many queries each group has, or their weight

    @property
    def mean(self) -> float:
        """Return the mean difference over all queries."""
        return float(self.sums.sum() / self.sizes.sum())


def pair_differences(
    before: Mapping[str, float],
    after: Mapping[str, float],
    groups: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
) -> PairedDifferences:
    """Take the difference of two rankings query by query; without groups each is its own."""
    if not before:
        raise InputError("there is no query to compare on")
    if before.keys() != after.keys():
        alone = sorted(before.keys() ^ after.keys())
        raise InputError(f"only one of the two rankings was measured on query {alone[0]!r}")
    by_group: dict[str, list[tuple[float, float]]] = {}
    # sorted: the answer must not depend on the order in which queries were read
    for query in sorted(before):
        group = query if groups is None else _group_of(query, groups)
        weight = 1.0 if weights is None else weights[query]
        difference = weight * (after[query] - before[query])
        by_group.setdefault(group, []).append((difference, weight))
    totals = [[sum(column) for column in zip(*pairs, strict=True)] for pairs in by_group.values()]
    sums, sizes = np.array(totals, dtype=np.float64).T
    return PairedDifferences(sums=sums, sizes=sizes)


def _group_of(query: str, groups: Mapping[str, str]) -> str:
    if query not in groups:
        raise InputError(
            f"query {query!r} has no group", hint="the file of groups must name every query"
        )
    return groups[query]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The mean difference, after minus before, and where chance would leave it."""

    difference: float
    low: float
    high: float
    confidence: float
    query_count: int
    group_count: int = 0  # how many groups of queries were sampled; 0: each query by itself

    @property
    def decided(self) -> bool:
        """Return whether the interval excludes 0."""
        return self.low > 0 or self.high < 0


def compare(
    before: Mapping[str, float],
    after: Mapping[str, float],
    *,
    seed: int,
    resamples: int = 10_000,
    confidence: float = 0.95,
    groups: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
) -> Comparison:
    """Compare one measure of two rankings, given by query, by paired bootstrap.

    ``weights`` say how much each query counts, by default 1.
    """
    differences = pair_differences(before, after, groups, weights)
    if resamples < 1 or not 0 < confidence < 1:
        raise InputError(f"{resamples} resamples at confidence {confidence} give no interval")
    means = _resampled_means(differences, np.random.default_rng(seed), resamples)
    outside = (1 - confidence) / 2
    low, high = np.quantile(means, [outside, 1 - outside])
    return Comparison(
        difference=differences.mean,
        low=float(low),
        high=float(high),
        confidence=confidence,
        query_count=len(before),
        group_count=differences.sums.size if groups is not None else 0,
    )


def _resampled_means(
    differences: PairedDifferences, random: np.random.Generator, resamples: int
) -> Floats:
    sums, sizes = differences.sums, differences.sizes
    at_once = max(1, _SAMPLES_AT_ONCE // sums.size)
    parts = []
    for done in range(0, resamples, at_once):
        rows = random.integers(sums.size, size=(min(at_once, resamples - done), sums.size))
        parts.append(sums[rows].sum(axis=1) / sizes[rows].sum(axis=1))
    return np.concatenate(parts)


def split_groups(keys: Sequence[str], share: float, seed: int) -> tuple[Integers, Integers]:
    """Return the positions to learn from and those held out; equal keys stay together.

    About ``share`` of the positions are held out, as near as whole groups allow, and at
    least one group is on each side.
    """
    if not 0 < share < 1:
        raise InputError(f"the share to hold out is {share}, not between 0 and 1")
    groups, members, sizes = np.unique(np.asarray(keys), return_inverse=True, return_counts=True)
    if groups.size < 2:
        raise InputError(f"{groups.size} group(s) cannot be split; at least 2 are needed")
    order = np.random.default_rng(seed).permutation(groups.size)
    reached = np.cumsum(sizes[order])[:-1]
    held_count = int(np.argmin(np.abs(reached - share * len(keys)))) + 1
    held = np.isin(members, order[:held_count])
    return np.flatnonzero(~held), np.flatnonzero(held)


def k_folds(keys: Sequence[str], count: int, seed: int) -> tuple[tuple[Integers, Integers], ...]:
    """Return, for each fold, the positions to learn from and those held out.

    Every position is held out once, and equal keys in the same fold.  The folds are about of
    one size: groups, the largest first, go to the fold that has the least.
    """
    groups, members, sizes = np.unique(np.asarray(keys), return_inverse=True, return_counts=True)
    if not 2 <= count <= groups.size:
        raise InputError(
            f"{groups.size} queries or groups of queries cannot make {count} folds",
            hint="a fold needs at least one: give more queries or fewer folds, at least 2",
        )
    order = np.random.default_rng(seed).permutation(groups.size)
    folds = np.zeros(groups.size, np.int64)
    filled = np.zeros(count, np.int64)
    for group in order[np.argsort(-sizes[order], kind="stable")]:
        folds[group] = np.argmin(filled)
        filled[folds[group]] += sizes[group]
    held = folds[members]
    return tuple(
        (np.flatnonzero(held != fold), np.flatnonzero(held == fold)) for fold in range(count)
    )
