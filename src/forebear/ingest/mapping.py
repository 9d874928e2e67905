"""Which columns are which facts: the mapping of a table, as values.

These classes are the mapping language.  A mapping file is TOML; its tables are the fields
of ``Mapping`` and their keys the fields of the classes here, so what is allowed is written
down once.  A key of type ``Columns`` names one column or a list of them, and a list means
one of two things:

- *the first that has a value*: date, subtype, names, occupation, sex, marital, relation, needs;
- *all that have a value, together*: id, group, text, citation, place (small to large), age.

A ``derived`` column is cut out of another one by a pattern, and ``values`` turn coded cells
into words; ``{column}`` inside such a word is the row's own value of that column.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from forebear.normalize.places import read_place
from forebear.records.collections import Collection
from forebear.records.record import Kin, Sex

Columns = tuple[str, ...]
# by_status: a woman who is married or widowed stands under her husband's name.
SurnameKind = Literal["birth", "married", "alias", "by_status"]
Format = Literal["table", "gedcom", "gramps", "a2a", "jsonl", "text"]
PLACEHOLDER = re.compile(r"\{(.+?)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionEntry:
    """What a mapping says of the collection its records go to."""

    name: str
    title: str
    record_type: str
    places: tuple[str, ...] = ()
    first_year: int | None = None
    last_year: int | None = None
    licence: str = ""
    embargo_years: int = 0
    country: str = ""  # of every place of an event or residence that names none
    place: str = ""  # of every record whose row names none
    subtype: str = ""  # of every record whose row names none
    one_per_person: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFormat:
    """How the file is written, where that cannot or need not be found out."""

    delimiter: str = ""
    encoding: str = ""
    quote: str = '"'
    missing: tuple[str, ...] = ()  # cells that stand for an empty one
    optional: tuple[str, ...] = ()  # columns that a file of this kind may lack
    sheet: str = ""  # of a spreadsheet; else all that have the headings of the first


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedColumn:
    """A column made of what a pattern finds in another: its first group, else all of it."""

    column: str
    pattern: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalRule:
    """Rows that are no records: those with one of these values in a column."""

    column: str
    values: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventColumns:
    """When and where; ``within`` is where the place lies and is no place on its own."""

    date: Columns = ()
    place: Columns = ()
    within: Columns = ()
    address: Columns = ()
    detail: Columns = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordColumns:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaColumns:
    """One person of the record."""

    role: str
    kin: Kin = "other"
    principal: bool = False
    needs: Columns = ()  # nobody is there unless one of these has a value
    name: Columns = ()  # a whole name: Thomas Green; Green, Thomas
    split: str = ""  # a pattern that parts several people named in one cell
    given: Columns = ()
    surname: Columns = ()
    maiden: Columns = ()  # a woman's birth surname, beside the one she stands under
    alias: Columns = ()  # another whole name
    nickname: Columns = ()
    patronymic: Columns = ()
    prefix: Columns = ()  # a particle that stands in a column of its own
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    """A whole mapping."""

    collection: CollectionEntry
    format: Format = "table"
    record: RecordColumns = RecordColumns()
    persona: tuple[PersonaColumns, ...] = ()
    table: TableFormat = TableFormat()
    derived: dict[str, DerivedColumn] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)  # codes in lower case
    refuse: tuple[RefusalRule, ...] = ()

    @property
    def columns(self) -> frozenset[str]:
        """Return every column the file must have."""
        sources = {rule.column for rule in self.derived.values()}
        told = self._named() - set(self.derived) | sources
        return frozenset(told - set(self.table.optional))

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
            yield from _names(columns)


def _names(columns: Iterable[object]) -> Iterator[str]:
    yield from (name for name in columns if isinstance(name, str))
