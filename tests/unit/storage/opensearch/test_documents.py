"""Tests of what a document says of a record, and of batches of documents."""

import base64
import json
import time
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.ingest.store import SourceFile
from forebear.records.privacy import OWNER, Viewer
from forebear.search.hits import tie_key
from forebear.search.terms.write import write_terms
from forebear.storage.opensearch import households, indexes
from forebear.storage.opensearch.documents import (
    document_id,
    encode_documents,
    term_number,
    unpack,
    write_documents,
)
from forebear.storage.opensearch.storage import OpenSearchStorage
from making import make_baptism, make_collection
from storages import empty, get

FILE = SourceFile(collection="baptisms", name="book.csv")
PUBLIC = Viewer(year=2026)


@pytest.fixture
def storage(cluster_archive: OpenSearchStorage) -> OpenSearchStorage:
    empty(cluster_archive)
    cluster_archive.put_collection(make_collection())
    return cluster_archive


def numbers(packed: bytes) -> set[bytes]:
    return {packed[at : at + 8] for at in range(0, len(packed), 8)}


def test_a_hit_brings_its_key_and_the_numbers_of_the_terms_of_each_persona() -> None:
    record = make_baptism("1")
    (document,) = write_documents((record,), make_collection(), is_hidden=False)

    key, tie, personas = unpack(document["pb"].rstrip("="))

    terms = {p.position: p.terms for p in write_terms((record,), make_collection())}
    assert (key, tie) == (record.key, tie_key(record.key))
    assert {position: numbers(packed) for position, _, packed in personas} == {
        position: set(map(term_number, of_persona)) for position, of_persona in terms.items()
    }


@given(st.lists(st.tuples(st.integers(0, 50), st.lists(st.text(), unique=True))))
def test_what_an_earlier_program_packed_is_read_as_numbers(
    personas: list[tuple[int, list[str]]],
) -> None:
    named = [(position, [f"a={text}" for text in texts]) for position, texts in personas]
    named = [(position, [*terms, "event.year=1851"]) for position, terms in named]
    words = zlib.compress(json.dumps(["c:1", named]).encode())

    key, tie, rows = unpack(base64.b64encode(words).decode().rstrip("="))

    assert (key, tie) == ("c:1", tie_key("c:1"))
    assert [(position, year, numbers(packed)) for position, year, packed in rows] == [
        (position, 1851, set(map(term_number, terms))) for position, terms in named
    ]


def test_a_batch_has_its_records_each_once() -> None:
    groups = [(make_baptism("1"), make_baptism("2")), (make_baptism("3"),)]

    batch = encode_documents(groups, {"baptisms": make_collection()})

    assert batch.groups() == groups
    assert batch.keys == ["baptisms:1", "baptisms:2", "baptisms:3"]
    assert batch.size == sum(len(record.personas) for group in groups for record in group)
    assert [document.id for document in batch.documents] == list(map(document_id, batch.keys))


def test_a_batch_is_stored_as_records_are(
    storage: OpenSearchStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(households, "BULK_BYTES", 20_000)  # several requests
    groups = [(make_baptism(f"{n}a"), make_baptism(f"{n}b")) for n in range(20)]
    storage.write(groups, file=FILE)
    written = storage.digest()
    storage.delete([record.key for group in groups for record in group])

    with storage.import_lock():
        assert storage.write_encoded([storage.encoder()(groups)], file=FILE)
        storage.finish(FILE)

    assert storage.digest() == written
    assert sorted(storage.keys_from(FILE)) == sorted(r.key for group in groups for r in group)
    assert storage.check().faults == ()


def test_a_batch_with_a_stored_record_is_not_written(storage: OpenSearchStorage) -> None:
    storage.write([(make_baptism("1"),)])
    with storage.import_lock():
        batch = storage.encoder()([(make_baptism("1", given="James"),), (make_baptism("2"),)])

        assert not storage.write_encoded([batch], file=FILE)

    assert get(storage, "baptisms:1", viewer=OWNER) == make_baptism("1")
    assert get(storage, "baptisms:2", viewer=OWNER) is None


def test_a_batch_with_a_record_twice_is_not_written(storage: OpenSearchStorage) -> None:
    encode = storage.encoder()
    batches = [encode([(make_baptism("1"),)]), encode([(make_baptism("1", given="James"),)])]

    assert not storage.write_encoded(batches, file=FILE)


def test_a_batch_of_a_collection_that_was_changed_is_not_written(
    storage: OpenSearchStorage,
) -> None:
    batch = storage.encoder()([(make_baptism("1"),)])
    storage.put_collection(make_collection(last_year=1900))

    assert not storage.write_encoded([batch], file=FILE)


def test_a_batch_with_a_record_that_was_taken_down_is_not_written(
    storage: OpenSearchStorage,
) -> None:
    storage.write([(make_baptism("1"),)])
    storage.take_down("baptisms:1", reason="asked", at="2026")
    storage.delete(["baptisms:1"])
    batch = storage.encoder()([(make_baptism("1"),)])

    assert not storage.write_encoded([batch], file=FILE)
    storage.write(batch.groups(), file=FILE)
    assert get(storage, "baptisms:1", viewer=PUBLIC) is None


def test_a_batch_with_a_record_that_was_erased_is_not_written(storage: OpenSearchStorage) -> None:
    storage.write([(make_baptism("erased"),)])
    storage.erase("baptisms:erased")

    batch = storage.encoder()([(make_baptism("erased"),)])

    assert not storage.write_encoded([batch], file=FILE)


def test_an_index_that_an_import_created_gets_its_copies_when_the_import_ends(
    storage: OpenSearchStorage,
) -> None:
    def settings() -> dict[str, str]:
        index = storage._indexes.current("census")
        stored = storage._cluster.read("GET", f"/{index}/_settings", flat_settings="true")
        of_index: dict[str, str] = stored[index]["settings"]
        return of_index

    with storage.import_lock():
        storage.put_collection(make_collection("census1851", "census"))
        during = settings()
    after = settings()

    assert during["index.auto_expand_replicas"] == "false"
    assert during["index.refresh_interval"] == "-1"
    assert after["index.auto_expand_replicas"] == "0-1"
    assert "index.refresh_interval" not in after


def test_the_files_of_an_index_that_an_import_filled_become_one(
    storage: OpenSearchStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexes, "MIN_MERGED", 1)
    monkeypatch.setattr(indexes, "MERGED_AFTER", 0.0)

    def segments() -> int:
        index = storage._indexes.current("baptism")
        stats = storage._cluster.read("GET", f"/{index}/_stats/segments")
        count: int = stats["_all"]["primaries"]["segments"]["count"]
        return count

    with storage.import_lock():
        for number in range(3):
            batch = storage.encoder()([(make_baptism(f"{number}"),)])
            assert storage.write_encoded([batch], file=FILE)
            storage._cluster.refresh(storage._indexes.records)
        assert segments() > 1
        storage.finish(FILE)

    deadline = time.monotonic() + 20
    while segments() > 1:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert storage.count("baptisms", viewer=OWNER) == 3
