"""What does the cluster hold when the line breaks, or a document is refused, at any step?"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cluster_proxy import Proxy, Treatment, proxy
from forebear.errors import StorageError
from forebear.records.privacy import OWNER, Viewer
from forebear.records.record import Record
from forebear.storage.opensearch.cluster import Cluster
from forebear.storage.opensearch.indexes import Indexes, Layout
from forebear.storage.opensearch.storage import OpenSearchStorage
from forebear.storage.sqlite.schema import create_file
from forebear.storage.sqlite.storage import SqliteStorage
from making import make_baptism, make_collection
from storages import empty, get, group_of, opensearch_storage

PUBLIC = Viewer(year=2026)
KEY = "baptisms:1"


def cut_at(step: int) -> Callable[[int], Treatment]:
    """Let the node act on requests up to this one, whose answer is lost, and on no later one."""
    return lambda number: "drop" if number > step else "cut" if number == step else "pass"


@pytest.fixture(scope="module")
def line(opensearch_url: str) -> Iterator[Proxy]:
    with proxy(opensearch_url) as between:
        yield between


@pytest.fixture(scope="module")
def whole(
    opensearch_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OpenSearchStorage]:
    with opensearch_storage(opensearch_url, tmp_path_factory.mktemp("whole")) as storage:
        yield storage


@pytest.fixture
def direct(whole: OpenSearchStorage) -> OpenSearchStorage:
    """Return an archive over a line that holds, with two kinds of records."""
    empty(whole)
    whole.put_collection(make_collection())
    whole.put_collection(make_collection("burials", "burial"))
    return whole


@contextmanager
def over(line: Proxy, storage: OpenSearchStorage, folder: Path) -> Iterator[OpenSearchStorage]:
    """Connect to the same archive over a line that breaks, and give up soon when it does."""
    line.treat, line.requests[:] = lambda _: "pass", []
    cluster = Cluster([line.url], read_seconds=0.2, write_seconds=0.2)
    indexes = Indexes(cluster, storage._indexes.prefix, Layout())
    file = create_file(folder / f"{secrets.token_hex(4)}.forebear")
    other = OpenSearchStorage(cluster, indexes, SqliteStorage(file))
    try:
        yield other
    finally:
        other.close()


def steps(
    line: Proxy, storage: OpenSearchStorage, folder: Path
) -> Iterator[Callable[[Callable[[OpenSearchStorage], None]], bool]]:
    """Yield, for each request of a job, what does it over a line that breaks there."""
    ended = False

    def attempt(job: Callable[[OpenSearchStorage], None], step: int) -> bool:
        nonlocal ended
        with over(line, storage, folder) as other:
            line.treat = cut_at(step)
            try:
                job(other)
            except StorageError:
                return False
        ended = True
        return True

    for step in count():
        yield lambda job, step=step: attempt(job, step)
        if ended:
            assert step > 3
            return


def is_public(storage: OpenSearchStorage) -> bool:
    return get(storage, KEY, viewer=PUBLIC) is not None


def test_a_listed_takedown_hides_wherever_it_was_interrupted(
    direct: OpenSearchStorage, line: Proxy, tmp_path: Path
) -> None:
    household = (make_baptism("1"), make_baptism("2"))
    for attempt in steps(line, direct, tmp_path):
        direct.restore(KEY)
        direct.write([household])
        assert is_public(direct)

        done = attempt(lambda other: other.take_down(KEY, reason="asked", at="2026"))

        assert not (KEY in direct.takedowns() and is_public(direct))
        assert not done or KEY in direct.takedowns()
        direct.take_down(KEY, reason="asked", at="2026")
        assert KEY in direct.takedowns()
        assert not is_public(direct)


def test_a_listed_takedown_hides_wherever_its_end_was_interrupted(
    direct: OpenSearchStorage, line: Proxy, tmp_path: Path
) -> None:
    direct.write([(make_baptism("1"), make_baptism("2"))])
    for attempt in steps(line, direct, tmp_path):
        direct.take_down(KEY, reason="asked", at="2026")

        done = attempt(lambda other: other.restore(KEY))

        assert not (KEY in direct.takedowns() and is_public(direct))
        assert not done or is_public(direct)
        direct.restore(KEY)
        assert is_public(direct)


def test_an_import_that_read_the_list_before_a_takedown_does_not_show_the_record(
    direct: OpenSearchStorage, line: Proxy, tmp_path: Path
) -> None:
    direct.write([(make_baptism("1"),)])

    def take_down_before_the_write(_: int) -> Treatment:
        if line.requests[-1][0].startswith("/_bulk"):
            line.treat = lambda _: "pass"
            direct.take_down(KEY, reason="asked", at="2026")
        return "pass"

    with over(line, direct, tmp_path) as other:
        other._cluster.write_seconds = other._cluster.read_seconds = 20.0
        line.treat = take_down_before_the_write
        with pytest.raises(StorageError, match="changed by another program"):
            other.write([(make_baptism("1", given="James"),)])

    assert not is_public(direct)


def members(storage: OpenSearchStorage) -> list[int]:
    """Return the sizes of the stored groups, and make sure that each is as large as it says."""
    documents = [hit["_source"] for hit in storage.documents()]
    sizes: dict[str, int] = {}
    for document in documents:
        sizes[document["group"]] = sizes.get(document["group"], 0) + 1
    assert all(document["members"] == sizes[document["group"]] for document in documents)
    return sorted(sizes.values())


def households(number: int, given: str = "John") -> list[tuple[Record, ...]]:
    return [
        tuple(make_baptism(f"{home}-{person}", given=given) for person in range(3))
        for home in range(number)
    ]


def test_a_household_is_sent_in_one_request(
    direct: OpenSearchStorage, line: Proxy, tmp_path: Path
) -> None:
    with over(line, direct, tmp_path) as other:
        other._cluster.write_seconds = other._cluster.read_seconds = 20.0
        other.write(households(401))
        bodies = [body for path, body in line.requests if path.startswith("/_bulk")]

    homes = [{part.split(b'"')[0] for part in body.split(b'"group":"')[1:]} for body in bodies]
    assert len(homes) == 2
    assert homes[0].isdisjoint(homes[1])
    assert members(direct) == [3] * 401


def test_no_household_is_split_wherever_a_write_is_interrupted(
    direct: OpenSearchStorage, line: Proxy, tmp_path: Path
) -> None:
    for attempt in steps(line, direct, tmp_path):
        homes = households(4)
        direct.write(homes)
        moved = [(*home[:2], other[2]) for home, other in zip(homes, homes[::-1], strict=True)]

        attempt(lambda other, moved=moved: other.write(moved))

        assert members(direct) == [3] * 4


def refused_with(group: tuple[Record, ...]) -> tuple[Record, ...]:
    """Return a group with one more record, whose key is too long for the cluster's index."""
    return (*group, make_baptism("x" * 40_000))


