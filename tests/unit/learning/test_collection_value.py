"""Tests for `forebear.learning.collection_value` and `forebear.learning.trial`."""

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch, LoggedList, LoggedSearch
from forebear.learning.collection_value import value_collections
from forebear.learning.trial import judge_model
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


def test_leaving_out_the_only_finds_loses_everything() -> None:
    searches = [
        judged("s1", {"c1881:1"}, shown("census", {"c1881:1": 1, "c1891:1": 0})),
        judged("s2", {"c1881:2"}, shown("census", {"c1881:2": 1, "c1891:2": 0})),
    ]

    values = value_collections(searches, ["c1881", "c1891", "empty"], MODEL)

    assert (values.searches, values.finds, values.ndcg) == (2, 2, 1.0)
    best, *others = values.collections
    assert (best.collection, best.finds, best.bereft) == ("c1881", 2, 2)
    assert best.ndcg_lost == pytest.approx(1.0)
    assert {each.collection for each in others} == {"c1891", "empty"}
    assert [(each.finds, each.bereft, each.ndcg_lost) for each in others] == [(0, 0, 0.0)] * 2


def test_leaving_out_what_stands_in_the_way_is_a_gain() -> None:
    searches = [judged("s1", {"good:1"}, shown("census", {"bad:1": 1, "good:1": 0}))]

    values = value_collections(searches, ["bad", "good"], MODEL)

    by_name = {each.collection: each for each in values.collections}
    assert by_name["bad"].ndcg_lost == pytest.approx(1 / np.log2(3) - 1)
    assert by_name["good"].ndcg_lost == pytest.approx(1 / np.log2(3))


def test_leaving_out_a_whole_type_loses_variety() -> None:
    lists = shown("census", {"c:1": 1, "c:2": 0}), shown("burial", {"b:1": 1, "b:2": 0})

    values = value_collections([judged("s1", {"c:1"}, *lists)], ["c", "b"], MODEL)

    lost = {each.collection: each.nce_lost for each in values.collections}
    assert lost["b"] == lost["c"] == pytest.approx(values.nce)


def test_leaving_out_everything_leaves_nothing() -> None:
    values = value_collections([judged("s1", {"c:1"}, shown("census", {"c:1": 1}))], ["c"], MODEL)

    assert values.collections[0].ndcg_lost == values.ndcg == 1.0


def test_without_attachments_no_collection_has_a_value() -> None:
    with pytest.raises(InputError, match="nothing was attached"):
        value_collections([judged("s1", set(), shown("census", {"c:1": 1}))], ["c"], MODEL)


def test_a_model_is_judged_with_its_slopes_and_conditions() -> None:
    lists = shown("census", {"c:1": 1}), shown("burial", {"b:1": 1})
    search = judged("s1", {"b:1"}, *lists, query='{"surname": "Brown"}')
    steep = Model(name="m", weights=MODEL.weights, shifts=MODEL.shifts, slopes={"burial": 128})
    known = Model(
        name="m",
        weights=MODEL.weights,
        shifts=MODEL.shifts,
        conditions={"burial": {"surname": 16, "given": -999}},
    )

    means = [judge_model(m, [search], cutoff=10).means()["ndcg@10"] for m in (MODEL, steep, known)]

    assert means == pytest.approx([1 / np.log2(3), 1.0, 1.0])
