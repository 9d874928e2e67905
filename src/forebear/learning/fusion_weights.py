"""What fusion learned: a shift in bits for each list, and its twin, a weight.

Scores in bits are shifted; positive scores, as other systems give them, are multiplied by
weights.  A weight is 2 to the power of the shift, so either way one number a list is learned,
and only the differences of shifts (the ratios of weights) decide the order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.search.model import UNITS_PER_BIT, to_units


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionWeights:
    """The shift of each list, in bits."""

    shifts: Mapping[str, float]

    @classmethod
    def named(cls, names: Sequence[str], shifts: NDArray[np.float64]) -> Self:
        """Return these shifts relative to the first list's."""
        given = dict(zip(names, shifts.tolist(), strict=True))
        return cls(shifts=given).relative_to(names[0])

    @property
    def weights(self) -> dict[str, float]:
        """Return what positive scores are multiplied by, 1 on average."""
        powers = {name: 2.0**shift for name, shift in self.shifts.items()}
        mean = sum(powers.values()) / len(powers)
        return {name: power / mean for name, power in powers.items()}

    def array(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Return the shifts of these lists in their order; a list never seen has none."""
        return np.array([self.shifts.get(name, 0.0) for name in names], np.float64)

    def relative_to(self, reference: str) -> Self:
        """Return the shifts that rank alike and leave this list where it is."""
        if reference not in self.shifts:
            raise InputError(f"no list is called {reference!r}")
        zero = self.shifts[reference]
        return type(self)(shifts={name: shift - zero for name, shift in self.shifts.items()})

    def on_grid(self) -> Self:
        """Return the shifts rounded to 64ths of a bit."""
        return type(self)(
            shifts={name: to_units(shift) / UNITS_PER_BIT for name, shift in self.shifts.items()}
        )
