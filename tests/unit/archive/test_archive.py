"""Tests for `forebear.archive.archive`: what is not tested through commands and pages."""

import json
import threading
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import forebear
from forebear.errors import InputError, NotFoundError, QueryError
from forebear.records.collections import RecordList
from forebear.storage.sqlite.migrate import open_file

JOSEPH = "Joseph Cornell b. 1789 Pettaborough, husband of Ann Wix"


def test_a_query_is_text_json_or_facts(archive: forebear.Archive) -> None:
    facts = {
        **{"given": "Joseph", "surname": "Cornell", "sex": "male", "spouse": "Ann Wix"},
        **{"birth": "1789", "birth_place": "Pettaborough"},
    }
    value = {
        "given": "Joseph",
        "surname": "Cornell",
        "sex": "male",
        "events": [{"kind": "birth", "date": "1789", "place": "Pettaborough"}],
        "relatives": [{"kind": "spouse", "given": "Ann", "surname": "Wix"}],
    }

    by_facts = archive.search(**facts)
    by_json = archive.search(value)

    assert [hit.record for hit in by_facts] == [hit.record for hit in by_json]
    assert archive.search(JOSEPH)[0].record == by_json[0].record
    assert archive.search(JOSEPH, record_types=["census"])[0].record_type == "census"
    with pytest.raises(QueryError, match="unknown fact 'born'"):
        archive.search(born="1789")


def test_options_decide_how_a_search_is_made(archive: forebear.Archive) -> None:
    options = forebear.SearchOptions(top=1, order="types")

    result = archive.search(surname="Cornell", options=options)

    assert result.options == options
    assert all(counts.shown <= 1 for counts in result.lists)
    with pytest.raises(InputError, match="decay"):
        forebear.SearchOptions(decay=-1.0)


def test_the_public_sees_what_the_public_may(archive: forebear.Archive) -> None:
    key = archive.search(JOSEPH)[0].record
    archive.takedown(key, reason="asked")

    with forebear.open(archive.path, viewer="public") as public:
        assert public.search(JOSEPH).hit(key) is None
        assert public.search(JOSEPH, viewer="owner").hit(key) is not None
        with pytest.raises(NotFoundError):
            public.record(key)
    assert archive.search(JOSEPH, viewer="public").hit(key) is None
    assert archive.search(JOSEPH).hit(key) is not None
    hidden = archive.hidden_from_public(key)
    assert hidden is not None
    assert "asked" in hidden.words
    with pytest.raises(InputError, match="unknown viewer 'guest'"):
        archive.search(JOSEPH, viewer="guest")  # type: ignore[arg-type]


def test_a_search_is_logged_so_that_records_can_be_attached(archive: forebear.Archive) -> None:
    result = archive.search(JOSEPH)

    archive.attach(result.id, result[0].record, reason="same wife")
    archive.reject(result.id, result[1].record)

    assert [(action.kind, action.rank) for action in archive.actions(result.id)] == [
        ("attach", 1),
        ("reject", 2),
    ]
    assert archive.logged_search(result.id).shown == tuple(hit.record for hit in result)
    (judged,) = archive.judged_searches()
    assert judged.attached == {result[0].record}


def test_a_complete_search_is_judged_from_its_first_record_to_its_last(
    archive: forebear.Archive,
) -> None:
    result = archive.search(JOSEPH)
    archive.attach(result.id, result[0].record)
    before = archive.judged_searches()[0].sources

    archive.complete(result.id)

    (judged,) = archive.judged_searches()
    assert (before, judged.sources, judged.is_complete) == ({"use"}, {"complete"}, True)
    archive.complete(result.id)
    archive.undo(result.id)
    assert archive.judged_searches()[0].sources == {"use"}


def test_an_attachment_can_be_undone_detached_or_kept_in_view(archive: forebear.Archive) -> None:
    result = archive.search(JOSEPH)
    first, second, third = (hit.record for hit in result[:3])
    for record in (first, second, third):
        archive.attach(result.id, record)
    archive.keep_in_view(result.id, third)
    archive.detach(result.id, second)
    archive.reject(result.id, first)
    archive.undo(result.id, first)

    (judged,) = archive.judged_searches()

    assert (judged.attached, judged.rejected, judged.maybe) == ({first}, frozenset(), {third})
    assert archive.storage.attached([first, second, third]) == {first}
    with pytest.raises(InputError, match="nothing to undo"):
        archive.undo(result.id, result[3].record)


def test_a_search_without_a_judgment_left_is_not_judged(archive: forebear.Archive) -> None:
    result = archive.search(JOSEPH)
    archive.attach(result.id, result[0].record)
    archive.detach(result.id, result[0].record)

    assert archive.judged_searches() == []


def test_a_search_that_is_not_logged_can_be_logged_later(archive: forebear.Archive) -> None:
    result = archive.search(JOSEPH, log=False)
    with pytest.raises(NotFoundError):
        archive.attach(result.id, result[0].record)

    archive.log(result)

    archive.attach(result.id, result[0].record)
    assert [hit.record for hit in archive.repeat_search(result.id)] == [
        hit.record for hit in result
    ]


