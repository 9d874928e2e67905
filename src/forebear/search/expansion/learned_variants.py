"""Which names are forms of one name in this archive alone, as attachments show?

A learned variant joins two given names or two surnames that no table joins.  It is stored with the
archive and comes to a search with the archive's vocabulary, so it has a viewer: the owner's
searches use all of them, the public's only those of which public records contain both names.

Names are compared by their ASCII forms, as the tables of surnames are.  A learned variant joins its
two names and no others: what is joined to one of them is not a form of the other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from forebear.normalize.spelling import ascii_forms, normalize_name

NameField = Literal["surname", "given"]
NAME_FIELDS: tuple[NameField, ...] = ("given", "surname")
Pairs = frozenset[tuple[str, str]]
LearnedPairs = Mapping[NameField, Pairs]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedVariant:
    """Two names that attachments joined."""

    kind: NameField
    first: str  # ASCII forms, in the order of the alphabet
    second: str
    persons: int  # different persons for whom an attachment joined the two
    searchers: int  # who attached for them; the owner is one
    expected: float  # how many persons chance would explain
    chance: float  # how likely chance explains at least as many, times the pairs compared
    learned_at: str
    revoked_at: str | None = None

    @property
    def key(self) -> tuple[NameField, str, str]:
        """Return what no other pair has."""
        return self.kind, self.first, self.second

    @property
    def is_revoked(self) -> bool:
        """Return whether searches do not use it, and it is not learned again."""
        return self.revoked_at is not None


def name_form(name: str) -> str:
    """Return the ASCII form by which a name is compared; "" if it has none.

    >>> name_form("Müller"), name_form("?")
    ('muller', '')
    """
    return next(iter(ascii_forms(normalize_name(name))), "")


def pair_key(kind: NameField, first: str, second: str) -> tuple[NameField, str, str]:
    """Return the key of the pair of two names, in any spelling.

    >>> pair_key("given", "Zygmunt", "Fredek")
    ('given', 'fredek', 'zygmunt')
    """
    a, b = sorted((name_form(first), name_form(second)))
    return kind, a, b


def pairs_of(variants: Iterable[LearnedVariant], kind: NameField) -> Pairs:
    """Return the pairs of one kind that are not revoked."""
    return frozenset(
        (one.first, one.second) for one in variants if one.kind == kind and not one.is_revoked
    )


def partners_by_form(pairs: Iterable[tuple[str, str]]) -> Mapping[str, frozenset[str]]:
    """Return, for each name of some pairs, those it is joined to."""
    partners: dict[str, frozenset[str]] = {}
    for first, second in pairs:
        for one, other in ((first, second), (second, first)):
            partners[one] = partners.get(one, frozenset()) | {other}
    return partners


def is_learned(pairs: Pairs, stated: Iterable[str], recorded: Iterable[str]) -> bool:
    """Return whether a pair joins a word of one side to a word of the other.

    >>> is_learned(frozenset({("fredek", "zygmunt")}), ["Zygmunt Nowak"], ["Fredek"])
    True
    """
    if not pairs:
        return False
    ours, theirs = (
        {name_form(word) for text in texts for word in text.split()} for texts in (stated, recorded)
    )
    return any((a in ours and b in theirs) or (b in ours and a in theirs) for a, b in pairs)
