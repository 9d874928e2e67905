"""Tests for `forebear_lab.experiments.report.markdown`."""

from pathlib import Path

import pytest

from forebear.errors import InputError
from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.report.markdown import Origin, publish_page
from forebear_lab.experiments.report.page import Page, Section
from forebear_lab.experiments.report.plots import line_plot

ORIGIN = Origin(command="forebear experiment x", date="2026-01-02", machine="a machine")
CLAIMS = Table(
    headings=("claim", "here"), rows=[("a", "holds"), ("b", "holds"), ("c", "undecided")]
)


def make_page(*titles: str) -> Page:
    plots = tuple(
        line_plot(name, {"a": [(0, 0), (1, 1)]}, x_label="", y_label="") for name in titles
    )
    section = Section(title="Claims", sentences=("1 < 2",), table=CLAIMS, plots=plots)
    return Page(title="A page", simulated=True, sections=[section], seed=7, preview="Small.")


def test_a_page_has_its_notices_tables_plots_and_origin(tmp_path: Path) -> None:
    publish_page(make_page("NDCG & time"), tmp_path / "new" / "page.md", ORIGIN)

    text = (tmp_path / "new" / "page.md").read_text("utf-8")
    assert text.startswith("# A page\n\n> **Simulated.** ")
    assert "> **Preview.** Small." in text
    assert "1 &lt; 2" in text
    assert "| c | undecided |" in text
    assert "![NDCG & time](page/01-ndcg-time.svg)" in text
    assert "| command | `forebear experiment x` |\n| seed | 7 |\n| date | 2026-01-02 |" in text
    assert (tmp_path / "new" / "page" / "01-ndcg-time.svg").read_text("utf-8").startswith("<svg")


def test_plots_of_an_earlier_run_are_removed(tmp_path: Path) -> None:
    publish_page(make_page("one", "two"), tmp_path / "page.md", ORIGIN)
    publish_page(make_page("three"), tmp_path / "page.md", ORIGIN)

    assert [path.name for path in (tmp_path / "page").iterdir()] == ["01-three.svg"]


@pytest.mark.parametrize("name", ["README.md", "page.html", "folder"])
def test_a_page_needs_a_name_that_is_not_the_index(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"docs/results/fusion\.md"):
        publish_page(make_page(), tmp_path / name, ORIGIN)

    assert list(tmp_path.iterdir()) == []
