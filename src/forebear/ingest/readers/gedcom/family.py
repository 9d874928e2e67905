"""Who are a person's relatives, as the families of the file have them?

A family has partners and children.  Around one person stand the partners and children of
the families they founded, and the partners and other children of the families they come
from.  What any two of these are to each other is asked of the families too, since with a
second wife or a stepbrother in the picture it does not follow from kin positions.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from forebear.ingest.readers.gedcom.file import GedcomFile
from forebear.ingest.readers.gedcom.structures import Structure
from forebear.records.record import Kin, Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A couple, or one of it, with the children; cross-references of people."""

    structure: Structure
    partners: tuple[str, ...] = ()
    children: tuple[str, ...] = ()


@dataclass(slots=True)
class Families:
    """All families of a file, by the people in them."""

    founded: dict[str, list[Family]] = field(default_factory=dict)
    origin: dict[str, list[Family]] = field(default_factory=dict)

    def around(self, person: str) -> Iterator[tuple[str, Kin]]:
        """Yield the relatives of a person and where they stand; nobody twice."""
        seen = {person}
        for key, kin in self._around(person):
            if key not in seen:
                seen.add(key)
                yield key, kin

    def relation(self, person: str, other: str) -> Relation:
        """Return what the other is to the person."""
        for family in self.founded.get(person, ()):
            if other in family.partners:
                return "spouse"
            if other in family.children:
                return "child"
        for family in self.origin.get(person, ()):
            if other in family.partners:
                return "parent"
            if other in family.children:
                return "sibling"
        return "spouse_parent" if self._is_parent_in_law(person, other) else "other"

    def _is_parent_in_law(self, person: str, other: str) -> bool:
        return any(
            other in origin.partners
            for family in self.founded.get(person, ())
            for partner in family.partners
            if partner != person
            for origin in self.origin.get(partner, ())
        )

    def _around(self, person: str) -> Iterator[tuple[str, Kin]]:
        for family in self.origin.get(person, ()):
            yield from ((key, "parent") for key in family.partners)
            yield from ((key, "sibling") for key in family.children)
        for family in self.founded.get(person, ()):
            yield from ((key, "spouse") for key in family.partners)
            yield from ((key, "child") for key in family.children)


def find_families(file: GedcomFile) -> Families:
    """Return the families of a file; a pointer to nobody is left out."""
    families = Families()
    for root in file.roots:
        if root.tag != "FAM":
            continue
        family = Family(
            structure=root,
            partners=_people(file, root, "HUSB", "WIFE"),
            children=_people(file, root, "CHIL"),
        )
        for key in family.partners:
            families.founded.setdefault(key, []).append(family)
        for key in family.children:
            families.origin.setdefault(key, []).append(family)
    return families


def _people(file: GedcomFile, family: Structure, *tags: str) -> tuple[str, ...]:
    targets = (file.target(child) for child in family.all(*tags))
    return tuple(
        dict.fromkeys(target.xref for target in targets if target and target.tag == "INDI")
    )
