"""What is an attack, and what comes of one?

An attack has a name, a question, the number of tries in each profile, and a function that gets a
``Plan`` and returns an ``Outcome``.  Its only randomness is the seed of the plan, so that a
failure can be repeated with the same command.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Profile = Literal["quick", "normal", "full"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tries:
    """How often an attack is tried in each profile; 0: not at all."""

    quick: int
    normal: int
    full: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What one run of an attack gets."""

    tries: int
    seed: int
    folder: Path  # empty, and deleted afterwards
    shared: Path  # of all attacks of a run: what is made there need not be made again
    progress: Callable[[int], None]  # gets the number of finished tries


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of an attack."""

    tries: int
    failures: tuple[str, ...] = ()  # one line each: what went wrong, and how to repeat it
    worst: str = ""  # the worst case in a few words
    skipped: str = ""  # why it could not run; a failure under CI


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One attack."""

    name: str
    question: str
    tries: Tries
    run: Callable[[Plan], Outcome]
    alone: bool = False  # measures times, so nothing else may run meanwhile

    def parts(self, profile: Profile, seed: int) -> Iterator[tuple[int, int]]:
        """Yield the tries and the seed of each part; the full profile has parts of normal size."""
        tries: int = getattr(self.tries, profile)
        size = max(self.tries.normal, 1) if profile == "full" else tries
        for number, start in enumerate(range(0, tries, max(size, 1))):
            yield min(size, tries - start), seed * 1_000 + number
