"""How does a tree become records?  One of type family_tree for each person.

The record is about that person and names the relatives their families give them.  All its lines
stay in the record's row, understood or not.  A family's lines stay with the first of its members,
those of a source, note or picture with the first person who refers to it.

A family has partners and children.  The relatives of a person are the partners and children of the
families they founded, and the partners and other children of the families they come from.  What any
two of these are to each other is looked up in the families too: with a second wife or a
stepbrother, it does not follow from their kin positions.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from forebear.ingest.readers.gedcom.facts import GedcomFacts, read_names
from forebear.ingest.readers.gedcom.file import GedcomFile, LineAccount, read_gedcom
from forebear.ingest.readers.gedcom.lines import Structure
from forebear.ingest.readers.source import Entry, TargetCollections
from forebear.ingest.report import Issue
from forebear.records.privacy import RESTRICTION
from forebear.records.record import (
    RELATIONS,
    Event,
    Kin,
    Name,
    Persona,
    Record,
    Relation,
    Relative,
    Sex,
)

# More is a fault of the file, and the records of all relatives would carry it.
MAX_FAMILIES = 100  # of one person
MAX_PARTNERS = 10  # in one family
MAX_RELATIVES = 60  # of one person
VITAL = ("birth", "baptism", "death", "burial")
LINKS = ("HUSB", "WIFE", "CHIL", "FAMC", "FAMS")
ROLES: dict[tuple[Kin, Sex | None], str] = {
    ("parent", "m"): "father",
    ("parent", "f"): "mother",
    ("spouse", "m"): "husband",
    ("spouse", "f"): "wife",
    ("child", "m"): "son",
    ("child", "f"): "daughter",
    ("sibling", "m"): "brother",
    ("sibling", "f"): "sister",
}
ROW_CELLS = 2000
Members = AbstractSet[str]  # cross-references of people
# Records about the file itself: its form, and who sent it in.
ABOUT_FILE = frozenset({"HEAD", "SUBM", "SUBN", "TRLR"})


class GedcomSource:
    """The people of a tree, one record each."""

    has_groups = False

    def __init__(self, path: Path, target: TargetCollections) -> None:
        file = read_gedcom(path)
        self.path = path
        self.target = target
        self.size_bytes = file.size_bytes
        self._reader = TreeReader(file, collection=target.collection.name)

    def entries(self) -> Iterator[Entry]:
        """Yield an entry for each person."""
        return self._reader.entries()

    def lines(self) -> dict[str, int]:
        """Return what became of every line."""
        return self._reader.lines()


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A couple, or one partner, with the children; people by their cross-references."""

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
        """Yield the relatives of a person with their kin positions, and no person twice."""
        seen = {person}
        for key, kin in self._around(person):
            if key not in seen:
                seen.add(key)
                yield key, kin

    def relations(self, person: str, others: Members) -> Iterator[tuple[Members, Relation]]:
        """Yield the others in groups, each with its nearest relation to the person."""
        left = others - {person}
        for members, relation in self._members(person):
            group = left & members
            left -= group
            yield group, relation
        yield left, "other"

    def _members(self, person: str) -> Iterator[tuple[Members, Relation]]:
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
    """Return the families of a file; pointers to no person of the file are skipped."""
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
    """Return the people under these tags, without those who have too many families already."""
    targets = (file.target(child) for child in family.all(*tags))
    people = dict.fromkeys(target.xref for target in targets if target and target.tag == "INDI")
    return [(key, None) for key in people if len(families.get(key, ())) < MAX_FAMILIES]


