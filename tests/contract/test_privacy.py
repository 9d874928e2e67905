"""Nobody whom the public may not see changes anything that it learns.

Two archives are asked the same: one with hidden people and one without them.  Whatever the
public asks, by whatever method, the answers are the same to the last character.  The methods are
not listed here but read off the ports and classes themselves: one that takes a viewer and is not
asked below fails these tests, and so does a new one that takes none and is not named as the
owner's.
"""

import inspect
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from explaining import explain_hit
from forebear.records.collections import RecordList
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.model import hand_set_model
from forebear.search.query.person_query import query_from_json
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.results.describe import collection_search
from forebear.search.search_result import SearchResult
from forebear.search.searcher import Searcher
from forebear.search.store import SearchStore
from forebear.storage import port
from forebear.storage.memory import MemoryStorage
from forebear.storage.memory_knowledge import MemoryKnowledge
from forebear.storage.opensearch.knowledge import ClusterKnowledge
from forebear.storage.opensearch.storage import OpenSearchStorage
from forebear.storage.sqlite.knowledge import SqliteKnowledge
from forebear.storage.sqlite.storage import SqliteStorage
from hidden_people import (
    COLLECTIONS,
    GAZETTEER,
    KEYS,
    NAMED,
    OWNER,
    PROBES,
    PUBLIC,
    SHOWN_COLLECTIONS,
    Ask,
    Viewer,
    Worlds,
    fill,
    revealed,
)
from storages import SQLITE, Storage, opensearch_storage, sqlite_storage

LISTS = [
    RecordList(name=shown.record_type, record_type=shown.record_type, collections=(shown.name,))
    for shown in SHOWN_COLLECTIONS
]
FIELDS = ("self.surname", "self.given", "father.occupation", "self.occupation", "birth.year")
NAMES = ("smith", "xanthopulos", "tvastri", "john", "zebedaia", "ysolt", "quennerty")
PLACES = ("layham", "raydon", "quixwold", "skrzynford", "essex")
IDS = tuple(entry.place_id for entry in GAZETTEER)


def results(storage: Storage, viewer: Viewer) -> Iterator[SearchResult]:
    searcher = Searcher(storage=storage, lists=LISTS, model=hand_set_model())
    for probe in PROBES:
        yield searcher.search(query_from_json(probe), viewer=viewer)


def searches(storage: Storage, viewer: Viewer) -> list[ListSearch]:
    return [search for result in results(storage, viewer) for search in result.searches.values()]


def shelves(storage: Storage, viewer: Viewer) -> list[ListSearch]:
    knowledge = storage.knowledge(viewer)
    return [
        collection_search(collection, knowledge, place=place)
        for collection in SHOWN_COLLECTIONS
        for place in ("", "Layham", "Raydon, Suffolk")
    ]


