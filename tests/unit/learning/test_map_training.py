"""Tests for `forebear.learning.map_training`."""

from dataclasses import replace

import numpy as np
import pytest
from tests.judged_searches import ASKED, judged

from forebear.interactions.events import JudgedSearch
from forebear.learning.judged_lists import scored_model
from forebear.learning.logged_rankings import rank_search
from forebear.learning.map_training import (
    CHOICES,
    MIN_REJECTING,
    REJECTED,
    SHIFT_REACH,
    choose_rejected,
    learn_map,
    move_of_unattached,
    unattached_types,
)
from forebear.search.expansion.catalog import load_catalog
from forebear.search.model import UNITS_PER_BIT, Model, default_model

BASE = default_model()
SPOUSE = '{"surname": "Brown", "relatives": [{"kind": "spouse", "given": "Ann"}]}'


def moved(searches: list[JudgedSearch], clause: str, record_type: str = "census") -> int:
    return learn_map(searches, BASE).weights[record_type][clause] - BASE.weight(record_type, clause)


def test_what_distinguishes_right_records_weighs_more_than_what_misleads() -> None:
    searches = judged(40, few=0)

    assert moved(searches, "birth.year.exact") > 0
    assert moved(searches, "self.sex.match") < 0


def test_a_clause_that_never_fired_keeps_its_weight() -> None:
    learned = learn_map(judged(few=0), BASE)

    for row in load_catalog()["census"]:
        if row.clause not in ASKED:
            assert learned.weights["census"][row.clause] == BASE.weight("census", row.clause)


def test_a_type_whose_lists_are_left_out_takes_over_what_the_others_learned() -> None:
    searches = judged(40, few=0)
    census = moved(searches, "birth.year.exact")

    for record_type in ("baptism", "burial"):
        assert 0 < moved(searches, "birth.year.exact", record_type) < census


def test_searches_that_attach_one_type_do_not_move_it_against_the_others() -> None:
    searches = judged(40, few=0)
    learned = learn_map(searches, BASE)

    moves = {name: learned.shifts[name] - BASE.shifts[name] for name in BASE.shifts}
    census = moves.pop("census")
    assert len(set(moves.values())) == 1  # nothing was attached of any other type
    assert moves["baptism"] > census  # censuses that are right stand out more than before
    # Baptisms stand above attached censuses as often as before.
    after = scored_model(BASE, learned)
    assert move_of_unattached(searches, unattached_types(searches), BASE, after) == 0


def test_a_type_with_few_attachments_moves_as_the_learned_ones() -> None:
    learned = learn_map(judged(40, few=1), BASE)

    moves = {name: learned.shifts[name] - BASE.shifts[name] for name in ("census", "baptism")}
    assert abs(moves["census"] - moves["baptism"]) <= 1


def test_a_fact_says_nothing_of_a_list_that_is_compared_with_no_other() -> None:
    """Only censuses were attached, and only people with a spouse are in them."""
    having, lacking = judged(30, few=0, query=SPOUSE), judged(30, few=0, seed=4)
    nothing = [replace(one, attached=frozenset()) for one in lacking[5:]]

    learned = learn_map([*having, *lacking[:5], *nothing], BASE)

    assert not any(learned.conditions.values())


def test_a_list_that_is_right_more_often_moves_up() -> None:
    searches = judged(60, few=12)

    learned = learn_map(searches, BASE)

    difference = learned.shifts["census"] - learned.shifts["baptism"]
    assert difference > BASE.shifts["census"] - BASE.shifts["baptism"]


def test_a_rejected_record_counts_as_several_wrong_ones() -> None:
    searches = judged(30, few=0)
    rejecting = []
    for one in searches:
        census = one.search.lists[0]
        column = census.clauses.index("self.given.exact")
        wrong = {
            record
            for record, bits in zip(census.records, census.bits, strict=True)
            if bits[column] and record not in one.attached
        }
        rejecting.append(replace(one, rejected=frozenset(wrong)))

    before, after = (moved(chosen, "self.given.exact") for chosen in (searches, rejecting))

    assert after < before


def test_a_fact_that_enough_searches_have_and_lack_moves_the_list() -> None:
    # Baptisms are right only for people with a spouse.
    having, lacking = judged(30, few=30, query=SPOUSE), judged(30, few=0, seed=4)

    learned = learn_map([*having, *lacking], BASE)

    baptism, census = learned.conditions["baptism"], learned.conditions["census"]
    assert set(baptism) == set(census) == {"spouse"}
    assert baptism["spouse"] - census["spouse"] > UNITS_PER_BIT // 2


def test_a_query_that_can_no_longer_be_read_has_no_facts() -> None:
    having, unreadable = judged(30, few=30, query=SPOUSE), judged(30, seed=4, query='{"surnam": 1}')

    learned = learn_map([*having, *unreadable], BASE)

    # All of the others have a surname and a spouse.
    assert set(learned.conditions["census"]) <= {"spouse", "surname"}


@pytest.mark.parametrize("lacking", [0, 9])
def test_a_fact_that_few_searches_lack_makes_no_condition(lacking: int) -> None:
    searches = [*judged(30, few=30, query=SPOUSE), *judged(lacking, few=9, seed=4)]

    assert not any(learn_map(searches, BASE).conditions.values())


def test_a_shift_that_went_as_far_as_it_may_is_named() -> None:
    # Whatever fires, all of the baptisms are right and none of the censuses.
    searches = [
        replace(one, attached=frozenset([*one.search.lists[1].records, *census]))
        for one in judged(300)
        for census in [one.search.lists[0].records[:1] if one.search.id.endswith("1") else ()]
    ]

    learned = learn_map(searches, BASE)

    assert learned.at_bound == ("baptism", "census")
    difference = learned.shifts["baptism"] - learned.shifts["census"]
    started = BASE.shifts["baptism"] - BASE.shifts["census"]
    assert difference - started == pytest.approx(2 * SHIFT_REACH * UNITS_PER_BIT, abs=2)


