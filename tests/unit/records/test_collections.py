"""Tests for `forebear.records.collections`."""

import pytest

from forebear.errors import InputError, NotFoundError
from forebear.records.collections import RECORD_TYPES, Collection, form_lists, with_list

COLLECTIONS = [
    Collection(name=name, title=name, record_type=record_type)
    for name, record_type in (
        ("c1841", "census"),
        ("c1851", "census"),
        ("parish", "baptism"),
        ("others", "baptism"),
    )
]


def named(custom: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {list_.name: list_.collections for list_ in form_lists(COLLECTIONS, custom)}


def test_by_default_there_is_a_list_for_each_record_type() -> None:
    assert named({}) == {"baptism": ("parish", "others"), "census": ("c1841", "c1851")}


def test_a_list_of_its_own_takes_its_collections_from_the_list_of_their_type() -> None:
    lists = with_list({}, "late", ("c1851",), COLLECTIONS)

    assert named(lists) == {
        "baptism": ("parish", "others"),
        "census": ("c1841",),
        "late": ("c1851",),
    }


def test_a_collection_is_in_one_list() -> None:
    lists = with_list({"early": ("c1841", "c1851")}, "late", ("c1851",), COLLECTIONS)

    assert lists == {"early": ("c1841",), "late": ("c1851",)}
    assert with_list(lists, "all", ("c1841", "c1851"), COLLECTIONS) == {"all": ("c1841", "c1851")}


def test_a_list_of_collections_that_are_no_more_is_none() -> None:
    assert "gone" not in named({"gone": ("deleted",)})


@pytest.mark.parametrize(
    ("name", "names", "message"),
    [
        ("mixed", ("c1841", "parish"), "baptism, census"),
        ("census", ("c1841",), "cannot name a custom list"),
        ("", ("c1841",), "cannot name a custom list"),
    ],
)
def test_what_is_no_list_is_refused(name: str, names: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        with_list({}, name, names, COLLECTIONS)


def test_a_collection_that_is_not_there_is_named() -> None:
    with pytest.raises(NotFoundError, match="'nowhere'"):
        with_list({}, "mine", ("nowhere",), COLLECTIONS)


def test_there_are_nineteen_types_each_with_subtypes() -> None:
    assert len(RECORD_TYPES) == 19
    assert all(kind.subtypes and all(kind.subtypes) for kind in RECORD_TYPES.values())


def test_only_records_of_the_dead_end_a_life() -> None:
    ending = {kind.name for kind in RECORD_TYPES.values() if kind.ends_life}

    assert ending == {"death", "burial", "obituary", "probate"}
