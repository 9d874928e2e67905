"""Memory and SQLite give the same answer to the last bit, after any writes and deletions."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forebear.errors import QueryError
from forebear.records.privacy import Viewer
from forebear.search.expansion.expand import expand
from forebear.search.expansion.facts import gather_facts
from forebear.search.model import hand_set_model
from forebear.search.query.from_json import query_from_json
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.storage.memory import MemoryStorage
from forebear.storage.sqlite.connection import create_file
from forebear.storage.sqlite.storage import SqliteStorage
from strategies import COLLECTIONS, collections, groups, query_values

VIEWERS = [Viewer(year=2026, is_owner=True), Viewer(year=2026), Viewer(year=1962)]

changes = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.lists(groups(), min_size=1, max_size=4)),
        st.tuples(
            st.just("delete"),
            st.lists(
                st.builds("{}:r{}".format, st.sampled_from(sorted(COLLECTIONS)), st.integers(0, 6)),
                min_size=1,
                max_size=3,
            ),
        ),
    ),
    min_size=1,
    max_size=5,
)


@contextmanager
def both_storages() -> Iterator[tuple[MemoryStorage, SqliteStorage]]:
    with tempfile.TemporaryDirectory() as folder:
        connection = create_file(Path(folder) / "archive.forebear")
        try:
            memory, sqlite = MemoryStorage(), SqliteStorage(connection)
            for collection in collections():
                memory.put_collection(collection)
                sqlite.put_collection(collection)
            yield memory, sqlite
        finally:
            connection.close()


def answer(
    storage: MemoryStorage | SqliteStorage, value: object, viewer: Viewer, limit: int
) -> list[RankedList]:
    facts = gather_facts(query_from_json(value), storage)
    model = hand_set_model()
    found = []
    for record_type in sorted(set(COLLECTIONS.values())):
        expansion = expand(facts, record_type)
        if expansion is None or not expansion.gate.branches:
            continue
        search = ListSearch(
            name=record_type,
            record_type=record_type,
            collections=tuple(n for n, kind in COLLECTIONS.items() if kind == record_type),
            gate=replace(expansion.gate, limit=limit),
            clauses=expansion.clauses,
            weights=tuple(model.weight(record_type, c.name) for c in expansion.clauses),
        )
        found.append(replace(storage.find(search, viewer=viewer, top=5), seconds=0.0))
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(changes, st.lists(query_values, min_size=1, max_size=3), st.integers(1, 12))
def test_memory_and_sqlite_agree_to_the_last_bit(
    happened: list[tuple[str, list]], queries: list[dict], limit: int
) -> None:
    with both_storages() as (memory, sqlite):
        for what, argument in happened:
            for storage in (memory, sqlite):
                storage.write(argument) if what == "write" else storage.delete(argument)

        for query in queries:
            for viewer in VIEWERS:
                try:
                    expected = answer(memory, query, viewer, limit)
                except QueryError:
                    continue
                assert answer(sqlite, query, viewer, limit) == expected
        for collection in COLLECTIONS:
            for viewer in VIEWERS:
                assert sqlite.count(collection, viewer=viewer) == memory.count(
                    collection, viewer=viewer
                )
