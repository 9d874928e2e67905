"""Tests for `forebear.storage.sqlite.checksums`: a changed byte is noticed, by name."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from damage import Outcome, examine, flip_bytes, stored_values
from forebear.archive import create_archive, open_archive
from forebear.errors import StorageError
from forebear.storage.sqlite.checksums import register
from forebear.storage.sqlite.migrate import open_file

FILES = 100
QUERY = "Thomas Thurlow"


@pytest.fixture(scope="module")
def archive_path(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    path = tmp_path_factory.mktemp("sound") / "archive.forebear"
    table = repository / "demo" / "records" / "marriages"
    with create_archive(path) as archive:
        archive.import_file(f"{table}.csv", mapping=f"{table}.toml")
        result = archive.search(QUERY)
        archive.attach(result.id, result[0].record)
        archive.takedown(result[1].record, reason="the family asked for it")
        archive.compact()
    search(path)  # leaves its answers in the file
    return path


def search(path: Path) -> object:
    """Return what a search finds and shows; a list that failed is an error."""
    with open_archive(path) as archive:
        result = archive.search(QUERY, log=False)
        for part in result.search_result.lists:
            if part.state == "failed":
                raise StorageError(part.message)
        records = [archive.record(hit.record) for hit in result]
        return [(hit.record, hit.score) for hit in result], records


@pytest.fixture(scope="module")
def outcomes(archive_path: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    before = stored_values(archive_path), search(archive_path)
    damaged = tmp_path_factory.mktemp("damaged") / "archive.forebear"
    return [
        examine(damaged, place, search=search, before=before)
        for place in flip_bytes(archive_path, damaged, seed=13, count=FILES)
    ]


def test_no_damaged_file_ends_in_an_error_that_is_not_ours(outcomes: list[Outcome]) -> None:
    assert [outcome.crash for outcome in outcomes if outcome.crash] == []


def test_a_check_reports_every_changed_value(outcomes: list[Outcome]) -> None:
    changed = [outcome for outcome in outcomes if outcome.changed_values]

    assert len(changed) > FILES / 10
    assert [outcome.place for outcome in changed if not outcome.is_reported] == []


def test_no_search_answers_from_a_changed_row(outcomes: list[Outcome]) -> None:
    unnoticed = [outcome for outcome in outcomes if outcome.searched == "changed"]

    # The pages of SQLite's own indexes have no checksum: a term looked up there may be missed.
    assert len(unnoticed) <= FILES / 50, [outcome.place for outcome in unnoticed]


def damage_copy(source: Path, folder: Path, damage: str) -> Path:
    """Return a copy in which a statement changed rows, but not their checksums."""
    path = folder / "archive.forebear"
    path.write_bytes(source.read_bytes())
    connection = open_file(path)
    connection.execute(damage)
    connection.close()
    return path


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE personas SET terms = (SELECT terms FROM personas WHERE id = 1)",
        "UPDATE postings SET personas = x'00'",
        "UPDATE terms SET term = term || 'x'",
        "UPDATE record_groups SET public_year = 1",
        "UPDATE records SET value = replace(value, 'Thurlow', 'Thurlov')",
        "UPDATE records SET key = key || 'x'",
        "UPDATE records SET public_year = 1",
        "UPDATE records SET position = position || 'x'",
        "DELETE FROM changes",
        "UPDATE checksums SET checksum = 7 WHERE name = 'collections'",
    ],
)
def test_a_damaged_row_is_refused_when_it_is_read(
    damage: str, archive_path: Path, tmp_path: Path
) -> None:
    path = damage_copy(archive_path, tmp_path, damage)

    with pytest.raises(StorageError, match="is damaged"):
        search(path)


def test_a_record_whose_first_public_year_was_changed_is_not_browsed(
    archive_path: Path, tmp_path: Path
) -> None:
    path = damage_copy(archive_path, tmp_path, "UPDATE records SET public_year = 1")

    with open_archive(path) as archive, pytest.raises(StorageError, match="is damaged"):
        archive.browse("marriages", viewer="public")


def test_a_check_reports_a_damaged_answer_of_the_cache_and_a_search_counts_it_again(
    archive_path: Path, tmp_path: Path
) -> None:
    path = damage_copy(archive_path, tmp_path, "UPDATE answers SET answer = '[]'")

    with open_archive(path) as archive:
        faults = archive.check().faults

    assert any("of answers is not what was written" in fault for fault in faults)
    assert search(path) == search(archive_path)


def test_a_check_reports_an_index_that_does_not_lead_to_a_row(
    archive_path: Path, tmp_path: Path
) -> None:
    path = tmp_path / "archive.forebear"
    path.write_bytes(archive_path.read_bytes())
    with closing(sqlite3.connect(path)) as file:
        register(file)
        ((page,),) = file.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'records_by_group'"
        )
    content = bytearray(path.read_bytes())
    content[4096 * page - 1] ^= 1  # the number of the row to which the first entry leads
    path.write_bytes(content)

    with open_archive(path) as archive:
        faults = archive.check().faults

    assert any("index records_by_group" in fault for fault in faults)


def test_the_error_says_what_to_do(archive_path: Path, tmp_path: Path) -> None:
    path = tmp_path / "archive.forebear"
    path.write_bytes(archive_path.read_bytes())
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(bytes(4096 * 4))

    with pytest.raises(StorageError, match="is damaged") as caught:
        search(path)

    assert "forebear restore" in (caught.value.hint or "")
