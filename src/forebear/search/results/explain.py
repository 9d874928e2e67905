"""Why a record stands where it stands: every clause that fired, in bits that add up.

A clause says that something matched, that something is missing where it should be, or that
something is in conflict.  Then come the steps of fusion: the slope, the shift and the
conditions of the list, and the decay of the type.  Contributions and steps add up to the
fused score exactly, because all of them are whole 64ths of a bit.

The probability has its own steps, from the sum of the clauses to log2 of the odds: the level of
the list, the records that match as well, rivals, and pooling.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from forebear.search.expansion.catalog import CatalogRow, Clause, load_catalog
from forebear.search.fusion.shifted import FusedHit
from forebear.search.model import UNITS_PER_BIT, Model
from forebear.search.results.probability import ProbabilitySteps, to_probability
from forebear.tables import read_table

Verdict = Literal["matched", "absent", "in conflict"]
StepKind = Literal["slope", "shift", "condition", "decay"]
OddsKind = Literal["clauses", "scale", "level", "gate", "rivals", "pooling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule by which facts of the query become what a record would say."""

    number: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One clause that fired."""

    clause: str
    verdict: Verdict
    words: str
    note: str  # what a rule worked out, if one did
    rules: tuple[Rule, ...]  # that shaped the clause
    weight: int  # in 64ths of a bit

    @property
    def bits(self) -> float:
        """Return the weight in bits."""
        return self.weight / UNITS_PER_BIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step from the record's own score to the fused one."""

    kind: StepKind
    words: str
    weight: int  # in 64ths of a bit

    @property
    def bits(self) -> float:
        """Return the weight in bits."""
        return self.weight / UNITS_PER_BIT


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsStep:
    """One step from the clauses to log2 of the odds that the hit is the person."""

    kind: OddsKind
    words: str
    bits: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a hit has its score and its probability."""

    record_key: str
    list_name: str
    reasons: tuple[Reason, ...]  # the weightiest first
    steps: tuple[Step, ...]  # in the order of fusion; the shift always
    evidence: int  # the score before decay
    score: int
    odds: tuple[OddsStep, ...]  # from the clauses to the probability

    @property
    def log_odds(self) -> float:
        """Return log2 of the odds that the hit is the person."""
        return sum(step.bits for step in self.odds)

    @property
    def probability(self) -> float:
        """Return how likely it is that the hit is the person."""
        return float(to_probability(self.log_odds))

    @property
    def shift(self) -> int:
        """Return the shift of the list, in 64ths of a bit."""
        return next(step.weight for step in self.steps if step.kind == "shift")

    @property
    def adds_up(self) -> bool:
        """Say whether the reasons and the steps give the score exactly."""
        clauses = sum(reason.weight for reason in self.reasons)
        return clauses + sum(step.weight for step in self.steps) == self.score


def explain(
    hit: FusedHit, clauses: Sequence[Clause], model: Model, probability: ProbabilitySteps
) -> Explanation:
    """Return why a hit has its score and its probability under a model."""
    notes = {clause.name: clause.note for clause in clauses if clause.note}
    fired = hit.hit.fired
    reasons = [
        _reason(hit.record_type, name, notes.get(name, ""), weight)
        for name, weight in zip(fired, model.weights_of(hit.record_type, fired), strict=True)
    ]
    return Explanation(
        record_key=hit.hit.record_key,
        list_name=hit.list_name,
        reasons=tuple(sorted(reasons, key=lambda reason: -abs(reason.weight))),
        steps=tuple(_steps(hit)),
        evidence=hit.evidence,
        score=hit.score,
        odds=tuple(_odds(hit, probability)),
    )


@lru_cache(maxsize=10_000)
def _reason(record_type: str, clause: str, note: str, weight: int) -> Reason:
    """Return a reason; the hits of a page, and of the next, have most of theirs in common."""
    row = _rows(record_type)[clause]
    return Reason(
        clause=row.clause,
        verdict=_verdict(row),
        words=row.words,
        note=note,
        rules=tuple(_rules()[number] for number in row.rule.split()),
        weight=weight,
    )


def _verdict(row: CatalogRow) -> Verdict:
    if row.kind == "absent":
        return "absent"
    return "matched" if row.polarity > 0 else "in conflict"


def _steps(hit: FusedHit) -> Iterator[Step]:
    move = hit.move
    if sloped := move.sloped(hit.hit.score):
        worth = f"a bit of its scores is worth {move.slope / UNITS_PER_BIT:g}"
        yield Step(kind="slope", words=f"slope of the list {hit.list_name}: {worth}", weight=sloped)
    yield Step(kind="shift", words=f"shift of the list {hit.list_name}", weight=move.shift)
    for fact, weight in move.conditions:
        words = f"condition: {fact.replace('.', ' ')} is known"
        yield Step(kind="condition", words=words, weight=weight)
    if hit.decay:
        words = "decay: records of the same type stand before it"
        yield Step(kind="decay", words=words, weight=-hit.decay)


def _odds(hit: FusedHit, steps: ProbabilitySteps) -> Iterator[OddsStep]:
    kind = hit.record_type.replace("_", " ")
    yield OddsStep(kind="clauses", words="all reasons together", bits=steps.score)
    yield OddsStep(
        kind="scale", words=f"each bit of them is worth {steps.worth:.2f}", bits=steps.scale
    )
    yield OddsStep(
        kind="level", words=f"how rarely a {kind} record that matches is right", bits=steps.level
    )
    match = "record passes" if steps.records == 1 else "records pass"
    yield OddsStep(
        kind="gate",
        words=f"{steps.records:,} {match} the gate of the list {hit.list_name}",
        bits=steps.gate,
    )
    if steps.rivals:
        words = f"rivals: {steps.rival_count:,} records of which only one can be right"
        yield OddsStep(kind="rivals", words=words, bits=steps.rivals)
    if steps.pooling:
        words = "pooled with its neighbors, so that no later record has a higher probability"
        yield OddsStep(kind="pooling", words=words, bits=steps.pooling)


@cache
def _rows(record_type: str) -> dict[str, CatalogRow]:
    return {row.clause: row for row in load_catalog()[record_type]}


@cache
def _rules() -> dict[str, Rule]:
    rows = read_table("search/rules")
    return {row["number"]: Rule(number=row["number"], words=row["words"]) for row in rows}
