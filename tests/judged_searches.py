"""Judged searches with a planted truth, for tests of training and evaluation."""

import numpy as np

from forebear.interactions.events import JudgedSearch, LoggedList, LoggedSearch, Source
from forebear.learning.judged_lists import MIN_SEARCHES

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


def judged(
    count: int = 16,
    *,
    few: int = MIN_SEARCHES - 1,
    seed: int = 3,
    source: Source = "link",
    query: str = '{"surname": "Brown"}',
) -> list[JudgedSearch]:
    """Return searches that attached a census each, and a few of them a baptism."""
    random = np.random.default_rng(seed)
    searches = []
    for number in range(count):
        census, right_census = shown("census", seed * 10_000 + number, random)
        baptism, right_baptism = shown("baptism", seed * 10_000 + number, random)
        attached = {right_census, *([right_baptism] if number < few else [])}
        search = LoggedSearch(
            id=f"s{seed}-{number}",
            at=f"2026-11-18T00:{number // 60:02}:{number % 60:02}",
            query=query,
            model="hand-set",
            viewer="owner",
            shown=(*census.records, *baptism.records),
            lists=(census, baptism),
        )
        searches.append(
            JudgedSearch(
                search=search,
                attached=frozenset(attached),
                rejected=frozenset(),
                sources=frozenset({source}),
            )
        )
    return searches
