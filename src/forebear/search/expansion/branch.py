"""A branch: one of the ways through a gate."""

from dataclasses import dataclass

from forebear.search.expansion.clauses import Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """One way in: every condition must hold."""

    name: str
    conditions: tuple[Condition, ...]
