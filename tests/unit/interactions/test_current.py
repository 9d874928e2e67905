"""Tests for `forebear.interactions.current`."""

from dataclasses import replace

import numpy as np
import pytest

from forebear.errors import QueryError
from forebear.interactions.current import bring_up_to_date, is_current
from forebear.interactions.events import JudgedSearch, LoggedList, LoggedSearch
from forebear.records.collections import RecordList
from forebear.search.expansion.clause_hashes import UNKNOWN, clause_hashes

CLAUSES = ("self.surname.exact", "self.given.exact")
HASHES = clause_hashes()
LISTS = (
    RecordList(name="census", record_type="census", collections=("c1851", "c1861")),
    RecordList(name="london", record_type="census", collections=("c1871",)),
)


def logged(id_: str = "s1", **changes: object) -> LoggedSearch:
    list_ = LoggedList(
        name="census",
        record_type="census",
        state="complete",
        clauses=CLAUSES,
        records=("c1851:1",),
        scores=(1,),
        bits=np.ones((1, 2), np.bool_),
        hashes=tuple(HASHES["census"][clause] for clause in CLAUSES),
        collections=("c1851",),
    )
    return LoggedSearch(
        id=id_,
        at="2026-01-01",
        query="{}",
        model="hand-set",
        viewer="owner",
        shown=("c1851:1",),
        lists=(replace(list_, **changes),),
    )


def judged(search: LoggedSearch) -> JudgedSearch:
    return JudgedSearch(search=search, attached=frozenset({"c1851:1"}), rejected=frozenset())


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"collections": ()}, True),  # not logged by older versions
        ({"collections": ("c1841",)}, True),  # deleted since
        ({"collections": ("c1851", "c1871")}, False),  # now in a list of its own
        ({"hashes": (HASHES["census"][CLAUSES[0]], UNKNOWN)}, False),
        ({"hashes": ()}, False),
        ({"clauses": (CLAUSES[0], "self.given.removed")}, False),
    ],
)
def test_a_search_is_current_while_its_clauses_and_lists_are(
    changes: dict[str, object], expected: bool
) -> None:
    assert is_current(logged(**changes), HASHES, LISTS) is expected


def test_searches_of_other_clauses_are_repeated_or_skipped_and_counted() -> None:
    def repeat(search: LoggedSearch) -> LoggedSearch:
        if search.id == "lost":
            raise QueryError("it cannot be read any more")
        return logged(search.id)

    old = {"hashes": (UNKNOWN, UNKNOWN)}
    searches = [judged(logged("new")), judged(logged("old", **old)), judged(logged("lost", **old))]
    messages: list[str] = []

    log = bring_up_to_date(searches, HASHES, LISTS, repeat=repeat, progress=messages.append)

    assert [search.search.id for search in log.judged] == ["new", "old"]
    assert (log.repeated, log.skipped) == (1, 1)
    assert log.judged[0] is searches[0]
    assert is_current(log.judged[1].search, HASHES, LISTS)
    assert log.judged[1].attached == searches[1].attached
    assert messages == ["repeated 2 of 2 searches of other clauses"]
