"""Tests for `forebear.learning.clause_bits`."""

import numpy as np

from forebear.interactions.events import JudgedSearch, LoggedList, LoggedSearch
from forebear.learning.clause_bits import clause_dataset, lists_of_type
from forebear.search.expansion.catalog import load_catalog

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
