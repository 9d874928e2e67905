"""What does a GEDCOM file say of a person or a couple: names, events, attributes, notes, sources?

``Mary Ann /Brown/`` has its surname between slashes; parts below the line are trusted before it.  A
married name may be a NAME of that type or a ``_MARNM``.  Other writings (TRAN, ROMN, FONE) are
further names.
"""

from collections.abc import Iterator
from functools import cache

from msgspec.structs import replace

from forebear.ingest.readers.gedcom.file import GedcomFile, LineAccount
from forebear.ingest.readers.gedcom.lines import Structure
from forebear.ingest.report import Issue
from forebear.normalize.dates import DateContext, read_date
from forebear.normalize.names import read_name
from forebear.normalize.places import read_place
from forebear.normalize.spelling import normalize_name
from forebear.records.record import Event, HistoricalDate, Name, NameKind, Place, Sex
from forebear.tables import read_table

SEXES: dict[str, Sex] = {"M": "m", "F": "f", "MALE": "m", "FEMALE": "f"}
DETAILS = ("CAUS", "AGNC", "TYPE")
ADDRESS = ("ADR1", "ADR2", "ADR3", "CITY", "STAE", "POST", "CTRY")
SOURCE_PARTS = ("TITL", "AUTH", "PUBL", "ABBR", "TEXT")
NAMELESS = ("EVEN", "FACT")  # TYPE says what happened
NAME_KINDS: dict[str, NameKind] = {
    "married": "married",
    "birth": "birth",
    "maiden": "birth",
    "": "birth",
}
OTHER_WRITINGS = ("TRAN", "ROMN", "FONE", "_HEB")
NAME_PARTS = ("GIVN", "SURN", "SPFX", "NPFX", "NSFX", "NICK", "TYPE")


def read_names(person: Structure, account: LineAccount) -> tuple[Name, ...]:
    """Return the names of a person, the first given first."""
    names = list(dict.fromkeys(_all_names(person, account)))
    return tuple(name for name in names if name.given or name.surname or name.nickname)


def _all_names(person: Structure, account: LineAccount) -> Iterator[Name]:
    for structure in person.all("NAME"):
        kind = NAME_KINDS.get(structure.text_of("TYPE").casefold(), "alias")
        names = _read_structure(structure, kind, account)
        yield from names
        for writing in structure.all(*OTHER_WRITINGS):
            yield from _read_structure(writing, kind, account)
        yield from _further(structure, names[0].given, account)
    first = person.first("NAME")
    yield from _further(person, read_name(first.text).name.given if first else "", account)


def _further(structure: Structure, given: str, account: LineAccount) -> Iterator[Name]:
    """Yield the married name and the aliases below a structure."""
    for married in structure.all("_MARNM", "_MARN", "_MAR"):
        account.understand(married)
        name = read_name(married.text, kind="married").name
        if name.given and name.surname:
            yield name
        else:  # a single word is the surname
            yield replace(name, given=given, surname=name.surname or name.given)
    for alias in structure.all("ALIA", "_AKA", "_AKAN"):
        if alias.text and not alias.pointer:
            account.understand(alias)
            yield from _read_structure(alias, "alias", account)


def _read_structure(structure: Structure, kind: NameKind, account: LineAccount) -> list[Name]:
    """Return the name of a structure, and the other names that its text mentions."""
    account.understand(structure, *structure.all(*NAME_PARTS))
    reading = read_name(structure.text, kind=kind)
    name = reading.name
    given = name.given or ("" if reading.relatives else structure.text_of("GIVN"))
    prefix = structure.text_of("SPFX")
    surname = name.surname or " ".join(filter(None, (prefix, structure.text_of("SURN"))))
    whole = replace(
        name,
        given=given if normalize_name(given) else "",
        surname=surname if normalize_name(surname) else "",
        suffix=structure.text_of("NSFX") or name.suffix,
        title=structure.text_of("NPFX") or name.title,
        prefix=prefix or name.prefix,
        nickname=structure.text_of("NICK") or name.nickname,
    )
    return [whole, *reading.others]


