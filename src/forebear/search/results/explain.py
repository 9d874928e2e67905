"""Why a record stands where it stands: every clause that fired, in bits that add up.

A clause says that something matched, that something is missing where it should be, or that
something is in conflict.  Then come the steps of fusion: the slope, the shift and the
conditions of the list, and the decay of the type.  Contributions and steps add up to the
fused score exactly, because all of them are whole 64ths of a bit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from forebear.search.expansion.catalog import CatalogRow, Clause, load_catalog
from forebear.search.fusion.shifted import FusedHit
from forebear.search.model import UNITS_PER_BIT, Model
from forebear.tables import read_table

Verdict = Literal["matched", "absent", "in conflict"]
StepKind = Literal["slope", "shift", "condition", "decay"]


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
class Explanation:
    """Why a hit has its score."""

    record_key: str
    list_name: str
    reasons: tuple[Reason, ...]  # the weightiest first
    steps: tuple[Step, ...]  # in the order of fusion; the shift always
    evidence: int  # the score before decay, which the probability is of
    score: int
    probability: float

    @property
    def shift(self) -> int:
        """Return the shift of the list, in 64ths of a bit."""
        return next(step.weight for step in self.steps if step.kind == "shift")

    @property
    def adds_up(self) -> bool:
        """Say whether the reasons and the steps give the score exactly."""
        clauses = sum(reason.weight for reason in self.reasons)
        return clauses + sum(step.weight for step in self.steps) == self.score


def explain(hit: FusedHit, clauses: Sequence[Clause], model: Model) -> Explanation:
    """Return why a hit has its score under a model."""
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
        probability=hit.probability,
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


@cache
def _rows(record_type: str) -> dict[str, CatalogRow]:
    return {row.clause: row for row in load_catalog()[record_type]}


@cache
def _rules() -> dict[str, Rule]:
    rows = read_table("search/rules")
    return {row["number"]: Rule(number=row["number"], words=row["words"]) for row in rows}
