"""Where do the random numbers of a simulation come from?

Every part of a simulation has a separate stream, named by a text, so that a change in one part
leaves the others as they were.  Streams use only ``Generator.random``: numpy keeps its values from
version to version, which it does not promise of other distributions.

Some decisions must be the same wherever they are needed: a clerk spells a surname alike in all of
one entry, a user judges one record alike at any rank.  For these a uniform number is calculated
from the keys of the decision by a hash (the finalizer of splitmix64, Steele et al. 2014).
"""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Texts = NDArray[np.object_]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """The random numbers of one seed."""

    seed: int

    def stream(self, name: str) -> np.random.Generator:
        """Return the generator of a part of the simulation."""
        return np.random.Generator(np.random.PCG64([self.seed, *name.encode()]))

    def uniform(self, name: str, *keys: Ints) -> Floats:
        """Return numbers in [0, 1) that depend on the name and the keys alone.

        >>> chance = Chance(seed=1)
        >>> first, second, third = chance.uniform("spelling", np.array([7, 8, 7])).tolist()
        >>> first == third, first == second
        (True, False)
        """
        state = np.array([_number_of(f"{self.seed}/{name}")], dtype=np.uint64)
        with np.errstate(over="ignore"):
            for key in keys:
                state = _mix((state ^ np.asarray(key).astype(np.uint64)) + _STEP)
        return np.asarray((state >> np.uint64(11)) * 2.0**-53, dtype=np.float64)


def text_uniform(*keys: object, count: int) -> tuple[float, ...]:
    """Return numbers in [0, 1) that depend on the texts of the keys alone.

    >>> text_uniform("q1", "births:B1", count=2) == text_uniform("q1", "births:B1", count=2)
    True
    """
    text = "\x1f".join(map(str, keys)).encode()
    digest = hashlib.blake2b(text, digest_size=8 * count).digest()
    return tuple(
        (int.from_bytes(digest[8 * place : 8 * place + 8], "big") >> 11) * 2.0**-53
        for place in range(count)
    )


def draw_weighted(uniform: Floats, cumulative: Floats) -> Ints:
    """Return positions drawn by weights, whose cumulative sum ends with 1.

    >>> draw_weighted(np.array([0.1, 0.6]), np.array([0.5, 1.0])).tolist()
    [0, 1]
    """
    positions = np.searchsorted(cumulative, uniform, side="right")
    return np.minimum(positions, cumulative.size - 1).astype(np.int64)


def cumulate(weights: Floats) -> Floats:
    """Return the cumulative shares of weights."""
    sums = np.cumsum(weights)
    return np.asarray(sums / sums[-1], dtype=np.float64)


def _mix(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    state = (state ^ (state >> np.uint64(30))) * _MIX[0]
    state = (state ^ (state >> np.uint64(27))) * _MIX[1]
    return np.asarray(state ^ (state >> np.uint64(31)), dtype=np.uint64)


def _number_of(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
