"""A small archive as a searcher sees it, and hits that are only numbers."""

from collections.abc import Callable

import pytest
from tests.hits import make_list

from forebear.records.collections import RECORD_TYPES, RecordList
from forebear.records.privacy import Viewer
from forebear.search.fusion import fuse
from forebear.search.hits import Hits, ListShift
from forebear.search.model import hand_set_model
from forebear.search.query.person_query import query_from_json
from forebear.search.search_result import SearchOptions, SearchResult
from forebear.search.searcher import Searcher
from forebear.storage.memory import MemoryStorage

OWNER = Viewer(year=2026, is_owner=True)


@pytest.fixture
def searcher(archive: MemoryStorage) -> Searcher:
    lists = [RecordList(name=name, record_type=name, collections=(name,)) for name in RECORD_TYPES]
    return Searcher(storage=archive, lists=lists, model=hand_set_model())


@pytest.fixture
def search(searcher: Searcher) -> Callable[..., SearchResult]:
    """Return how the archive is searched; options beside the query go in ``options``."""

    def found(*, options: dict[str, object] | None = None, **query: object) -> SearchResult:
        chosen = SearchOptions(**(options or {}))  # type: ignore[arg-type]
        return searcher.search(query_from_json(query), chosen, viewer=OWNER)

    return found


@pytest.fixture(scope="session")
def fused_of() -> Callable[..., Hits]:
    """Return how lists are fused: pairs of key and score of each record type, by its name."""

    def fused(**scores: dict[str, int]) -> Hits:
        lists = [make_list(name, of_list) for name, of_list in scores.items()]
        return fuse([list_.hits for list_ in lists], {list_.name: ListShift() for list_ in lists})

    return fused
