"""What do the lists of simulated queries look like, in the shapes of the paper?

Records of one type, to learn weights from. A query states some facts about a person (a surname, a
birth year, the spouse's name) and lacks others. A fact is compared at nested levels, from loose to
exact, and each level is one binary feature: a record that agrees exactly agrees loosely too. A fact
that the query lacks fires on none of the query's records. The agreement of a record i with a stated
fact f is a normal number,

    a = r * likeness(i) + sqrt(1 - r²) * noise + clarity(query) * evidence(f) * relevant(i),

where the likeness of a record is the same for all facts, because a record that was retrieved for
its surname tends to share the place too. Level l fires where a exceeds the threshold that a stated
share of irrelevant records passes. A record may not give the fact at all, and a query may state it
wrongly; then relevance adds nothing. Some facts are worthless and some speak against a record. The
total evidence, the sum of stated(f) * evidence(f)², is the same for every seed; it was chosen so
that learned weights reach about the NDCG of the paper ("Ranking in Genealogy", .5567 for marriage
and .5966 for residence; here .53 and .57 on test queries, the means of six seeds).

Lists of many types, to be fused. Each query gets at most 100 records from each list. How many match
depends on the query (a common name has many matches everywhere) and on chance; some record types
have none. A record matches by

    m = mean(list) + effect(query) + noise             if it is irrelevant,
    m = lift(list) + ease(query) + noise               if it is relevant,

and its score is scale(list) * 2^bits, where bits = slope(list) * m, rounded to 64ths, as the
engine's own scores are: so records tie. The lists differ in scale and slope, so raw scores are not
comparable, and one weight per list repairs most of it (section 3.2). One to four records of a query
are relevant, in lists that differ in how many they attract. Whatever the seed, the spread of each
property over the lists is exactly what is stated here. Queries are drawn in blocks, each with its
own generator: the first 1,000 queries of two sizes are the same.

In both, the properties of facts and lists come from one seed, the queries from another.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.kernels.ndcg import Floats
from forebear.learning.dataset import FusionDataset, RankingDataset, bounds

# Records of one type.
SHORTEST, LONGEST = 50, 100  # records of a query
RELEVANT_OF_TYPE = (0.62, 0.26, 0.12)  # chances of 1, 2 and 3 relevant records
MAX_LEVELS = 6
WORTHLESS, CONTRADICTING = 0.15, 0.1  # chances of facts without evidence and of evidence against
LIKENESS = 0.5  # r: correlation of a record's agreement with its likeness
MISTAKEN = 0.08  # chance that a query states a fact wrongly
CLARITY = (0.3, 1.3)  # some queries are nearly hopeless

# Lists of many types.
DEPTH = 100  # records of a list, at most
BLOCK = 1000  # queries drawn at once
UNITS_PER_BIT = 64
RELEVANT_IN_LISTS = (0.45, 0.3, 0.15, 0.1)  # chances of 1 to 4 relevant records
MEDIAN_MATCHES, MATCHES_SPREAD = 88.0, 1.0  # of a list; the spread is that of their logarithm
COMMON_SHARE = 0.3  # of the variance of matches: what a query's lists have in common
SCALE_SPREAD = 0.12  # in bits, over the lists
SLOPE, SLOPE_SPREAD = 0.42, 0.17  # bits per unit of match; the spread is that of the logarithm
MEAN_SPREAD = 0.35
LIFT, LIFT_SPREAD = 3.0, 0.5
QUERY_SPREAD, EASE_SPREAD = 0.35, 1.0
MIN_COVERAGE = 0.6
ATTRACTION = 1.2  # the less, the more unequal the lists are in relevant records
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordShape:
    """The size of one record type's data, and how much evidence its facts hold in all."""

    records: int
    features: int
    evidence: float


