"""Archives of every older format version open, are sound and still find what they found."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from forebear.archive import open_archive
from forebear.search.model import HAND_SET
from forebear.search.search_result import SearchOptions
from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.storage.sqlite.migrate import open_file
from forebear.storage.sqlite.schema import FORMAT_VERSION
from forebear.storage.sqlite.write import SqliteWriter

KEPT = sorted((Path(__file__).parent / "archives").glob("format_*.archive"))
TERMS_VERSION = "SELECT value FROM metadata WHERE name = 'terms'"


@pytest.fixture(params=KEPT, ids=lambda path: path.stem)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copy(request.param, tmp_path / "archive.forebear"))


def test_an_archive_of_every_older_version_is_kept() -> None:
    assert [path.stem for path in KEPT] == [f"format_{n}" for n in range(1, FORMAT_VERSION)]


def test_an_older_archive_opens_is_sound_and_finds(kept: Path) -> None:
    query, options = {"given": "Thomas", "surname": "Thurlow"}, SearchOptions(model=HAND_SET)
    ((records,),) = read(kept, "SELECT count(*) FROM records")
    ((attached,),) = read(kept, "SELECT record FROM actions")

    with open_archive(kept) as archive:
        report = archive.check()
        result = archive.search(query, options=options, log=False)
        shown = archive.search(query, options=options, viewer="public", log=False)
        actions = archive.actions("kept")
        hidden = archive.takedowns()
        models = archive.models()
        hits = {hit.record for hit in result}
        public_hits = {hit.record for hit in shown}

    assert (report.records, report.faults) == (records, ())
    assert attached in hits
    assert [(action.record_key, action.kind) for action in actions] == [(attached, "attach")]
    assert len(hidden) == 1
    assert hidden.keys() <= hits
    assert hidden.keys().isdisjoint(public_hits)
    assert [model.note for model in models] == ["kept"]


def test_a_record_of_an_older_archive_is_known_by_its_file(kept: Path) -> None:
    with open_archive(kept) as archive:
        files = archive._file.rows("SELECT name FROM files WHERE shelf = 'freereg_marriages'")

    assert files == [("freereg_marriages.csv",)]


@pytest.mark.parametrize(("format_version", "terms"), [(2, "1"), (3, "2")])
def test_terms_of_older_formats_stay_until_they_are_rewritten(
    format_version: int, terms: str, tmp_path: Path
) -> None:
    path = Path(shutil.copy(KEPT[format_version - 1], tmp_path / "archive.forebear"))
    before = read(path, "SELECT record, position, terms FROM personas ORDER BY id")

    open_file(path).close()

    assert read(path, "SELECT record, position, terms FROM personas ORDER BY id") == before
    assert read(path, TERMS_VERSION) == [(terms,)]


def test_an_index_of_another_form_is_rewritten_by_the_rules_of_today(tmp_path: Path) -> None:
    path = Path(shutil.copy(KEPT[0], tmp_path / "archive.forebear"))

    open_file(path).close()

    assert read(path, TERMS_VERSION) == [(str(TERM_RULES_VERSION),)]


def test_a_migration_that_is_interrupted_leaves_the_old_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Path(shutil.copy(KEPT[0], tmp_path / "archive.forebear"))
    before = read(kept, "SELECT count(*) FROM postings")

    with monkeypatch.context() as patch:
        patch.setattr(SqliteWriter, "_insert_vocabulary", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            open_file(kept)

    assert read(kept, "SELECT count(*) FROM postings") == before
    assert read(kept, "PRAGMA user_version")[0][0] < FORMAT_VERSION
    with open_archive(kept) as archive:
        assert archive.check().faults == ()


def read(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
