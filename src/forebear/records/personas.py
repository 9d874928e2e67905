"""A persona: one person as one record shows them.

The same woman is a bride on one record, a mother on the next and a widow on a third;
each is a persona.  A persona has a *role*, the record's own word for what the person
does there, and a *kin* position, where they stand in the family of the person the record
is about.  Kin positions are few, so what any two people on a record are to each other
follows from one small table, whatever the record type.  Where a source says it outright
(families of a tree, relations of an archive's database), the persona names its *relatives*
by their keys, and what is said there goes before the table.
"""

from dataclasses import dataclass
from typing import Literal

from forebear.records.dates import Day
from forebear.records.events import Event
from forebear.records.names import Name

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Age:
    """An age as written, and the days of birth it allows on the day it was written."""

    text: str
    born_from: Day | None = None
    born_to: Day | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relative:
    """What another persona of the record, known by its key, is to this one."""

    key: str
    relation: Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """One person on one record."""

    role: str  # the record's word: child, groom, witness, head, ...
    kin: Kin = "other"
    names: tuple[Name, ...] = ()
    sex: Sex | None = None
    age: Age | None = None
    events: tuple[Event, ...] = ()  # of their own: birth, residence, death
    occupation: str = ""
    marital: str = ""  # single, married, widowed, divorced
    religion: str = ""
    is_principal: bool = False
    key: str = ""  # by which other personas of the record refer to this one
    relatives: tuple[Relative, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()  # rank, nationality, height, ... as written

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
