"""Which columns are which facts: the mapping language.

A mapping file is TOML.  Its tables are the fields of ``Mapping`` and their keys the fields of the
classes here, so what is allowed is written down once; docs/reference/mapping.md explains every key.
A key of type ``Columns`` names one column or a list of them, and a list means one of two things:

- *the first that has a value*: date, subtype, names, occupation, sex, marital, relation, needs;
- *all that have a value, together*: id, group, text, citation, place (small to large), age.

A ``derived`` column is cut out of another one by a pattern, and ``values`` turn coded cells
into words; ``{column}`` inside such a word is the row's value of that column.  A ``joined`` column
is made of several ("John" and "William" are "John William"), and ``constants`` are columns that
have the same value in every row.
"""

import codecs
import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct, field
from msgspec.structs import fields, replace

from forebear.errors import MappingError
from forebear.normalize.places import read_place
from forebear.records.codec import convert
from forebear.records.collections import RECORD_TYPES, Collection
from forebear.records.record import Kin, Sex

Columns = tuple[str, ...]
# by_status: a woman who is married or widowed has her husband's surname.
SurnameKind = Literal["birth", "married", "alias", "by_status"]
NameOrder = Literal["", "surname_first", "patronymic", "spanish", "portuguese", "italian"]
Format = Literal["table", "gedcom", "gramps", "a2a", "jsonl", "text"]
PLACEHOLDER = re.compile(r"\{(.+?)\}")
# Keys added since journals were first written.
UNUSED_LATER_KEYS = (", order=''", ", joined={}", ", constants={}")
DEEP_KEY = re.compile(r"(?:[\w\"'-]{1,100}[ \t]{0,9}\.[ \t]{0,9}){20}")
NUMBER = re.compile(r"\[(\d+)\]")
# Records are known as COLLECTION:RECORD_ID in files whose fields are separated by blanks.
COLLECTION_NAME = re.compile(r"[^\s:]+")
REFERENCE = "docs/reference/mapping.md has every key"


class CollectionEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The collection that a mapping's records go to."""

    name: str
    title: str
    record_type: str
    places: tuple[str, ...] = ()
    first_year: int | None = None
    last_year: int | None = None
    licence: str = ""
    embargo_years: int = 0
    country: str = ""  # of places of events and residences without a country
    place: str = ""  # of every record whose row names none
    subtype: str = ""  # of every record whose row names none
    one_per_person: bool = False


class TableFormat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the file is written, where that is not detected."""

    delimiter: str = ""
    encoding: str = ""
    quote: str = '"'
    missing: tuple[str, ...] = ()  # cells that stand for an empty one
    optional: tuple[str, ...] = ()  # columns that a file of this kind may lack
    sheet: str = ""  # of a spreadsheet; else all that have the headings of the first


class DerivedColumn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A column made of what a pattern matches in another: its first group, else all of it."""

    column: str
    pattern: str


class JoinedColumn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A column made of the values of several, those that have one, in their order."""

    columns: Columns
    separator: str = " "


class RefusalRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rows that are no records: those with one of these values in a column."""

    column: str
    values: tuple[str, ...]
    reason: str


