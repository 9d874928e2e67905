"""Tests for `forebear.interactions.judgments`."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from forebear.interactions.events import Action, ActionKind, ShownSearch
from forebear.interactions.judgments import judge

SEARCH = ShownSearch(id="s1", at="", query="{}", model="m", viewer="owner", shown=(), lists=())

deeds = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(get_args(ActionKind))))


def action(record: str, kind: ActionKind) -> Action:
    return Action(search_id="s1", record_key=record, kind=kind, rank=None, at="")


def test_the_last_word_on_a_record_counts() -> None:
    judged = judge(
        SEARCH,
        [
            action("a", "attach"),
            action("b", "attach"),
            action("a", "reject"),
            action("c", "reject"),
            action("c", "attach"),
        ],
    )

    assert judged.attached == {"b", "c"}
    assert judged.rejected == {"a"}
    assert judged.search is SEARCH


def test_nothing_done_is_nothing_judged() -> None:
    judged = judge(SEARCH, [])

    assert (judged.attached, judged.rejected) == (frozenset(), frozenset())


@given(deeds)
def test_every_record_acted_on_is_attached_or_rejected(
    done: list[tuple[str, ActionKind]],
) -> None:
    judged = judge(SEARCH, [action(record, kind) for record, kind in done])

    assert judged.attached | judged.rejected == {record for record, _ in done}
    assert not judged.attached & judged.rejected
    for record in judged.attached:
        assert [kind for about, kind in done if about == record][-1] == "attach"
