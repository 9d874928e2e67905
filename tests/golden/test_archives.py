"""Archives of every older format version open, are sound and still find what they found."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from forebear.archive import open_archive
from forebear.search.model import HAND_SET
from forebear.search.searcher import SearchOptions
from forebear.storage.sqlite.connection import open_file
from forebear.storage.sqlite.records import SqliteRecords
from forebear.storage.sqlite.schema import FORMAT_VERSION

KEPT = sorted((Path(__file__).parent / "archives").glob("format_*.archive"))
ATTACHED = "freereg_marriages:freereg_marriages.csv:2"


@pytest.fixture(params=KEPT, ids=lambda path: path.stem)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copy(request.param, tmp_path / "archive.forebear"))


def test_an_archive_of_every_older_version_is_kept() -> None:
    assert [path.stem for path in KEPT] == [f"format_{n}" for n in range(1, FORMAT_VERSION)]


def test_an_older_archive_opens_is_sound_and_finds(kept: Path) -> None:
    query, options = {"given": "Thomas", "surname": "Thurlow"}, SearchOptions(model=HAND_SET)

    with open_archive(kept) as archive:
        report = archive.check()
        found = archive.search(query, options=options, log=False)
        shown = archive.search(query, options=options, viewer="public", log=False)
        actions = archive.actions("kept")
        hidden = archive.takedowns()
        models = archive.models()

    assert (report.records, report.faults) == (59, ())
    assert found.hit(ATTACHED)
    assert [(action.record_key, action.kind) for action in actions] == [(ATTACHED, "attach")]
    assert len(hidden) == 1
    assert all(found.hit(key) and not shown.hit(key) for key in hidden)
    assert [model.note for model in models] == ["kept"]


def test_a_record_of_an_older_archive_is_known_by_its_file(kept: Path) -> None:
    with open_archive(kept) as archive:
        files = archive._file.rows("SELECT name FROM files WHERE shelf = 'freereg_marriages'")

    assert files == [("freereg_marriages.csv",)]


def test_a_migration_that_is_interrupted_leaves_the_old_archive(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(kept)) as database:
        before = database.execute("SELECT count(*) FROM postings").fetchone()

    with monkeypatch.context() as patch:
        patch.setattr(SqliteRecords, "_insert_vocabulary", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            open_file(kept)

    with closing(sqlite3.connect(kept)) as after:
        assert after.execute("SELECT count(*) FROM postings").fetchone() == before
        assert after.execute("PRAGMA user_version").fetchone()[0] < FORMAT_VERSION
    with open_archive(kept) as archive:
        assert archive.check().faults == ()


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
