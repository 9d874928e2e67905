"""Compact entries of the log: what they hold, and when their lists are logged after all."""

import numpy as np
import pytest

import forebear
from forebear.archive.result import Result
from forebear.interactions.current import FIRST_PAGE
from forebear.interactions.events import LoggedSearch

QUERY = {"given": "Joseph", "surname": "Cornell"}


def visit(archive: forebear.Archive) -> Result:
    result = archive.search(QUERY, viewer="public", log=False)
    archive.log(result, searcher="192.0.2.7", compact=True)
    return result


def same_lists(one: LoggedSearch, other: LoggedSearch) -> bool:
    return all(
        (a.name, a.records, a.scores, a.clauses, a.hashes)
        == (b.name, b.records, b.scores, b.clauses, b.hashes)
        and np.array_equal(a.bits, b.bits)
        for a, b in zip(one.lists, other.lists, strict=True)
    )


def test_a_compact_entry_holds_the_first_page_and_is_much_smaller(
    archive: forebear.Archive,
) -> None:
    result = archive.search(QUERY, viewer="public", log=False)
    archive.log(result, searcher="192.0.2.7")
    whole = archive.log_size()

    archive.log(result, searcher="192.0.2.7", compact=True)

    entry = archive.logged_search(result.id)
    assert archive.log_size() < whole / 4
    assert archive.log_size() < 3000
    assert entry.entry == "compact"
    assert entry.lists == ()
    assert entry.shown == tuple(hit.record for hit in result[:FIRST_PAGE])
    assert entry.types == tuple(hit.record_type for hit in result[:FIRST_PAGE])
    assert (entry.total, entry.hits) == (result.total, result.total)
    assert (entry.model, entry.change, entry.none) == (result.model, result.change, None)
    assert len(entry.catalog) == 12
    assert entry.searcher == archive.pseudonym("192.0.2.7") != ""


def test_attaching_a_record_logs_the_whole_lists(archive: forebear.Archive) -> None:
    first, second = visit(archive), archive.search(QUERY, viewer="public")
    before = archive.logged_search(first.id)
    deep = first[-1].record  # not on the first page

    (action,) = archive.record_actions([(first.id, deep, "attach")])

    entry = archive.logged_search(first.id)
    assert first.total > FIRST_PAGE
    assert action.rank == first.total
    assert entry.entry == "whole"
    assert entry.shown == tuple(hit.record for hit in first)
    assert same_lists(entry, archive.logged_search(second.id))
    assert (entry.at, entry.searcher) == (before.at, before.searcher)


def test_a_vote_logs_the_whole_lists_and_is_held_back(archive: forebear.Archive) -> None:
    result = visit(archive)

    vote = archive.vote(result.id, result[1].record, "attach")

    assert archive.logged_search(result.id).entry == "whole"
    assert (vote.rank, vote.searcher) == (2, archive.pseudonym("192.0.2.7"))
    assert archive.votes() == [vote]
    assert archive.judged_searches() == []


def test_an_entry_is_marked_and_teaches_nothing_if_the_archive_has_changed(
    archive: forebear.Archive,
) -> None:
    result = visit(archive)
    archive.takedown(result[0].record, reason="asked")

    archive.attach(result.id, result[1].record)

    entry = archive.logged_search(result.id)
    assert entry.entry == "changed"
    assert entry.lists == ()
    assert [action.record_key for action in archive.actions(result.id)] == [result[1].record]
    current = archive.current_log()
    assert (current.judged, current.skipped) == ((), 1)


def test_an_entry_is_marked_if_its_model_is_gone(archive: forebear.Archive) -> None:
    result = visit(archive)
    archive._file.execute("UPDATE searches SET model = 'v99' WHERE id = ?", (result.id,))

    archive.attach(result.id, result[0].record)

    assert archive.logged_search(result.id).entry == "changed"


def test_judgments_store_where_they_come_from(archive: forebear.Archive) -> None:
    result = visit(archive)
    one, two, three = (hit.record for hit in result[:3])

    archive.record_actions([(result.id, one, "attach")], source="link")
    archive.attach(result.id, two)
    archive.vote(result.id, three, "attach")
    archive.release_votes(searcher=archive.pseudonym("192.0.2.7"))

    sources = {action.record_key: action.source for action in archive.actions(result.id)}
    assert sources == {one: "link", two: "use", three: "vote"}


def test_a_released_vote_yields_to_what_others_said(archive: forebear.Archive) -> None:
    result = visit(archive)
    key = result[0].record
    archive.vote(result.id, key, "attach")
    archive.reject(result.id, key)

    archive.release_votes()

    (judged,) = archive.judged_searches()
    assert (judged.attached, judged.rejected) == (frozenset(), frozenset({key}))


def test_pruning_removes_old_searches_and_says_what(archive: forebear.Archive) -> None:
    first, second = visit(archive), visit(archive)
    archive.attach(second.id, second[0].record)

    removed = archive.prune_log(older_than_days=0)

    assert (removed.searches, removed.judged) == (1, 0)
    assert removed.left == archive.log_size() > 0
    assert archive._log.search(first.id) is None
    assert archive.logged_search(second.id).entry == "whole"


@pytest.mark.parametrize("days", [10_000_000.0, 1e20])
def test_no_search_is_older_than_the_calendar(archive: forebear.Archive, days: float) -> None:
    visit(archive)

    assert archive.prune_log(older_than_days=days).searches == 0
