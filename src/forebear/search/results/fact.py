"""Which fact does a clause belong to?  The row of an explanation that it stands in.

The name of a clause begins with its subject and an attribute of it: ``birth.place.county`` is
about the place of the birth.  A fact is that pair, after attributes that say the same are joined
(the year of a birth and its day are its date, all names of a relative are one name).  So a clause
that is new to the catalog has a fact without being listed anywhere, and words that the table
``search/fact_words`` does not have are titles as they stand.
"""

from functools import cache
from typing import NamedTuple

from forebear.search.query.person_query import RELATIVE_KINDS
from forebear.tables import read_table

SELF = "self"
NAME_PARTS = frozenset({"given", "middle", "surname", "name"})
PEOPLE = frozenset({*RELATIVE_KINDS, "parents"})


class Fact(NamedTuple):
    """Something that a query may say and a record may state."""

    subject: str  # self, a relative, an event, record
    kind: str  # name, given, surname, date, place, ...; empty where the subject says it all

    @property
    def title(self) -> str:
        """Return the fact in words.

        >>> Fact("self", "surname").title, Fact("father", "name").title, Fact("birth", "date").title
        ('surname', "father's name", 'birth date')
        """
        if self.subject in (SELF, "record"):
            return _title("attribute", self.kind)
        subject = _title("subject", self.subject)
        if not self.kind or self.subject == "other":
            return subject
        if self.kind == "name":
            return f"{subject}'s name"
        owner = f"{subject}'s" if self.subject in PEOPLE else subject
        return f"{owner} {_title('attribute', self.kind)}"

    @property
    def is_combined(self) -> bool:
        """Return whether the fact only combines others, so that no query states it by itself."""
        return self == (SELF, "name") or self.subject in ("parents", "other")

    @property
    def is_name(self) -> bool:
        """Return whether the fact is a name, or a part of one.

        >>> Fact("self", "second_surname").is_name, Fact("self", "sex").is_name
        (True, False)
        """
        return is_name_part(self.kind)


def is_name_part(attribute: str) -> bool:
    """Return whether an attribute is a name, or a part of one."""
    return attribute.rpartition("_")[2] in NAME_PARTS


@cache
def fact_of(clause: str) -> Fact:
    """Return the fact that a clause belongs to.

    >>> fact_of("birth.year.within2"), fact_of("spouse.given.exact"), fact_of("keyword.any")
    (Fact(subject='birth', kind='date'), Fact(subject='spouse', kind='name'), \
Fact(subject='keyword', kind=''))
    """
    subject, _, rest = clause.partition(".")
    attribute, _, level = rest.partition(".")
    return _fact(subject, attribute if level else "")


@cache
def fact_of_field(field: str) -> Fact:
    """Return the fact of which a field of terms has what a record says.

    >>> fact_of_field("self.surname.dm"), fact_of_field("event.year")
    (Fact(subject='self', kind='surname'), Fact(subject='event', kind='date'))
    """
    subject, _, rest = field.partition(".")
    return _fact(subject, rest.partition(".")[0])


@cache
def part_of(clause: str) -> str:
    """Return which part of its fact a clause is about: of a name, the given name or the surname.

    >>> part_of("spouse.given.exact"), part_of("mother.maiden.exact"), part_of("couple.mrs")
    ('given', 'surname', '')
    """
    _, _, rest = clause.partition(".")
    attribute, _, level = rest.partition(".")
    return _same_as("attribute", attribute) if level else ""


def _fact(subject: str, attribute: str) -> Fact:
    subject, kind = _same_as("subject", subject), _same_as("attribute", attribute)
    is_of_person = subject not in (SELF, "record") and is_name_part(kind)
    if is_of_person or (not kind and subject in PEOPLE):
        kind = "name"
    return Fact(subject, kind)


def _same_as(part: str, word: str) -> str:
    return _words().get((part, word), ("", ""))[0] or word


def _title(part: str, word: str) -> str:
    return _words().get((part, word), ("", ""))[1] or word.replace("_", " ")


@cache
def _words() -> dict[tuple[str, str], tuple[str, str]]:
    rows = read_table("search/fact_words")
    return {(row["part"], row["word"]): (row["same_as"], row["title"]) for row in rows}
