"""Tests for `forebear.printing`: messages are short and do nothing to a terminal."""

import pytest

from forebear.errors import InputError
from forebear.ingest.report import MAX_DETAIL, Issue
from forebear.printing import MAX_MESSAGE, printable, shorten

CELL = "x" * 100_000


def test_an_error_names_a_long_value_by_its_ends_and_its_length() -> None:
    error = InputError(f"found {CELL!r}, expected a date", hint=CELL)

    assert len(str(error)) < 3 * MAX_MESSAGE
    assert "99,025 characters left out" in error.message
    assert error.message.endswith(", expected a date")


def test_a_warning_never_has_a_whole_cell() -> None:
    issue = Issue(line=1, reason="age not understood", detail=repr(CELL))

    assert len(str(issue)) < 2 * MAX_DETAIL
    assert "characters left out" in issue.detail


@pytest.mark.parametrize("sign", ["\x1b", "\x9b", "\r", "\x00", "\x7f", "\u202e", "\udc80"])
def test_a_sign_that_a_terminal_obeys_is_shown_as_an_escape(sign: str) -> None:
    shown = printable(f"Mary{sign}[2J")

    assert sign not in shown
    assert shown.startswith("Mary\\")


def test_letters_tabs_and_lines_stay_as_they_are() -> None:
    text = "Zoë\tMüller\nשרה 王小明"

    assert shorten(text) == text
