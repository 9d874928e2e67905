"""Tests for `forebear_lab.learning.diversity`."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset
from forebear.learning.stochastic_search import FusedScores, NelderMead
from forebear_lab.evaluation.measures.entropy import nce
from forebear_lab.learning.diversity import (
    FusedLists,
    JointSearch,
    TradeOff,
    hypervolume,
    pareto_front,
    sweep_decays,
)

MakesFusion = Callable[..., FusionDataset]
offs = st.builds(TradeOff, ndcg=st.floats(0, 1), nce=st.floats(0, 1))


def test_ndcg_is_that_of_the_objective(planted_lists: MakesFusion) -> None:
    lists = planted_lists(1)
    shifts = np.array([0.1, -3.9, -1.2])

    trade_off = FusedLists(lists).trade_off(shifts)

    assert trade_off.ndcg == pytest.approx(FusedScores(lists).value(shifts), abs=1e-12)


def test_nce_is_that_of_the_fused_order() -> None:
    lists = FusionDataset.from_lists(
        ["a", "b"], [("q", {"a": ([4.0, 3.0], [1, 0]), "b": ([2.0, 1.0], [0, 0])})]
    )
    fused = FusedLists(lists, ideal="paper")

    assert fused.trade_off(np.zeros(2)).nce == pytest.approx(nce("AABB", type_count=2))
    assert fused.trade_off(np.array([0.0, 1.5])).nce == pytest.approx(nce("ABAB", type_count=2))


def test_a_great_decay_is_round_robin_and_as_varied_as_can_be(planted_lists: MakesFusion) -> None:
    lists = FusedLists(planted_lists(2))

    assert lists.trade_off(np.zeros(3), decay=1000.0).nce == pytest.approx(1.0)


def test_more_decay_is_more_varied(planted_lists: MakesFusion) -> None:
    trade_offs = sweep_decays(FusedLists(planted_lists(3)), np.zeros(3), [0.0, 0.1, 0.5, 2.0])

    varied = [one.nce for one in trade_offs]
    assert varied == sorted(varied)
    assert [one.decay for one in trade_offs] == [0.0, 0.1, 0.5, 2.0]


@given(st.lists(offs, max_size=12))
def test_nothing_beats_the_front_and_the_front_beats_all_else(trade_offs: list[TradeOff]) -> None:
    front = pareto_front(trade_offs)

    assert set(front) <= set(trade_offs)
    assert not any(other.beats(one) for one in front for other in trade_offs)
    assert all(one in front or any(best.beats(one) for best in front) for one in trade_offs)


@given(st.lists(offs, min_size=1, max_size=8), offs)
def test_the_area_never_shrinks_by_one_more(trade_offs: list[TradeOff], more: TradeOff) -> None:
    assert hypervolume([*trade_offs, more]) >= hypervolume(trade_offs) - 1e-9


def test_a_weight_for_nce_buys_variety_at_the_cost_of_relevance(
    planted_lists: MakesFusion,
) -> None:
    train = planted_lists(4, queries=40)
    start = np.array([0.0, -4.0, -1.0])
    simplex = NelderMead(step=0.5, stagnation=15)

    weights, history = JointSearch(weight=2.0, simplex=simplex).fit(train, start=start)

    lists = FusedLists(train)
    before, after = lists.trade_off(start), lists.trade_off(weights.array(train.list_names))
    assert after.nce > before.nce
    assert after.ndcg + 2 * after.nce == pytest.approx(history.last.train, abs=1e-9)


def test_a_negative_weight_for_nce_is_refused(planted_lists: MakesFusion) -> None:
    with pytest.raises(InputError, match="the weight of NCE is -1"):
        JointSearch(weight=-1).fit(planted_lists(1, queries=2), start=np.zeros(3))
