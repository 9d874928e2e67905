"""How likely is it that a hit is the person?  One function for everything that shows a percentage.

Let s be the score of a hit in its list, in bits, and G the number of records that pass the list's
gate.  Then

    P = 2^(b s) / (rivals + none),    none = 2^(a + c log2(G + 1) - offset),

where ``rivals`` is the sum of 2^(b s) over the hit and all hits that cannot be right beside it: a
person is born once, so births under their own names exclude each other, as do the rows of one
census.  ``none`` stands for the answer that no hit is right.  The constants a (by record type and
by whether the record is about the person), b and c belong to the model; the offset says how much
likelier than where they were fitted people are to be in this archive.

The one list is not ordered by probability: its order knows shifts and type decay, and hits of
different lists are of different classes.  Where probabilities rise down the list that is shown,
they are pooled to their mean (isotonic regression with equal weights), so that no later hit has a
higher one, whatever the order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import log2
from typing import overload

import numpy as np
from numpy.typing import NDArray

from forebear.search.hits import NO_YEAR, Hits, tie_key
from forebear.search.model import UNITS_PER_BIT, ProbabilityConstants
from forebear.search.query.person_query import PersonQuery
from forebear.search.record_search.ranked_list import DATED_TYPES, RankedList

Floats = NDArray[np.float64]
RivalGroup = tuple[str, int | None]

# A person has one record of these types that is about them, as a rule.  (Some people were in court
# more than once, but treating those records as rivals is better on real ones: decision 0027.)
ONCE = frozenset(
    {
        *("birth", "baptism", "death", "burial", "obituary", "probate", "naturalization"),
        "court",
    }
)
# Everybody on these records is listed for their own sake.
LISTS_EVERYBODY = frozenset({"census", "family_tree"})
PRINCIPAL = "record.role.principal"
KIN = ".kin"
MAX_BITS = 1_000.0  # of log2 odds; 2**1024 overflows

VERY_LIKELY = 0.80
UNLIKELY = 0.05  # below, no number is shown
THIN = 0.20  # if the best hit is below, no numbers are shown
STEPS = 20  # numbers are shown in twentieths: finer digits are noise
# From each probability upward, the words for it.
WORDS = (
    (0.95, "almost certain"),
    (VERY_LIKELY, "very likely"),
    (0.50, "likely"),
    (0.20, "possible"),
    (UNLIKELY, "unlikely"),
    (0.0, "very unlikely"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbabilitySteps:
    """The steps from the score of a hit to log2 of its odds, in bits."""

    score: float  # of the hit in its list
    scale: float  # what b adds to the score
    level: float  # of the class, with the archive's offset
    gate: float  # for the records that pass the gate
    rivals: float
    pooling: float
    records: int  # that pass the gate
    rival_count: int  # the hit included
    worth: float  # of a bit of the score

    @property
    def log_odds(self) -> float:
        """Return log2 of the odds that the hit is the person."""
        return self.score + self.scale + self.level + self.gate + self.rivals + self.pooling


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoredHits:
    """What the probabilities of some hits follow from, one entry for each hit."""

    scores: Floats  # in their lists, in bits
    classes: Sequence[str]
    groups: Sequence[RivalGroup | None]
    records: Sequence[int]  # that pass the gate of the hit's list

    def take(self, places: Sequence[int]) -> "ScoredHits":
        """Return the entries at these places, in this order."""
        return ScoredHits(
            scores=self.scores[list(places)],
            classes=[self.classes[place] for place in places],
            groups=[self.groups[place] for place in places],
            records=[self.records[place] for place in places],
        )

    def log_odds(self, constants: ProbabilityConstants, offset: float = 0.0) -> Floats:
        """Return log2 of the odds of each hit, before pooling."""
        bits = {name: constants.level(name) - offset for name in set(self.classes)}
        gates = {count: constants.gate * log2(count + 1) for count in set(self.records)}
        pairs = zip(self.classes, self.records, strict=True)
        none = np.array([bits[name] + gates[count] for name, count in pairs], np.float64)
        return log_odds(constants.scale * self.scores, none, self.groups)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Probabilities:
    """The probability of every hit of a search."""

    constants: ProbabilityConstants
    offset: float
    places: dict[int, int]  # of tie keys in the one list, in whose order all else is
    hits: ScoredHits
    raw: Floats  # log2 odds before pooling
    pooled: Floats
    values: list[float]  # probabilities, never rising
    parts: "Mapping[int, Probabilities]" = field(default_factory=dict)  # of an interleaved list

    def __getitem__(self, record_key: str) -> float:
        return self.values[self.places[tie_key(record_key)]]

    def of(self, hits: Hits) -> list[float]:
        """Return the probability of each of some hits."""
        return [self.values[self.places[tie]] for tie in hits.tie.tolist()]

    def in_order(self, hits: Hits) -> "Probabilities":
        """Return the probabilities of the same hits in another order, pooled down that list."""
        ties = hits.tie.tolist()
        places = [self.places[tie] for tie in ties]
        if places == list(range(len(self.values))):
            return self
        raw = self.raw[places]
        pooled = pool(raw)
        return replace(
            self,
            places={tie: place for place, tie in enumerate(ties)},
            hits=self.hits.take(places),
            raw=raw,
            pooled=pooled,
            values=to_probability(pooled).tolist(),
        )

    @property
    def best(self) -> float:
        """Return the highest probability; 0 if there is no hit."""
        return self.values[0] if self.values else 0.0

    def steps(self, tie: int) -> ProbabilitySteps:
        """Return how the probability of a hit follows from its score."""
        if tie in self.parts:
            place = self.places[tie]
            pooling = float(self.pooled[place] - self.raw[place])
            return replace(self.parts[tie].steps(tie), pooling=pooling)
        place, constants, hits = self.places[tie], self.constants, self.hits
        score, records, group = float(hits.scores[place]), hits.records[place], hits.groups[place]
        scale = (constants.scale - 1) * score
        level = self.offset - constants.level(hits.classes[place])
        gate = -constants.gate * log2(records + 1)
        raw, pooled = float(self.raw[place]), float(self.pooled[place])
        return ProbabilitySteps(
            score=score,
            scale=scale,
            level=level,
            gate=gate,
            rivals=raw - (score + scale + level + gate) if group else 0.0,
            pooling=pooled - raw,
            records=records,
            rival_count=hits.groups.count(group) if group else 1,
            worth=constants.scale,
        )


def probabilities(
    fused: Hits,
    lists: Sequence[RankedList],
    constants: ProbabilityConstants,
    *,
    offset: float = 0.0,
) -> Probabilities:
    """Return the probability of every hit of a list, pooled in its order."""
    hits = scored_hits(fused, lists)
    raw = hits.log_odds(constants, offset)
    pooled = pool(raw)
    return Probabilities(
        constants=constants,
        offset=offset,
        places={tie: place for place, tie in enumerate(fused.tie.tolist())},
        hits=hits,
        raw=raw,
        pooled=pooled,
        values=to_probability(pooled).tolist(),
    )


def scored_hits(fused: Hits, lists: Sequence[RankedList]) -> ScoredHits:
    """Return what the probabilities of hits follow from."""
    passed = {ranked.name: ranked.records for ranked in lists}
    records = [passed.get(info.name, 0) for info in fused.lists]
    of_list = fused.of_list.tolist()
    types = fused.record_types().tolist()
    is_principal = fused.fires_any(PRINCIPAL).tolist()
    classes = list(map(class_of, types, is_principal))
    years = [None if year == NO_YEAR else year for year in fused.year.tolist()]
    return ScoredHits(
        scores=fused.score / UNITS_PER_BIT,
        classes=classes,
        groups=list(map(rival_group, types, classes, years)),
        records=[records[number] for number in of_list],
    )


def class_of(record_type: str, is_principal: bool) -> str:
    """Return the class of a hit: its record type, and whether the record is about the person.

    >>> class_of("baptism", True), class_of("baptism", False)
    ('baptism', 'baptism.kin')
    """
    if is_principal or record_type in LISTS_EVERYBODY:
        return record_type
    return record_type + KIN


def type_of(name: str) -> str:
    """Return the record type of a class."""
    return name.removesuffix(KIN)


@lru_cache(maxsize=1024)
def rival_group(record_type: str, of_class: str, year: int | None) -> RivalGroup | None:
    """Return which hits a hit excludes: those of the same group; None if it excludes no other."""
    if record_type in DATED_TYPES:
        return None if year is None else (record_type, year)
    return (record_type, None) if record_type in ONCE and of_class == record_type else None


def log_odds(evidence: Floats, none: Floats, groups: Sequence[RivalGroup | None]) -> Floats:
    """Return log2 of the odds of each hit against its rivals and none, before pooling."""
    against = none.copy()
    members: dict[RivalGroup, list[int]] = {}
    for place, group in enumerate(groups):
        if group is not None:
            members.setdefault(group, []).append(place)
    for places in members.values():
        if len(places) > 1:
            against[places] = np.logaddexp2(none[places], _others(evidence[places]))
    odds: Floats = evidence - against
    return odds


def _others(evidence: Floats) -> Floats:
    """Return for each rival log2 of the sum of 2^evidence over the others."""
    highest = evidence.max()
    sizes = np.exp2(evidence - highest)
    before, after = np.cumsum(sizes)[:-1], np.cumsum(sizes[::-1])[:-1][::-1]
    sums = np.append(0.0, before) + np.append(after, 0.0)
    others: Floats = highest + np.log2(np.maximum(sums, 2.0**-MAX_BITS))
    return others


def pool(odds: Floats) -> Floats:
    """Return log2 odds that never rise: where they do, the odds of the mean probability."""
    right, wrong = to_probability(odds).tolist(), to_probability(-odds).tolist()
    blocks: list[tuple[float, float, int]] = []  # sums of both, and of how many hits
    for one, other in zip(right, wrong, strict=True):
        block = (one, other, 1)
        while blocks and blocks[-1][0] * block[1] < block[0] * blocks[-1][1]:  # odds that rise
            before = blocks.pop()
            block = (before[0] + block[0], before[1] + block[1], before[2] + block[2])
        blocks.append(block)
    pooled = odds.copy()
    place = 0
    for one, other, size in blocks:
        if size > 1:
            pooled[place : place + size] = log2(one / other)
        place += size
    return pooled


@overload
def to_probability(odds: float) -> float: ...


@overload
def to_probability(odds: Floats) -> Floats: ...


def to_probability(odds: float | Floats) -> float | Floats:
    """Return the probability that log2 odds mean."""
    chance: float | Floats = 1 / (1 + np.exp2(-np.clip(odds, -MAX_BITS, MAX_BITS)))
    return chance


def shown_probability(probability: float) -> float | None:
    """Return a probability as it is shown, in steps of five points; None if it is under 5 %.

    >>> shown_probability(0.931), shown_probability(0.9999), shown_probability(0.03)
    (0.95, 0.95, None)
    """
    if probability < UNLIKELY:
        return None
    return min(max(round(probability * STEPS), 1), STEPS - 1) / STEPS


def probability_words(probability: float) -> str:
    """Return a probability in words: those for the number that is shown.

    >>> probability_words(0.78), probability_words(0.77), probability_words(0.04)
    ('very likely', 'likely', 'very unlikely')
    """
    shown = shown_probability(probability) or 0.0
    return next(words for least, words in WORDS if shown >= least)


def suggestion(query: PersonQuery, records: int) -> str:
    """Return what to add to a query that no record matches better than many others do.

    ``records`` is how many pass the gate of the best hit's list.
    """
    lacking = [
        fact
        for fact, is_stated in (
            ("a given name", any(name.given for name in query.names)),
            ("a surname", any(name.surname for name in query.names)),
            ("a year", any(event.date for event in query.events)),
            ("a place", any(event.place for event in query.events)),
            ("a relative", bool(query.relatives)),
        )
        if not is_stated
    ]
    start = f"{records:,} records match equally well" if records > 1 else "No record matches well"
    return f"{start}. Add {_any_of(lacking) or 'another year, place or relative'}."


def nothing_found(query: PersonQuery) -> str:
    """Return what to change in a query that returns nothing."""
    ideas = [
        idea
        for idea, is_possible in (
            ("check the spelling of the names", bool(query.names)),
            ("leave a fact out", bool(query.events or query.relatives or query.age)),
            ("widen a date (abt 1806)", any(event.date for event in query.events)),
            ("give only the county of a place", any(event.place for event in query.events)),
            ("search all record types and collections", _is_restricted(query)),
        )
        if is_possible
    ]
    return f"No record matches. {(_any_of(ideas) or 'add a name').capitalize()}."


def _is_restricted(query: PersonQuery) -> bool:
    return bool(query.record_types or query.collections or query.filters)


def _any_of(options: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(options[:-1]), *options[-1:])))


def less_likely_from(chances: Sequence[float]) -> int | None:
    """Return the rank of the first hit below the line, from which all are unlikely."""
    for rank in range(len(chances), 0, -1):
        if chances[rank - 1] >= UNLIKELY:
            return rank + 1 if rank < len(chances) else None
    return 1 if chances else None
