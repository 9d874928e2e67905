"""Tests for `forebear.storage.sqlite.erase`: what was deleted is in no file any more."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from forebear.archive import Archive, create_archive, open_archive
from making import BURIALS

# Words that occur in one record only, one for each kind of cell.
WORDS = ("qzid", "qzgiven", "qzsurname", "qzparish", "qzcounty", "qznote", "qzheading", "qzfile")
HEAD = "id,date,parish,county,given,surname,qzheading"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "archive.forebear"
    with create_archive(path) as archive:
        for name, rows in (
            ("burials", ["7,1 May 1801,Layham,Suffolk,Ann,Green,plain"]),
            ("qzname", ["qzid,2 May 1801,Qzparish,Qzcounty,Qzgiven,Qzsurname,qznote"]),
        ):
            bring_in(archive, tmp_path, name, rows)
        result = archive.search(given="Ann", death="1801")
        archive.attach(result.id, "qzname:qzid", reason='"qzname:qzid" it is')
        archive.set_list("both", ["burials", "qzname"])
    return path


def bring_in(archive: Archive, folder: Path, name: str, rows: list[str]) -> None:
    head = HEAD if name == "qzname" else HEAD.replace("qzheading", "note")
    table = folder / ("qzfile.csv" if name == "qzname" else "burials.csv")
    table.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    mapping = folder / f"{name}.toml"
    mapping.write_text(BURIALS.replace('"burials"', f'"{name}"'), encoding="utf-8")
    archive.import_file(table, mapping=str(mapping))


def words_in(*paths: Path) -> set[str]:
    content = b"".join(path.read_bytes().lower() for path in paths if path.exists())
    return {word for word in (*WORDS, "qzname", "qz") if word.encode() in content}


def files_of(path: Path) -> list[Path]:
    return [path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm")]


def test_a_deleted_collection_leaves_no_word_in_the_file_or_a_backup(
    path: Path, tmp_path: Path
) -> None:
    before = words_in(*files_of(path))
    with open_archive(path) as archive:
        archive.delete_collection("qzname")
        archive.compact()
        archive.backup(tmp_path / "backup.forebear")
        faults = archive.check().faults
        left = words_in(*files_of(path), tmp_path / "backup.forebear")

    assert before == {*WORDS, "qzname", "qz"}
    assert left == set()
    assert words_in(*files_of(path)) == set()
    assert faults == ()


def test_an_erased_record_leaves_no_word_and_does_not_come_back(path: Path, tmp_path: Path) -> None:
    with open_archive(path) as archive:
        archive.erase("qzname:qzid")
        archive.compact()
        left = words_in(*files_of(path))
        bring_in(
            archive, tmp_path, "qzname", ["qzid,2 May 1801,Qzparish,Qzcounty,Qzgiven,Qzsurname,qz"]
        )
        counts = archive.counts()
        faults = archive.check().faults

    assert left == {"qzname", "qz"}  # the collection is still there
    assert counts == {"burials": 1, "qzname": 0}
    assert faults == ()


def test_a_record_that_was_taken_down_leaves_no_word_with_its_collection(
    path: Path, tmp_path: Path
) -> None:
    row = "qzid,2 May 1801,Qzparish,Qzcounty,Qzgiven,Qzsurname,qznote"
    with open_archive(path) as archive:
        archive.takedown("qzname:qzid", reason="qzgiven is my mother")
        deleted = archive.delete_collection("qzname")
        archive.compact()
        left = words_in(*files_of(path))
        bring_in(archive, tmp_path, "qzname", [row])

        assert (deleted, left) == (1, set())
        assert archive.takedowns() == {}
        assert archive.counts() == {"burials": 1, "qzname": 0}


def test_no_table_of_the_log_has_the_key_of_an_erased_record(path: Path) -> None:
    before = tables_with(path, "qzname:qzid")
    with open_archive(path) as archive:
        result = archive.search(surname="Qzsurname", death="1801")
        assert result.hit("qzname:qzid")
        logged = tables_with(path, "qzname:qzid")
        archive.erase("qzname:qzid")
        archive.compact()

    assert {"actions", "records"} <= before
    assert {"searches", "search_lists", "actions", "records"} <= logged
    assert tables_with(path, "qzname:qzid") == set()


def tables_with(path: Path, key: str) -> set[str]:
    """Return the tables of which a row has a text."""
    with closing(sqlite3.connect(path)) as file:
        file.text_factory = bytes
        names = [
            name.decode()
            for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {
            name
            for name in names
            for row in file.execute(f'SELECT * FROM "{name}"')
            if key.encode() in b" ".join(cell for cell in row if isinstance(cell, bytes))
        }


def test_another_program_finds_a_term_that_was_removed_and_came_again(
    path: Path, tmp_path: Path
) -> None:
    row = "8,2 May 1801,Layham,Suffolk,Qzgiven,Qzsurname,x"
    with open_archive(path) as other, open_archive(path) as archive:
        other.search(surname="Qzsurname", log=False)
        archive.delete_collection("qzname")
        archive.compact()
        bring_in(archive, tmp_path, "qzname", [row])

        hits = list(other.search(surname="Qzsurname", log=False))

    assert [hit.record for hit in hits] == ["qzname:8"]
