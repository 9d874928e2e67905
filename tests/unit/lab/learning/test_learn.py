"""Tests for `forebear_lab.learning.learn`."""

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from forebear.errors import InputError, ModelError
from forebear.learning.calibrate import FactTable
from forebear.learning.coordinate_ascent import CoordinateAscent, mean_ndcg, ndcg_of_scores
from forebear.learning.dataset import (
    FusionDataset,
    RankingDataset,
    TrainingHistory,
    TrainingStep,
    join_histories,
)
from forebear_lab.learning.ascent import ExactAscent
from forebear_lab.learning.diversity import FusedLists
from forebear_lab.learning.learn import (
    METHODS,
    FusionLearner,
    FusionMethod,
    WeightLearner,
    fit_restarts,
    step_onto_grid,
)
from forebear_lab.learning.models import (
    LinearModel,
    fusion_model_from_json,
    fusion_model_to_json,
    linear_model_from_json,
)

MakesRanking = Callable[..., RankingDataset]
MakesFusion = Callable[..., FusionDataset]


def positive(lists: FusionDataset) -> FusionDataset:
    return replace(lists, scores=np.exp2(lists.scores))


@pytest.mark.parametrize("learner", [CoordinateAscent(seed=0), ExactAscent(seed=0)])
def test_of_several_seeds_the_best_on_the_validation_queries_is_kept(
    planted_features: MakesRanking, learner: CoordinateAscent | ExactAscent
) -> None:
    train, validation = planted_features(1, queries=10), planted_features(2)
    random = replace(learner, start="random")

    best, history = fit_restarts(random, (1, 2, 3), train, validation=validation)

    alone = [
        replace(random, seed=seed).fit(train, validation=validation)[0].values for seed in (1, 2, 3)
    ]
    assert mean_ndcg(validation, best.values) == max(mean_ndcg(validation, one) for one in alone)
    assert {step.move.split(":")[0] for step in history.steps} == {"seed 1", "seed 2", "seed 3"}


def test_no_seed_is_no_training(planted_features: MakesRanking) -> None:
    with pytest.raises(InputError, match="no seed"):
        fit_restarts(ExactAscent(seed=1), (), planted_features(1))


def test_joined_histories_count_on() -> None:
    step = TrainingStep(move="pass 1", train=0.5, evaluations=10, seconds=1.0)
    one = TrainingHistory(steps=(step, replace(step, evaluations=20)), ended="tolerance")

    joined = join_histories([("", one), ("b", replace(one, ended="validation"))])

    assert [step.evaluations for step in joined.steps] == [10, 20, 30, 40]
    assert [step.move for step in joined.steps][2] == "b: pass 1"
    assert joined.ended == "validation"


def test_the_step_onto_the_grid_tells_what_it_cost(planted_features: MakesRanking) -> None:
    data = planted_features(3)
    weights = ExactAscent(seed=1).fit(data)[0].values

    grid = step_onto_grid(data, weights)

    assert grid is not None
    assert (grid.bits * 64 == np.round(grid.bits * 64)).all()
    assert grid.after == ndcg_of_scores(data, data.features @ grid.bits)
    assert grid.cost == pytest.approx(mean_ndcg(data, weights) - grid.after, abs=1e-9)
    chances = 1 / (1 + np.exp2(-(data.features @ grid.bits + grid.level)))
    assert chances.sum() == pytest.approx(data.labels.sum(), rel=0.05)


def test_weights_that_rank_backwards_have_no_bits(planted_features: MakesRanking) -> None:
    data = planted_features(4)

    assert step_onto_grid(data, np.array([-3.0, -2, -1, 2, 0, 0, 1, 0])) is None


@pytest.mark.parametrize("method", ["exact", "ranklib"])
def test_a_model_of_weights_tells_how_it_was_learned(
    planted_features: MakesRanking, method: str
) -> None:
    data = planted_features(5)

    model, history = WeightLearner(method=method, start="ridge").fit(data)  # type: ignore[arg-type]

    value = json.loads(model.to_json())
    assert value["train"] == pytest.approx(mean_ndcg(data, model.values()))
    assert value["evaluations"] == history.last.evaluations
    assert len(value["history"]) == len(history.steps)
    assert set(value["bits"]) == set(data.feature_names)
    assert linear_model_from_json(model.to_json(), where="m") == model


