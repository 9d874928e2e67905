"""Tests for `forebear.storage.sqlite.cache`: statistics wait in the file for the next process."""

from pathlib import Path

import pytest
from tests.hidden_people import BAPTISMS, COURTS, HIDDEN, OWNER, PUBLIC, ROLLS, VISIBLE

from forebear.archive import Archive, create_archive, open_archive
from forebear.storage.sqlite.cache import TABLE
from forebear.storage.sqlite.migrate import open_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return an archive whose names were asked for by its owner, and closed."""
    path = tmp_path / "archive.forebear"
    create_archive(path).close()
    with open_archive(path) as archive:
        archive.storage.put_collection(BAPTISMS)
        archive.storage.put_collection(COURTS)
        archive.storage.put_collection(ROLLS)
        archive.storage.write([(record,) for record in (*VISIBLE, *HIDDEN)])
    with open_archive(path) as archive:
        surnames(archive)
    return path


def surnames(archive: Archive, *, is_owner: bool = True) -> tuple[str, ...]:
    viewer = OWNER if is_owner else PUBLIC
    return archive.storage.knowledge(viewer).vocabulary("surname").names


def parts(archive: Archive, *, is_owner: bool = True) -> frozenset[str]:
    viewer = OWNER if is_owner else PUBLIC
    return archive.storage.knowledge(viewer).parts_with(frozenset({"self.given", "father.given"}))


def write(path: Path, sql: str) -> None:
    connection = open_file(path)
    connection.execute(sql)
    connection.execute(
        f"UPDATE {TABLE} SET checksum = value_checksum(question, viewer, change, answer)"
    )
    connection.close()


def test_names_are_read_as_they_were_left(path: Path) -> None:
    write(path, f"UPDATE {TABLE} SET answer = json_insert(answer, '$[#]', 'zuleger')")

    with open_archive(path) as archive:
        assert "zuleger" in surnames(archive)


def test_parts_that_have_a_fact_are_left_too(path: Path) -> None:
    with open_archive(path) as archive:
        counted = parts(archive), parts(archive, is_owner=False)
    with open_archive(path) as archive:
        left = parts(archive), parts(archive, is_owner=False)
    write(path, f"UPDATE {TABLE} SET answer = '[]'")
    with open_archive(path) as archive:
        written = parts(archive)

    assert left == counted
    assert counted[0] > counted[1]
    assert not written


def test_damaged_names_are_counted_again(path: Path) -> None:
    with open_archive(path) as archive:
        counted = surnames(archive)
    write(path, f"UPDATE {TABLE} SET answer = '[]'")
    connection = open_file(path)
    connection.execute(f"UPDATE {TABLE} SET checksum = 7")
    connection.close()

    with open_archive(path) as archive:
        assert surnames(archive) == counted != []


def test_after_a_change_they_are_counted_again(path: Path) -> None:
    write(path, f"UPDATE {TABLE} SET answer = json_insert(answer, '$[#]', 'zuleger')")

    with open_archive(path) as archive:
        archive.storage.delete([record.key for record in VISIBLE if "Xanthos" in str(record)])
        counted = surnames(archive)
    with open_archive(path) as archive:
        left = surnames(archive)

    assert {"zuleger", "xanthos"}.isdisjoint(counted)
    assert left == counted


def test_the_public_is_not_given_the_names_left_by_the_owner(path: Path) -> None:
    with open_archive(path) as archive:
        owners, publics = surnames(archive), surnames(archive, is_owner=False)
    with open_archive(path) as archive:
        left = surnames(archive, is_owner=False)
        years = archive._file.rows(f"SELECT DISTINCT viewer FROM {TABLE} ORDER BY 1")

    assert set(publics) < set(owners)
    assert left == publics
    assert years == [("2026",), ("owner",)]


def test_nothing_is_left_and_nothing_waited_for_while_another_writes(path: Path) -> None:
    write(path, f"DELETE FROM {TABLE}")
    writer = open_file(path)

    with writer.transaction(), open_archive(path) as archive:
        surnames(archive)
    left = writer.rows(f"SELECT * FROM {TABLE}")
    writer.close()

    assert left == []


def test_a_copy_counts_its_own_names(path: Path, tmp_path: Path) -> None:
    other = create_archive(tmp_path / "copy.forebear")
    with open_archive(path) as archive:
        archive.copy_to(other)
        assert surnames(other) == surnames(archive)
    other.close()


def test_a_check_tells_of_names_that_nobody_has(path: Path) -> None:
    with open_archive(path) as archive:
        sound = archive.check()
    write(path, f"""UPDATE {TABLE} SET answer = '["zuleger"]'""")
    with open_archive(path) as archive:
        damaged = archive.check()

    assert sound.faults == ()
    assert damaged.faults == (
        "the names left in the file (surname) are not those that the personas have",
    )


def test_the_years_of_events_are_left_too_and_checked(path: Path) -> None:
    def years(archive: Archive) -> tuple[int, int]:
        return archive.storage.knowledge(OWNER).year_range()

    with open_archive(path) as archive:
        counted = years(archive)
    write(path, f"""UPDATE {TABLE} SET answer = '["1", "2"]' WHERE question = 'years'""")
    with open_archive(path) as archive:
        left, faults = years(archive), archive.check().faults

    assert counted != (1, 2)
    assert left == (1, 2)
    assert faults == ("the years left in the file are not those that the personas have",)
