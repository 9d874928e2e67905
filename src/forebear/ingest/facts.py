"""What do the cells of a row say: which dates, places, words?

A fact that is written but not understood is no reason to lose the row: it is left out (or,
for a date, an age or a place, kept as its words) and a warning says so.
"""

from collections.abc import Iterator
from functools import lru_cache

from forebear.ingest.cells import Cells, filled
from forebear.ingest.mapping import Columns, EventColumns
from forebear.ingest.register_words import Relation, find_marital, find_relation, find_sex, is_known
from forebear.normalize.dates import NO_CONTEXT, DateContext, read_date
from forebear.normalize.places import PlaceReading, read_place
from forebear.normalize.spelling import normalize_name, split_given
from forebear.records.record import Event, HistoricalDate, Place, Sex

CENSUS_DATES = DateContext(collection="census", country="united kingdom")
Warnings = list[tuple[str, str]]  # reason and detail of each


class Facts:
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

    def texts(self, columns: Columns) -> list[str]:
        """Return the values of all these columns that have one."""
        return filled(self.cells, columns)

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
            self._misunderstand_first(columns)
        return date

    def place(self, columns: Columns, *, country: str = "") -> Place | None:
        """Return the place; none if no column has one."""
        reading = _read_place(tuple(filled(self.cells, columns)), (), country)
        self._warn_if_ambiguous(columns, reading)
        return reading.place

    def event(self, kind: str, columns: EventColumns) -> Event | None:
        """Return the event if anything is said of it."""
        date, parts = self.text(columns.date), filled(self.cells, columns.place)
        address = self.text(columns.address) if columns.address else ""
        detail = self.text(columns.detail) if columns.detail else ""
        if not (date or parts or address or detail):
            return None
        within = tuple(filled(self.cells, columns.within)) if columns.within and parts else ()
        # People are born anywhere, but mostly live where the collection is.
        country = "" if kind == "birth" else self.country
        reading = _read_place(tuple(parts), within, country)
        self._warn_if_ambiguous(columns.place, reading)
        event = _make_event(kind, date, reading.place, address, detail)
        if event and event.date and not event.date.is_known:
            self._misunderstand_first(columns.date)
        return event

    def age(self, columns: Columns) -> str:
        """Return the words of the age, its cells joined: "4" and "m" are "4 m"."""
        return " ".join(filled(self.cells, columns))

    def sex(self, columns: Columns) -> Sex | None:
        """Return the first sex that these columns' words say."""
        return next(filter(None, map(find_sex, self._words(columns, "sexes"))), None)

    def marital(self, columns: Columns) -> str:
        """Return the first marital status that these columns' words say."""
        return next(filter(None, map(find_marital, self._words(columns, "marital"))), "")

    def relation(self, columns: Columns) -> Relation | None:
        """Return what the first word that is known says about kinship."""
        return next(filter(None, map(find_relation, self._words(columns))), None)

    def _words(self, columns: Columns, table: str = "") -> Iterator[str]:
        for column in columns:
            text = self.cells.get(column)
            if text and not is_known(text, table=table):
                self._misunderstand(column, text)
            elif text:
                yield text

    def _warn_if_ambiguous(self, columns: Columns, reading: PlaceReading) -> None:
        if reading.is_ambiguous and reading.place:
            column = next(column for column in columns if self.cells.get(column))
            self.warnings.append((f"{column} is in several countries", repr(reading.place.text)))

    def _misunderstand_first(self, columns: Columns) -> None:
        column = next(column for column in columns if self.cells.get(column))
        self._misunderstand(column, self.cells[column])

    def _misunderstand(self, column: str, text: str) -> None:
        self.warnings.append(not_understood(column, text))


def not_understood(column: str, text: str) -> tuple[str, str]:
    """Return the warning that a cell says nothing we know."""
    return f"{column} not understood", repr(text)


def _read_place(parts: Columns, within: Columns, country: str) -> PlaceReading:
    """Return what is said of the place that lies within the others; a town named twice is one."""
    return read_place(*dict.fromkeys(parts), within=within, country=country)


@lru_cache(maxsize=1 << 16)
def _make_event(
    kind: str, date: str, place: Place | None, address: str, detail: str
) -> Event | None:
    if not (date or place or address or detail):
        return None
    return Event(
        kind=kind,
        date=read_date(date) if date else None,
        place=place,
        address=address,
        detail=detail,
    )
