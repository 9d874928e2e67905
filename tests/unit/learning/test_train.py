"""Tests for `forebear.learning.train`: from what people attached to a model."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.judged_searches import ASKED, RECORDS, judged, shown

from forebear.errors import ModelError
from forebear.interactions.events import JudgedSearch, LoggedList, Source
from forebear.learning.calibrate import rescore
from forebear.learning.judged_lists import MIN_SEARCHES
from forebear.learning.logged_rankings import judge_model
from forebear.learning.train import METHODS, MIN_USED, Method, Training, train
from forebear.records.collections import RECORD_TYPES
from forebear.search.expansion.catalog import load_catalog
from forebear.search.model import MAX_BITS, UNITS_PER_BIT, Model, hand_set_model, model_from_json


def ndcg(model: Model, searches: Sequence[JudgedSearch]) -> float:
    return judge_model(model, searches, cutoff=10).means()["ndcg@10"]


@pytest.fixture(scope="module", params=METHODS)
def training(request: pytest.FixtureRequest) -> Training:
    return train(judged(), hand_set_model(), seed=1, method=request.param)


def test_a_type_with_enough_attachments_learns_and_the_others_do_not(training: Training) -> None:
    base = hand_set_model()

    assert training.learned == ("census",)
    assert set(training.unchanged) == set(RECORD_TYPES) - {"census"}
    assert training.model.weights["census"] != base.weights["census"]
    assert training.searches == 16


@pytest.mark.parametrize("method", METHODS)
def test_just_enough_attachments_are_enough(method: Method) -> None:
    searches = judged(few=MIN_SEARCHES)

    learned = train(searches, hand_set_model(), seed=1, method=method).learned

    assert learned == ("baptism", "census")


def test_weights_keep_the_sign_of_the_catalog(training: Training) -> None:
    """Of the records shown those of the wrong sex were right: that is not to be learned."""
    for rows in load_catalog().values():
        for row in rows:
            weight = training.model.weight(row.record_type, row.clause)
            assert weight * row.polarity >= 0, row.clause


def test_the_learned_model_ranks_unseen_searches_better(training: Training) -> None:
    unseen = judged(12, few=0, seed=9)

    assert ndcg(training.model, unseen) > ndcg(hand_set_model(), unseen)


def test_weights_and_shifts_are_on_the_grid(training: Training) -> None:
    model = training.model

    numbers = [
        *model.shifts.values(),
        *(bits for weights in model.weights.values() for bits in weights.values()),
    ]
    assert all(type(number) is int for number in numbers)
    assert all(abs(number) <= MAX_BITS * UNITS_PER_BIT for number in numbers)
    assert model.shifts.keys() == hand_set_model().shifts.keys()


def test_the_same_seed_gives_the_same_model(training: Training) -> None:
    method: Method = "map" if training.model.method == "map" else "paper"

    again = train(judged(), hand_set_model(), seed=1, method=method)

    assert again.model == training.model
    assert model_from_json(again.model.to_json()) == training.model


def test_a_model_says_how_it_was_learned(training: Training) -> None:
    other = train(judged(seed=4), hand_set_model(), seed=2).model

    assert training.model.seed == 1
    assert training.model.around == "hand-set"
    assert training.model.cutoff == "2026-11-18T00:00:15"
    assert len(training.model.data) == 12
    assert other.data != training.model.data
    assert other.seed == 2


def test_the_evidence_adds_up_to_what_was_attached() -> None:
    model = train(judged(few=16), hand_set_model(), seed=1).model

    expected = sum(
        float((1 / (1 + np.exp2(-(rescore(one, model) + shift) / UNITS_PER_BIT))).sum())
        for search in judged()
        for one in search.search.lists
        for shift in [model.shift(one.name, one.record_type)]
    )

    assert expected == pytest.approx(32, rel=0.02)


def test_rescoring_is_the_sum_of_the_weights_that_fired() -> None:
    listed, _ = shown("census", 0, np.random.default_rng(0))
    model = hand_set_model()

    scores = rescore(listed, model)

    weights = [model.weight("census", clause) for clause in ASKED]
    assert scores.tolist() == [
        sum(weight for weight, bit in zip(weights, row, strict=True) if bit) for row in listed.bits
    ]


def test_the_paper_does_not_use_what_orders_records_backwards() -> None:
    """Only contradictions fired, and on the records that were attached."""
    bits = np.zeros((RECORDS, len(ASKED)), np.bool_)
    bits[0, ASKED.index("birth.year.conflict")] = True
    searches = []
    for one in judged(8, few=0):
        census, baptism = one.search.lists
        logged = replace(one.search, lists=(replace(census, bits=bits), baptism))
        searches.append(replace(one, search=logged, attached=frozenset(census.records[:1])))

    training = train(searches, hand_set_model(), seed=1, method="paper")

    assert training.learned == ()
    assert training.model.weights == hand_set_model().weights


@pytest.mark.parametrize("method", METHODS)
def test_a_list_that_showed_nothing_teaches_nothing(method: Method) -> None:
    nothing = LoggedList(
        name="burial",
        record_type="burial",
        state="failed",
        clauses=(),
        records=(),
        scores=(),
        bits=np.zeros((0, 0), np.bool_),
    )
    searches = judged(6, few=0)
    failing = [
        replace(one, search=replace(one.search, lists=(*one.search.lists, nothing)))
        for one in searches
    ]

    without, beside = (
        train(chosen, hand_set_model(), seed=1, method=method) for chosen in (searches, failing)
    )

    assert beside.learned == without.learned == ("census",)
    assert beside.model.weights == without.model.weights
    for name in ("census", "baptism"):
        assert beside.model.shifts[name] == without.model.shifts[name]


@pytest.mark.parametrize("searches", [[], judged(3, few=0)])
def test_nothing_attached_is_nothing_to_learn_from(searches: list[JudgedSearch]) -> None:
    rejected = [replace(one, attached=frozenset(), rejected=one.attached) for one in searches]

    with pytest.raises(ModelError, match="nothing was attached yet") as refused:
        train(rejected, hand_set_model(), seed=1)
    assert refused.value.hint


@pytest.mark.parametrize("source", ["use", "vote"])
def test_what_was_judged_in_use_teaches_once_it_is_enough(source: Source) -> None:
    links = judged(6, few=0)
    used = [replace(one, search=replace(one.search, searcher="")) for one in in_use(50, source)]

    few, enough = (
        train([*links, *used[:count]], hand_set_model(), seed=1)
        for count in (MIN_USED - 1, MIN_USED)
    )

    assert (few.searches, few.left_out) == (6, MIN_USED - 1)
    assert (enough.searches, enough.left_out) == (6 + MIN_USED, 0)


def in_use(count: int, source: Source) -> list[JudgedSearch]:
    return judged(count, few=0, seed=8, source=source)


def test_few_searches_in_use_teach_nothing() -> None:
    with pytest.raises(ModelError, match="attached in 49 searches in use; they teach from 50 on"):
        train(in_use(49, "use"), hand_set_model(), seed=1)


@pytest.mark.parametrize(
    ("method", "steps"),
    [
        ("map", ["weights of 6 searches", "probabilities"]),
        ("paper", ["weights of census: 6 lists", "fusion of 6 searches", "probabilities"]),
    ],
)
def test_training_says_how_far_it_is(method: Method, steps: list[str]) -> None:
    messages: list[str] = []

    train(judged(6, few=0), hand_set_model(), seed=1, method=method, progress=messages.append)

    assert messages == steps
