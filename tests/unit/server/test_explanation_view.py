"""Tests for `forebear.server.explanation_view`, and that all ways to show an explanation agree."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forebear
from forebear.cli.text import explanation_text
from forebear.server.explanation_view import chance_odds, view_explanation


@given(st.integers(-64 * 40, 64 * 40))
def test_odds_say_on_which_side_they_are(sixty_fourths: int) -> None:
    words = chance_odds(sixty_fourths / 64)

    assert words == "even" or words.endswith("for" if sixty_fourths > 0 else "against")


@pytest.mark.parametrize("query", ["Thomas Thirlow b. 1813, husband of Maria Aldous"])
def test_page_text_and_json_have_the_same_rows(query: str, demo_file: Path) -> None:
    with forebear.open(demo_file) as archive:
        hits = archive.search(query, log=False)[:5]
        for hit in hits:
            explanation = hit.explain()
            text = explanation_text(hit.description, explanation).splitlines()
            json_rows = explanation.to_dict()["rows"]
            view = view_explanation(explanation)
            lines = [line for line in text if line.endswith(tuple("0123456789"))]
            *lines, total = lines[-len(view.rows) - 1 :]
            assert len(lines) == len(json_rows) == len(view.rows)
            for line, value, shown in zip(lines, json_rows, view.rows, strict=True):
                assert line.startswith(shown.fact)
                assert shown.verdict[:20] in line  # long ones go on in the next line
                assert line.endswith(f" {shown.bits}")
                assert (value["fact"], value["verdict"]) == (shown.fact, shown.verdict)
                assert value["you_said"] == shown.you_said
                assert value["record_says"] == shown.record_says
            assert total.endswith(f" {view.log_odds}")
