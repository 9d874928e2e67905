"""Tests for `forebear.normalize.name_frequencies`."""

from forebear.normalize.name_frequencies import NameFrequencies, count_names


def test_a_rare_name_tells_more_than_a_common_one() -> None:
    frequencies = count_names(["smith"] * 7 + ["tredwell", ""])

    assert frequencies.total == 8
    assert frequencies.bits(["tredwell"]) == 3.0
    assert frequencies.bits(["smith"]) < 1
    assert frequencies.bits(["smith", "tredwell"]) == 0.0


def test_a_name_never_seen_has_a_finite_worth() -> None:
    assert count_names(["smith"] * 4).bits(["jones"]) == 3.0
    assert NameFrequencies(counts={}, total=0).bits(["jones"]) == 0.0
