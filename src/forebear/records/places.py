"""A place as a record or a query gives it: the words, and its levels from small to large."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place with the jurisdictions it lies in, smallest first: Layham, Suffolk, England."""

    text: str
    levels: tuple[str, ...]  # normalized, none empty
