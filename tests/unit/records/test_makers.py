"""Tests for `forebear.records.makers`: a maker makes what its class makes."""

import pickle
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.records.makers import maker
from forebear.records.record import Event, Persona, Record
from strategies import groups

make_record, make_persona = maker(Record), maker(Persona)


@given(groups())
def test_what_is_made_is_what_the_class_makes(group: tuple[Record, ...]) -> None:
    record = group[-1]
    made = make_record(**{name: getattr(record, name) for name in Record.__slots__})

    assert made == record
    assert hash(made) == hash(record)
    assert repr(made) == repr(record)
    assert type(made) is Record
    assert pickle.loads(pickle.dumps(made)) == replace(made) == record


@given(st.text())
def test_what_is_not_given_is_as_by_default(role: str) -> None:
    assert make_persona(role=role) == Persona(role=role)


def test_what_is_made_is_frozen() -> None:
    made = make_persona(role="child")

    with pytest.raises(FrozenInstanceError):
        made.role = "groom"  # type: ignore[misc]


def test_what_is_required_must_be_given() -> None:
    with pytest.raises(TypeError, match="kind"):
        maker(Event)(address="High Street")  # type: ignore[call-arg]
