"""Tests of what keeps an archive in a cluster in order, on a real node."""

import threading
from pathlib import Path

import pytest

from forebear.records.privacy import Viewer
from forebear.storage.copy import copy_records, digest_contents
from forebear.storage.opensearch import cluster
from forebear.storage.opensearch.cluster import Cluster
from forebear.storage.opensearch.storage import OpenSearchStorage
from forebear.storage.opensearch.upkeep import check_storage
from forebear.storage.sqlite.schema import create_file
from forebear.storage.sqlite.storage import SqliteStorage
from forebear.storage.sqlite.upkeep import check_file
from making import make_baptism, make_collection
from storages import empty, get

OWNER = Viewer(year=2026, is_owner=True)


@pytest.fixture
def storage(cluster_archive: OpenSearchStorage) -> OpenSearchStorage:
    empty(cluster_archive)
    cluster_archive.put_collection(make_collection())
    return cluster_archive


def test_long_answers_are_walked_page_by_page(
    storage: OpenSearchStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PAGE", 3)
    groups = [(make_baptism(f"{number:02}"), make_baptism(f"{number:02}b")) for number in range(10)]

    storage.write(groups)

    assert [group for group, _ in storage.groups()] == groups
    assert storage.delete_collection("baptisms") == 20


def test_a_check_finds_what_was_changed_behind_our_back(
    storage: OpenSearchStorage,
) -> None:
    storage.write([(make_baptism("1"),), (make_baptism("2"),)])
    assert check_storage(storage).faults == ()

    (hit,) = (hit for hit in storage.documents() if hit["_id"] == "baptisms:2")
    source = {**hit["_source"], "value": hit["_source"]["value"].replace("John", "Peter")}
    action = {"index": {"_index": hit["_index"], "_id": hit["_id"]}}
    packed = hit["fields"]["pb"][0]
    storage._cluster.bulk([(action, {**source, "pb": packed, "p": [], "public_year": 0})])
    storage._cache.clear()
    report = check_storage(storage)

    assert (report.records, report.personas) == (2, 4)
    assert "baptisms:2: public from another year than 1962" in report.faults
    assert "baptisms:2: persona 0 has other terms than the record gives it" in report.faults
    assert any(fault.startswith("the index of 'self.surname'") for fault in report.faults)


def test_an_index_is_written_anew_while_it_is_searched_and_written_to(
    storage: OpenSearchStorage,
) -> None:
    # A second type, so that its index still answers should the first be missing for a moment.
    storage.put_collection(make_collection("burials", "burial"))
    storage.write([(make_baptism(f"old{number}"),) for number in range(200)])
    before = storage._indexes.current("baptism")
    done = threading.Event()
    seen: list[int] = []

    def look() -> None:
        while not done.is_set():
            seen.append(storage.count("baptisms", viewer=OWNER))

    def write() -> None:
        for number in range(5):
            storage.write([(make_baptism(f"new{number}"),)])
            storage.delete([f"baptisms:old{number}"])

    threads = [threading.Thread(target=write), *(threading.Thread(target=look) for _ in range(4))]
    for thread in threads:
        thread.start()
    storage.compact()
    threads[0].join()
    done.set()
    for thread in threads[1:]:
        thread.join()

    assert storage._indexes.current("baptism") != before
    assert before not in storage._indexes._names()
    assert seen
    assert set(seen) <= {199, 200, 201}
    assert storage.count("baptisms", viewer=OWNER) == 200
    assert get(storage, "baptisms:new4", viewer=OWNER) == make_baptism("new4")
    assert get(storage, "baptisms:old4", viewer=OWNER) is None
    assert check_storage(storage).faults == ()


def test_what_an_interrupted_rebuild_left_is_not_taken_for_records(
    storage: OpenSearchStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage.write([(make_baptism("1"),)])
    indexes = storage._indexes
    for number in (indexes.next_number("baptism"), 99):
        left = indexes.create_numbered("baptism", number, aliases={})
        storage._cluster.bulk([({"index": {"_index": left, "_id": "half"}}, {"key": "half"})])
    monkeypatch.setattr(Cluster, "attempt_seconds", 0.1)

    storage.compact()

    assert left not in indexes._names()
    assert [group for group, _ in storage.groups()] == [(make_baptism("1"),)]
    assert check_storage(storage).faults == ()


def test_a_copy_to_a_file_and_back_is_the_same_on_both_ends(
    storage: OpenSearchStorage, tmp_path: Path
) -> None:
    storage.write([(make_baptism("1"), make_baptism("2")), (make_baptism("3"),)])
    storage.take_down("baptisms:3", reason="asked", at="2026-01-01")
    there = digest_contents(storage)
    connection = create_file(tmp_path / "copy.forebear")
    file = SqliteStorage(connection)

    copy_records(storage, file, at="2026-01-02")
    checked, beside = check_file(connection), check_storage(storage)
    here = digest_contents(file)
    empty(storage)
    copy_records(file, storage, at="2026-01-03")
    connection.close()

    assert here == there == digest_contents(storage)
    assert checked == beside == check_storage(storage)
    assert storage.takedowns() == {"baptisms:3": "asked"}
    assert storage.count("baptisms", viewer=Viewer(year=2026)) == 2
