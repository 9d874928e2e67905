"""Tests for `forebear.learning.map_training`."""

from dataclasses import replace

import numpy as np
import pytest
from tests.judged_searches import ASKED, judged

from forebear.interactions.events import JudgedSearch
from forebear.learning.learned import scored_model
from forebear.learning.map_training import SHIFT_REACH, learn_map
from forebear.learning.unattached_lists import move_of_unattached, unattached_types
from forebear.search.expansion.catalog import load_catalog
from forebear.search.model import UNITS_PER_BIT, default_model

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
