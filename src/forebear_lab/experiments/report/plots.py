"""Plots as inline SVG: lines, and points with names.  No script, no fonts, nothing to load."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from forebear_lab.experiments.report.plot_labels import (
    Box,
    Position,
    flow_names,
    place_names,
)

COLORS = ("#1b6ca8", "#c8553d", "#3a7d44", "#8e5572", "#b8860b", "#4a4e69", "#00818a", "#a23b72")
WIDTH, HEIGHT = 460, 260
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 28, 40
LEGEND_LINE, LEGEND_SIZE, NAME_SIZE = 12, 9, 8
MOST_POINTS = 60  # of a line; more would overlap

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """The part of the plane that is shown."""

    low: Point
    high: Point

    def place(self, point: Point) -> Point:
        """Return where a point goes, in pixels."""
        across = (point[0] - self.low[0]) / (self.high[0] - self.low[0])
        up = (point[1] - self.low[1]) / (self.high[1] - self.low[1])
        x = LEFT + across * (WIDTH - LEFT - RIGHT)
        return round(x, 1), round(HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM), 1)


def line_plot(
    title: str, lines: Mapping[str, Sequence[Point]], *, x_label: str, y_label: str
) -> str:
    """Return lines, each with its points marked."""
    axes = _axes([point for line in lines.values() for point in line])
    shapes = []
    for number, line in enumerate(lines.values()):
        color = COLORS[number % len(COLORS)]
        places = [axes.place(point) for point in _thin(line)]
        path = " ".join(f"{x},{y}" for x, y in places)
        shapes.append(f'<polyline fill="none" stroke="{color}" points="{path}"/>')
        shapes += [f'<circle cx="{x}" cy="{y}" r="2" fill="{color}"/>' for x, y in places]
    return _frame(title, axes, shapes, x_label, y_label, legend=list(lines))


def point_plot(
    title: str, points: Mapping[str, Point], line: Sequence[Point], *, x_label: str, y_label: str
) -> str:
    """Return points with their names, and a line among them."""
    axes = _axes([*points.values(), *line])
    path = " ".join("{},{}".format(*axes.place(point)) for point in line)
    shapes = [f'<polyline fill="none" stroke="{COLORS[1]}" points="{path}"/>'] if line else []
    places = {name: axes.place(point) for name, point in points.items()}
    area = Box(LEFT, TOP, WIDTH, HEIGHT - BOTTOM)
    for name, (x, y) in place_names(places, area, NAME_SIZE).items():
        shapes += _named_point(name, places[name], (x, y))
    return _frame(title, axes, shapes, x_label, y_label)


def category_plot(
    title: str, categories: Sequence[str], rows: Mapping[str, Sequence[float]], *, y_label: str
) -> str:
    """Return, for each category, one mark a row: such as the weights that methods give lists."""
    values = [value for row in rows.values() for value in row]
    padded = [(-0.5, min(values, default=0.0)), (len(categories) - 0.5, max(values, default=1.0))]
    axes = _axes(padded)
    shapes = []
    for number, row in enumerate(rows.values()):
        color = COLORS[number % len(COLORS)]
        shift = (number + 0.5) / len(rows) - 0.5
        for category, value in enumerate(row):
            x, y = axes.place((category + 0.6 * shift, value))
            shapes.append(f'<circle cx="{x}" cy="{y}" r="2.5" fill="{color}"/>')
    for category, name in enumerate(categories):
        x, _ = axes.place((category, axes.low[1]))
        y = HEIGHT - BOTTOM + 10
        turned = f'transform="rotate(30 {x} {y})" font-size="7"'
        shapes.append(f'<text x="{x}" y="{y}" {turned}>{escape(name)}</text>')
    return _frame(title, axes, shapes, "", y_label, x_ticks=False, legend=list(rows))


def _named_point(name: str, point: Position, at: Position) -> list[str]:
    """Return a point and its name, joined by a line if they are apart."""
    (x, y), (name_x, name_y) = point, at
    shapes = [f'<circle cx="{x}" cy="{y}" r="3" fill="{COLORS[0]}"/>']
    if abs(name_y - y) > 2 * NAME_SIZE:
        path = f"{x},{y} {name_x},{name_y}"
        shapes.append(f'<polyline fill="none" stroke="#bbb" points="{path}"/>')
    text = f'<text x="{name_x}" y="{name_y}" font-size="{NAME_SIZE}">{escape(name)}</text>'
    return [*shapes, text]


def _thin(line: Sequence[Point]) -> Sequence[Point]:
    """Return at most `MOST_POINTS` points of a line, the first and the last among them."""
    if len(line) <= MOST_POINTS:
        return line
    step = (len(line) - 1) / (MOST_POINTS - 1)
    return [line[round(number * step)] for number in range(MOST_POINTS)]


def _axes(points: Sequence[Point]) -> Axes:
    xs = [point[0] for point in points] or [0.0, 1.0]
    ys = [point[1] for point in points] or [0.0, 1.0]
    low, high = (min(xs), min(ys)), (max(xs), max(ys))
    wide = high[0] - low[0] or 1.0
    tall = high[1] - low[1] or 0.1
    return Axes(
        low=(low[0] - 0.02 * wide, low[1] - 0.06 * tall),
        high=(high[0] + 0.02 * wide, high[1] + 0.06 * tall),
    )


def _legend(names: Sequence[str]) -> tuple[list[str], int]:
    """Return the names of lines below the plot, and how many pixels they need."""
    if len(names) < 2:
        return [], 0
    places = flow_names(names, WIDTH - LEFT, LEGEND_SIZE)
    shapes = [
        f'<text x="{LEFT + x:g}" y="{HEIGHT + LEGEND_LINE * line + 4}" font-size="{LEGEND_SIZE}" '
        f'fill="{COLORS[number % len(COLORS)]}">{escape(name)}</text>'
        for number, (name, (x, line)) in enumerate(zip(names, places, strict=True))
    ]
    return shapes, LEGEND_LINE * (places[-1][1] + 1)


def _frame(
    title: str,
    axes: Axes,
    shapes: Sequence[str],
    x_label: str,
    y_label: str,
    *,
    x_ticks: bool = True,
    legend: Sequence[str] = (),
) -> str:
    names, below = _legend(legend)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT + below}" '
        f'width="{WIDTH}" height="{HEIGHT + below}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT + below}" fill="#fff"/>',
        f'<text x="{LEFT}" y="16" font-size="12" font-weight="bold">{escape(title)}</text>',
        f'<path d="M{LEFT},{TOP} V{HEIGHT - BOTTOM} H{WIDTH - RIGHT}" fill="none" stroke="#888"/>',
    ]
    for step in range(5):
        x_value = axes.low[0] + (axes.high[0] - axes.low[0]) * step / 4
        y_value = axes.low[1] + (axes.high[1] - axes.low[1]) * step / 4
        x, y = axes.place((x_value, y_value))
        parts.append(
            f'<text x="{LEFT - 4}" y="{y + 3}" font-size="8" text-anchor="end">{y_value:.3f}</text>'
        )
        if x_ticks:
            text = f'y="{HEIGHT - BOTTOM + 12}" font-size="8" text-anchor="middle"'
            parts.append(f'<text x="{x}" {text}>{x_value:.4g}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    label = f'y="{HEIGHT - 8}" font-size="9" text-anchor="middle"'
    parts.append(f'<text x="{middle}" {label}>{escape(x_label)}</text>')
    turned = f'transform="rotate(-90 12 {HEIGHT / 2})" font-size="9" text-anchor="middle"'
    parts.append(f'<text x="12" y="{HEIGHT / 2}" {turned}>{escape(y_label)}</text>')
    return "\n".join([*parts, *shapes, *names, "</svg>"])
