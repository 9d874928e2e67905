"""What is a record, who is on it, and what does it say of them?

A **record** is whatever has an id in its source.  The row or entry it was read from is stored
whole with the parsed values, so nothing is lost when parsing is wrong and improves later.

A **persona** is one person as one record shows them.  The same woman is a bride on one record, a
mother on the next and a widow on a third; each is a persona.  A persona has a *role*, the record's
word for what the person does there, and a *kin* position, their place in the family of the person
the record is about.  There are few kin positions, so the relation of any two people on a record
follows from one small table, whatever the record type.  Where a source states relations (families
of a tree, an archive's database), the persona names its *relatives* by their keys, and these take
precedence over the table.

An **event** keeps date and place together: two separate lists would let the place of one event
pair with the year of another.

A **historical date** is seldom one day.  "Abt 1850" may be any day of five years, "Feb 1731/32"
has two years, "bef 1850" has no beginning.  So a date is the interval of days it allows, how
precisely it was stated, and the text, which is never lost.  Days are proleptic Gregorian with
astronomical years, so that years before Christ fit too.
"""

from typing import Literal, NamedTuple

from msgspec import Struct

Qualifier = Literal[
    "exact", "about", "calculated", "estimated", "before", "after", "between", "period", "phrase"
]
# "interval" has two ends or two readings; the rest is what one date names.
Precision = Literal[
    "day", "month", "season", "quarter", "year", "decade", "century", "interval", "none"
]


class Value(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False
):
    """A value that is never changed; copy it with ``msgspec.structs.replace``.

    In JSON its fields are the keys, and a field that has its default is not written.
    """


class Day(NamedTuple):
    """A day of the proleptic Gregorian calendar; the year before 1 is 0."""

    year: int
    month: int
    day: int

    def __str__(self) -> str:
        sign = "-" if self.year < 0 else ""
        return f"{sign}{abs(self.year):04d}-{self.month:02d}-{self.day:02d}"


class HistoricalDate(Value, frozen=True, kw_only=True):
    """An interval of days, both ends inside; ``None`` is an open end."""

    text: str = ""
    start: Day | None = None
    end: Day | None = None
    qualifier: Qualifier = "exact"
    precision: Precision = "none"
    # The year as then written, where the modern one differs: 11 Feb 1731/32 has 1731.
    written_year: int | None = None

    @property
    def is_known(self) -> bool:
        """Return whether the date bounds anything at all."""
        return self.start is not None or self.end is not None

    @property
    def first_year(self) -> int | None:
        """Return the earliest year the date allows, if it is bounded below."""
        return self.start.year if self.start else None

    @property
    def last_year(self) -> int | None:
        """Return the latest year the date allows, if it is bounded above."""
        return self.end.year if self.end else None


class Place(Value, frozen=True, kw_only=True):
    """A place as written, and its jurisdictions, smallest first: Layham, Suffolk, England."""

    text: str = ""
    levels: tuple[str, ...] = ()  # normalized, none empty


NameKind = Literal["birth", "married", "alias"]


class Name(Value, frozen=True, kw_only=True):
    """One name of one person; empty parts were not given."""

    given: str = ""  # all given names, in order: "Mary Ann"
    surname: str = ""
    kind: NameKind = "birth"
    suffix: str = ""  # Jr, Sr, III
    title: str = ""  # Rev, Mrs, Capt
    prefix: str = ""  # the particle with which the surname begins: van der
    patronymic: str = ""  # Jansz, Jónsdóttir, where it stands beside a surname
    nickname: str = ""


class Event(Value, frozen=True, kw_only=True):
    """Something that happened: birth, baptism, marriage, residence, death, burial, ..."""

    kind: str
    date: HistoricalDate | None = None
    place: Place | None = None
    address: str = ""  # street and house, beside the place
    detail: str = ""  # what the record says of it: a ship, a cause of death, a school
    is_claimed: bool = False  # the source says, by a bare yes, that it happened: DEAT Y


Sex = Literal["f", "m"]
Kin = Literal[
    "self", "spouse", "child", "parent", "sibling", "parent_in_law", "grandchild", "other"
]
Relation = Literal["spouse", "parent", "child", "sibling", "spouse_parent", "other"]

# What the second is to the first, each placed by kin to the person the record is about.
RELATIONS: dict[tuple[Kin, Kin], Relation] = {
    ("self", "spouse"): "spouse",
    ("self", "child"): "child",
    ("self", "parent"): "parent",
    ("self", "sibling"): "sibling",
    ("self", "parent_in_law"): "spouse_parent",
    ("spouse", "self"): "spouse",
    ("spouse", "child"): "child",
    ("spouse", "parent"): "spouse_parent",
    ("spouse", "parent_in_law"): "parent",
    ("child", "self"): "parent",
    ("child", "spouse"): "parent",
    ("child", "child"): "sibling",
    ("parent", "self"): "child",
    ("parent", "sibling"): "child",
    ("parent", "parent"): "spouse",
    ("sibling", "self"): "sibling",
    ("sibling", "sibling"): "sibling",
    ("sibling", "parent"): "parent",
    ("parent_in_law", "spouse"): "child",
    ("parent_in_law", "parent_in_law"): "spouse",
    ("grandchild", "grandchild"): "other",
}


class Age(Value, frozen=True, kw_only=True):
    """An age as written, and the days of birth it allows on the day it was written."""

    text: str
    born_from: Day | None = None
    born_to: Day | None = None


class Relative(Value, frozen=True, kw_only=True, array_like=True):
    """What another persona of the record, known by its key, is to this one."""

    key: str
    relation: Relation


class Persona(Value, frozen=True, kw_only=True):
    """One person on one record."""

    role: str  # the record's word: child, groom, witness, head, ...
    kin: Kin = "other"
    names: tuple[Name, ...] = ()
    sex: Sex | None = None
    age: Age | None = None
    events: tuple[Event, ...] = ()  # of the person: birth, residence, death
    occupation: str = ""
    marital: str = ""  # single, married, widowed, divorced
    religion: str = ""
    is_principal: bool = False
    key: str = ""  # by which other personas of the record refer to this one
    relatives: tuple[Relative, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()  # rank, nationality, height, ... as written
    is_masked: bool = False  # may be living: the viewer may see their place on the record only

    def event(self, kind: str) -> Event | None:
        """Return the persona's own event of this kind, if the record gives one."""
        for event in self.events:
            if event.kind == kind:
                return event
        return None


def relation_between(persona: Persona, other: Persona) -> Relation:
    """Return what ``other`` is to ``persona`` on the record that carries both."""
    for relative in persona.relatives:
        if relative.key == other.key:
            return relative.relation
    return RELATIONS.get((persona.kin, other.kin), "other")


class Record(Value, frozen=True, kw_only=True):
    """One entry of a collection."""

    collection: str
    id: str  # the source's own, else FILE:LINE
    record_type: str
    event: Event  # the record's own event
    personas: tuple[Persona, ...]
    subtype: str = ""
    # Records of one group (a household) name each other's relatives; they are written and
    # deleted together.
    group: str | None = None
    text: str = ""  # notes and other free text
    row: tuple[tuple[str, str], ...] = ()  # columns and values as they stood in the source
    source: str = ""  # file and line, for people
    events: tuple[Event, ...] = ()  # others that the record mentions: banns, a registration
    citation: str = ""  # where the original is: archive, volume, page
    image: str = ""  # a link to a picture of it

    @property
    def key(self) -> str:
        """Return the name by which the record is known outside: COLLECTION:RECORD_ID."""
        return f"{self.collection}:{self.id}"
