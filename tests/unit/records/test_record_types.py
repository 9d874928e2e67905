"""Tests for `forebear.records.collections`."""

from forebear.records.collections import RECORD_TYPES


def test_there_are_nineteen_types_each_with_subtypes() -> None:
    assert len(RECORD_TYPES) == 19
    assert all(kind.subtypes and all(kind.subtypes) for kind in RECORD_TYPES.values())


def test_only_records_of_the_dead_end_a_life() -> None:
    ending = {kind.name for kind in RECORD_TYPES.values() if kind.ends_life}

    assert ending == {"death", "burial", "obituary", "probate"}
