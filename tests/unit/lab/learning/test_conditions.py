"""Tests for `forebear_lab.learning.conditions` and `forebear.learning.calibrate`."""

from pathlib import Path

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.calibrate import QueryFacts, read_facts
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusedScores, FusionWeights
from forebear_lab.learning.conditions import ConditionedFusion, ConditionedWeights

NONE = ConditionedWeights(shifts=FusionWeights(shifts={"marriage": 0.0, "census": 0.0}))
NAMES = ("marriage", "census")


def planted(seed: int, queries: int = 200) -> tuple[FusionDataset, QueryFacts]:
    """Make lists of which marriage is right with a spouse in the query, and census without."""
    random = np.random.default_rng(seed)
    facts = np.column_stack([random.random(queries) < 0.5, random.random(queries) < 0.5])
    rows = []
    for number in range(queries):
        right = "marriage" if facts[number, 0] else "census"
        lists = {}
        for name in NAMES:
            labels = (random.random(10) < (0.2 if name == right else 0.02)).astype(int)
            lists[name] = (labels + random.normal(size=10), labels)
        rows.append((f"q{number}", lists))
    names = ("spouse", "noise")
    return FusionDataset.from_lists(NAMES, rows), QueryFacts(names=names, values=facts)


def test_a_fact_moves_the_lists_for_which_it_speaks() -> None:
    lists, facts = planted(1)

    found, history = ConditionedFusion(seed=1).fit(lists, facts, start=NONE)

    moved = {name: found.conditions[name]["spouse"] for name in NAMES}
    assert moved["marriage"] - moved["census"] > 1.0
    assert abs(found.conditions["marriage"]["noise"]) < 0.5
    assert history.last.train > history.steps[0].train + 0.05


def test_conditions_help_on_unseen_queries_and_the_history_tells_the_value() -> None:
    lists, facts = planted(2)
    found, history = ConditionedFusion(seed=1).fit(lists, facts, start=NONE)

    trained = FusedScores(lists).value(found.rows(lists.list_names, facts))
    test, test_facts = planted(3)
    scores = FusedScores(test)
    assert trained == pytest.approx(history.last.train, abs=1e-9)
    assert scores.value(found.rows(test.list_names, test_facts)) > scores.value(np.zeros(2)) + 0.05


def test_conditions_go_on_from_where_they_are_told() -> None:
    lists, facts = planted(6)
    start = ConditionedWeights(shifts=NONE.shifts, conditions={"marriage": {"spouse": 1.5}})

    _, history = ConditionedFusion(seed=1).fit(lists, facts, start=start)

    begun = FusedScores(lists).value(start.rows(lists.list_names, facts))
    assert history.steps[0].train == pytest.approx(begun, abs=1e-12)


def test_a_strong_pull_leaves_no_conditions() -> None:
    lists, facts = planted(4)

    found, _ = ConditionedFusion(seed=1, pull=100.0).fit(lists, facts, start=NONE)

    assert all(abs(bits) < 0.1 for moved in found.conditions.values() for bits in moved.values())


def test_facts_of_other_queries_are_refused() -> None:
    lists, facts = planted(5, queries=4)

    with pytest.raises(InputError, match="facts of 2 queries, but 4 queries"):
        ConditionedFusion(seed=1).fit(lists, facts.take([0, 1]), start=NONE)


def test_facts_are_read_by_query(tmp_path: Path) -> None:
    path = tmp_path / "facts.txt"
    path.write_text("q1 spouse birth.year\nq2\n\n")

    known = read_facts(path)
    facts = QueryFacts.of(["q2", "q1", "q9"], known)

    assert known == {"q1": {"spouse", "birth.year"}, "q2": frozenset()}
    assert facts.names == ("birth.year", "spouse")
    assert facts.values.tolist() == [[False, False], [True, True], [False, False]]


def test_a_query_with_facts_on_two_lines_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "facts.txt"
    path.write_text("q1 spouse\nq1 birth\n")

    with pytest.raises(InputError, match="line 2: expected each query once; found 'q1'"):
        read_facts(path)


def test_facts_that_do_not_fit_their_names_are_refused() -> None:
    with pytest.raises(InputError, match="for 1 names"):
        QueryFacts(names=("a",), values=np.zeros((2, 2), np.bool_))
