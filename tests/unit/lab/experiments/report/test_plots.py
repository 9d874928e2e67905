"""Tests for `forebear_lab.experiments.report`: plots and pages."""

import re
from xml.etree import ElementTree

import pytest

from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.report.page import Page, Section
from forebear_lab.experiments.report.plots import Axes, category_plot, line_plot, point_plot

PLOTS = [
    line_plot("a < b", {"x & y": [(0, 1), (1, 2)]}, x_label="work", y_label="NDCG"),
    line_plot("flat", {"one": [(1, 0.5)]}, x_label="work", y_label="NDCG"),
    point_plot("points", {"ss": (0.1, 0.2)}, [(0.1, 0.3)], x_label="x", y_label="y"),
    category_plot("weights", ["A", "B"], {"ss": [0, 1], "ca": [1, 0]}, y_label="bits"),
]


@pytest.mark.parametrize("plot", PLOTS)
def test_a_plot_is_well_formed(plot: str) -> None:
    assert ElementTree.fromstring(plot).tag.endswith("svg")


def test_a_point_is_placed_between_the_ends_of_its_axes() -> None:
    axes = Axes(low=(0, 0), high=(10, 1))

    left, bottom = axes.place((0, 0))
    right, top = axes.place((10, 1))
    middle = axes.place((5, 0.5))

    assert middle == pytest.approx(((left + right) / 2, (bottom + top) / 2))
    assert top < bottom  # pixels count downward


def test_what_is_shown_is_escaped() -> None:
    table = Table(headings=("<th>",), rows=[("<script>",), (0.25,)])
    page = Page(title="<b>", simulated=False, sections=[Section(title="a & b", table=table)])
    page = page.as_html()

    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "0.2500" in page


def test_a_long_line_is_thinned_and_keeps_its_ends() -> None:
    line = [(float(n), float(n)) for n in range(5000)]

    plot = line_plot("long", {"a": line}, x_label="", y_label="")
    short = line_plot("long", {"a": [line[0], line[-1]]}, x_label="", y_label="")

    circles = re.findall("<circle[^>]*>", plot)
    assert len(circles) == 60
    assert [circles[0], circles[-1]] == re.findall("<circle[^>]*>", short)