class TreeReader:
    """Reads the people of one file."""

    def __init__(self, file: GedcomFile, *, collection: str) -> None:
        self._file = file
        self._collection = collection
        self._account = LineAccount(file.line_count)
        self._families: Families = find_families(file)
        self._facts = GedcomFacts(file, self._account)
        self._summaries: dict[str, Persona] = {}
        # Of families, which may have thousands of members who each state them.
        self._couple_facts: dict[Structure, tuple[list[Event], list[Issue]]] = {}
        self._restricted: dict[Structure, list[tuple[str, str]]] = {}

    def entries(self) -> Iterator[Entry]:
        """Yield one entry for each person, then what the file holds besides."""
        yield from (self._report(issue) for issue in self._file.faults)
        self._account.report(self._file.lost)
        for root in self._file.roots:
            if root.tag == "INDI":
                yield self._person(root)
        yield from self._rest()

    def lines(self) -> dict[str, int]:
        """Return what became of every line."""
        return self._account.count().to_dict()

    def _person(self, person: Structure) -> Entry:
        self._facts.warnings = []
        done = self._bytes_done(person.line)
        names = read_names(person, self._account)
        if not names:
            self._account.report(person.line_numbers())
            refusal = Issue(line=person.line, reason="no name at all", detail=person.xref)
            lines = "\n".join(f"{s.level} {s.tag} {s.value}".rstrip() for s in person.walk())
            cells = (("text", lines),)
            return Entry(line=person.line, refusal=refusal, cells=cells, bytes_done=done)
        record = self._record(person, names)
        return Entry(
            line=person.line,
            records=(record,),
            warnings=tuple(self._facts.warnings),
            bytes_done=done,
        )

    def _record(self, person: Structure, names: tuple[Name, ...]) -> Record:
        facts, line = self._facts, person.line
        principal = self._principal(person, names)
        # Notes and sources of the couple are kept once, with the family's first member.
        families = [*self._first_of(person.xref)]
        owners = [person, *(family.structure for family in families)]
        notes = (note for owner in owners for note in facts.notes(owner))
        citations = (citation for owner in owners for citation in facts.citations(owner))
        images = (image for owner in owners for image in facts.images(owner))
        birth = principal.event("birth") or principal.event("baptism")
        return Record(
            collection=self._collection,
            id=self._id(person),
            record_type="family_tree",
            event=Event(
                kind="birth",
                date=birth.date if birth else None,
                place=birth.place if birth else None,
            ),
            personas=(principal, *self._relatives(person)),
            text="\n".join(dict.fromkeys(notes)),
            citation="; ".join(dict.fromkeys(citations)),
            image=next(images, ""),
            row=self._row(person, families),
            source=f"{self._file.path.name}:{line}",
        )

    def _id(self, person: Structure) -> str:
        """Return the cross-reference; with the line if it is missing or not the first."""
        name = "_".join(person.xref.split())
        is_first = self._file.by_xref.get(person.xref) is person
        return name if is_first else f"{name or 'line'}_{person.line}"

    def _principal(self, person: Structure, names: tuple[Name, ...]) -> Persona:
        self._account.understand(person, *person.all(*LINKS))
        facts = self._facts
        events = [*facts.events(person), *self._couple_events(person.xref)]
        titles = facts.texts(person, "TITL")
        if titles and not names[0].title:
            names = (replace(names[0], title=titles[0]), *names[1:])
        occupations = facts.texts(person, "OCCU")
        return Persona(
            role="self",
            kin="self",
            names=names,
            sex=facts.sex(person),
            events=tuple(events),
            occupation="; ".join(occupations),
            religion="; ".join(facts.texts(person, "RELI")),
            is_principal=True,
            key=person.xref,
            attributes=(*facts.attributes(person), *self._restrictions(person)),
        )

    def _restrictions(self, person: Structure) -> Iterator[tuple[str, str]]:
        """Yield who may see the person, an event of theirs, or a family they founded."""
        families = self._families.founded.get(person.xref, ()) if person.xref else ()
        for structure in (person, *(family.structure for family in families)):
            if structure not in self._restricted:
                parts = [part for part in structure.walk() if part.tag == "RESN" and part.text]
                self._account.understand(*parts)
                self._restricted[structure] = [(RESTRICTION, part.text) for part in parts]
            yield from self._restricted[structure]

    def _couple_events(self, person: str) -> Iterator[Event]:
        for family in self._families.founded.get(person, ()):
            yield from self._events_of(family.structure)

    def _events_of(self, couple: Structure) -> list[Event]:
        """Return the events of a couple; every partner's record has the warnings about them."""
        if couple not in self._couple_facts:
            self._account.understand(couple, *couple.all(*LINKS))
            before, self._facts.warnings = self._facts.warnings, []
            events = [*self._facts.events(couple)]
            self._couple_facts[couple] = events, self._facts.warnings
            self._facts.warnings = before
        events, warnings = self._couple_facts[couple]
        self._facts.warnings += warnings
        return events

    def _relatives(self, person: Structure) -> Iterator[Persona]:
        relatives = self._families.around(person.xref) if person.xref else ()
        around = [*islice(relatives, MAX_RELATIVES)]
        circle: dict[str, Kin] = {person.xref: "self", **dict(around)}
        groups: dict[Kin, set[str]] = {}
        for key, kin in circle.items():
            groups.setdefault(kin, set()).add(key)
        for key, kin in around:
            summary = self._summary(key)
            yield replace(
                summary,
                kin=kin,
                role=ROLES.get((kin, summary.sex), kin),
                relatives=tuple(self._stated_relations(key, kin, circle, groups)),
            )

    def _stated_relations(
        self, key: str, kin: Kin, circle: Mapping[str, Kin], groups: Mapping[Kin, set[str]]
    ) -> Iterator[Relative]:
        """Yield the relations that do not follow from the kin positions."""
        stated: dict[str, Relation] = {}
        for members, relation in self._families.relations(key, circle.keys()):
            for other_kin, group in groups.items():
                if relation != RELATIONS.get((kin, other_kin), "other"):
                    stated |= dict.fromkeys(members & group, relation)
        for other in circle if stated else ():
            if other in stated:
                yield Relative(key=other, relation=stated[other])

    def _summary(self, key: str) -> Persona:
        """Return a person as the records of relatives name them."""
        if key not in self._summaries:
            person = self._file.by_xref[key]
            warnings = self._facts.warnings
            self._facts.warnings = []  # reported with the person's record
            self._summaries[key] = Persona(
                role="relative",
                names=read_names(person, self._account),
                sex=self._facts.sex(person),
                events=tuple(e for e in self._facts.events(person) if e.kind in VITAL),
                key=key,
                # People who are private on their record are private on those of relatives too.
                attributes=tuple(self._restrictions(person)),
            )
            self._facts.warnings = warnings
        return self._summaries[key]

    def _first_of(self, person: str) -> Iterator[Family]:
        """Yield the families of which the person is the first member."""
        for family in (
            *self._families.founded.get(person, ()),
            *self._families.origin.get(person, ()),
        ):
            if family.first == person:
                yield family

    def _row(self, person: Structure, families: Sequence[Family]) -> tuple[tuple[str, str], ...]:
        row: list[tuple[str, str]] = []
        waiting = deque([person, *(family.structure for family in families)])
        done: set[int] = set()  # lines
        while waiting:
            structure = waiting.popleft()
            if structure.line in done or len(row) > ROW_CELLS:
                continue
            done.add(structure.line)
            self._account.keep(structure)
            for path, part in _paths(structure):
                row.append((path, part.value))
                target = self._file.target(part)
                # People and families have separate records; the rest is kept once.
                if not target or target.tag in ("INDI", "FAM") or target.line in done:
                    continue
                if self._account.unsettled(target) or not target.children:
                    waiting.append(target)
        return tuple(row)

    def _rest(self) -> Iterator[Entry]:
        """Report what is about no person, such as unused sources."""
        for root in self._file.roots:
            if root.tag in ABOUT_FILE:
                self._account.understand_whole(root)
            if lines := self._account.unsettled(root):
                self._account.report(lines)
                name = f"@{root.xref}@ " if root.xref else ""
                count = f"{len(lines)} line{'' if len(lines) == 1 else 's'}"
                yield self._report(
                    Issue(
                        line=lines[0],
                        reason=f"not about a person, skipped: {root.tag}",
                        detail=f"{name}{count}",
                    )
                )

    def _report(self, issue: Issue) -> Entry:
        done = self._bytes_done(issue.line)
        return Entry(line=issue.line, warnings=(issue,), bytes_done=done, counts=False)

    def _bytes_done(self, line: int) -> int:
        return self._file.size_bytes * line // max(self._file.line_count, 1)


def _paths(structure: Structure) -> Iterator[tuple[str, Structure]]:
    """Yield a structure and all below it, each with its tags from the top."""
    waiting = [(structure.tag, structure)]
    while waiting:
        path, part = waiting.pop()
        yield path, part
        waiting.extend((f"{path}.{child.tag}", child) for child in reversed(part.children))