def test_a_model_of_weights_goes_to_ranklib_by_number() -> None:
    model = LinearModel(weights={"1": 0.5, "2": -0.25}, notes={"method": "exact"})

    exported = model.to_ranklib()

    assert exported.learner == "Coordinate Ascent"
    assert dict(exported.weights) == {1: 0.5, 2: -0.25}
    with pytest.raises(InputError, match="by number, not by name"):
        LinearModel(weights={"self.surname": 1.0}).to_ranklib()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"kind": "fusion", "weights": {}}'])
def test_what_is_no_model_of_weights_is_refused_by_name(text: str) -> None:
    with pytest.raises(ModelError, match=r"m\.json"):
        linear_model_from_json(text, where="m.json")


@pytest.mark.parametrize("scale", ["weights", "bits"])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_fuses_unseen_queries_better_than_raw_scores(
    planted_lists: MakesFusion, method: FusionMethod, scale: str
) -> None:
    train, test = planted_lists(1, slope=2.0), planted_lists(2, slope=2.0)
    if scale == "weights":
        train, test = positive(train), positive(test)
    raw = FusionLearner(method=method, scale=scale)  # type: ignore[arg-type]

    model, history = raw.fit(train)

    flat = {name: replace(one, shift=0.0, calibration=None) for name, one in model.lists.items()}
    assert model.value(test) > replace(model, lists=flat).value(test) + 0.05
    assert model.notes["train"] == pytest.approx(history.last.train, abs=0.002)
    again = fusion_model_from_json(fusion_model_to_json(model), where="m")
    assert again.value(test) == model.value(test)


def test_shifted_bits_end_on_the_grid_and_tell_what_it_cost(planted_lists: MakesFusion) -> None:
    lists = planted_lists(3)

    model, history = FusionLearner(method="exact", scale="bits", slopes=False).fit(lists)

    shifts = np.array([one.shift for one in model.lists.values()])
    assert (shifts * 64 == np.round(shifts * 64)).all()
    cost = history.last.train - model.value(lists)
    assert model.notes["grid_cost"] == pytest.approx(cost, abs=1e-9)


def test_slopes_help_where_lists_have_unlike_ones(planted_lists: MakesFusion) -> None:
    train, test = planted_lists(4, slope=4.0), planted_lists(5, slope=4.0)
    with_slopes, without = (
        FusionLearner(method="exact", scale="bits", slopes=slopes).fit(train)[0].value(test)
        for slopes in (True, False)
    )

    assert with_slopes > without + 0.02


@pytest.mark.parametrize("method", ["exact", "calibrated"])
def test_facts_are_learned_where_there_are_any(
    planted_lists: MakesFusion, method: FusionMethod
) -> None:
    lists = planted_lists(6)
    facts = FactTable(names=("x",), values=np.arange(150)[:, None] % 2 == 0)
    lowered = np.repeat(facts.values[:, 0], 60) & (lists.lists_of_records() == 2)
    lists = replace(lists, scores=lists.scores - 6.0 * lowered)

    model, _ = FusionLearner(method=method, scale="bits").fit(lists, facts)

    assert model.lists["census"].conditions["x"] > 2.0
    assert model.value(lists, facts) > model.value(lists) + 0.02


def test_what_nce_counts_buys_variety(planted_lists: MakesFusion) -> None:
    lists = planted_lists(7, queries=30)

    def variety(diversity: float) -> float:
        learner = FusionLearner(method="calibrated", scale="bits", diversity=diversity)
        model, history = learner.fit(lists)
        assert any("joint" in step.move for step in history.steps) == bool(diversity)
        return FusedLists(model.prepare(lists)).trade_off(model.rows(lists)).nce

    assert variety(3.0) > variety(0.0)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (FusionLearner(method="ss"), "learns nothing from facts"),
        (FusionLearner(method="calibrated", calibration="isotonic"), "no place for facts"),
        (FusionLearner(diversity=0.5), "without facts"),
    ],
)
def test_facts_that_a_method_cannot_use_are_refused(
    planted_lists: MakesFusion, learner: FusionLearner, message: str
) -> None:
    facts = FactTable(names=("x",), values=np.ones((5, 1), np.bool_))

    with pytest.raises(InputError, match=message):
        learner.fit(planted_lists(1, queries=5), facts)


def test_positive_scores_are_required_where_weights_multiply(planted_lists: MakesFusion) -> None:
    with pytest.raises(InputError, match="scores above 0"):
        FusionLearner(method="exact", scale="weights").fit(planted_lists(1, queries=5))
