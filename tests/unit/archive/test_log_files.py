"""Tests for the log as files, and for its searches run again."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import forebear
from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch
from forebear.interactions.ubi import EVENTS, QUERIES

JOSEPH = "Joseph Cornell b. 1789 Pettaborough, husband of Ann Wix"


def summary(judged: JudgedSearch) -> tuple[object, ...]:
    search = judged.search
    bits = [ranked.bits.tolist() for ranked in search.lists]
    hashes = [ranked.hashes for ranked in search.lists]
    return search.id, search.at, search.shown, bits, hashes, judged.attached, judged.sources


def test_an_exported_log_is_imported_as_it_was(
    archive: forebear.Archive, demo_archive: Path, tmp_path: Path
) -> None:
    result = archive.search(JOSEPH)
    archive.attach(result.id, result[0].record)
    archive.reject(result.id, result[1].record)
    archive.complete(result.id)
    archive.log(archive.search("Ann Wix", viewer="public", log=False), searcher="x", compact=True)

    assert archive.export_log(tmp_path / "ubi") == (2, 3)

    other = Path(shutil.copy(demo_archive, tmp_path / "other.forebear"))
    with forebear.open(other) as copy:
        imported = copy.import_log(tmp_path / "ubi")
        again = copy.import_log(tmp_path / "ubi")
        copy.export_log(tmp_path / "again")
        assert list(map(summary, copy.judged_searches())) == list(
            map(summary, archive.judged_searches())
        )
    assert (imported.searches, imported.events, imported.present) == (2, 3, 0)
    assert (again.searches, again.events, again.present) == (0, 0, 2)
    for name in (QUERIES, EVENTS):
        assert (tmp_path / "again" / name).read_text() == (tmp_path / "ubi" / name).read_text()


def write(folder: Path, queries: list[dict[str, Any]], events: list[dict[str, Any]]) -> Path:
    folder.mkdir()
    for name, lines in ((QUERIES, queries), (EVENTS, events)):
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def event(query: str, record: str, name: str = "attached") -> dict[str, Any]:
    return {
        "action_name": name,
        "query_id": query,
        "timestamp": "2026-01-02T03:05:00Z",
        "event_attributes": {"object": {"object_id": record}, "position": {"ordinal": 4}},
    }


def test_queries_of_another_program_are_searched_here(
    archive: forebear.Archive, tmp_path: Path
) -> None:
    record = archive.search(JOSEPH, log=False)[0].record
    time = {"timestamp": "2026-01-02T03:04:05Z", "client_id": "203.0.113.9"}
    folder = write(
        tmp_path / "ubi",
        [
            {"query_id": "q1", "user_query": JOSEPH, **time},
            {"query_id": "q2", "user_query": "", **time},
        ],
        [
            event("q1", record),
            event("q1", "census:none"),
            event("q1", record, "purchase"),
            event("q2", record),
            event("q3", record),
        ],
    )

    imported = archive.import_log(folder)

    assert (imported.searches, imported.searched, imported.events) == (0, 1, 1)
    assert imported.skipped == 5  # one query that is empty and four events
    (judged,) = archive.judged_searches()
    assert judged.search.entry == "whole"
    assert judged.search.searcher == archive.pseudonym("203.0.113.9")
    assert judged.attached == {record}
    assert [action.rank for action in archive.actions("q1")] == [4]


def test_a_folder_without_the_files_is_refused(archive: forebear.Archive, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        archive.import_log(tmp_path)


def test_a_replay_says_which_attached_records_moved(archive: forebear.Archive) -> None:
    first, second = archive.search(JOSEPH), archive.search("Ann Wix")
    archive.attach(first.id, first[1].record)
    archive.attach(second.id, second[0].record)
    archive.search("John Wix")  # without an attached record

    same = archive.replay_log()
    weights = json.loads(archive.export_model())
    for of_type in weights["weights"].values():
        for clause in of_type:
            of_type[clause] = 1.0 if clause == "record.role.principal" else 0.0
    version = archive.import_model(json.dumps(weights))
    other = archive.replay_log(version)

    assert (len(same.searches), same.changed, same.skipped) == (2, 0, 0)
    assert same.ndcg[0] == same.ndcg[1]
    assert same.success_at_1 == (0.5, 0.5)
    assert other.model == version
    assert other.changed == 2
    assert other.ndcg[1] < other.ndcg[0] == same.ndcg[0]
    moved = {search.search: search.records for search in other.searches}
    assert [(one.record, one.before) for one in moved[first.id]] == [(first[1].record, 2)]
    now = [hit.record for hit in archive.search(JOSEPH, log=False, options=options(version))]
    assert moved[first.id][0].now == (now.index(first[1].record) + 1)


def options(version: str) -> forebear.SearchOptions:
    return forebear.SearchOptions(model=version)


def test_a_replay_needs_an_attached_record(archive: forebear.Archive) -> None:
    archive.search(JOSEPH)

    with pytest.raises(InputError, match="no search in the log has an attached record"):
        archive.replay_log()


def test_a_record_is_noted_as_opened_once_and_judges_nothing(archive: forebear.Archive) -> None:
    result = archive.search(JOSEPH)

    for _ in range(2):
        archive.note_opened(result.id, result[2].record)

    assert [(done.kind, done.rank) for done in archive.actions(result.id)] == [("open", 3)]
    assert archive.judged_searches() == []
