"""What does a measure look at, which options does it have, and how does it treat ties?

Each measure's module ends with its `DEFINITIONS`, which name it for `measure.MEASURES`.

Records with equal scores have no order.  A measure of such a list is its mean over every order
that the scores allow.  No order has to be drawn for it: in a group of t equal scores each record
is equally often at each of the t places, and the number of marked records among the first j
places follows the hypergeometric distribution (McSherry and Najork, "Computing information
retrieval performance measures efficiently in the presence of tied scores", 2008).  Measures take
``tied``, the sizes of the groups of equal scores, best first; without it no scores are equal.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from forebear.errors import InputError

OptionValue = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Aspects:
    """What each record is about: its type, or the subtopics that it was judged for.

    A record has a grade for each of its aspects.  By subtopic, it covers those for which
    it is relevant; by type, it covers its type, relevant or not.
    """

    ranked: tuple[Mapping[str, int], ...]  # of the ranked records in order
    judged: tuple[Mapping[str, int], ...]  # of all judged records of the query, ranked or not
    by_type: bool

    def covered(self, record: Mapping[str, int], *, rel: int = 1) -> frozenset[str]:
        """Return the aspects that a record covers; ``rel`` is the lowest relevant grade."""
        return frozenset(name for name, grade in record.items() if self.by_type or grade >= rel)

    def names(self, *, rel: int = 1) -> tuple[str, ...]:
        """Return the aspects of the query: the types shown, or the subtopics to be found."""
        records = self.ranked if self.by_type else self.judged
        return tuple(sorted({name for record in records for name in self.covered(record, rel=rel)}))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRanking:
    """A ranked list with everything that was judged for its query: the input of a measure."""

    grades: tuple[int, ...]  # of the ranked records in order; 0 if irrelevant or not judged
    judged: tuple[int, ...]  # of all judged records of the query, ranked or not
    tied: tuple[int, ...] | None = None  # sizes of the groups of equal scores; None: no ties
    types: tuple[str, ...] = ()  # of the ranked records in order, if given
    type_count: int = 0  # number of types that could appear; 0 if not given
    supply: Mapping[str, int] = field(default_factory=dict)  # number of records of each type
    aspects: Aspects = Aspects(ranked=(), judged=(), by_type=False)

    def relevant(self, rel: int) -> list[bool]:
        """Return, for each ranked record, whether its grade is at least ``rel``."""
        return [grade >= rel for grade in self.grades]

    def judged_relevant(self, rel: int) -> list[bool]:
        """Return, for each judged record, whether its grade is at least ``rel``."""
        return [grade >= rel for grade in self.judged]


@dataclass(frozen=True, slots=True)
class Choice:
    """An option that is one of a few words; the first is the default."""

    words: tuple[str, ...]

    @property
    def default(self) -> str:
        """Return the value that is not written."""
        return self.words[0]

    def read(self, text: str) -> str:
        """Return the value of a text."""
        if text not in self.words:
            raise InputError(f"expected {' or '.join(self.words)}, not {text!r}")
        return text


@dataclass(frozen=True, slots=True)
class Count:
    """An option that is a whole number from 1."""

    default: int | None

    def read(self, text: str) -> int:
        """Return the value of a text."""
        if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
            raise InputError(f"expected a whole number from 1, not {text!r}")
        return int(text)


@dataclass(frozen=True, slots=True)
class Share:
    """An option that is a number from 0 to 1."""

    default: float

    def read(self, text: str) -> float:
        """Return the value of a text."""
        try:
            share = float(text)
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            raise InputError(f"expected a number from 0 to 1, not {text!r}")
        return share


Option = Choice | Count | Share
# The grade of each record; its type, whatever its grade; what it covers (its type, or the
# subtopics for which it is relevant); or its grade for each aspect.
LooksAt = Literal["grades", "types", "aspects", "graded aspects"]
Options = Mapping[str, Any]  # every option of the measure, as its `Option` reads it
Calculation = Callable[[JudgedRanking, int | None, Options], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A measure's name, what it looks at, its options, and how it is calculated."""

    name: str
    calculate: Calculation  # from the judged ranking, the cutoff and the options
    spellings: tuple[str, ...] = ()  # other names in use, in lower case
    options: Mapping[str, Option] = field(default_factory=dict)
    looks_at: LooksAt = "grades"


def tie_groups(length: int, tied: Sequence[int] | None) -> Iterator[range]:
    """Yield the positions, from 0, of each group of equal scores."""
    sizes = [1] * length if tied is None else tied
    if sum(sizes) != length:
        raise InputError(f"groups of {sum(sizes)} equal scores do not add up to a list of {length}")
    start = 0
    for size in sizes:
        yield range(start, start + size)
        start += size


def averaged(gains: Sequence[float], tied: Sequence[int] | None) -> Sequence[float]:
    """Return the mean gain of each position, which is all that a sum over positions needs.

    >>> averaged([1, 0, 2], tied=[2, 1])
    [0.5, 0.5, 2.0]
    """
    if tied is None:
        return gains
    means: list[float] = []
    for group in tie_groups(len(gains), tied):
        mean = math.fsum(gains[position] for position in group) / len(group)
        means += [mean] * len(group)
    return means


def draw_chance(hits: int, *, marked: int, total: int, draws: int) -> float:
    """Return the chance that ``hits`` of ``draws`` records are marked, if ``marked`` of all are.

    >>> draw_chance(1, marked=1, total=4, draws=3)
    0.75
    """
    if not 0 <= hits <= draws or hits > marked:
        return 0.0
    cases = math.comb(marked, hits) * math.comb(total - marked, draws - hits)
    return cases / math.comb(total, draws)


def check_cutoff(cutoff: int | None) -> None:
    """Refuse a cutoff that leaves nothing to measure."""
    if cutoff is not None and cutoff < 1:
        raise InputError(f"a cutoff is at least 1, not {cutoff}")
