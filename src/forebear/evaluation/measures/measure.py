"""The measure as a value, and what it is shown of one query.

A measure is a name, a cutoff and, for diversity, how many types could appear.  It has one
text form (`ndcg@100`, `nce@100(types=8)`), under which commands, reports and models know
it; `parse_measure` is the way back.
"""

from dataclasses import dataclass

from forebear.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What is measured: a name that `MEASURES` knows, and how deep."""

    name: str
    cutoff: int | None = None  # None: the whole list
    type_count: int | None = None  # None: as many as the evaluation knows of

    def __post_init__(self) -> None:
        for what, number in (("cutoff", self.cutoff), ("number of types", self.type_count)):
            if number is not None and number < 1:
                raise InputError(f"the {what} of measure {self.name!r} is {number}, not 1 or more")

    def __str__(self) -> str:
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        options = "" if self.type_count is None else f"(types={self.type_count})"
        return f"{self.name}{cutoff}{options}"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRanking:
    """The answer to one query, as judged: all that a measure may look at."""

    gains: tuple[int, ...]  # of the ranked records in order; 0 if irrelevant or not judged
    judged: tuple[int, ...]  # of all judged records of the query, ranked or not
    types: tuple[str, ...] = ()  # of the ranked records in order, if known
    type_count: int = 0  # how many types there are; 0 if not known