def test_nothing_is_left_of_a_new_household_that_the_cluster_refuses(
    direct: OpenSearchStorage,
) -> None:
    others = households(2)

    with pytest.raises(StorageError, match="the cluster refused record"):
        direct.write([others[0], refused_with((make_baptism("1"), make_baptism("2"))), others[1]])

    assert members(direct) == [3, 3]
    assert get(direct, KEY, viewer=OWNER) is None


def test_a_household_stays_as_it_was_if_the_cluster_refuses_its_successor(
    direct: OpenSearchStorage,
) -> None:
    direct.write([(make_baptism("1"), make_baptism("2"))])
    direct.take_down("baptisms:2", reason="asked", at="2026")
    before = direct.digest()

    with pytest.raises(StorageError, match="the cluster refused record"):
        direct.write([refused_with((make_baptism("1", given="James"),))])

    assert members(direct) == [2]
    assert direct.digest() == before
    assert direct.check().faults == ()


def test_a_household_stays_as_it_was_while_a_part_of_the_cluster_takes_no_writes(
    direct: OpenSearchStorage, line: Proxy, tmp_path: Path
) -> None:
    child = make_baptism("1")
    buried = replace(child, collection="burials", record_type="burial")
    direct.write([(child, buried)])
    before = direct.digest()
    index = direct._indexes.current("burial")
    direct._indexes.block_writes(index)
    other_name = make_baptism("1", given="James")
    changed = replace(other_name, collection="burials", record_type="burial")
    try:
        with over(line, direct, tmp_path) as other:
            other._cluster.write_seconds = other._cluster.read_seconds = 4.0
            with pytest.raises(StorageError, match="changes were not made"):
                other.write([(other_name, changed)])
    finally:
        settings: dict[str, Any] = {"index.blocks.write": None}
        direct._cluster.write("PUT", f"/{index}/_settings", settings)

    assert direct.digest() == before
    assert group_of(direct, KEY, viewer=OWNER) == (child, buried)
