"""Tests for `forebear.server.search_log` and `forebear.server.searches`."""

import threading

import pytest

from forebear.archive import Archive
from forebear.errors import NotFoundError, StorageError
from forebear.search.searcher import SearchResult
from forebear.server.search_form import SearchForm
from forebear.server.search_log import SearchLog, new_id
from forebear.server.searches import Searches

FORM = SearchForm(facts={"given": "Mary", "surname": "Fairweather"})


def answer(archive: Archive, form: SearchForm = FORM, *, is_owner: bool = False) -> SearchResult:
    return archive.search(form.query(), viewer=archive.viewer(is_owner=is_owner))


def test_a_promised_search_is_logged_for_whoever_asks_before_it_is_written(
    archive: Archive,
) -> None:
    log, search_id = SearchLog(archive), new_id()
    log.promise(search_id, answer(archive))

    found = log.find(search_id, FORM.query())

    assert found is not None
    assert found.shown == archive.logged_search(search_id).shown


def test_a_search_is_written_once_by_however_many(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, search_id, written = SearchLog(archive), new_id(), []
    monkeypatch.setattr(archive, "log_search", lambda *_, **__: written.append(search_id))
    log.promise(search_id, answer(archive))

    threads = [threading.Thread(target=log.write, args=(search_id,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert written == [search_id]


def test_an_id_of_another_query_is_not_trusted(archive: Archive) -> None:
    log, search_id = SearchLog(archive), new_id()
    log.promise(search_id, answer(archive))
    other = SearchForm(facts={"given": "Alice"}).query()

    assert log.find(search_id, other) is None
    assert log.find("s0", FORM.query()) is None


def test_a_search_of_the_owner_is_not_the_public_s_to_use(archive: Archive) -> None:
    viewer = archive.viewer(is_owner=True)
    search_id = archive.log_search(answer(archive, is_owner=True), viewer=viewer)

    assert SearchLog(archive).find(search_id, FORM.query()) is None


def test_a_log_that_fails_is_told_to_the_operator(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> str:
        raise StorageError("disk full")

    log, search_id = SearchLog(archive), new_id()
    log.promise(search_id, answer(archive))
    monkeypatch.setattr(archive, "log_search", fail)

    log.write(search_id)

    assert "disk full" in caplog.text


def test_acting_on_a_search_that_is_gone_logs_it_anew(archive: Archive) -> None:
    action = Searches(archive).act(FORM, "baptisms:B-1", "attach")

    assert archive.logged_search(action.search_id).viewer == "public"
    assert action.rank == archive.logged_search(action.search_id).shown.index("baptisms:B-1") + 1


def test_acting_on_a_hidden_record_logs_nothing(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged: list[object] = []
    monkeypatch.setattr(archive, "log_search", lambda *args, **_: logged.append(args))

    with pytest.raises(NotFoundError):
        Searches(archive).act(FORM, "baptisms:B-living", "attach")

    assert logged == []
