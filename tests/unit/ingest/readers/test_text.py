"""Tests for `forebear.ingest.readers.text`: whom a page of plain text names."""

from pathlib import Path

import pytest

from forebear.ingest.find_mapping import recognize
from forebear.ingest.readers.source import Entry, TargetCollections
from forebear.ingest.readers.text import TextSource, find_dates, find_people, find_places
from forebear.records.collections import Collection

NOTICE = (
    "THE SUFFOLK CHRONICLE, 12 March 1851.\nDIED. On the 3rd of March, 1851, at Layham, aged 63, "
    "Mr. Thomas Green, miller, after a long illness. He leaves a wife, Mary Ann Green, and was "
    "the son of William Green of Hadleigh, Suffolk. The Rev. J. Brown officiated."
)


def read(folder: Path, text: str, *, kind: str = "newspaper", name: str = "page") -> list[Entry]:
    path = folder / f"{name}.txt"
    path.write_text(text, encoding="utf-8")
    collection = Collection(name="pages", title="Pages", record_type=kind)
    return list(TextSource(path, TargetCollections(collection=collection)).entries())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the late John Smith of this town", ("John", "Smith")),
        ("Wm. Brown, butcher", ("Wm.", "Brown")),
        ("Mrs. Whitcombe received", ("", "Whitcombe")),
        ("GREEN Thomas, of Layham", ("Thomas", "GREEN")),
        ("to Jan van der Berg", ("Jan", "van der Berg")),
    ],
)
def test_names_are_found_by_their_given_names_and_titles(text: str, name: tuple[str, str]) -> None:
    (persona,) = find_people(text)

    assert (persona.names[0].given, persona.names[0].surname) == name


def test_capitals_alone_are_no_name() -> None:
    assert [*find_people("The Suffolk Chronicle. Bury Market Day. London and Norwich.")] == []


def test_everybody_is_named_once() -> None:
    assert len([*find_people("John Smith. Later John Smith met Mary Brown.")]) == 2


def test_dates_and_places_are_found() -> None:
    assert [str(date.start) for date in find_dates(NOTICE)] == ["1851-03-12", "1851-03-03"]
    assert [*find_places(NOTICE)] == ["Layham", "Hadleigh, Suffolk"]


def test_an_obituary_is_about_the_first_person_it_names(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, NOTICE, kind="obituary")

    (record,) = entry.records
    roles = {persona.names[0].given: persona.role for persona in record.personas}
    assert roles["Thomas"] == "deceased"
    assert roles["Mary Ann"] == "wife"
    assert record.personas[0].is_principal
    assert record.text == NOTICE
    assert record.event.date
    assert str(record.event.date.start) == "1851-03-12"


def test_pages_are_parted_by_form_feeds(tmp_path: Path) -> None:
    entries = read(tmp_path, "John Smith.\n\fnobody at all\n\f\fMary Brown.\n", name="book")

    assert [record.id for entry in entries for record in entry.records] == ["book:1", "book:4"]
    assert [entry.refusal.detail for entry in entries if entry.refusal] == ["page 2"]


def test_the_file_s_name_may_tell_the_day(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, "John Smith married on 2 May 1850.", name="times_1850-05-06")

    assert entry.records[0].event.date
    assert str(entry.records[0].event.date.start) == "1850-05-06"


def test_text_is_recognized_as_such(tmp_path: Path) -> None:
    path = tmp_path / "notice.txt"
    path.write_text(NOTICE, encoding="utf-8")

    mapping = recognize(path)

    assert mapping
    assert mapping.format == "text"
