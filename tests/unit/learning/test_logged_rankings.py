"""Tests for `forebear.learning.logged_rankings`."""

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch, LoggedList, LoggedSearch
from forebear.learning.logged_rankings import judge_model, measure_rankings, rank_search
from forebear.search.model import Model

WEIGHT = 64
MODEL = Model(
    name="m", weights={"census": {"a": WEIGHT}, "burial": {"a": WEIGHT}}, shifts={"burial": -8}
)


def shown(name: str, records: dict[str, int]) -> LoggedList:
    return LoggedList(
        name=name,
        record_type=name,
        state="complete",
        clauses=("a",),
        records=tuple(records),
        scores=tuple(WEIGHT * fires for fires in records.values()),
        bits=np.array(list(records.values()), dtype=np.bool_).reshape(-1, 1),
    )


def judged(id_: str, attached: set[str], *lists: LoggedList, query: str = "{}") -> JudgedSearch:
    search = LoggedSearch(
        id=id_, at="", query=query, model="m", viewer="owner", shown=(), lists=lists
    )
    return JudgedSearch(search=search, attached=frozenset(attached), rejected=frozenset())


def test_a_model_is_judged_with_its_slopes_and_conditions() -> None:
    lists = shown("census", {"c:1": 1}), shown("burial", {"b:1": 1})
    search = judged("s1", {"b:1"}, *lists, query='{"surname": "Brown"}')
    steep = Model(name="m", weights=MODEL.weights, shifts=MODEL.shifts, slopes={"burial": 128})
    model = Model(
        name="m",
        weights=MODEL.weights,
        shifts=MODEL.shifts,
        conditions={"burial": {"surname": 16, "given": -999}},
    )

    means = [judge_model(m, [search], cutoff=10).means()["ndcg@10"] for m in (MODEL, steep, model)]

    assert means == pytest.approx([1 / np.log2(3), 1.0, 1.0])


def test_the_records_of_all_lists_are_in_one_order() -> None:
    lists = shown("census", {"c:1": 1, "c:2": 0}), shown("burial", {"b:1": 1})

    ranking = rank_search(MODEL, judged("s1", {"b:1"}, *lists))

    assert ranking.records == ("c:1", "b:1", "c:2")
    assert ranking.lists == ("census", "burial", "census")


def test_attached_records_of_other_types_take_no_place() -> None:
    lists = shown("census", {"c:1": 1, "c:2": 1}), shown("burial", {"b:1": 1})

    measures = judge_model(MODEL, [judged("s1", {"c:1", "c:2", "b:1"}, *lists)])

    assert measures.success(1) == {"s1": 1.0}
    assert measures.success(1, "burial") == {"s1": 1.0}
    assert measures.success(10, "baptism") == {}


def test_an_attached_record_that_no_list_has_is_not_retrieved() -> None:
    measures = judge_model(MODEL, [judged("s1", {"c:9"}, shown("census", {"c:1": 1}))])

    assert measures.success(10) == {"s1": 0.0}
    assert measures.ndcg == {"s1": 0.0}


def test_a_search_counts_by_its_weight() -> None:
    right, wrong = (
        judged(name, {name}, shown("census", {"c:1": 1, "c:0": 0})) for name in ("c:1", "c:0")
    )

    means = judge_model(MODEL, [right, wrong], weights=np.array([3.0, 1.0])).means()

    assert means["success@1"] == pytest.approx(0.75)


def test_without_an_attachment_there_is_nothing_to_measure() -> None:
    with pytest.raises(InputError, match="no search has an attached record"):
        measure_rankings([])
