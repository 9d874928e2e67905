"""Tests for `forebear.learning.judged_lists`: no searcher counts for more than a twentieth."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.interactions.events import JudgedSearch, LoggedList, LoggedSearch
from forebear.learning.judged_lists import (
    MIN_SEARCHERS,
    OWNER,
    clause_dataset,
    largest_share,
    list_weights,
    lists_of_type,
    searcher_weights,
)
from forebear.search.expansion.catalog import load_catalog

LIMIT = 1 / MIN_SEARCHERS


@st.composite
def judges(draw: st.DrawFn) -> list[str]:
    """Draw who judged each search: the owner, and searchers with few or very many searches."""
    counts = draw(st.lists(st.integers(1, 60) | st.just(1500), max_size=30))
    by_owner = draw(st.integers(0, 40))
    return [OWNER] * by_owner + [f"u{n}" for n, count in enumerate(counts) for _ in range(count)]


@given(judges())
def test_no_searcher_has_more_than_a_twentieth_of_the_weight(names: list[str]) -> None:
    weights = searcher_weights(names)

    searchers = len(set(names) - {OWNER})
    if OWNER not in names and searchers < MIN_SEARCHERS:
        assert weights is None
        return
    assert weights is not None
    assert largest_share(names, weights) <= LIMIT + 1e-12
    assert ((weights > 0) & (weights <= 1)).all()


@given(judges())
def test_only_who_is_above_the_limit_counts_for_less(names: list[str]) -> None:
    weights = searcher_weights(names)
    if weights is None:
        return
    totals: Counter[str] = Counter()
    for name, weight in zip(names, weights.tolist(), strict=True):
        totals[name] += weight
        assert weight == 1 or name != OWNER
    for name, count in Counter(names).items():
        is_limited = totals[name] < count - 1e-9
        assert not is_limited or totals[name] == pytest.approx(LIMIT * weights.sum())


def test_the_owner_has_no_limit() -> None:
    weights = searcher_weights([OWNER] * 7)

    assert weights is not None
    assert weights.tolist() == [1.0] * 7


def test_there_are_no_weights_where_one_searcher_would_decide() -> None:
    assert searcher_weights(["u1"] * 1166) is None
    assert searcher_weights([f"u{n}" for n in range(MIN_SEARCHERS - 1)]) is None
    assert searcher_weights([f"u{n}" for n in range(MIN_SEARCHERS)]) is not None
    assert searcher_weights([]) is None


def test_a_searcher_who_alone_attached_of_a_list_teaches_nothing_of_it() -> None:
    names = [OWNER] * 100 + ["u1"] * 100
    attached = np.array([False] * 100 + [True] * 100)

    assert list_weights(names, attached) is None


def test_the_limit_holds_among_those_who_attached_and_among_the_others() -> None:
    names = [OWNER, OWNER, OWNER, "u1", "u1", "u1", "u2"]
    attached = np.array([True, True, False, True, True, False, False])

    weights = list_weights(names, attached)

    assert weights is not None
    for chosen in (attached, ~attached):
        sample = [names[n] for n in np.flatnonzero(chosen)]
        assert 0 < largest_share(sample, weights[chosen]) <= LIMIT + 1e-12


CLAUSES = ("self.given.exact", "self.surname.exact")


def judged(id_: str, *lists: LoggedList, attached: str) -> JudgedSearch:
    search = LoggedSearch(
        id=id_, at="", query="{}", model="default", viewer="owner", shown=(), lists=lists
    )
    return JudgedSearch(search=search, attached=frozenset({attached}), rejected=frozenset())


def logged(name: str, *records: str, record_type: str = "census") -> LoggedList:
    bits = np.zeros((len(records), 2), np.bool_)
    bits[:1, 1] = True
    return LoggedList(
        name=name,
        record_type=record_type,
        state="complete",
        clauses=CLAUSES,
        records=records,
        scores=tuple(range(len(records), 0, -1)),
        bits=bits,
    )


SEARCHES = [
    judged("s1", logged("census", "c:1", "c:2"), logged("birth", "b:1", record_type="birth"),
           attached="c:2"),
    judged("s2", logged("census"), logged("london", "l:1"), attached="l:1"),
]  # fmt: skip


def test_lists_of_a_type_are_those_with_records_whatever_their_names() -> None:
    lists = lists_of_type(SEARCHES, "census")

    assert [one.id for one in lists] == ["s1/census", "s2/london"]
    assert [one.labels.tolist() for one in lists] == [[False, True], [True]]


def test_bits_are_brought_to_the_columns_of_the_catalog() -> None:
    dataset = clause_dataset("census", lists_of_type(SEARCHES, "census"))

    clauses = [row.clause for row in load_catalog()["census"]]
    assert dataset.feature_names == tuple(clauses)
    assert dataset.labels.tolist() == [0, 1, 1]
    surname = dataset.features[:, clauses.index("self.surname.exact")]
    assert surname.tolist() == [True, False, True]
    assert dataset.features.sum() == 2
