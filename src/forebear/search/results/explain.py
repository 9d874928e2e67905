"""Why a record stands where it stands: every clause that fired, in bits that add up.

The contributions of the clauses and the shift of the list add up to the fused score
exactly, because all of them are whole 64ths of a bit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from forebear.search.expansion.catalog import basis_of
from forebear.search.expansion.clauses import Clause
from forebear.search.fusion.shifted import FusedHit
from forebear.search.model import GRID, Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One line of an explanation."""

    clause: str
    words: str
    note: str  # what a rule worked out, if one did
    weight: int  # in 64ths of a bit

    @property
    def bits(self) -> float:
        """Return the weight in bits."""
        return self.weight / GRID


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a hit has its score."""

    record_key: str
    list_name: str
    reasons: tuple[Reason, ...]  # the weightiest first
    shift: int
    score: int
    probability: float

    @property
    def adds_up(self) -> bool:
        """Say whether the reasons and the shift give the score exactly."""
        return sum(reason.weight for reason in self.reasons) + self.shift == self.score


def explain(hit: FusedHit, clauses: Sequence[Clause], model: Model) -> Explanation:
    """Return why a hit has its score under a model."""
    notes = {clause.name: clause.note for clause in clauses}
    reasons = [
        Reason(
            clause=name,
            words=basis_of(hit.record_type, name),
            note=notes.get(name, ""),
            weight=model.weight(hit.record_type, name),
        )
        for name in hit.hit.fired
    ]
    return Explanation(
        record_key=hit.hit.record_key,
        list_name=hit.list_name,
        reasons=tuple(sorted(reasons, key=lambda reason: -abs(reason.weight))),
        shift=hit.shift,
        score=hit.score,
        probability=hit.probability,
    )
