"""What do the cells of a row say: which dates, places, words?

The cells are cleaned as the mapping says: those that stand for nothing are empty, coded cells are
words, and derived columns, joined columns and constants are there like any others.  The row itself
is not touched: the record keeps it as it stood.

A fact that is written but not understood is no reason to lose the row: it is left out (or,
for a date, an age or a place, kept as its words) and a warning says so.

A register has the same few days, places and words over and over.  A *lookup* answers a question to
some columns of a mapping: which date, which place, who is this to the head?  The result for the
same cells is the same in every row, so it is remembered with its warnings, and most rows are read
by looking their cells up.  A lookup has its cells by their position in a row: no row becomes a
dictionary.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, TypeVar

from msgspec.structs import astuple

from forebear.ingest.mapping import PLACEHOLDER, Columns, EventColumns, Mapping
from forebear.ingest.register_words import Relation, find_marital, find_relation, find_sex, is_known
from forebear.normalize.dates import NO_CONTEXT, DateContext, read_date
from forebear.normalize.places import PlaceReading, read_place
from forebear.normalize.spelling import normalize_name, split_given
from forebear.records.record import Event, HistoricalDate, Place, Sex

CENSUS_DATES = DateContext(collection="census", country="united kingdom")
MAX_RESULTS = 1 << 16  # that each lookup remembers

Cells = dict[str, str]  # by column; a column that the file lacks is not there
RowCells = Sequence[str]  # as they stand, in the order that `Lookups` gives the columns
Warnings = list[tuple[str, str]]  # reason and detail of each
Value = TypeVar("Value")
# From the cells of a row, and a list that warnings are added to.
Lookup = Callable[[RowCells, Warnings], Value]


class CellCleaner:
    """What a mapping says about cells, prepared for many rows."""

    def __init__(self, mapping: Mapping) -> None:
        self._missing = frozenset(mapping.table.missing)
        self._words = [(column, words) for column, words in mapping.values.items()]
        self._joined = [*mapping.joined.items()]
        self._constants = mapping.constants
        self._derived = [
            (name, rule.column, re.compile(rule.pattern)) for name, rule in mapping.derived.items()
        ]

    def clean(self, values: Cells) -> Cells:
        """Return what the cells of a row say, derived columns included."""
        cells = dict(zip(values, map(str.strip, values.values()), strict=True))
        if self._derived:
            cells |= {
                name: _matched_text(pattern.search(cells.get(column, "")))
                for name, column, pattern in self._derived
            }
        if self._missing:
            cells = {
                column: "" if text in self._missing else text for column, text in cells.items()
            }
        if self._constants:
            cells |= self._constants
        if self._words:
            self._decode(cells)
        for name, rule in self._joined:
            cells[name] = rule.separator.join(_filled(cells, rule.columns))
        return cells

    def _decode(self, cells: Cells) -> None:
        """Put words in the place of the codes that stand for them."""
        decoded: Cells = {}
        for column, words in self._words:
            text = cells.get(column)
            word = words.get(text.casefold()) if text else None
            if word is not None:
                named = PLACEHOLDER.sub(lambda match: cells.get(match[1], ""), word) if word else ""
                decoded[column] = named
        cells.update(decoded)  # at once: a placeholder names a cell as it stood


class CellFacts:
    """The facts of some cells, read through a mapping, and what was not understood of them."""

    __slots__ = ("cells", "country", "warnings")

    def __init__(self, cells: Cells, *, country: str = "") -> None:
        self.cells = cells
        self.country = country
        self.warnings: Warnings = []

    def text(self, columns: Columns) -> str:
        """Return the first value of these columns."""
        for column in columns:
            if text := self.cells.get(column):
                return text
        return ""

    def name(self, columns: Columns) -> str:
        """Return the first value that is a name and not a word for having none."""
        for column in columns:
            text = self.cells.get(column)
            if text and normalize_name(text):
                return text
        return ""

    def given(self, columns: Columns) -> str:
        """Return the first value that is a given name ("infant" is none)."""
        for column in columns:
            text = self.cells.get(column)
            if text and split_given(text):
                return text
        return ""

    def date(self, columns: Columns, *, context: DateContext = NO_CONTEXT) -> HistoricalDate | None:
        """Return the first date; one that is not understood keeps its words."""
        text = self.text(columns)
        if not text:
            return None
        date = read_date(text, context=context)
        if not date.is_known:
            self._warn_of_first(columns)
        return date

    def place(self, columns: Columns, *, within: Columns = (), country: str = "") -> Place | None:
        """Return the place; none if no column has one.  ``within`` is where it lies."""
        parts = tuple(_filled(self.cells, columns))
        if not parts:
            return None
        reading = _read_place(parts, tuple(_filled(self.cells, within)), country)
        self._warn_if_ambiguous(columns, reading)
        return reading.place

    def age(self, columns: Columns) -> str:
        """Return the words of the age, its cells joined: "4" and "m" are "4 m"."""
        return " ".join(_filled(self.cells, columns))

    def sex(self, columns: Columns) -> Sex | None:
        """Return the first sex that these columns' words say."""
        return next(filter(None, map(find_sex, self._words(columns, "sexes"))), None)

    def marital(self, columns: Columns) -> str:
        """Return the first marital status that these columns' words say."""
        return next(filter(None, map(find_marital, self._words(columns, "marital"))), "")

    def relation(self, columns: Columns) -> Relation | None:
        """Return what the first word in the table says about kinship."""
        return next(filter(None, map(find_relation, self._words(columns))), None)

    def _words(self, columns: Columns, table: str = "") -> Iterator[str]:
        for column in columns:
            text = self.cells.get(column)
            if text and not is_known(text, table=table):
                self.warnings.append(not_understood(column, text))
            elif text:
                yield text

    def _warn_if_ambiguous(self, columns: Columns, reading: PlaceReading) -> None:
        if reading.is_ambiguous and reading.place:
            column = next(column for column in columns if self.cells.get(column))
            self.warnings.append((f"{column} is in several countries", repr(reading.place.text)))

    def _warn_of_first(self, columns: Columns) -> None:
        column = next(column for column in columns if self.cells.get(column))
        self.warnings.append(not_understood(column, self.cells[column]))


