"""Tests for `forebear.search.record_search.makers`: a maker makes what its class makes."""

import pickle
from dataclasses import FrozenInstanceError, dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.search.record_search.makers import maker


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Any value."""

    key: str
    score: int = 0


make_hit = maker(Hit)


@given(st.text(), st.integers())
def test_what_is_made_is_what_the_class_makes(key: str, score: int) -> None:
    hit, made = Hit(key=key, score=score), make_hit(key=key, score=score)

    assert made == hit
    assert hash(made) == hash(hit)
    assert repr(made) == repr(hit)
    assert type(made) is Hit
    assert pickle.loads(pickle.dumps(made)) == replace(made) == hit


def test_what_is_not_given_is_as_by_default() -> None:
    assert make_hit(key="a") == Hit(key="a")


def test_what_is_made_is_frozen() -> None:
    made = make_hit(key="a")

    with pytest.raises(FrozenInstanceError):
        made.key = "b"  # type: ignore[misc]


def test_what_is_required_must_be_given() -> None:
    with pytest.raises(TypeError, match="key"):
        make_hit(score=3)  # type: ignore[call-arg]
