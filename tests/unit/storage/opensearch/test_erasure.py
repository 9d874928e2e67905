"""After `compact`, nothing of what was deleted is left in the files of the cluster."""

import secrets
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from forebear.records.privacy import OWNER
from forebear.storage.opensearch.storage import OpenSearchStorage
from making import make_baptism, make_collection
from storages import get, opensearch_storage

SECONDS = 20  # that a node may take to delete files


@pytest.fixture
def archive(opensearch_url: str, tmp_path: Path) -> Iterator[OpenSearchStorage]:
    with opensearch_storage(opensearch_url, tmp_path) as storage:
        storage._cluster.read_seconds = 4.0  # a replaced index stays half as long
        yield storage


def data_folders(storage: OpenSearchStorage) -> list[Path]:
    """Return the folders of the nodes that this machine can read."""
    nodes = storage._cluster.read("GET", "/_nodes/stats/fs")["nodes"].values()
    paths = [Path(data["path"]) for node in nodes for data in node["fs"]["data"]]
    return [path for path in paths if path.is_dir()]


def files_with(text: str, storage: OpenSearchStorage) -> list[Path]:
    """Return the files of the nodes that hold a text."""
    paths = []
    for folder in data_folders(storage):
        for path in folder.rglob("*"):
            try:
                if path.is_file() and text.encode() in path.read_bytes():
                    paths.append(path)
            except OSError:
                pass  # a node deletes files at any time
    return paths


def index_ids(storage: OpenSearchStorage) -> set[str]:
    """Return the ids of the archive's indexes, under which nodes store their files."""
    settings = storage._cluster.read("GET", f"/{storage._indexes.prefix}-*/_settings")
    return {value["settings"]["index"]["uuid"] for value in settings.values()}


def test_what_was_deleted_is_gone_from_the_nodes_files(archive: OpenSearchStorage) -> None:
    name, reason, title = (secrets.token_hex(8) for _ in range(3))
    archive.put_collection(make_collection())
    archive.put_collection(make_collection(f"c{title}"))
    archive.write([(make_baptism("1"),), (make_baptism("2", given=f"Q{name}"),)])
    archive.write([(make_baptism("3", collection=f"c{title}"),)])
    archive.take_down("baptisms:1", reason=reason, at="2026")
    readable = bool(data_folders(archive))
    if readable:
        assert all(files_with(text, archive) for text in (name, reason, title))
    before, indexes = archive._indexes.change_number(), index_ids(archive)

    archive.restore("baptisms:1")
    archive.delete(["baptisms:2"])
    archive.delete_collection(f"c{title}")
    archive.compact()

    assert indexes.isdisjoint(index_ids(archive))
    assert archive._indexes.change_number() > before
    assert get(archive, "baptisms:1", viewer=OWNER) == make_baptism("1")
    assert [collection.name for collection in archive.collections()] == ["baptisms"]
    deadline = time.monotonic() + SECONDS
    while readable and any(files_with(text, archive) for text in (name, reason, title)):
        assert time.monotonic() < deadline, [files_with(t, archive) for t in (name, reason, title)]
        time.sleep(0.5)


def test_an_archive_is_compacted_again_and_again(archive: OpenSearchStorage) -> None:
    archive.put_collection(make_collection())
    archive.write([(make_baptism("1"),)])
    archive.take_down("baptisms:1", reason="asked", at="2026")
    digest = archive.digest()

    for _ in range(2):
        archive.compact()

        assert archive.digest() == digest
        assert archive.takedowns() == {"baptisms:1": "asked"}
        assert archive.check().faults == ()
    archive.delete_all()
    left = archive._cluster.read("GET", f"/_resolve/index/{archive._indexes.prefix}-*")
    assert left["indices"] == left["aliases"] == []


def test_an_erased_record_is_gone_and_its_household_stays(archive: OpenSearchStorage) -> None:
    archive.put_collection(make_collection())
    archive.write([(make_baptism("1"), make_baptism("2")), (make_baptism("3"),)])
    archive.take_down("baptisms:1", reason="asked", at="2026")

    for key in ("baptisms:1", "baptisms:3"):
        archive.erase(key)

    assert [group for group, _ in archive.groups()] == [(make_baptism("2"),)]
    assert archive.erased(["baptisms:1", "baptisms:2", "baptisms:3"]) == {
        "baptisms:1",
        "baptisms:3",
    }
    assert archive.takedowns() == {}
    assert archive.check().faults == ()