class GedcomFacts:
    """Reads the facts of one person after the other, and collects warnings."""

    def __init__(self, file: GedcomFile, account: LineAccount) -> None:
        self._file = file
        self._account = account
        # Version 7 allows any year, earlier ones years of three figures and more.
        is_7 = file.version.startswith("7")
        self._dates = DateContext(collection="gedcom7" if is_7 else "gedcom")
        self.warnings: list[Issue] = []
        self._titles: dict[Structure, str] = {}  # of sources, which may be cited thousands of times

    def sex(self, person: Structure) -> Sex | None:
        """Return the sex; X, U and N say none."""
        structure = person.first("SEX")
        self._account.understand(structure)
        return SEXES.get(structure.text.upper()) if structure else None

    def events(self, owner: Structure) -> Iterator[Event]:
        """Yield the events of a person or a couple, those without a date or place too."""
        kinds = event_kinds()
        for structure in owner.children:
            if structure.tag in kinds and _has_happened(structure):
                yield self._event(structure, kinds[structure.tag])

    def texts(self, owner: Structure, *tags: str) -> list[str]:
        """Return what the children with these tags say."""
        children = [child for child in owner.all(*tags) if child.text]
        self._account.understand(*children)
        return [child.text for child in children]

    def attributes(self, owner: Structure) -> tuple[tuple[str, str], ...]:
        """Return what else the file says of a person in a word or two."""
        names = attribute_names()
        children = [child for child in owner.children if child.tag in names and child.text]
        self._account.understand(*children)
        return tuple((names[child.tag], child.text) for child in children)

    def notes(self, owner: Structure) -> Iterator[str]:
        """Yield the notes anywhere below a structure, wherever they are written."""
        for structure in owner.walk():
            if structure.tag not in ("NOTE", "SNOTE", "TEXT"):
                continue
            shared = self._file.target(structure)
            self._account.understand(structure, shared)
            text = shared.text if shared else structure.text
            if text and not (structure.pointer and shared is None):
                yield text

    def citations(self, owner: Structure) -> Iterator[str]:
        """Yield the sources named below a structure: title, page."""
        for structure in owner.walk():
            if structure.tag != "SOUR" or structure is owner:
                continue
            source = self._file.target(structure)
            page = structure.first("PAGE")
            self._account.understand(structure, page)
            title = self._title(source) if source else structure.text
            if structure.pointer and source is None:
                title = ""
            parts = [part for part in (title, page.text if page else "") if part]
            if parts:
                yield ", ".join(" ".join(part.split()) for part in parts)

    def _title(self, source: Structure) -> str:
        if source not in self._titles:
            self._account.understand(source, *source.all(*SOURCE_PARTS))
            self._titles[source] = source.text_of("TITL", "ABBR", "AUTH")
        return self._titles[source]

    def images(self, owner: Structure) -> Iterator[str]:
        """Yield the names of the files with pictures and papers."""
        for structure in owner.walk():
            if structure.tag != "OBJE":
                continue
            target = self._file.target(structure)
            self._account.understand(structure, target)
            for file in (target or structure).all("FILE"):
                self._account.understand(file)
                yield file.text

    def _event(self, structure: Structure, kind: str) -> Event:
        self._account.understand(structure)
        text = structure.text if structure.text.upper() not in ("Y", "N") else ""
        kind_name = structure.text_of("TYPE")
        if structure.tag in NAMELESS and kind_name:
            kind = kind_name.casefold()
        parts = [*structure.all(*DETAILS)]
        self._account.understand(*parts)
        details = [text, *(part.text for part in parts if part.text.casefold() != kind)]
        return Event(
            kind=kind,
            date=self._date(structure),
            place=self._place(structure),
            address=self._address(structure),
            detail="; ".join(detail for detail in details if detail),
            is_claimed=structure.text.upper() == "Y",
        )

    def _date(self, owner: Structure) -> HistoricalDate | None:
        structure = owner.first("DATE")
        if structure is None:
            return None
        phrase = structure.first("PHRASE")
        self._account.understand(structure, phrase)
        text = structure.text or (phrase.text if phrase else "")
        if not text:
            return None
        date = read_date(text, context=self._dates)
        if not date.is_known:
            self.warnings.append(
                Issue(line=structure.line, reason="date not understood", detail=repr(text))
            )
        return date

    def _place(self, owner: Structure) -> Place | None:
        structure = owner.first("PLAC")
        self._account.understand(structure)
        return read_place(structure.text).place if structure and structure.text else None

    def _address(self, owner: Structure) -> str:
        structure = owner.first("ADDR")
        if structure is None:
            return ""
        parts = [*structure.all(*ADDRESS)]
        self._account.understand(structure, *parts)
        lines = [*structure.text.splitlines(), *(part.text for part in parts)]
        return ", ".join(dict.fromkeys(line.strip(" ,") for line in lines if line.strip(" ,")))


def _has_happened(structure: Structure) -> bool:
    """Return whether an event is claimed: a bare tag, or N, claims nothing."""
    return structure.text.upper() != "N" and bool(structure.text or structure.children)


@cache
def event_kinds() -> dict[str, str]:
    """Return the kind of event that each tag means."""
    return {row["tag"]: row["kind"] for row in read_table("ingest/gedcom_events")}


@cache
def attribute_names() -> dict[str, str]:
    """Return the name of each attribute by its tag."""
    return {row["tag"]: row["name"] for row in read_table("ingest/gedcom_attributes")}
