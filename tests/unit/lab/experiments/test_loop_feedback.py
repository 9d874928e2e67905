"""Tests for `forebear_lab.experiments.loop_feedback`."""

import numpy as np
import pytest

from forebear.interactions.events import LoggedList, LoggedSearch
from forebear_lab.experiments.loop_feedback import give_feedback
from forebear_lab.experiments.loop_searches import KnownSearch

HITS = 30


def search(number: int, right: set[str]) -> KnownSearch:
    births, census = (
        tuple(f"{name}:{number}.{place}" for place in range(HITS // 2))
        for name in ("birth", "census")
    )
    lists = tuple(
        LoggedList(
            name=name, record_type=name, state="", clauses=(), records=records, scores=(),
            bits=np.zeros((len(records), 0), np.bool_),
        )
        for name, records in (("birth", births), ("census", census))
    )  # fmt: skip
    shown = tuple(record for pair in zip(births, census, strict=True) for record in pair)
    entry = LoggedSearch(
        id=f"s{number}",
        at="",
        query="{}",
        model="default",
        viewer="owner",
        shown=shown,
        lists=lists,
    )
    return KnownSearch(
        search=entry, right=frozenset(right), person=f"p{number}", user="u", day=0, born=None
    )


def test_links_attach_every_right_record_also_those_that_were_not_found() -> None:
    (judged,) = give_feedback([search(1, {"birth:1.0", "birth:lost"})], "links", seed=1)

    assert judged.attached == {"birth:1.0", "birth:lost"}
    assert judged.sources == {"link"}
    assert judged.judge == ""


def test_of_one_type_only_records_of_the_commonest_type_are_attached() -> None:
    searches = [search(1, {"birth:1.0", "census:1.0"}), search(2, {"census:2.3"})]

    judged = give_feedback(searches, "one-type", seed=1)

    assert [one.attached for one in judged] == [{"census:1.0"}, {"census:2.3"}]


def test_users_attach_what_they_see_and_err_at_the_stated_rate() -> None:
    right = [{f"birth:{number}.0", f"census:{number}.4"} for number in range(600)]
    searches = [search(number, of) for number, of in enumerate(right)]

    judged = give_feedback(searches, "use", seed=1)

    attached = [(one.attached, of) for one, of in zip(judged, right, strict=True)]
    first, tenth = (
        np.mean([f"{key}" in given for number, (given, _) in enumerate(attached)
                 for key in [template.format(number)]])
        for template in ("birth:{}.0", "census:{}.4")
    )  # fmt: skip
    assert first == pytest.approx(0.96, abs=0.03)
    assert tenth == pytest.approx(0.96 * 10**-0.7, abs=0.04)
    wrong = sum(len(given - of) for given, of in attached)
    assert wrong / sum(len(given) for given, _ in attached) == pytest.approx(0.04, abs=0.02)
    assert {source for one in judged for source in one.sources} == {"use"}
