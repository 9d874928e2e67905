"""The answer to one query, as judged: all that a measure may look at."""

from collections.abc import Mapping
from dataclasses import dataclass, field


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
        """Return the aspects that a record covers; ``rel`` is the least relevant grade."""
        return frozenset(name for name, grade in record.items() if self.by_type or grade >= rel)

    def names(self, *, rel: int = 1) -> tuple[str, ...]:
        """Return the aspects of the query: the types shown, or the subtopics to be found."""
        there = self.ranked if self.by_type else self.judged
        return tuple(sorted({name for record in there for name in self.covered(record, rel=rel)}))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRanking:
    """A ranked list with everything that was judged for its query."""

    grades: tuple[int, ...]  # of the ranked records in order; 0 if irrelevant or not judged
    judged: tuple[int, ...]  # of all judged records of the query, ranked or not
    tied: tuple[int, ...] | None = None  # sizes of the groups of equal scores; None: no ties
    types: tuple[str, ...] = ()  # of the ranked records in order, if known
    type_count: int = 0  # how many types there are; 0 if not known
    supply: Mapping[str, int] = field(default_factory=dict)  # how many records of each there are
    aspects: Aspects = Aspects(ranked=(), judged=(), by_type=False)

    def relevant(self, rel: int) -> list[bool]:
        """Say of each ranked record whether its grade is at least ``rel``."""
        return [grade >= rel for grade in self.grades]

    def judged_relevant(self, rel: int) -> list[bool]:
        """Say of each judged record whether its grade is at least ``rel``."""
        return [grade >= rel for grade in self.judged]
