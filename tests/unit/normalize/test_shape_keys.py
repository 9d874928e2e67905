"""Tests for `forebear.normalize.shape_keys`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.normalize.shape_keys import shape_keys


@pytest.mark.parametrize(
    ("name", "key"), [("smith", "L2lh"), ("john", "Lah1"), ("jones", "La1es"), ("dark", "Da1h")]
)
def test_keys_are_written_as_the_index_has_them(name: str, key: str) -> None:
    assert key in shape_keys(name)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        *(("tarr", "farr"), ("harnes", "hames"), ("clark", "dark"), ("barnes", "bames")),
        *(("moss", "mofs"), ("foster", "ffoster"), ("lewis", "sewis"), ("smith", "5mith")),
        *(("hunter", "huuter"), ("ellen", "etten"), ("thornton", "thomton")),
    ],
)
def test_names_that_look_alike_share_a_key(first: str, second: str) -> None:
    assert shape_keys(first) & shape_keys(second)


def test_names_that_look_different_share_none() -> None:
    assert not shape_keys("smith") & shape_keys("jones")
    assert shape_keys("") == frozenset()


@given(st.text(max_size=15))
def test_a_name_has_at_most_two_keys(name: str) -> None:
    assert len(shape_keys(name)) <= 2