# Every method that tells a viewer something, and how it is asked.
ASKED: dict[str, Ask] = {
    "find": lambda s, v: s.find(searches(s, v), viewer=v, top=100),
    "facets": lambda s, v: s.facets([*searches(s, v), *shelves(s, v)], viewer=v),
    "browse": lambda s, v: [
        s.browse(search, viewer=v, limit=limit) for search in shelves(s, v) for limit in (1, 99)
    ],
    # Which keys there are is said by the question, not by the answer.
    "records": lambda s, v: [
        list(s.records(list(KEYS), viewer=v, groups=groups).values()) for groups in (False, True)
    ],
    "count": lambda s, v: [s.count(name, viewer=v) for name in COLLECTIONS],
    "knowledge": lambda s, v: {name: ask(s, v) for name, ask in KNOWN.items()},
    "place_tree": lambda s, v: [
        s.place_tree(name, viewer=v, depth=4) for name in ("", "Layham", "Quixwol", "ham")
    ],
    # By number: personas of the same archive have other numbers if others came before them.
    "candidates": lambda s, v: [
        (len(personas), steps) for personas, steps in s.candidates(searches(s, v), viewer=v)
    ],
}
OF_SOME = ("candidates",)
# The same of what a viewer may know; the hidden words among the questions are in no answer.
KNOWN: dict[str, Ask] = {
    "vocabulary": lambda s, v: [s.knowledge(v).vocabulary(kind) for kind in ("surname", "given")],
    "bearers": lambda s, v: [
        s.knowledge(v).bearers(frozenset({f"{f}={name}", f"{f}=smyth"}))
        for f in FIELDS
        for name in NAMES
    ],
    "shares": lambda s, v: [
        [s.knowledge(v).shares(f, NAMES)[name] for name in NAMES] for f in FIELDS
    ],
    "share": lambda s, v: [s.knowledge(v).share(f, name) for f in FIELDS for name in NAMES],
    "parts_with": lambda s, v: [s.knowledge(v).parts_with(frozenset({f})) for f in FIELDS],
    "parts_of": lambda s, v: s.knowledge(v).parts_of(frozenset(COLLECTIONS)),
    "places_named": lambda s, v: [s.knowledge(v).places_named(name) for name in PLACES],
    "places_near": lambda s, v: [s.knowledge(v).places_near(place, 10) for place in IDS],
    "places_renamed": lambda s, v: [s.knowledge(v).places_renamed(place) for place in IDS],
    "places": lambda s, v: s.knowledge(v).places(),
    "year_range": lambda s, v: s.knowledge(v).year_range(),
    "collections": lambda s, v: s.knowledge(v).collections(),
    "coverage": lambda s, v: [s.knowledge(v).coverage(n) for n in COLLECTIONS],
    "field_presence": lambda s, v: [s.knowledge(v).field_presence(n) for n in COLLECTIONS],
}
# The cluster counts these for what is above.
OF_THE_CLUSTER: dict[str, Ask] = {
    "habits": lambda s, v: s.knowledge(v).habits(),
    "habits_now": lambda s, v: s.knowledge(v).habits_now(),
}
# Methods that no viewer reaches: they write, keep the archive in order, or describe it.
OWNERS = frozenset(
    {
        *("put_collection", "write", "delete", "delete_collection", "restate", "take_down"),
        *("restore", "takedowns", "groups_holding", "keys_from", "attach", "attached"),
        *("unfinished", "all_unfinished", "begin", "finish", "snapshot", "encoder"),
        *("write_encoded", "rewrite", "collections", "places", "add_to_gazetteer"),
        *("groups", "documents", "rewritten", "draw_keys", "delete_all", "close"),
        *("gazetteer", "gazetteer_entries", "term_numbers", "save_statistics", "check"),
        *("digest", "compact", "import_lock", "terms_version", "reindex"),
        *("privacy_version", "import_year", "note_import", "change_counter", "erase", "erased"),
        *("name_variants", "put_name_variants", "compile_loops"),
    }
)


def methods(of: type) -> dict[str, bool]:
    """Return the public methods of a class, and whether each takes a viewer."""
    return {
        name: "viewer" in inspect.signature(method).parameters
        for name, method in inspect.getmembers(of, inspect.isfunction)
        if not name.startswith("_")
    }


@contextmanager
def worlds(kind: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[Worlds]:
    with ExitStack() as stack:
        storages: list[Storage] = []
        for name in ("full", "bare"):
            (folder / name).mkdir()
            if kind == "memory":
                storages.append(MemoryStorage())
            elif kind in SQLITE:
                storages.append(stack.enter_context(sqlite_storage(folder / name, kind)))
            else:
                url = request.getfixturevalue("opensearch_url")
                storages.append(stack.enter_context(opensearch_storage(url, folder / name)))
        for storage, is_full in zip(storages, (True, False), strict=True):
            fill(storage, is_full=is_full)
        yield Worlds(full=storages[0], bare=storages[1])


@pytest.fixture(params=["memory", *SQLITE, "opensearch"], scope="module")
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Worlds]:
    with worlds(request.param, request, tmp_path_factory.mktemp(request.param)) as worlds_of_kind:
        yield worlds_of_kind


