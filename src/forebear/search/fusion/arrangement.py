"""In which order is the one list shown?  By score, with or without decay, or type by turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from forebear.errors import InputError
from forebear.search.fusion.decayed import decay_types
from forebear.search.fusion.round_robin import take_turns
from forebear.search.fusion.shifted import FusedHit
from forebear.search.model import MAX_BITS, UNITS_PER_BIT

Order = Literal["score", "types"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """An order of the one list."""

    order: Order = "score"  # "types": the best of each type first
    decay: int = 0  # in 64ths of a bit, for every record of the type before

    def __post_init__(self) -> None:
        if not 0 <= self.decay <= MAX_BITS * UNITS_PER_BIT:
            raise InputError(
                f"type decay is {self.decay / UNITS_PER_BIT} bits, wanted 0 to {MAX_BITS}",
                hint="0.25 gives other types a better place, 2 lets them take turns",
            )

    def apply(
        self, fused: Sequence[FusedHit], *, taken: Mapping[str, int] | None = None
    ) -> tuple[FusedHit, ...]:
        """Return the one list in this order; ``taken`` records of each type came before."""
        if self.order == "types":
            return take_turns(fused, taken=taken)
        return decay_types(fused, self.decay, taken=taken)


BY_SCORE = Arrangement()
