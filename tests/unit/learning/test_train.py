"""Tests for `forebear.learning.train`: from what people attached to a model."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from forebear.errors import ModelError
from forebear.interactions.events import JudgedSearch, LoggedList, LoggedSearch
from forebear.learning.calibrate import rescore
from forebear.learning.train import MIN_SEARCHES, Training, train
from forebear.learning.trial import judge_model
from forebear.records.collections import RECORD_TYPES
from forebear.search.expansion.catalog import load_catalog
from forebear.search.model import MAX_BITS, UNITS_PER_BIT, Model, hand_set_model

# The right record says most by its birth year and given name; the sex misleads.
ASKED = (
    *("self.surname.exact", "self.given.exact", "self.given.conflict"),
    *("self.sex.match", "birth.year.exact", "birth.year.conflict"),
)
TRUTH = np.array([0.5, 2.0, -2.0, -1.5, 3.0, -3.0])
RECORDS = 15


def shown(record_type: str, search: int, random: np.random.Generator) -> tuple[LoggedList, str]:
    """Return a list, and the record in it that is the right one."""
    bits = random.random((RECORDS, len(ASKED))) < 0.4
    records = tuple(f"{record_type}:{search}-{number}" for number in range(RECORDS))
    listed = LoggedList(
        name=record_type,
        record_type=record_type,
        state="complete",
        clauses=ASKED,
        records=records,
        scores=(0,) * RECORDS,
        bits=bits,
    )
    return listed, records[int(np.argmax(bits @ TRUTH))]


def judged(count: int = 16, *, few: int = MIN_SEARCHES - 1, seed: int = 3) -> list[JudgedSearch]:
    """Return searches that attached a census each, and a few of them a baptism."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(count):
        census, right_census = shown("census", number, random)
        baptism, right_baptism = shown("baptism", number, random)
        attached = {right_census, *([right_baptism] if number < few else [])}
        search = LoggedSearch(
            id=f"s{number}",
            at="",
            query="{}",
            model="hand-set",
            viewer="owner",
            shown=(*census.records, *baptism.records),
            lists=(census, baptism),
        )
        found.append(
            JudgedSearch(search=search, attached=frozenset(attached), rejected=frozenset())
        )
    return found


def ndcg(model: Model, searches: Sequence[JudgedSearch]) -> float:
    return judge_model(model, searches, cutoff=10).means()["ndcg@10"]


@pytest.fixture(scope="module")
def training() -> Training:
    return train(judged(), hand_set_model(), seed=1)


def test_a_type_with_enough_attachments_learns_and_the_others_keep_their_weights(
    training: Training,
) -> None:
    base = hand_set_model()

    assert training.learned == ("census",)
    assert set(training.unchanged) == set(RECORD_TYPES) - {"census"}
    for record_type in training.unchanged:
        assert training.model.weights[record_type] == base.weights[record_type]
    assert training.model.weights["census"] != base.weights["census"]
    assert training.searches == 16


def test_just_enough_attachments_are_enough() -> None:
    learned = train(judged(few=MIN_SEARCHES), hand_set_model(), seed=1).learned

    assert learned == ("baptism", "census")


def test_weights_keep_the_sign_of_the_catalog(training: Training) -> None:
    """Of the records shown those of the wrong sex were right: that is not to be learned."""
    for rows in load_catalog().values():
        for row in rows:
            weight = training.model.weight(row.record_type, row.clause)
            assert weight * row.polarity >= 0, row.clause


def test_a_clause_that_never_fired_keeps_its_weight(training: Training) -> None:
    base = hand_set_model()

    for row in load_catalog()["census"]:
        if row.clause not in ASKED:
            assert training.model.weight("census", row.clause) == base.weight("census", row.clause)


def test_what_told_the_right_records_apart_weighs_more_than_what_misled(
    training: Training,
) -> None:
    model, base = training.model, hand_set_model()

    moved = {name: model.weight("census", name) - base.weight("census", name) for name in ASKED}

    assert moved["birth.year.exact"] > 0
    assert moved["self.sex.match"] <= 0


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
    again = train(judged(), hand_set_model(), seed=1)

    assert again.model == training.model
    assert again.model.to_json() == training.model.to_json()


def test_a_model_says_what_it_was_learned_from(training: Training) -> None:
    other = train(judged(seed=4), hand_set_model(), seed=2).model

    assert training.model.seed == 1
    assert len(training.model.data) == 12
    assert other.data != training.model.data
    assert other.seed == 2


def test_the_probabilities_add_up_to_what_was_attached(training: Training) -> None:
    model = training.model

    expected = sum(
        float((1 / (1 + np.exp2(-(rescore(each, model) + shift) / UNITS_PER_BIT))).sum())
        for search in judged()
        for each in search.search.lists
        for shift in [model.shift(each.name, each.record_type)]
    )

    attached = sum(len(search.attached) for search in judged())
    assert expected == pytest.approx(attached, rel=0.03)


def test_rescoring_is_the_sum_of_the_weights_that_fired() -> None:
    listed, _ = shown("census", 0, np.random.default_rng(0))
    model = hand_set_model()

    found = rescore(listed, model)

    weights = [model.weight("census", clause) for clause in ASKED]
    assert found.tolist() == [
        sum(weight for weight, bit in zip(weights, row, strict=True) if bit) for row in listed.bits
    ]


def test_what_orders_records_backwards_is_not_used() -> None:
    """Only contradictions fired, and on the records that were attached."""
    bits = np.zeros((RECORDS, len(ASKED)), np.bool_)
    bits[0, ASKED.index("birth.year.conflict")] = True
    searches = []
    for each in judged(8, few=0):
        census, baptism = each.search.lists
        logged = replace(each.search, lists=(replace(census, bits=bits), baptism))
        searches.append(replace(each, search=logged, attached=frozenset(census.records[:1])))

    training = train(searches, hand_set_model(), seed=1)

    assert training.learned == ()
    assert training.model.weights == hand_set_model().weights


def test_a_list_that_showed_nothing_teaches_nothing() -> None:
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
        replace(each, search=replace(each.search, lists=(*each.search.lists, nothing)))
        for each in searches
    ]

    without, beside = (train(each, hand_set_model(), seed=1) for each in (searches, failing))

    assert beside.learned == without.learned == ("census",)
    assert beside.model.weights == without.model.weights
    for name in ("census", "baptism"):
        assert beside.model.shifts[name] == without.model.shifts[name]


@pytest.mark.parametrize("searches", [[], judged(3, few=0)])
def test_nothing_attached_is_nothing_to_learn_from(searches: list[JudgedSearch]) -> None:
    rejected = [
        JudgedSearch(search=each.search, attached=frozenset(), rejected=each.attached)
        for each in searches
    ]

    with pytest.raises(ModelError, match="nothing was attached yet") as refused:
        train(rejected, hand_set_model(), seed=1)
    assert refused.value.hint


def test_training_tells_how_far_it_is() -> None:
    told: list[str] = []

    train(judged(6, few=0), hand_set_model(), seed=1, progress=told.append)

    assert told == ["weights of census: 6 lists", "fusion of 6 searches", "probabilities"]
