"""Tests for `forebear_lab.experiments.report`: plots and pages."""

import re
from html import unescape
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.report.page import Page, Section
from forebear_lab.experiments.report.plot_labels import Box, place_names, text_box
from forebear_lab.experiments.report.plots import Axes, category_plot, line_plot, point_plot

RESULTS = Path(__file__).parents[5] / "docs" / "results"
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


def test_names_of_near_points_do_not_cover_each_other() -> None:
    area = Box(0, 0, 400, 200)
    points = {f"method {number}": (200 + number % 4, 100 + number % 3) for number in range(12)}

    assert place_names(points, area, 8) is None
    places = place_names(points, area, 8, everywhere=True)

    assert places is not None
    boxes = [text_box(name, place, 8) for name, place in places.items()]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(area.contains(box) for box in boxes)


def test_a_point_alone_has_its_name_beside_it_also_at_the_edge() -> None:
    area = Box(0, 0, 100, 100)

    alone = place_names({"ss": (50, 50)}, area, 8)
    edge = place_names({"lambdamart": (99, 50)}, area, 8)

    assert alone is not None
    assert alone["ss"][0] == 54
    assert edge is not None
    assert text_box("lambdamart", (edge["lambdamart"][0], 50), 8).right <= 100


def test_points_too_close_for_names_are_numbered() -> None:
    points = {f"method {n}": (0.5 + n % 4 / 1000, 0.5 + n % 3 / 1000) for n in range(12)}

    plot = point_plot("close", {"far": (0.0, 0.0), **points}, [], x_label="x", y_label="y")

    texts = re.findall("<text[^>]*>([^<]*)", plot)
    assert {"1", "13", "1 far", "13 method 11"} <= {*texts}
    assert "far" not in texts


def test_marks_on_an_axis_are_round_values_inside_it() -> None:
    plot = line_plot("work", {"a": [(0, 0.31), (1487, 0.34)]}, x_label="x", y_label="y")

    texts = re.findall("<text[^>]*>([^<]*)", plot)
    assert [text for text in texts if text.replace(",", "").isdigit()] == [
        "0",
        "500",
        "1,000",
        "1,500",
    ]
    assert {"0.31", "0.32", "0.33", "0.34"} == {text for text in texts if text[:2] == "0."}


def test_counts_may_be_on_an_axis_of_logarithms() -> None:
    line = [(0.0, 0.1), (10.0, 0.2), (100.0, 0.3)]

    plot = line_plot("work", {"a": line}, x_label="x", y_label="y", log_x=True)

    xs = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', plot)]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.2)


def test_a_legend_flows_into_lines_below_the_plot() -> None:
    names = ["CA as RankLib 2.7 ships it, 5 restarts", "CA, default start", "CA, customized start"]
    lines = {name: [(0.0, float(number)), (1.0, 1.0)] for number, name in enumerate(names)}

    plot = line_plot("legend", lines, x_label="x", y_label="y")

    texts = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" font-size="9" fill="[^"]*">([^<]*)', plot)
    boxes = [text_box(text, (float(x), float(y)), 9) for x, y, text in texts]
    assert [text for _, _, text in texts] == names
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    (height,) = re.findall(r'viewBox="0 0 460 (\d+)"', plot)
    assert all(box.right <= 460 and box.bottom <= int(height) for box in boxes)
    assert min(box.top for box in boxes) > 250  # below the label of the axis


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*/*.svg")), ids=lambda path: path.stem)
def test_no_name_covers_another_in_a_published_plot(path: Path) -> None:
    pattern = r'<text x="([\d.]+)" y="([\d.]+)" font-size="(\d+)"(?: fill="[^"]*")?>([^<]*)'
    texts = re.findall(pattern, path.read_text("utf-8"))
    boxes = [
        text_box(unescape(text), (float(x), float(y)), float(size)) for x, y, size, text in texts
    ]

    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
