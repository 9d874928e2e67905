"""What does one row say: which dates, places, ages, words?

A fact that is written but not understood is no reason to lose the row: it is left out (or,
for a date, an age or a place, kept as its words) and a warning says so.
"""

from collections.abc import Iterator
from functools import lru_cache

from forebear.ingest.cells import Cells
from forebear.ingest.columns import Columns, EventColumns, Mapping
from forebear.ingest.issues import Issue
from forebear.ingest.readers.table import Row
from forebear.ingest.words import Relation, find_marital, find_relation, find_sex, is_known
from forebear.normalize.ages import parse_age
from forebear.normalize.dates import census_day, parse_date
from forebear.normalize.names import spell, split_given
from forebear.normalize.places import parse_place
from forebear.records.dates import HistoricalDate
from forebear.records.events import Event
from forebear.records.personas import Age, Sex
from forebear.records.places import Place

# A register is made of the same few days, places and names over and over.
_parse_date = lru_cache(maxsize=1 << 14)(parse_date)
_parse_place = lru_cache(maxsize=1 << 16)(parse_place)
_parse_age = lru_cache(maxsize=1 << 16)(parse_age)
_spell = lru_cache(maxsize=1 << 16)(spell)
_split_given = lru_cache(maxsize=1 << 16)(split_given)


class Facts:
    """The facts of one row, read through a mapping, and warnings of what was not understood.

    A mapping leaves most facts of most people without columns, so that is asked first.
    """

    def __init__(self, row: Row, mapping: Mapping) -> None:
        self.cells = Cells(row.values, mapping)
        self.line = row.line
        self.country = mapping.collection.country
        self.warnings: list[Issue] = []
        if row.fault:
            self.warn("cells and headings differ", row.fault)

    def warn(self, reason: str, detail: str) -> None:
        """Note something wrong with the row, once."""
        issue = Issue(line=self.line, reason=reason, detail=detail)
        if issue not in self.warnings:
            self.warnings.append(issue)

    def text(self, columns: Columns) -> str:
        """Return the first value of these columns."""
        return self.cells.first(columns)[1] if columns else ""

    def name(self, columns: Columns) -> str:
        """Return the first value that is a name and not a word for having none."""
        if not columns:
            return ""
        return next((text for text in self.cells.filled(columns) if _spell(text)), "")

    def given(self, columns: Columns) -> str:
        """Return the first value that is a given name ("infant" is none)."""
        if not columns:
            return ""
        return next((text for text in self.cells.filled(columns) if _split_given(text)), "")

    def date(self, columns: Columns) -> HistoricalDate | None:
        """Return the first date; one that is not understood keeps its words."""
        if not columns:
            return None
        column, text = self.cells.first(columns)
        if not text:
            return None
        date = _parse_date(text)
        if not date.is_known:
            self._misunderstand(column, text)
        return date

    def census_date(self, columns: Columns) -> HistoricalDate | None:
        """Return the day on which the people were counted in that year."""
        text = self.text(columns)
        day = census_day(int(text)) if text.isdecimal() else None
        if day is None:
            return self.date(columns)
        return HistoricalDate(text=text, start=day, end=day, precision="day")

    def place(self, columns: Columns, *, within: Columns = (), country: str = "") -> Place | None:
        """Return the place that lies within the others; none if it has no part of its own."""
        parts = dict.fromkeys(self.cells.filled(columns))  # a town named twice is one
        if not parts:
            return None
        return _parse_place(*parts, *self.cells.filled(within), country=country)

    def event(self, kind: str, columns: EventColumns) -> Event | None:
        """Return the event if anything is said of it."""
        # People are born anywhere, but mostly live where the collection is.
        country = "" if kind == "birth" else self.country
        date = self.date(columns.date)
        place = self.place(columns.place, within=columns.within, country=country)
        address, detail = self.text(columns.address), self.text(columns.detail)
        if not (date or place or address or detail):
            return None
        return Event(kind=kind, date=date, place=place, address=address, detail=detail)

    def age(self, columns: Columns, *, at: HistoricalDate | None, source: str) -> Age | None:
        """Return the age, its cells joined: "4" and "m" are "4 m"."""
        text = " ".join(self.cells.filled(columns)) if columns else ""
        if not text:
            return None
        age = _parse_age(text, at=at, source=source)
        if at and at.is_known and not (age.born_from or age.born_to):
            self._misunderstand(columns[0], text)
        return age

    def sex(self, columns: Columns) -> Sex | None:
        """Return the first sex that these columns' words say."""
        if not columns:
            return None
        return next(
            (sex for text in self._words(columns, "sexes") if (sex := find_sex(text))), None
        )

    def marital(self, columns: Columns) -> str:
        """Return the first marital status that these columns' words say."""
        if not columns:
            return ""
        return next(
            (word for text in self._words(columns, "marital") if (word := find_marital(text))), ""
        )

    def relation(self, columns: Columns) -> Relation | None:
        """Return what the first word that is known says about kinship."""
        if not columns:
            return None
        found = (find_relation(text) for text in self._words(columns))
        return next((relation for relation in found if relation), None)

    def _words(self, columns: Columns, table: str = "") -> Iterator[str]:
        for column in columns:
            text = self.cells.get(column)
            if text and not is_known(text, table=table):
                self._misunderstand(column, text)
            elif text:
                yield text

    def _misunderstand(self, column: str, text: str) -> None:
        self.warn(f"{column} not understood", repr(text))
