"""Who are a person's relatives, as the families of the file have them?

A family has partners and children.  Around one person stand the partners and children of
the families they founded, and the partners and other children of the families they come
from.  What any two of these are to each other is asked of the families too, since with a
second wife or a stepbrother in the picture it does not follow from kin positions.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from itertools import islice

from forebear.ingest.readers.gedcom.file import GedcomFile
from forebear.ingest.readers.gedcom.lines import Structure
from forebear.records.record import Kin, Relation

# More is a fault of the file, and the records of all relatives would carry it.
MAX_FAMILIES = 100  # of one person
MAX_PARTNERS = 10  # in one family


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A couple, or one of it, with the children; cross-references of people."""

    structure: Structure
    partners: dict[str, None]  # in the order of the file
    children: dict[str, None]

    @property
    def first(self) -> str:
        """Return the first member."""
        return next(iter(self.partners or self.children))


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

    def relations(self, person: str, others: Set[str]) -> Iterator[tuple[Set[str], Relation]]:
        """Yield the others in groups, with what they are to the person: the nearest they are."""
        left = others - {person}
        for members, relation in self._members(person):
            group = left & members
            left -= group
            yield group, relation
        yield left, "other"

    def _members(self, person: str) -> Iterator[tuple[Set[str], Relation]]:
        """Yield groups of people and what they are to the person, the nearest first."""
        founded = self.founded.get(person, ())
        for family in founded:
            yield family.partners.keys(), "spouse"
            yield family.children.keys(), "child"
        for family in self.origin.get(person, ()):
            yield family.partners.keys(), "parent"
            yield family.children.keys(), "sibling"
        for family in founded:
            for partner in family.partners:
                for origin in self.origin.get(partner, ()) if partner != person else ():
                    yield origin.partners.keys(), "spouse_parent"

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
            partners=dict(
                islice(_people(file, root, families.founded, "HUSB", "WIFE"), MAX_PARTNERS)
            ),
            children=dict(_people(file, root, families.origin, "CHIL")),
        )
        for key in family.partners:
            families.founded.setdefault(key, []).append(family)
        for key in family.children:
            families.origin.setdefault(key, []).append(family)
    return families


def _people(
    file: GedcomFile, family: Structure, families: Mapping[str, list[Family]], *tags: str
) -> list[tuple[str, None]]:
    """Return the people under these tags, but for those who have too many families already."""
    targets = (file.target(child) for child in family.all(*tags))
    people = dict.fromkeys(target.xref for target in targets if target and target.tag == "INDI")
    return [(key, None) for key in people if len(families.get(key, ())) < MAX_FAMILIES]
