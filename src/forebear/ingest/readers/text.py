"""Whom does a page of plain text name: a newspaper, an obituary, a book?

The text itself is what is searched; the names, dates and places in it make the page a record of
people.  A name is a run of capitalized words that starts with a title or a given name of our tables
and ends with a surname.  Form feeds separate pages, as text recognition writes them; a file without
any is one page.  The first date on a page is taken for the day it appeared, unless the name of the
file has one.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from forebear.errors import InputError
from forebear.ingest.readers.safe_files import MAX_BYTES
from forebear.ingest.readers.source import Entry, TargetCollections, check_is_file
from forebear.ingest.readers.table import find_encoding
from forebear.ingest.register_words import find_relation
from forebear.ingest.report import Issue
from forebear.normalize.dates import read_date
from forebear.normalize.name_words import title_kinds
from forebear.normalize.names import read_name
from forebear.normalize.places import read_place
from forebear.normalize.spelling import normalize_name
from forebear.normalize.variants import variants
from forebear.records.collections import RECORD_TYPES
from forebear.records.record import Event, HistoricalDate, Name, Persona, Record

PAGE_BREAK = "\f"
MAX_PEOPLE = 500  # on a page; a directory's page has some hundreds
MAX_PAGE_CHARACTERS = 1 << 20
CAPITALIZED = r"[^\W\d_a-z][\w'’-]*\.?"
RUN = re.compile(
    rf"{CAPITALIZED}(?:[ \t]+(?:(?:van|von|de|der|den|la|du|ter|ten)[ \t]+){{0,4}}"
    rf"{CAPITALIZED}){{0,40}}"
)
MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
IS_MONTH = re.compile(MONTH)
DATE = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{MONTH},?\s+\d{{4}}\b"
    rf"|\b{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b"
)
FILE_DATE = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)")
PLACE = re.compile(
    r"\b(?:of|in|at|near)[ \t]+((?:St\.? )?[A-Z][\w'’-]+(?:,?[ \t]+[A-Z][\w'’-]+){0,3})"
)
KINSHIP = re.compile(r"\b(wife|widow|husband|son|daughter|father|mother|brother|sister)s?\b[^.;]*$")
KINSHIP_REACH = 30  # characters before a name in which a word of kinship speaks of it


class TextSource:
    """The pages of a text file."""

    has_groups = False

    def __init__(self, path: Path, target: TargetCollections) -> None:
        check_is_file(path)
        self.path = path
        self.target = target
        self.size_bytes = path.stat().st_size
        if self.size_bytes > MAX_BYTES:
            raise InputError(f"{path}: more than {MAX_BYTES:,} bytes", hint="split the file")
        self._encoding = find_encoding(path)
        self._file_date = _file_date(path.stem)

    def entries(self) -> Iterator[Entry]:
        """Yield an entry for each page that is not blank."""
        done = 0
        line = 1
        for number, page in enumerate(self._pages(), start=1):
            done += len(page.encode("utf-8", "replace")) + 1
            if page.strip():
                yield self._entry(page.strip(), number, line, min(done, self.size_bytes))
            line += page.count("\n")

    def lines(self) -> dict[str, int]:
        """Return nothing: the text is kept whole."""
        return {}

    def _pages(self) -> Iterator[str]:
        with self.path.open(encoding=self._encoding) as file:
            for page in file.read().split(PAGE_BREAK):
                for start in range(0, len(page) or 1, MAX_PAGE_CHARACTERS):
                    yield page[start : start + MAX_PAGE_CHARACTERS]

    def _entry(self, page: str, number: int, line: int, done: int) -> Entry:
        kind = self.target.collection.record_type
        people = [*find_people(page, is_obituary=kind == "obituary")]
        if not people:
            refusal = Issue(line=line, reason="no name found in the text", detail=f"page {number}")
            return Entry(line=line, refusal=refusal, cells=(("text", page),), bytes_done=done)
        dates = [*find_dates(page)]
        published = self._file_date or (dates[0] if dates else None)
        places = (read_place(text).place for text in find_places(page))
        place = next(filter(None, places), None)
        record = Record(
            collection=self.target.collection.name,
            id=f"{'_'.join(self.path.stem.split())}:{number}",
            record_type=kind,
            subtype=self.target.collection.subtype,
            event=Event(kind=RECORD_TYPES[kind].event, date=published, place=place),
            personas=tuple(people[:MAX_PEOPLE]),
            text=page,
            events=tuple(Event(kind="mentioned", date=date) for date in dates),
            source=f"{self.path.name}:{line}",
        )
        return Entry(line=line, records=(record,), bytes_done=done)


def find_people(text: str, *, is_obituary: bool = False) -> Iterator[Persona]:
    """Yield the people a text names, once each; an obituary is about the first.

    >>> [p.names[0].surname for p in find_people("Died at Layham, Mr. John Green, miller.")]
    ['Green']
    """
    seen: set[tuple[str, str]] = set()
    for run in RUN.finditer(text):
        name = _name_in(run[0].split())
        key = (normalize_name(name.given), normalize_name(name.surname)) if name else ("", "")
        if name is None or key in seen:
            continue
        is_principal = is_obituary and not seen
        seen.add(key)
        yield _persona(name, text[max(0, run.start() - KINSHIP_REACH) : run.start()], is_principal)


def find_dates(text: str) -> Iterator[HistoricalDate]:
    """Yield the full dates of a text, once each."""
    for words in dict.fromkeys(" ".join(match.split()) for match in DATE.findall(text)):
        date = read_date(words)
        if date.is_known:
            yield date


def find_places(text: str) -> Iterator[str]:
    """Yield what the text says people are of, in or at, once each."""
    for place in dict.fromkeys(PLACE.findall(text)):
        first = place.split()[0]
        if not (is_given_name(first) or IS_MONTH.fullmatch(first)):
            yield place


@lru_cache(maxsize=1 << 14)
def is_given_name(word: str) -> bool:
    """Return whether a word is a given name of our tables."""
    spelled = normalize_name(word.rstrip("."))
    return bool(spelled) and len(variants(spelled)) > 1


def _persona(name: Name, before: str, is_principal: bool) -> Persona:
    """Return the persona of a name; in an obituary a word before it may say what kin it is."""
    word = KINSHIP.search(before)
    relation = find_relation(word[1]) if word and not is_principal else None
    return Persona(
        role="deceased" if is_principal else relation.role if relation else "named",
        kin="self" if is_principal else relation.kin if relation else "other",
        sex=relation.sex if relation else None,
        names=(name,),
        is_principal=is_principal,
    )


def _name_in(words: list[str]) -> Name | None:
    """Return the name in a run of capitalized words, from its title or given name on."""
    for start, word in enumerate(words):
        is_title = bool(title_kinds([word]) - {"office"})
        if is_title or is_given_name(word):
            name = read_name(" ".join(words[start:]).rstrip(".,")).name
            is_whole = bool(name.surname) and (is_title or bool(name.given))
            return name if is_whole else None
        if word.isupper() and start + 1 < len(words) and is_given_name(words[start + 1]):
            return Name(given=" ".join(words[start + 1 :]).rstrip("."), surname=word)
    return None


def _file_date(stem: str) -> HistoricalDate | None:
    match = FILE_DATE.search(stem)
    date = read_date("-".join(match.groups())) if match else None
    return date if date and date.is_known else None
