"""All storages give the same answer to the last bit, after any writes and deletions."""

import tempfile
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from forebear.errors import QueryError
from forebear.records.privacy import Viewer
from forebear.search.expansion.expand import expand
from forebear.search.expansion.facts import gather_facts
from forebear.search.facets import ListFacets
from forebear.search.model import hand_set_model
from forebear.search.query.person_query import query_from_json
from forebear.search.record_search.ranked_list import ListSearch, RankedList
from forebear.storage.memory import MemoryStorage
from forebear.storage.opensearch.storage import OpenSearchStorage
from storages import SQLITE, Storage, empty, group_of, sqlite_storage
from strategies import COLLECTIONS, collections, groups, query_values

VIEWERS = [Viewer(year=2026, is_owner=True), Viewer(year=2026), Viewer(year=1962)]

KEYS = [f"{collection}:r{number}" for collection in sorted(COLLECTIONS) for number in range(7)]

Answer = tuple[RankedList, ListFacets]

changes = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.lists(groups(), min_size=1, max_size=4)),
        st.tuples(
            st.sampled_from(["delete", "take down", "restore"]),
            st.lists(st.sampled_from(KEYS), min_size=1, max_size=3),
        ),
    ),
    min_size=1,
    max_size=5,
)


def searches(storage: Storage, value: object, viewer: Viewer, limit: int) -> list[ListSearch]:
    facts = gather_facts(query_from_json(value), storage.knowledge(viewer))
    model = hand_set_model()
    results = []
    for record_type in sorted(set(COLLECTIONS.values())):
        expansion = expand(facts, record_type)
        if expansion is None or not expansion.gate.branches:
            continue
        results.append(
            ListSearch(
                name=record_type,
                record_type=record_type,
                collections=tuple(n for n, kind in COLLECTIONS.items() if kind == record_type),
                gate=replace(expansion.gate, limit=limit),
                clauses=expansion.clauses,
                weights=tuple(model.weight(record_type, c.name) for c in expansion.clauses),
            )
        )
    return results


def answers(storage: Storage, value: object, viewer: Viewer, limit: int) -> list[Answer]:
    list_searches = searches(storage, value, viewer, limit)
    together = storage.find(list_searches, viewer=viewer, top=5)
    for search, ranked in zip(list_searches, together, strict=True):
        (alone,) = storage.find([search], viewer=viewer, top=5)
        assert replace(alone, seconds=0.0) == replace(ranked, seconds=0.0)
    return [
        (replace(ranked, seconds=0.0), facets)
        for ranked, facets in zip(
            together, storage.facets(list_searches, viewer=viewer), strict=True
        )
    ]


def change(storage: Storage, what: str, argument: list) -> None:
    match what:
        case "write":
            storage.write(argument)
        case "delete":
            storage.delete(argument)
        case "take down":
            storage.take_down(argument[0], reason="asked", at="2026-01-01")
        case "restore":
            storage.restore(argument[0])


def assert_agreement(
    others: list[Storage], happened: list[tuple[str, list]], queries: list[dict], limit: int
) -> None:
    memory = MemoryStorage()
    for storage in (memory, *others):
        for collection in collections():
            storage.put_collection(collection)
        for what, argument in happened:
            change(storage, what, argument)
            with storage.snapshot():
                pass  # some storages write columns here, which the next change makes outdated

    for query, viewer in product(queries, VIEWERS):
        try:
            expected = answers(memory, query, viewer, limit)
        except QueryError:
            continue
        for storage in others:
            assert answers(storage, query, viewer, limit) == expected
    for collection, viewer in product(COLLECTIONS, VIEWERS):
        expected_count = memory.count(collection, viewer=viewer)
        for storage in others:
            assert storage.count(collection, viewer=viewer) == expected_count
    for key, viewer in product(KEYS, VIEWERS):
        expected_group = group_of(memory, key, viewer=viewer)
        for storage in others:
            assert group_of(storage, key, viewer=viewer) == expected_group


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(changes, st.lists(query_values, min_size=1, max_size=3), st.integers(1, 12))
def test_memory_and_sqlite_agree_to_the_last_bit(
    happened: list[tuple[str, list]], queries: list[dict], limit: int
) -> None:
    with ExitStack() as stack:
        storages = []
        for kind in SQLITE:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            storages.append(stack.enter_context(sqlite_storage(Path(folder), kind)))
        assert_agreement(storages, happened, queries, limit)


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink there takes minutes
)
@given(
    changes,
    st.lists(query_values, min_size=1, max_size=2),
    st.integers(1, 12),
    st.sampled_from([0, 2, OpenSearchStorage.few_records]),
)
def test_memory_and_a_cluster_agree_to_the_last_bit(
    cluster_archive: OpenSearchStorage,
    happened: list[tuple[str, list]],
    queries: list[dict],
    limit: int,
    few: int,
) -> None:
    empty(cluster_archive)
    cluster_archive.few_records = few  # how many are scored here, and not in the cluster

    assert_agreement([cluster_archive], happened, queries, limit)