def test_many_actions_are_logged_together_or_not_at_all(archive: forebear.Archive) -> None:
    result = archive.search(JOSEPH)

    with pytest.raises(NotFoundError):
        archive.record_actions(
            [(result.id, result[0].record, "attach"), (result.id, "census:none", "attach")]
        )

    assert archive.actions(result.id) == ()


def test_a_search_answers_though_another_program_writes(
    archive: forebear.Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forebear.archive.searching.LOG_SECONDS", 0.1)
    other = open_file(archive.path)

    with other.transaction(), pytest.warns(UserWarning, match=r"search s\w+ was not logged"):
        result = archive.search(JOSEPH)
    other.close()

    assert result[0].name == "Jos. Cornell"
    with pytest.raises(NotFoundError):
        archive.logged_search(result.id)


def test_a_takedown_needs_a_record(archive: forebear.Archive) -> None:
    with pytest.raises(NotFoundError, match="census:none"):
        archive.takedown("census:none", reason="asked")

    assert archive.takedowns() == {}
    key = archive.search(JOSEPH)[0].record
    archive.takedown(key, reason="asked")
    assert archive.takedowns() == {key: "asked"}
    archive.restore(key)
    assert archive.takedowns() == {}
    with pytest.raises(NotFoundError):
        archive.restore(key)


def test_a_model_goes_out_and_comes_in_again(archive: forebear.Archive) -> None:
    text = archive.export_model()

    version = archive.import_model(text, note="from elsewhere", promote=True)

    assert archive.current_model() == version
    assert [entry.note for entry in archive.models()] == ["from elsewhere"]
    assert json.loads(archive.export_model()) == {**json.loads(text), "name": version}
    assert archive.roll_back() == "default"


def test_a_new_archive_can_be_opened_again_at_once(tmp_path: Path) -> None:
    with forebear.create(tmp_path / "a.forebear") as one, forebear.open(one.path) as other:
        assert one.collections() == other.collections() == ()


def test_an_archive_is_copied_compared_and_deleted(
    archive: forebear.Archive, tmp_path: Path
) -> None:
    result = archive.search(JOSEPH)
    archive.attach(result.id, result[0].record)

    with forebear.create(tmp_path / "copy.forebear") as copy:
        report = archive.copy_to(copy)
        assert report.records == sum(archive.counts().values()) == sum(copy.counts().values())
        assert copy.digest() == archive.digest()
        assert copy.actions(result.id) == archive.actions(result.id)
        copy.delete()

    assert list(tmp_path.glob("copy*")) == []


def test_an_archive_may_be_used_from_several_threads(
    archive: forebear.Archive, repository: Path
) -> None:
    """Searches, attachments and an import at once, with the results of one after the other."""
    queries = [
        {"surname": surname, "record_types": [kind]}
        for surname in ("Cornell", "Thurlow", "Wix", "Foulger")
        for kind in ("baptism", "marriage", "burial")
    ]
    expected = [[hit.record for hit in archive.search(query, log=False)] for query in queries]
    table = repository / "demo" / "records" / "census"
    failures: list[BaseException] = []

    def run(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    def search(start: int) -> None:
        for number in range(len(queries)):
            at = (start + number) % len(queries)
            result = archive.search(queries[at])
            assert [hit.record for hit in result] == expected[at]
            result.page().to_dict()
            result.facets()
            if len(result):
                archive.attach(result.id, result[0].record)

    def import_another() -> None:
        archive.import_file(f"{table}.csv", mapping=f"{table}.toml", collection="again")

    works = [lambda start=start: search(start) for start in range(4)]
    threads = [threading.Thread(target=run, args=(work,)) for work in (*works, import_another)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a search that waits too long for the import is not logged
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert [error for error in failures if not isinstance(error, NotFoundError)] == []
    assert archive.counts()["again"] == archive.counts()["census"]
    assert archive.check().faults == ()


def test_a_search_may_divide_collections_into_other_lists(archive: forebear.Archive) -> None:
    census = RecordList(name="only", record_type="census", collections=("census",))

    result = archive.search("Joseph Cornell", lists=[census], log=False)

    assert [count.name for count in result.lists] == ["only"]
    assert {hit.record_type for hit in result} == {"census"}
    assert len(archive.lists()) == 4


def test_every_logged_search_has_its_first_page(archive: forebear.Archive) -> None:
    first, second = archive.search("Joseph Cornell"), archive.search("Nobody Nowhere")

    pages = {page.search: page.records for page in archive.first_pages()}

    assert set(pages) == {first.id, second.id}
    assert pages[first.id] == tuple(hit.record for hit in first[:20])


def test_the_log_is_repeated_with_other_lists(archive: forebear.Archive) -> None:
    result = archive.search("Joseph Cornell")
    hit = next(hit for hit in result if hit.record_type == "census")
    archive.attach(result.id, hit.record)
    census = RecordList(name="only", record_type="census", collections=("census",))

    as_logged, divided = archive.current_log(), archive.current_log(lists=[census])

    assert (as_logged.repeated, divided.repeated) == (0, 1)
    assert [shown.name for shown in divided.judged[0].search.lists] == ["only"]
    assert divided.judged[0].attached == {hit.record}
