"""How is A2A read, the XML in which Dutch and Flemish archives publish their indexes?

An A2A entry has persons, events and a source, and relations between them: who is the bride of which
event (RelationEP), who is whose father (RelationPP).  The words are Dutch; tables say what they
mean.  A person called "NN" has no name.  One file holds entries of all kinds, so its records go to
a collection for each record type.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element

from forebear.errors import InputError
from forebear.ingest.readers.safe_files import (
    XML_PIECE_BYTES,
    LocatedElement,
    find_elements,
    text_of,
)
from forebear.ingest.readers.source import Entry, TargetCollections
from forebear.ingest.register_words import find_marital
from forebear.ingest.report import Issue
from forebear.normalize.ages import read_age
from forebear.normalize.dates import read_date
from forebear.normalize.places import read_place
from forebear.normalize.spelling import normalize_name
from forebear.records.collections import RECORD_TYPES
from forebear.records.record import (
    Event,
    HistoricalDate,
    Kin,
    Name,
    Persona,
    Place,
    Record,
    Relation,
    Relative,
    Sex,
)
from forebear.tables import read_table

SEXES: dict[str, Sex] = {"man": "m", "vrouw": "f", "male": "m", "female": "f", "m": "m", "v": "f"}
# What the first person is to the second, and the second to the first.
RELATION_OF_KIN: dict[str, tuple[Relation, Relation]] = {
    "parent": ("parent", "child"),
    "child": ("child", "parent"),
    "spouse": ("spouse", "spouse"),
    "sibling": ("sibling", "sibling"),
}
CHILD_RECORDS = ("birth", "baptism")  # the child is the person the record is about
# Of a record whose kinds of source and event are not in the table.
UNKNOWN_TYPE = ("church", "")


class A2ASource:
    """The entries of an A2A file, bare or inside an OAI-PMH answer."""

    has_groups = False

    def __init__(self, path: Path, target: TargetCollections) -> None:
        self.path = path
        self.target = target
        self.size_bytes = path.stat().st_size
        if next(self._elements(), None) is None:
            raise InputError(
                f"{path}:1: no A2A entry in this XML",
                hint="entries are elements called A2A; of other XML only Gramps trees can be read",
            )

    def entries(self) -> Iterator[Entry]:
        """Yield an entry for each element called A2A."""
        identifier = ""
        for located in self._elements():
            if located.name == "identifier":
                identifier = text_of(located.element)
                continue
            yield self._entry(located, identifier)
            identifier = ""

    def lines(self) -> dict[str, int]:
        """Return nothing: XML is not a matter of lines."""
        return {}

    def _elements(self) -> Iterator[LocatedElement]:
        with self.path.open("rb") as file:
            pieces = iter(lambda: file.read(XML_PIECE_BYTES), b"")
            yield from find_elements(pieces, {"A2A", "identifier"}, where=str(self.path))

    def _entry(self, located: LocatedElement, identifier: str) -> Entry:
        line, done = located.line, located.bytes_done
        reader = _EntryReader(located, self.target, identifier, self.path.name)
        if not any(persona.names for persona in reader.personas):
            refusal = Issue(line=line, reason="no name at all")
            cells = (("text", text_of(located.element)),)
            return Entry(line=line, refusal=refusal, cells=cells, bytes_done=done)
        warnings = tuple(reader.warnings)
        return Entry(line=line, records=(reader.record(),), warnings=warnings, bytes_done=done)


class _EntryReader:
    """Reads one entry."""

    def __init__(
        self, located: LocatedElement, target: TargetCollections, identifier: str, file_name: str
    ) -> None:
        self._entry = located.element
        self._line = located.line
        self._target = target
        self._identifier = identifier
        self._file_name = file_name
        self.warnings: list[Issue] = []
        self._source = self._entry.find("Source")
        self.record_type, self._subtype = self._type()
        first = self._entry.find("Event")
        self._event = self._read_event(first)
        self._roles = {
            text_of(link, "PersonKeyRef"): text_of(link, "RelationType")
            for link in self._entry.iter("RelationEP")
        }
        self._links = self._read_links()
        self.personas = [self._persona(person) for person in self._entry.iter("Person")]

    def record(self) -> Record:
        source = f"{self._file_name}:{self._line}"
        record_id = text_of(self._source, "RecordGUID") or self._identifier
        record_id = record_id or text_of(self._source, "RecordIdentifier") or source
        return Record(
            collection=self._target.name_for(self.record_type),
            id="_".join(record_id.split()),
            record_type=self.record_type,
            subtype=self._subtype,
            event=self._event,
            personas=tuple(self.personas),
            text="; ".join(self._remarks()),
            citation=", ".join(self._citation()),
            image=self._image(),
            row=tuple(_leaves(self._entry)),
            source=source,
        )

    def _type(self) -> tuple[str, str]:
        words = [text_of(self._source, "SourceType"), text_of(self._entry, "Event/EventType")]
        for word in words:
            if record_type := _types().get(word.casefold()):
                return record_type
        self._warn("kind of source not known", repr(words[0]))
        return UNKNOWN_TYPE

    def _read_event(self, event: Element | None) -> Event:
        kind = RECORD_TYPES[self.record_type].event
        source = self._source
        date = self._date(event, "EventDate") or self._date(source, "SourceDate")
        place = _place(event, "EventPlace") or _place(source, "SourcePlace")
        return Event(kind=kind, date=date, place=place)

    def _persona(self, person: Element) -> Persona:
        key = person.get("pid", "")
        word = self._roles.get(key, "")
        role, kin, sex, is_principal = _roles().get(
            word.casefold(), (word.casefold() or "other", "other", None, False)
        )
        if role == "child" and kin == "child":
            is_principal = self.record_type in CHILD_RECORDS
            kin = "self" if is_principal else "child"
        name = _name(person.find("PersonName"))
        age = text_of(person, "Age/PersonAgeLiteral")
        return Persona(
            role=role,
            kin=kin,
            names=(name,) if name.given or name.surname else (),
            sex=SEXES.get(text_of(person, "Gender").casefold(), sex),
            age=read_age(age, at=self._event.date, source=self.record_type) if age else None,
            events=tuple(self._personal_events(person)),
            occupation="; ".join(text_of(element) for element in person.iter("Profession")),
            marital=find_marital(text_of(person, "MaritalStatus")),
            religion=text_of(person, "Religion"),
            is_principal=is_principal,
            key=key,
            relatives=tuple(self._relatives(key)),
        )

    def _personal_events(self, person: Element) -> Iterator[Event]:
        born, born_at = self._date(person, "BirthDate"), _place(person, "BirthPlace")
        if born or born_at:
            yield Event(kind="birth", date=born, place=born_at)
        for tag, kind in (("Residence", "residence"), ("Origin", "origin")):
            if lives := _place(person, tag):
                yield Event(kind=kind, place=lives)

    def _relatives(self, key: str) -> Iterator[Relative]:
        """Yield the stated relations: the first person of a RelationPP is that to the second."""
        for people, relations in self._links.get(key, ()):
            other = people[1] if people[0] == key else people[0]
            yield Relative(key=other, relation=relations[1 if people[0] == key else 0])

    def _read_links(self) -> dict[str, list[tuple[list[str], tuple[Relation, Relation]]]]:
        """Return the pairs of people whose relation is stated, by each of the two."""
        links: dict[str, list[tuple[list[str], tuple[Relation, Relation]]]] = {}
        for link in self._entry.iter("RelationPP"):
            people = [text_of(element) for element in link.iter("PersonKeyRef")]
            kin = _roles().get(text_of(link, "RelationType").casefold(), ("", "other", None, False))
            relations = RELATION_OF_KIN.get(kin[1])
            if len(people) == 2 and relations is not None:
                for key in dict.fromkeys(people):
                    links.setdefault(key, []).append((people, relations))
        return links

    def _date(self, owner: Element | None, tag: str) -> HistoricalDate | None:
        element = owner.find(tag) if owner is not None else None
        if element is None:
            return None
        parts = [text_of(element, part).zfill(2) for part in ("Year", "Month", "Day")]
        numbers = [part for part in parts if part.strip("0")]
        text = "-".join(numbers) if numbers[:1] == parts[:1] else ""
        text = text or text_of(element, "LiteralDate") or text_of(element, "From")
        if not text:
            return None
        date = read_date(text)
        if not date.is_known:
            self._warn("date not understood", repr(text))
        return date

    def _remarks(self) -> Iterator[str]:
        for tag in ("PersonRemark", "EventRemark", "SourceRemark", "Remark"):
            for element in self._entry.iter(tag):
                if remark := text_of(element):
                    yield remark

    def _citation(self) -> Iterator[str]:
        reference = self._source.find("SourceReference") if self._source is not None else None
        for tag in ("InstitutionName", "Archive", "Collection", "Book", "RegistryNumber", "Folio"):
            if part := text_of(reference, tag):
                yield part
        if number := text_of(reference, "DocumentNumber"):
            yield f"no. {number}"

    def _image(self) -> str:
        for tag in ("UriViewer", "Uri", "UriPreview"):
            for element in self._entry.iter(tag):
                if link := text_of(element):
                    return link
        return text_of(self._source, "SourceDigitalOriginal")

    def _warn(self, reason: str, detail: str) -> None:
        self.warnings.append(Issue(line=self._line, reason=reason, detail=detail))


def _name(element: Element | None) -> Name:
    def part(tag: str) -> str:
        text = text_of(element, tag)
        return text if normalize_name(text) else ""

    prefix = text_of(element, "PersonNamePrefixLastName")
    last = part("PersonNameLastName") or part("PersonNameFamilyName")
    given = part("PersonNameFirstName") or part("PersonNameInitials")
    if not (given or last):
        given = part("PersonNameLiteral")
    return Name(
        given=given,
        surname=f"{prefix} {last}" if prefix and last else last,
        prefix=prefix,
        patronymic=part("PersonNamePatronym"),
        nickname=part("PersonNameNickName"),
        title=part("PersonNameTitle") or part("PersonNameTitleOfNobility"),
    )


def _place(owner: Element | None, tag: str) -> Place | None:
    element = owner.find(tag) if owner is not None else None
    if element is None:
        return None
    parts = [
        text_of(element, part)
        for part in ("DetailPlaceRemark", "Place", "Municipality", "Province", "State", "Country")
    ]
    return read_place(*dict.fromkeys(part for part in parts if part)).place


def _leaves(element: Element) -> Iterator[tuple[str, str]]:
    """Yield every text and attribute below an element, under its path."""
    waiting = [("", element)]
    while waiting:
        path, part = waiting.pop()
        yield from ((f"{path}@{name}".lstrip("."), value) for name, value in part.attrib.items())
        if len(part) == 0 and (part.text or "").strip():
            yield path.lstrip("."), text_of(part)
        waiting.extend((f"{path}.{child.tag}", child) for child in reversed(part))


@cache
def _types() -> dict[str, tuple[str, str]]:
    return {
        row["word"]: (row["record_type"], row["subtype"]) for row in read_table("ingest/a2a_types")
    }


@cache
def _roles() -> dict[str, tuple[str, Kin, Sex | None, bool]]:
    return {
        row["word"]: (
            row["role"],
            row["kin"],  # type: ignore[misc]  # the table holds nothing else
            row["sex"] or None,
            row["principal"] == "yes",
        )
        for row in read_table("ingest/a2a_roles")
    }