def test_too_few_attachments_leave_the_model_as_it_is() -> None:
    learned = learn_map(judged(3, few=0), BASE)

    assert learned.types == ()
    assert learned.weights == BASE.weights
    assert learned.shifts == BASE.shifts


def test_what_a_searcher_judged_counts_for_a_twentieth() -> None:
    """Ten searches of one searcher beside those of the owner, with opposite attachments."""
    searches = judged(40, few=0)
    against = []
    for one in judged(60, few=0, seed=7, source="use"):
        census = one.search.lists[0]
        column = census.clauses.index("birth.year.exact")
        wrong = census.records[int(np.argmin(census.bits[:, column]))]
        searcher = replace(one.search, searcher="u1")
        against.append(replace(one, search=searcher, attached=frozenset({wrong})))
    unlimited = [replace(one, sources=frozenset({"link"})) for one in against]

    limited, all_counted, without = (
        moved([*searches, *more], "birth.year.exact") for more in (against, unlimited, [])
    )

    assert all_counted < limited - 20
    assert limited > without - 20


def rejecting(count: int, *, helpful: bool) -> list[JudgedSearch]:
    """Return searches that rejected what is ranked above the right record, or what fits."""
    searches = []
    for both in judged(count, few=0):
        census = both.search.lists[0]
        # Baptisms, of which none is right, would only add luck.
        one = replace(both, search=replace(both.search, lists=(census,)))
        right = next(iter(one.attached))
        if helpful:
            order = rank_search(BASE, one).records
            wrong = order[: order.index(right)]
        else:
            fired = census.bits[:, census.clauses.index("birth.year.exact")]
            wrong = tuple(np.array(census.records)[fired].tolist())
        searches.append(replace(one, rejected=frozenset(wrong) - one.attached))
    return searches


def test_rejections_that_mislead_count_for_less() -> None:
    chosen = choose_rejected(rejecting(MIN_REJECTING, helpful=False), BASE, seed=1)

    assert chosen == min(CHOICES)


def test_rejections_that_lead_count_for_more_than_one() -> None:
    chosen = choose_rejected(rejecting(MIN_REJECTING, helpful=True), BASE, seed=1)

    assert chosen >= REJECTED


@pytest.mark.parametrize(
    "searches",
    [rejecting(MIN_REJECTING - 1, helpful=False), judged(MIN_REJECTING, few=0)],
    ids=["few searches", "nothing rejected"],
)
def test_too_few_searches_choose_nothing(searches: list[JudgedSearch]) -> None:
    assert choose_rejected(searches, BASE, seed=1) == REJECTED


def test_judgments_in_use_choose_nothing() -> None:
    used = [
        replace(one, sources=frozenset({"use"})) for one in rejecting(MIN_REJECTING, helpful=False)
    ]

    assert choose_rejected(used, BASE, seed=1) == REJECTED


def stronger(factor: float) -> Model:
    """Return a model in which what agrees in a census says more than in `default`, or less."""
    weights = BASE.weights["census"].items()
    census = {name: round(factor * units) if units > 0 else units for name, units in weights}
    return replace(BASE, weights={**BASE.weights, "census": census})


def reversals(searches: list[JudgedSearch], model: Model) -> int:
    """Return how often a baptism stands above an attached census."""
    count = 0
    for search in searches:
        ranked = rank_search(model, search)
        above = 0
        for record, name in zip(ranked.records, ranked.lists, strict=True):
            above += name == "baptism"
            count += above if record in search.attached else 0
    return count


@pytest.fixture
def searches() -> list[JudgedSearch]:
    return judged(60, few=0)


def test_a_type_without_attachments_is_named(searches: list[JudgedSearch]) -> None:
    assert "census" not in unattached_types(searches)
    assert {"baptism", "burial"} <= unattached_types(searches)  # also of what was never shown
    assert "baptism" not in unattached_types(judged(60, few=1))


def test_a_model_that_changes_nothing_moves_nothing(searches: list[JudgedSearch]) -> None:
    assert move_of_unattached(searches, unattached_types(searches), BASE, BASE) == 0


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_attached_records_are_passed_as_often_as_before(
    searches: list[JudgedSearch], factor: float
) -> None:
    after = stronger(factor)
    move = move_of_unattached(searches, unattached_types(searches), BASE, after)
    moved = replace(after, shifts={**after.shifts, "baptism": after.shifts["baptism"] + move})

    before = reversals(searches, BASE)
    assert abs(reversals(searches, moved) - before) <= 0.02 * before
    assert abs(reversals(searches, after) - before) > 0.1 * before
    assert (move > 0) == (factor > 1)


def test_one_searcher_moves_nothing_alone(searches: list[JudgedSearch]) -> None:
    of_one = [replace(one, search=replace(one.search, searcher="u1")) for one in searches]
    of_one = [replace(one, sources=frozenset({"use"})) for one in of_one]

    assert move_of_unattached(of_one, unattached_types(of_one), BASE, stronger(2.0)) == 0


def test_lists_of_attached_types_alone_move_nothing(searches: list[JudgedSearch]) -> None:
    alone = [
        replace(one, search=replace(one.search, lists=one.search.lists[:1])) for one in searches
    ]

    assert move_of_unattached(alone, unattached_types(alone), BASE, stronger(2.0)) == 0
