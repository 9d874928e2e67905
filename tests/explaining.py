"""Explanations for tests that search a storage without an archive."""

from forebear.records.privacy import OWNER, Viewer
from forebear.search.hits import Hit
from forebear.search.results.explain import Explanation
from forebear.search.search_result import SearchResult
from forebear.search.store import SearchStore


def explain_hit(
    result: SearchResult, hit: Hit, storage: SearchStore, viewer: Viewer = OWNER
) -> Explanation:
    key = hit.record_key
    return result.explain(hit, storage.records([key], viewer=viewer, groups=True)[key])