class Lookups:
    """Makes the lookups of one mapping."""

    def __init__(self, mapping: Mapping, headings: Sequence[str] = ()) -> None:
        """Make lookups in rows that have these headings, and columns after them that are blank."""
        self._mapping = mapping
        self._cleaner = CellCleaner(mapping)
        self._missing = frozenset(mapping.table.missing)
        self._places = {heading: place for place, heading in enumerate(headings)}
        self._headings = len(headings)
        self._events: dict[tuple[str, int, int, str, str], Event] = {}

    @property
    def is_whole(self) -> bool:
        """Return whether the headings have all columns of the file that any lookup needs."""
        return len(self._places) == self._headings

    def row_cells(self, values: Cells) -> RowCells:
        """Return the cells of a row that may lack some columns, or have others."""
        return [values.get(column, "") for column in self._places]

    def facts(
        self, columns: Columns, read: Callable[[CellFacts], Value], *, is_part: bool = False
    ) -> Lookup[Value]:
        """Return a lookup of what is read from these columns.

        What is constant gives no warnings, unless it is a part of something that is not.
        """
        country = self._mapping.collection.country
        sources = self.sources(columns)
        clean = self._cleaner.clean
        results: dict[Any, tuple[Value, tuple[tuple[str, str], ...]]] = {}
        if not sources:
            facts = CellFacts(clean({}), country=country)
            constant = read(facts)
            if not (is_part and facts.warnings):
                return lambda *_: constant
            results[()] = constant, tuple(facts.warnings)
        places = [self._place(source) for source in sources]
        pick = itemgetter(*places) if places else lambda _: ()

        def look_up(row: RowCells, warnings: Warnings) -> Value:
            key = pick(row)
            result = results.get(key)
            if result is None:
                if len(results) >= MAX_RESULTS:
                    results.clear()
                cells = dict(zip(sources, [row[place] for place in places], strict=True))
                facts = CellFacts(clean(cells), country=country)
                result = results[key] = read(facts), tuple(facts.warnings)
            if result[1]:
                warnings.extend(result[1])
            return result[0]

        return look_up

    def text(self, columns: Columns) -> Lookup[str]:
        """Return a lookup of the first value of these columns.

        Numbers, notes and links are of one row alone: nothing is gained by remembering them.
        """
        mapping = self._mapping
        computed = (mapping.derived, mapping.values, mapping.joined, mapping.constants)
        if len(columns) != 1 or any(columns[0] in names for names in computed):
            return self.facts(columns, lambda facts: facts.text(columns))
        (column,), missing = self.sources(columns), self._missing
        place = self._place(column)

        def strip(row: RowCells, warnings: Warnings) -> str:
            del warnings
            text = row[place].strip()
            return "" if text in missing else text

        return strip

    def joined_text(self, columns: Columns) -> Lookup[str]:
        """Return a lookup of the values of columns, joined; nothing if any is missing."""
        if len(columns) <= 1:
            return self.text(columns)
        parts = [self.text((column,)) for column in columns]

        def join(row: RowCells, warnings: Warnings) -> str:
            texts = [part(row, warnings) for part in parts]
            return ":".join(texts) if all(texts) else ""

        return join

    def event(self, kind: str, columns: EventColumns) -> Lookup[Event | None]:
        """Return a lookup of an event of a kind, if anything is said of it.

        Days and places come back, pairs of them less: each is looked up on its own.
        """
        # People are born anywhere, but mostly live where the collection is.
        country = "" if kind == "birth" else self._mapping.collection.country
        is_part = bool(self.sources([column for part in astuple(columns) for column in part]))
        find_place = self.facts(
            columns.place + columns.within,
            lambda facts: facts.place(columns.place, within=columns.within, country=country),
            is_part=is_part,
        )
        find_date = self.facts(
            columns.date, lambda facts: facts.date(columns.date), is_part=is_part
        )
        find_address = columns.address and self.text(columns.address)
        find_detail = columns.detail and self.text(columns.detail)

        def look_up(row: RowCells, warnings: Warnings) -> Event | None:
            place = find_place(row, warnings)
            date = find_date(row, warnings)
            address = find_address(row, warnings) if find_address else ""
            detail = find_detail(row, warnings) if find_detail else ""
            if date or place or address or detail:
                return self.event_of(kind, date, place, address, detail)
            return None

        return look_up

    def event_of(
        self,
        kind: str,
        date: HistoricalDate | None,
        place: Place | None,
        address: str = "",
        detail: str = "",
    ) -> Event:
        """Return an event; those of the same day and place are one.

        Day and place are compared by identity, for they were read once; the event keeps them.
        """
        key = (kind, id(date), id(place), address, detail)
        event = self._events.get(key)
        if event is None:
            if len(self._events) >= MAX_RESULTS:
                self._events.clear()
            event = Event(kind=kind, date=date, place=place, address=address, detail=detail)
            self._events[key] = event
        return event

    def sources(self, columns: Iterable[str]) -> Columns:
        """Return the columns of the file that these need, be they derived, joined or coded."""
        sources: list[str] = []
        for column in columns:
            words = self._mapping.values.get(column, {}).values()
            named = [name for word in words for name in PLACEHOLDER.findall(word)]
            sources += [name for part in (column, *named) for name in self._mapping.sources(part)]
        return tuple(dict.fromkeys(sources))

    def _place(self, column: str) -> int:
        """Return which cell of a row is that of a column; columns that it lacks come last."""
        return self._places.setdefault(column, len(self._places))


def not_understood(column: str, text: str) -> tuple[str, str]:
    """Return the warning that a cell has no word that the tables have."""
    return f"{column} not understood", repr(text)


def _filled(cells: Cells, columns: Iterable[str]) -> list[str]:
    """Return the values of all columns that have one."""
    return [text for column in columns if (text := cells.get(column))]


def _matched_text(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    return (match[1] or "").strip() if match.re.groups else match[0].strip()


def _read_place(parts: Columns, within: Columns, country: str) -> PlaceReading:
    """Return what is said of the place that lies within the others; a town named twice is one."""
    return read_place(*dict.fromkeys(parts), within=within, country=country)
