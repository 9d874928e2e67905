"""What do the ranked lists of many record types look like?  Simulated lists to be fused.

Each query gets at most 100 records from each list.  How many match depends on the query (a common
name has many matches everywhere) and on chance; some record types have none.  A record matches by

    m = mean(list) + effect(query) + noise             if it is irrelevant,
    m = lift(list) + ease(query) + noise               if it is relevant,

and its score is scale(list) * 2^bits, where bits = slope(list) * m, rounded to 64ths, as the
engine's own scores are: so records tie.  The lists differ in scale and slope, so raw scores are
not comparable, and one weight per list repairs most of it ("Ranking in Genealogy", section 3.2).
One to four records of a query are relevant, in lists that differ in how many they attract.

The lists' properties come from one seed, the queries from another.  Whatever the seed, the spread
of each property over the lists is exactly what is stated here.  Queries are drawn in blocks, each
with its own generator: the first 1,000 queries of two sizes are the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset, bounds

DEPTH = 100  # records of a list, at most
BLOCK = 1000  # queries drawn at once
UNITS_PER_BIT = 64
RELEVANT = (0.45, 0.3, 0.15, 0.1)  # chances of 1 to 4 relevant records
MEDIAN_MATCHES, MATCHES_SPREAD = 88.0, 1.0  # of a list; the spread is that of their logarithm
COMMON_SHARE = 0.3  # of the variance of matches: what a query's lists have in common
SCALE_SPREAD = 0.12  # in bits, over the lists
SLOPE, SLOPE_SPREAD = 0.42, 0.17  # bits per unit of match; the spread is that of the logarithm
MEAN_SPREAD = 0.35
LIFT, LIFT_SPREAD = 3.0, 0.5
QUERY_SPREAD, EASE_SPREAD = 0.35, 1.0
LEAST_COVERAGE = 0.6
ATTRACTION = 1.2  # the less, the more unequal the lists are in relevant records

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ListTraits:
    """The properties of each list, one number per list."""

    scale: Floats
    slope: Floats
    mean: Floats
    lift: Floats
    coverage: Floats  # chance that a query has the list at all
    attraction: Floats  # share of the relevant records


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Block:
    """Some queries' lists: how long they are, scores and labels."""

    lengths: NDArray[np.int64]  # one row per query, one column per list
    scores: Floats
    labels: NDArray[np.int64]


def simulate_fusion_rankings(
    *,
    queries: int,
    lists: int,
    seed: int,
    model_seed: int,
    progress: Progress = lambda _: None,
) -> FusionDataset:
    """Return the lists of some queries; ``model_seed`` decides the lists, ``seed`` the queries."""
    if queries < 1 or lists < 2:
        raise InputError(f"{queries} queries with {lists} lists leave nothing to fuse")
    traits = draw_traits(lists, np.random.default_rng((model_seed, 3)))
    blocks = []
    for block in _draw_blocks(traits, queries, seed):
        blocks.append(block)
        progress(f"simulated {min(queries, len(blocks) * BLOCK):,} of {queries:,} queries")
    lengths = np.concatenate([block.lengths for block in blocks])
    return FusionDataset(
        scores=np.concatenate([block.scores for block in blocks]),
        labels=np.concatenate([block.labels for block in blocks]),
        offsets=bounds(lengths.ravel().tolist()),
        list_names=tuple(f"list{number:02d}" for number in range(lists)),
        query_ids=tuple(f"q{number}" for number in range(queries)),
    )


def draw_traits(lists: int, random: np.random.Generator) -> ListTraits:
    """Draw the properties of lists, with the spreads stated above."""
    return ListTraits(
        scale=np.exp2(SCALE_SPREAD * _standard(random, lists)),
        slope=SLOPE * np.exp(SLOPE_SPREAD * _standard(random, lists)),
        mean=MEAN_SPREAD * _standard(random, lists),
        lift=LIFT + LIFT_SPREAD * _standard(random, lists),
        coverage=random.uniform(LEAST_COVERAGE, 1.0, lists),
        attraction=random.dirichlet(np.full(lists, ATTRACTION)),
    )


def _standard(random: np.random.Generator, size: int) -> Floats:
    """Draw normal numbers and give them a mean of 0 and a standard deviation of 1."""
    numbers = random.standard_normal(size)
    numbers -= numbers.mean()
    return np.asarray(numbers / numbers.std(), np.float64)


def _draw_blocks(traits: ListTraits, queries: int, seed: int) -> Iterator[_Block]:
    for number, first in enumerate(range(0, queries, BLOCK)):
        random = np.random.default_rng((seed, 4, number))
        yield _draw_block(traits, min(BLOCK, queries - first), random)


def _draw_block(traits: ListTraits, queries: int, random: np.random.Generator) -> _Block:
    """Draw a whole block and keep its first queries, so that sizes share them."""
    lengths = _draw_lengths(traits, random)
    offsets = bounds(lengths.ravel().tolist())
    cells = np.repeat(np.arange(lengths.size), lengths.ravel())
    owners, of_list = np.divmod(cells, lengths.shape[1])
    effect = random.normal(0.0, QUERY_SPREAD, BLOCK)
    match = random.standard_normal(cells.size) + traits.mean[of_list] + effect[owners]
    labels = np.zeros(cells.size, np.int64)
    rows, chosen, asking = _draw_relevant(traits, lengths, offsets, random)
    ease = random.normal(0.0, EASE_SPREAD, BLOCK)
    labels[rows] = 1
    match[rows] = traits.lift[chosen] + ease[asking] + random.standard_normal(rows.size)
    units = np.round(UNITS_PER_BIT * traits.slope[of_list] * match)
    order = np.lexsort((random.random(cells.size), -units, cells))  # ties in any order
    scores = np.exp2(units[order] / UNITS_PER_BIT) * traits.scale[of_list]
    end = offsets[queries * lengths.shape[1]]
    return _Block(lengths=lengths[:queries], scores=scores[:end], labels=labels[order][:end])


def _draw_lengths(traits: ListTraits, random: np.random.Generator) -> NDArray[np.int64]:
    """Draw how many records each query gets from each list; at least one list has some."""
    shape = (BLOCK, traits.scale.size)
    common = np.sqrt(COMMON_SHARE) * random.standard_normal((BLOCK, 1))
    alone = np.sqrt(1 - COMMON_SHARE) * random.standard_normal(shape)
    matches = MEDIAN_MATCHES * np.exp(MATCHES_SPREAD * (common + alone))
    lengths = np.clip(matches, 1, DEPTH).astype(np.int64)
    present = random.random(shape) < traits.coverage
    present[np.arange(BLOCK), random.integers(shape[1], size=BLOCK)] = True
    return np.where(present, lengths, 0)


def _draw_relevant(
    traits: ListTraits,
    lengths: NDArray[np.int64],
    offsets: NDArray[np.int64],
    random: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the relevant records, with the list and the query of each; none comes twice."""
    counts = 1 + random.choice(len(RELEVANT), BLOCK, p=RELEVANT)
    asking = np.repeat(np.arange(BLOCK), counts)
    # The greatest of log share + Gumbel noise is a draw in proportion to the shares.
    keys = np.log(traits.attraction) + random.gumbel(size=(asking.size, lengths.shape[1]))
    chosen = np.argmax(np.where(lengths[asking] > 0, keys, -np.inf), axis=1)
    places = (random.random(asking.size) * lengths[asking, chosen]).astype(np.int64)
    rows, first = np.unique(offsets[asking * lengths.shape[1] + chosen] + places, return_index=True)
    return rows, chosen[first], asking[first]