@pytest.mark.parametrize("storage", [MemoryStorage, SqliteStorage, OpenSearchStorage])
def test_every_method_of_a_storage_is_asked_here_or_the_owners(storage: type) -> None:
    for_viewer_by_name = methods(storage)

    assert {name for name, for_viewer in for_viewer_by_name.items() if for_viewer} <= ASKED.keys()
    assert {name for name, for_viewer in for_viewer_by_name.items() if not for_viewer} <= OWNERS


@pytest.mark.parametrize("protocol", [SearchStore, port.Storage])
def test_every_method_of_a_port_takes_a_viewer_or_describes_the_archive(protocol: type) -> None:
    without = {name for name, for_viewer in methods(protocol).items() if not for_viewer}

    assert methods(protocol).keys() - without <= ASKED.keys()
    assert without <= OWNERS


@pytest.mark.parametrize(
    "knowledge", [Knowledge, MemoryKnowledge, SqliteKnowledge, ClusterKnowledge]
)
def test_everything_that_can_be_known_of_an_archive_is_asked_here(knowledge: type) -> None:
    # Facets are of whole collections, which are among those asked; a cache of clauses has what was
    # built from the other methods, for one viewer.
    through_others = {"collection_facets", "clause_cache"}

    assert methods(knowledge).keys() <= KNOWN.keys() | OF_THE_CLUSTER.keys() | through_others


def test_viewers_share_no_clauses(pair: Worlds) -> None:
    caches = [pair.full.knowledge(viewer).clause_cache() for viewer in (OWNER, PUBLIC)]

    assert caches[0] is not caches[1]


@pytest.mark.parametrize("name", [*ASKED, *OF_THE_CLUSTER])
def test_hidden_people_change_no_answer(name: str, pair: Worlds) -> None:
    ask = {**ASKED, **OF_THE_CLUSTER}[name]
    if name in OF_THE_CLUSTER:
        if not isinstance(pair.full, OpenSearchStorage):
            return
    elif not hasattr(pair.full, name):
        assert name in OF_SOME  # of some storages alone
        return

    pair.assert_hidden(ask)

    # The owner learns more: there was something to hide.
    assert repr(revealed(ask(pair.full, OWNER))) != repr(revealed(ask(pair.bare, OWNER)))


def test_hidden_people_change_no_search(pair: Worlds) -> None:
    pair.assert_hidden(lambda storage, viewer: list(results(storage, viewer)))


@pytest.mark.parametrize("query", NAMED, ids=str)
def test_who_knows_the_name_is_told_no_more(query: dict[str, Any], pair: Worlds) -> None:
    def ask(storage: Storage, viewer: Viewer) -> list[object]:
        searcher = Searcher(storage=storage, lists=LISTS, model=hand_set_model())
        result = searcher.search(query_from_json(query), viewer=viewer)
        facets = searcher.facets(result, viewer=viewer)
        return [result, facets, [explain_hit(result, hit, storage, viewer) for hit in result.fused]]

    pair.assert_hidden(ask, says_it=True)
    assert revealed(ask(pair.full, OWNER)) != revealed(ask(pair.bare, OWNER))


def test_time_opens_records_without_a_rewrite(pair: Worlds) -> None:
    names = {"hill", "smith", "smyth", "xanthos", "penhall"}
    for year, more in (
        (2026, set[str]()),
        (2041, {"yttrigan"}),
        (2060, {"yttrigan"}),
        (2061, {"yttrigan", "quennerty", "penhallow"}),
        (2101, {"yttrigan", "quennerty", "penhallow", "xanthopulos"}),
        (2112, {"yttrigan", "quennerty", "penhallow", "xanthopulos", "vexmarch"}),
    ):
        knowledge = pair.full.knowledge(Viewer(year=year))

        assert set(knowledge.vocabulary("surname").names) == names | more
        assert "p:skrzynford,essex,england" not in knowledge.places()
