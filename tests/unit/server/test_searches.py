"""Tests for `forebear.server.searches`."""

import threading

import pytest

from forebear.archive import Archive
from forebear.archive.records import ViewerName
from forebear.archive.result import Result
from forebear.errors import AccessError, ArchiveError, NotFoundError, StorageError
from forebear.server import searches as searches_module
from forebear.server.form import SearchForm
from forebear.server.options import LogLimits
from forebear.server.searches import Searches, SearchLog
from forebear.server.visitors import Visitor

VISITOR = Visitor(address="192.0.2.7")
MEMBER = Visitor(address="192.0.2.7", link="Mary")
FORM = SearchForm(facts={"given": "Mary", "surname": "Fairweather"})


def search(archive: Archive, form: SearchForm = FORM, viewer: ViewerName = "public") -> Result:
    return archive.search(form.query(), viewer=viewer, log=False)


def test_a_search_that_waits_is_logged_for_whoever_refers_to_it(archive: Archive) -> None:
    log, result = SearchLog(archive), search(archive)
    log.add(result, VISITOR)

    logged = log.find(result.id, FORM.query())

    assert logged is not None
    assert logged.shown == archive.logged_search(result.id).shown


def test_a_search_is_written_once_by_however_many(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, written = SearchLog(archive), []
    monkeypatch.setattr(archive, "log", lambda result, **_: written.append(result.id))
    result = search(archive)
    log.add(result, VISITOR)

    threads = [threading.Thread(target=log.flush) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert written == [result.id]


def test_an_id_of_another_query_is_not_trusted(archive: Archive) -> None:
    log, result = SearchLog(archive), search(archive)
    log.add(result, VISITOR)
    other = SearchForm(facts={"given": "Alice"}).query()

    assert log.find(result.id, other) is None
    assert log.find("s0", FORM.query()) is None


def test_a_search_of_the_owner_is_not_the_public_s_to_use(archive: Archive) -> None:
    result = search(archive, viewer="owner")
    archive.log(result)

    assert SearchLog(archive).find(result.id, FORM.query()) is None


def test_a_log_that_fails_is_reported_to_the_operator(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> str:
        raise StorageError("disk full")

    log = SearchLog(archive)
    log.add(search(archive), VISITOR)
    monkeypatch.setattr(archive, "log", fail)

    log.flush()

    assert "disk full" in caplog.text


def test_searches_wait_while_another_program_writes(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[float] = []
    write = archive.log

    def busy(result: Result, *, searcher: str = "", wait: float = 0, compact: bool = False) -> None:
        attempts.append(wait)
        if len(attempts) < 3:
            raise ArchiveError("the archive is locked")
        write(result, searcher=searcher, wait=wait, compact=compact)

    monkeypatch.setattr(archive, "log", busy)
    monkeypatch.setattr(searches_module, "PAUSE_SECONDS", 0.0)
    log, first, second = SearchLog(archive), search(archive), search(archive)
    log.add(first, VISITOR)
    log.add(second, VISITOR)

    log.flush()

    assert archive.logged_search(first.id).shown == archive.logged_search(second.id).shown
    assert attempts == [searches_module.ATTEMPT_SECONDS] * 4
    assert log.dropped == 0


def test_when_too_many_wait_the_oldest_searches_are_dropped_and_counted(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(searches_module, "MAX_WAITING", 2)
    log, results = SearchLog(archive), [search(archive) for _ in range(5)]

    for result in results:
        log.add(result, VISITOR)
    log.flush()

    assert log.dropped == 3
    assert f"search {results[0].id} was not logged" in caplog.text
    logged = [log.find(result.id, FORM.query()) is not None for result in results]
    assert logged == [False, False, False, True, True]


def test_an_attachment_to_a_dropped_search_is_written_with_a_new_one(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searches_module, "MAX_WAITING", 0)
    searches = Searches(archive, allow_votes=True)
    result = searches.open(FORM).result
    searches.log.add(result, VISITOR)

    form = SearchForm(facts=FORM.facts, search_id=result.id)
    action = searches.act(form, "baptisms:B-1", "attach", visitor=MEMBER)

    assert searches.log.dropped == 1
    assert [one.kind for one in archive.actions(action.search_id)] == ["attach"]


def test_acting_on_a_search_that_is_not_logged_logs_it_again(archive: Archive) -> None:
    action = Searches(archive).act(FORM, "baptisms:B-1", "attach", visitor=MEMBER)

    assert archive.logged_search(action.search_id).viewer == "public"
    assert action.rank == archive.logged_search(action.search_id).shown.index("baptisms:B-1") + 1


def test_acting_on_a_hidden_record_logs_nothing(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged: list[object] = []
    monkeypatch.setattr(archive, "log", lambda *args, **_: logged.append(args))

    with pytest.raises(NotFoundError):
        Searches(archive).act(FORM, "baptisms:B-living", "attach", visitor=MEMBER)

    assert logged == []


def test_a_visitor_who_is_not_signed_in_votes(archive: Archive) -> None:
    searches = Searches(archive, allow_votes=True)
    result = searches.open(FORM).result
    searches.log.add(result, VISITOR)
    form = SearchForm(facts=FORM.facts, search_id=result.id)

    vote = searches.act(form, "baptisms:B-1", "attach", visitor=VISITOR)

    assert vote.search_id == result.id
    assert archive.actions(result.id) == ()
    assert archive.votes() == [vote]
    assert archive.judged_searches() == []
    assert searches.open(form).attached == {"baptisms:B-1"}  # the visitor sees it


def test_a_visitor_who_is_signed_in_attaches(archive: Archive) -> None:
    searches = Searches(archive, allow_votes=True)
    result = searches.open(FORM).result
    searches.log.add(result, MEMBER)
    form = SearchForm(facts=FORM.facts, search_id=result.id)

    action = searches.act(form, "baptisms:B-1", "attach", visitor=MEMBER)

    assert archive.actions(result.id) == (action,)
    assert archive.votes() == []
    assert archive.logged_search(result.id).entry == "whole"


def test_a_visitor_who_is_signed_in_marks_a_search_as_complete_once(archive: Archive) -> None:
    searches = Searches(archive)
    result = searches.open(FORM).result
    searches.log.add(result, MEMBER)
    form = SearchForm(facts=FORM.facts, search_id=result.id)
    searches.act(form, "baptisms:B-1", "attach", visitor=MEMBER)

    ids = [searches.review(form, is_complete=True, visitor=MEMBER) for _ in range(2)]

    assert ids == [result.id, result.id]
    assert [action.kind for action in archive.actions(result.id)] == ["attach", "complete"]
    assert archive.judged_searches()[0].sources == {"complete"}
    searches.review(form, is_complete=False, visitor=MEMBER)
    assert archive.judged_searches()[0].sources == {"use"}


def test_only_who_is_signed_in_may_do_more_than_vote(archive: Archive) -> None:
    searches = Searches(archive, allow_votes=True)

    with pytest.raises(AccessError, match="only who is signed in can do this: maybe"):
        searches.act(FORM, "baptisms:B-1", "maybe", visitor=VISITOR)
    with pytest.raises(AccessError, match="mark a search as reviewed"):
        searches.review(FORM, is_complete=True, visitor=VISITOR)
    assert archive.votes() == []


def test_who_judges_another_visitor_s_search_gets_a_new_search(archive: Archive) -> None:
    searches = Searches(archive, allow_votes=True)
    result = searches.open(FORM).result
    searches.log.add(result, MEMBER)
    form = SearchForm(facts=FORM.facts, search_id=result.id)

    vote = searches.act(form, "baptisms:B-1", "reject", visitor=VISITOR)

    assert vote.search_id != result.id
    assert archive.logged_search(vote.search_id).searcher == archive.pseudonym("192.0.2.7")
    assert archive.votes_on(result.id) == ()


def test_a_search_of_a_visitor_is_logged_in_its_compact_form(archive: Archive) -> None:
    log, result = SearchLog(archive), search(archive)
    log.add(result, VISITOR)

    log.flush()

    assert archive.logged_search(result.id).entry == "compact"


def test_the_server_prunes_the_log_now_and_then(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = SearchLog(archive, limits=LogLimits(days=None, megabytes=0))
    results = [search(archive) for _ in range(3)]
    monkeypatch.setattr(searches_module, "PRUNE_SECONDS", 3600.0)

    for result in results:
        log.add(result, VISITOR)
        log.flush()

    assert log.find(results[0].id, FORM.query()) is None  # removed by the first flush
    assert log.find(results[1].id, FORM.query()) is not None  # it was not time yet
