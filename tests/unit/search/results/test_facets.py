"""Tests for `forebear.search.facets`: true counts, and what they choose."""

from collections.abc import Callable

import pytest

from forebear.errors import QueryError
from forebear.records.privacy import Viewer
from forebear.search.facets import Facet, facet_words, merge_facets
from forebear.search.query.person_query import query_from_json, query_to_json
from forebear.search.search_result import SearchResult
from forebear.search.searcher import Searcher

OWNER = Viewer(year=2026, is_owner=True)
Search = Callable[..., SearchResult]


def facets(searcher: Searcher, result: SearchResult) -> dict[str, dict[str, int]]:
    merged = merge_facets(searcher.facets(result, viewer=OWNER))
    return {facet.name: {value.value: value.records for value in facet.values} for facet in merged}


def keys(result: SearchResult) -> set[str]:
    return {hit.record_key for hit in result.fused}


def test_everything_that_passes_is_counted_whatever_is_shown(
    search: Search, searcher: Searcher
) -> None:
    whole, cut = search(surname="Green"), search(surname="Green", options={"top": 1})

    counted = facets(searcher, whole)

    assert facets(searcher, cut) == counted
    assert counted["type"] == {list_.name: list_.records for list_ in whole.lists if list_.records}
    assert sum(counted["decade"].values()) == sum(counted["type"].values()) > 4
    assert counted["county"] == {"p:suffolk,england": sum(counted["type"].values())}


def test_choosing_a_value_gives_as_many_records_as_were_counted(
    search: Search, searcher: Searcher
) -> None:
    counted = facets(searcher, search(surname="Green"))

    for facet, values in counted.items():
        for value, records in values.items():
            only = search(surname="Green", filters={facet: value})
            assert sum(ranked.records for ranked in only.lists) == records, (facet, value)
            assert facets(searcher, only)[facet][value] == records


def test_a_filter_comes_before_the_cut(search: Search) -> None:
    first = search(surname="Green", record_types=["census"], options={"top": 1})
    only = search(surname="Green", filters={"decade": "1870"}, options={"top": 1})

    assert len(first.fused) == 1
    assert keys(only) == {"marriage:m1"}


def test_filters_hold_together_and_say_where_to_look(search: Search) -> None:
    assert keys(search(surname="Green", filters={"decade": "1880", "type": "census"}))
    assert not keys(search(surname="Green", filters={"decade": "1880", "type": "burial"}))
    assert not keys(search(surname="Green", filters={"decade": "1710"}))
    assert {
        ranked.name for ranked in search(surname="Green", filters={"type": "census"}).lists
    } == {"census"}


def test_a_place_may_be_given_in_words(search: Search) -> None:
    by_id = search(surname="Green", filters={"town": "p:hadleigh,suffolk,england"})
    in_words = search(surname="Green", filters={"town": "Hadleigh, Suffolk, England"})

    assert keys(by_id) == keys(in_words) != set()


def test_what_cannot_be_filtered_by_is_refused(search: Search) -> None:
    with pytest.raises(QueryError, match="cannot filter by 'color'"):
        search(surname="Green", filters={"color": "red"})


def test_several_values_of_a_facet_mean_any_of_them(search: Search) -> None:
    both = search(surname="Green", filters={"type": ["census", "burial"]})
    census = search(surname="Green", filters={"type": "census"})
    burial = search(surname="Green", filters={"type": "Burial"})

    assert keys(census)
    assert keys(burial)
    assert keys(both) == keys(census) | keys(burial)


def test_a_decade_is_understood_as_facets_print_it(search: Search) -> None:
    as_stored = search(surname="Green", filters={"decade": "1880"})
    as_printed = search(surname="Green", filters={"decade": "1880s"})

    assert keys(as_stored) == keys(as_printed) != set()


@pytest.mark.parametrize(
    ("facet", "value", "message"),
    [("decade", "soon", "expected a decade"), ("type", "poem", "unknown record type 'poem'")],
)
def test_a_value_that_no_facet_has_is_refused(
    search: Search, facet: str, value: str, message: str
) -> None:
    with pytest.raises(QueryError, match=message):
        search(surname="Green", filters={facet: value})


def test_filters_survive_the_way_through_json() -> None:
    query = query_from_json({"surname": "Green", "filters": {"type": ["census", "burial"]}})

    again = query_from_json(query_to_json(query))

    assert again.filters == query.filters == (("type", "census"), ("type", "burial"))


def test_values_are_told_in_words() -> None:
    assert facet_words("type", "census") == "Census"
    assert facet_words("town", "p:great burlow,norfolk,england") == "Great Burlow, Norfolk, England"
    assert facet_words("decade", "1850") == "1850s"
    assert facet_words("decade", "unknown") == "undated"
    assert facet_words("collection", "baptisms") == "baptisms"


def test_nothing_found_has_no_facets() -> None:
    none: tuple[Facet, ...] = merge_facets([])

    assert none == ()
