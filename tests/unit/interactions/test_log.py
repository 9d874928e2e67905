"""Tests for `forebear.interactions.log`."""

from forebear.interactions.log import pseudonym


def test_a_pseudonym_is_the_same_for_the_same_searcher_and_archive_only() -> None:
    name = pseudonym("192.0.2.7", b"key")

    assert name == pseudonym("192.0.2.7", b"key")
    assert name != pseudonym("192.0.2.8", b"key")
    assert name != pseudonym("192.0.2.7", b"another key")
    assert "192" not in name
    assert pseudonym("", b"key") == ""