# Records and features: the paper's table of record statistics.
SHAPES: Mapping[str, RecordShape] = {
    "marriage": RecordShape(records=60_232, features=121, evidence=23.0),
    "residence": RecordShape(records=69_053, features=87, evidence=26.0),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fact:
    """One fact that queries may state, and the levels at which records are compared with it."""

    thresholds: Floats  # of agreement, rising: the first level is the loosest
    stated: float  # chance that a query states it
    recorded: float  # chance that a record gives it
    evidence: float  # what relevance adds to the agreement


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Queries:
    """Queries and the labels of their records."""

    offsets: NDArray[np.int64]
    labels: NDArray[np.int64]

    @property
    def owners(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(self.offsets.size - 1), np.diff(self.offsets))


def find_shape(name: str) -> RecordShape:
    """Return the shape of this name.

    >>> find_shape("residence").features
    87
    """
    if name not in SHAPES:
        raise InputError(f"no shape is called {name!r}", hint=f"known: {', '.join(SHAPES)}")
    return SHAPES[name]


def simulate_record_rankings(
    shape: RecordShape, *, seed: int, model_seed: int
) -> tuple[RankingDataset, RankingDataset]:
    """Return queries for training and others for testing, each of the shape's size.

    ``model_seed`` decides the facts, ``seed`` the queries and their records.
    """
    facts = draw_facts(shape, np.random.default_rng((model_seed, 1)))
    train, test = (
        _draw_dataset(shape, facts, np.random.default_rng((seed, 2, part))) for part in (0, 1)
    )
    return train, test


def draw_facts(shape: RecordShape, random: np.random.Generator) -> tuple[Fact, ...]:
    """Draw facts whose levels are as many as the shape has features."""
    sizes: list[int] = []
    while (left := shape.features - sum(sizes)) > 0:
        sizes.append(min(left, int(random.integers(1, MAX_LEVELS + 1))))
    stated = random.beta(1.3, 1.8, len(sizes))
    evidence = _draw_evidence(random, stated, shape.evidence)
    return tuple(
        Fact(
            thresholds=_draw_thresholds(random, size),
            stated=float(stated[number]),
            recorded=float(random.uniform(0.7, 1.0)),
            evidence=float(evidence[number]),
        )
        for number, size in enumerate(sizes)
    )


def _draw_evidence(random: np.random.Generator, stated: Floats, total: float) -> Floats:
    """Draw what each fact is worth; the sum of stated * evidence² is ``total``."""
    evidence = random.gamma(2.0, 1.0, stated.size)
    evidence *= np.where(random.random(stated.size) < CONTRADICTING, -0.6, 1.0)
    evidence[random.random(stated.size) < WORTHLESS] = 0.0
    size = float((stated * evidence**2).sum())
    if not size:  # every fact came out as worthless, which only very few facts can
        return np.full(stated.size, np.sqrt(total / stated.sum()))
    return np.asarray(evidence * np.sqrt(total / size), np.float64)


def _draw_thresholds(random: np.random.Generator, size: int) -> Floats:
    """Draw the thresholds of nested levels, each passed by a share of those that pass the last."""
    shares = random.uniform(0.45, 0.85) * np.cumprod(random.uniform(0.65, 0.95, size))
    return np.array([NormalDist().inv_cdf(1 - share) for share in shares.tolist()])


def _draw_dataset(
    shape: RecordShape, facts: tuple[Fact, ...], random: np.random.Generator
) -> RankingDataset:
    queries = _draw_queries(shape.records, random)
    likeness = random.standard_normal(shape.records)
    clarity = random.uniform(*CLARITY, queries.offsets.size - 1)
    features = np.zeros((shape.records, shape.features), np.bool_)
    first = 0
    for fact in facts:
        last = first + fact.thresholds.size
        features[:, first:last] = _compare_fact(fact, queries, likeness, clarity, random)
        first = last
    return RankingDataset(
        features=features,
        labels=queries.labels,
        offsets=queries.offsets,
        feature_names=feature_names(facts),
        query_ids=tuple(f"q{number}" for number in range(queries.offsets.size - 1)),
    )


def feature_names(facts: tuple[Fact, ...]) -> tuple[str, ...]:
    """Return the name of each feature: its fact's number and its level, 1 the loosest."""
    return tuple(
        f"fact{number:02d}.level{level}"
        for number, fact in enumerate(facts, 1)
        for level in range(1, fact.thresholds.size + 1)
    )


def _draw_queries(records: int, random: np.random.Generator) -> _Queries:
    """Divide the records into queries, and choose those that are relevant."""
    sizes = random.integers(SHORTEST, LONGEST + 1, records // SHORTEST + 1)
    sizes = sizes[: int(np.searchsorted(np.cumsum(sizes), records)) + 1]
    sizes[-1] -= sizes.sum() - records
    if sizes.size > 1 and sizes[-1] < SHORTEST // 2:  # too short to rank anything
        moved = SHORTEST // 2 - sizes[-1]
        sizes[-2:] += np.array([-moved, moved])
    offsets = bounds(sizes.tolist())
    counts = 1 + random.choice(len(RELEVANT_OF_TYPE), sizes.size, p=RELEVANT_OF_TYPE)
    # The relevant records are those with the least random numbers of their query: anywhere in it.
    numbers = random.random(records)
    order = np.lexsort((numbers, np.repeat(np.arange(sizes.size), sizes)))
    places = np.arange(records) - np.repeat(offsets[:-1], sizes)
    labels = np.zeros(records, np.int64)
    labels[order] = places < np.repeat(counts, sizes)
    return _Queries(offsets=offsets, labels=labels)


def _compare_fact(
    fact: Fact,
    queries: _Queries,
    likeness: Floats,
    clarity: Floats,
    random: np.random.Generator,
) -> NDArray[np.bool_]:
    """Return which levels fire on each record."""
    stated = random.random(clarity.size) < fact.stated
    mistaken = random.random(clarity.size) < MISTAKEN
    strength = np.where(mistaken, 0.0, clarity * fact.evidence)[queries.owners]
    noise = random.standard_normal(likeness.size)
    agreement = LIKENESS * likeness + np.sqrt(1 - LIKENESS**2) * noise
    agreement += strength * (queries.labels > 0)
    given = stated[queries.owners] & (random.random(likeness.size) < fact.recorded)
    fires: NDArray[np.bool_] = given[:, None] & (agreement[:, None] > fact.thresholds)
    return fires


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
        coverage=random.uniform(MIN_COVERAGE, 1.0, lists),
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
    counts = 1 + random.choice(len(RELEVANT_IN_LISTS), BLOCK, p=RELEVANT_IN_LISTS)
    asking = np.repeat(np.arange(BLOCK), counts)
    # The greatest of log share + Gumbel noise is a draw in proportion to the shares.
    keys = np.log(traits.attraction) + random.gumbel(size=(asking.size, lengths.shape[1]))
    chosen = np.argmax(np.where(lengths[asking] > 0, keys, -np.inf), axis=1)
    places = (random.random(asking.size) * lengths[asking, chosen]).astype(np.int64)
    rows, first = np.unique(offsets[asking * lengths.shape[1] + chosen] + places, return_index=True)
    return rows, chosen[first], asking[first]