class EventColumns(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When and where; ``within`` is where the place lies and is no place on its own."""

    date: Columns = ()
    place: Columns = ()
    within: Columns = ()
    address: Columns = ()
    detail: Columns = ()


class RecordColumns(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The record's id, household and own event."""

    id: Columns = ()
    group: Columns = ()
    date: Columns = ()
    census_day: bool = False  # the date is a census year and stands for the day of the count
    place: Columns = ()
    text: Columns = ()
    subtype: Columns = ()
    citation: Columns = ()  # where the original is
    image: Columns = ()  # a link to a picture of it
    events: dict[str, EventColumns] = field(default_factory=dict)  # beside its own


class PersonaColumns(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One person of the record."""

    role: str
    kin: Kin = "other"
    principal: bool = False
    needs: Columns = ()  # the person is skipped unless one of these has a value
    name: Columns = ()  # a whole name: Thomas Green; Green, Thomas
    order: NameOrder = ""  # of the words of such a name, where that is not the usual one
    split: str = ""  # a pattern that separates people named in one cell
    given: Columns = ()
    surname: Columns = ()
    maiden: Columns = ()  # a woman's birth surname, beside the one she is named by
    alias: Columns = ()  # another whole name
    nickname: Columns = ()
    patronymic: Columns = ()
    prefix: Columns = ()  # a particle that has a separate column
    suffix: Columns = ()
    title: Columns = ()
    kind: SurnameKind = "birth"
    sex: Sex | None = None
    sex_column: Columns = ()
    relation: Columns = ()  # what this person is to the one the record is about
    relation_reversed: Columns = ()  # what the one the record is about is to this person
    age: Columns = ()
    occupation: Columns = ()
    marital: Columns = ()
    religion: Columns = ()
    events: dict[str, EventColumns] = field(default_factory=dict)
    attributes: dict[str, Columns] = field(default_factory=dict)


class Mapping(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole mapping."""

    collection: CollectionEntry
    format: Format = "table"
    record: RecordColumns = field(default_factory=RecordColumns)
    persona: tuple[PersonaColumns, ...] = ()
    table: TableFormat = field(default_factory=TableFormat)
    derived: dict[str, DerivedColumn] = field(default_factory=dict)
    joined: dict[str, JoinedColumn] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)  # columns that the file lacks
    values: dict[str, dict[str, str]] = field(default_factory=dict)  # codes in lower case
    refuse: tuple[RefusalRule, ...] = ()

    @property
    def columns(self) -> frozenset[str]:
        """Return every column the file must have."""
        named = {source for column in self._named() for source in self.sources(column)}
        named |= {rule.column for rule in self.derived.values()}
        named |= {source for column in self.joined for source in self.sources(column)}
        return frozenset(named - set(self.table.optional))

    def sources(self, column: str) -> Columns:
        """Return the columns of the file that a column is made of; none of a constant."""
        if column in self.constants:
            return ()
        if column in self.derived:
            return (self.derived[column].column,)
        if column not in self.joined:
            return (column,)
        parts = self.joined[column].columns
        return tuple(source for part in parts for source in self._coded_sources(part))

    def _coded_sources(self, column: str) -> Iterator[str]:
        """Yield the sources of a part of a joined column and of the words of its codes."""
        yield from self.sources(column)
        for word in self.values.get(column, {}).values():
            for name in PLACEHOLDER.findall(word):
                yield from self.sources(name)

    def _named(self) -> set[str]:
        events = [*self.record.events.values()]
        named = set(_columns_of(self.record)) | {rule.column for rule in self.refuse}
        for persona in self.persona:
            named.update(_columns_of(persona))
            named.update(name for columns in persona.attributes.values() for name in columns)
            events.extend(persona.events.values())
        named.update(name for event in events for name in _columns_of(event))
        for column, words in self.values.items():
            named.add(column)
            named.update(name for word in words.values() for name in PLACEHOLDER.findall(word))
        return named

    @property
    def fingerprint(self) -> str:
        """Return a hash of the mapping; a later key that is not used does not change it.

        An interrupted import, even one by an older version, is continued if it is the same.
        """
        text = repr(self)
        for unused in UNUSED_LATER_KEYS:
            text = text.replace(unused, "")
        return hashlib.sha256(text.encode()).hexdigest()

    def renamed(self, name: str) -> "Mapping":
        """Return the mapping with its records going to a collection of another name."""
        return replace(self, collection=replace(self.collection, name=name))

    def to_collection(self) -> Collection:
        """Return the collection as an archive keeps it."""
        entry = self.collection
        return Collection(
            name=entry.name,
            title=entry.title,
            record_type=entry.record_type,
            places=tuple(place for text in entry.places if (place := read_place(text).place)),
            first_year=entry.first_year,
            last_year=entry.last_year,
            licence=entry.licence,
            embargo_years=entry.embargo_years,
            subtype=entry.subtype,
            one_per_person=entry.one_per_person,
        )


def _columns_of(value: RecordColumns | PersonaColumns | EventColumns) -> Iterator[str]:
    for entry in fields(value):
        columns: object = getattr(value, entry.name)
        if isinstance(columns, tuple):
            yield from columns


def parse_mapping(text: str, *, file: str = "mapping") -> Mapping:
    """Return the mapping that a TOML text describes; ``file`` is its name in messages."""
    if DEEP_KEY.search(text):  # the parser takes the square of their number
        raise MappingError(f"{file}: a key of more than 20 parts", hint=REFERENCE)
    try:
        tables = _with_lists(tomllib.loads(text), Mapping)
    except tomllib.TOMLDecodeError as error:
        raise MappingError(f"{file}: not TOML: {error}", hint="see https://toml.io") from error
    except RecursionError:
        raise MappingError(f"{file}: nested too deeply", hint=REFERENCE) from None

    def make_error(path: str, problem: str, hint: str | None) -> MappingError:
        counted_from_one = NUMBER.sub(lambda index: f"[{int(index[1]) + 1}]", path)
        return _error(file, counted_from_one, problem, hint or REFERENCE)

    mapping = convert(tables, Mapping, make_error)
    _check(mapping, file)
    values = {
        column: {code.casefold(): word for code, word in words.items()}
        for column, words in mapping.values.items()
    }
    return replace(mapping, values=values)


def _with_lists(value: Any, kind: Any) -> Any:
    """Return a TOML value in which a single value is a list of one where a list is expected."""
    if get_origin(kind) is tuple:
        items = value if isinstance(value, list) else [value]
        return [_with_lists(item, get_args(kind)[0]) for item in items]
    if not isinstance(value, dict):
        return value
    if get_origin(kind) is dict:
        return {key: _with_lists(item, get_args(kind)[1]) for key, item in value.items()}
    types = _types_of(kind) if isinstance(kind, type) and issubclass(kind, Struct) else {}
    return {key: _with_lists(item, types.get(key)) for key, item in value.items()}


@cache
def _types_of(kind: type[Struct]) -> dict[str, Any]:
    return get_type_hints(kind)


def check_collection_name(name: str, *, file: str, key: str = "") -> None:
    """Refuse a name that could not be before the colon of a record's key."""
    if not COLLECTION_NAME.fullmatch(name):
        hint = "a collection's name is one word without a colon"
        raise _error(file, key, f"found {name!r}", hint)


def _check(mapping: Mapping, file: str) -> None:
    """Refuse a mapping that has the right keys but cannot make a record."""
    entry, table = mapping.collection, mapping.table
    check_collection_name(entry.name, file=file, key="collection.name")
    if entry.record_type not in RECORD_TYPES:
        hint = f"allowed here: {', '.join(RECORD_TYPES)}"
        raise _error(file, "collection.record_type", f"found {entry.record_type!r}", hint)
    if len(table.delimiter) > 1:
        hint = "a delimiter is a single character"
        raise _error(file, "table.delimiter", f"found {table.delimiter!r}", hint)
    if len(table.quote) > 1:
        hint = "a quotation mark is a single character, or nothing"
        raise _error(file, "table.quote", f"found {table.quote!r}", hint)
    try:
        codecs.lookup(table.encoding or "utf-8")
    except (LookupError, ValueError):
        hint = "known are utf-8, cp1252, latin-1, cp850, mac-roman, ..."
        raise _error(file, "table.encoding", f"found {table.encoding!r}", hint) from None
    for name, rule in mapping.derived.items():
        _check_pattern(rule.pattern, file, f"derived.{name}.pattern")
    _check_joined(mapping, file)
    if not mapping.persona and mapping.format == "table":
        raise _error(file, "persona", "no person is mapped", "add a [[persona]] for every person")
    for number, persona in enumerate(mapping.persona, start=1):
        _check_persona(persona, file, f"persona[{number}]")


def _check_joined(mapping: Mapping, file: str) -> None:
    """Refuse names that mean two columns, and joined columns of joined ones."""
    kinds: dict[str, Iterable[str]] = {
        "derived": mapping.derived,
        "joined": mapping.joined,
        "constants": mapping.constants,
    }
    names = [name for columns in kinds.values() for name in columns]
    for kind, columns in kinds.items():
        for name in columns:
            if names.count(name) > 1:
                hint = "names in derived, joined and constants must differ: rename one of them"
                raise _error(file, f"{kind}.{name}", "another made column has this name", hint)
    for name, rule in mapping.joined.items():
        if not rule.columns or set(rule.columns) & set(mapping.joined):
            hint = "name columns of the file, of derived or of constants"
            raise _error(file, f"joined.{name}.columns", f"found {list(rule.columns)}", hint)
        if name in mapping.values:
            hint = "turn the codes of the columns it joins into words"
            raise _error(file, f"values.{name}", "a joined column has no codes", hint)


def _check_persona(persona: PersonaColumns, file: str, key: str) -> None:
    if not (persona.name or persona.given or persona.surname):
        hint = "map one of: name, given, surname"
        raise _error(file, key, f"the {persona.role} has no name", hint)
    _check_pattern(persona.split, file, f"{key}.split")
    if persona.relation and persona.relation_reversed:
        hint = "use one of: relation, relation_reversed"
        raise _error(file, key, f"the {persona.role} has a relation both ways", hint)


def _check_pattern(pattern: str, file: str, key: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        problem = f"{pattern!r} is no regular expression: {error}"
        raise _error(file, key, problem, "see Python's re module") from None


def _error(file: str, key: str, problem: str, hint: str) -> MappingError:
    where = f"{file}: {key.removeprefix('.')}" if key else file
    return MappingError(f"{where}: {problem}", hint=hint)
