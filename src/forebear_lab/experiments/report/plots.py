"""Plots as inline SVG: lines, and points with names.  No script, no fonts, nothing to load."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from forebear_lab.experiments.report.plot_labels import (
    Box,
    Position,
    flow_names,
    place_names,
    text_box,
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
    is_log: bool = False  # are the values across logarithms (base 10)?

    def place(self, point: Point) -> Point:
        """Return where a point goes, in pixels."""
        across = (point[0] - self.low[0]) / (self.high[0] - self.low[0])
        up = (point[1] - self.low[1]) / (self.high[1] - self.low[1])
        x = LEFT + across * (WIDTH - LEFT - RIGHT)
        return round(x, 1), round(HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM), 1)


def line_plot(
    title: str,
    lines: Mapping[str, Sequence[Point]],
    *,
    x_label: str,
    y_label: str,
    log_x: bool = False,
) -> str:
    """Return lines, each with its points marked; ``log_x``: of counts, those below 1 at 1."""
    if log_x:
        lines = {name: [(log10(max(x, 1.0)), y) for x, y in line] for name, line in lines.items()}
    axes = _axes([point for line in lines.values() for point in line], is_log=log_x)
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
    shapes += [f'<circle cx="{x}" cy="{y}" r="3" fill="{COLORS[0]}"/>' for x, y in places.values()]
    area = Box(LEFT, TOP, WIDTH, HEIGHT - BOTTOM)
    named = place_names(places, area, NAME_SIZE)
    keys: list[str] = []
    if named is None:  # points lie too close for names, so a number names each
        keys = [f"{number} {name}" for number, name in enumerate(points, 1)]
        places = {str(number): place for number, place in enumerate(places.values(), 1)}
        named = place_names(places, area, NAME_SIZE, everywhere=True) or {}
    for name, (x, y) in named.items():
        shapes += _name_of(name, places[name], (x, y))
    return _frame(title, axes, shapes, x_label, y_label, legend=keys, is_colored=False)


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


def _name_of(name: str, point: Position, at: Position) -> list[str]:
    """Return the name of a point, joined to it by a line if they are apart."""
    (x, y), box = point, text_box(name, at, NAME_SIZE)
    near = min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)
    text = f'<text x="{at[0]}" y="{at[1]}" font-size="{NAME_SIZE}">{escape(name)}</text>'
    if abs(near[0] - x) + abs(near[1] - y) <= 2 * NAME_SIZE:
        return [text]
    path = f"{x},{y} {near[0]:.1f},{near[1]:.1f}"
    return [f'<polyline fill="none" stroke="#bbb" points="{path}"/>', text]


def _thin(line: Sequence[Point]) -> Sequence[Point]:
    """Return at most `MOST_POINTS` points of a line, the first and the last among them."""
    if len(line) <= MOST_POINTS:
        return line
    step = (len(line) - 1) / (MOST_POINTS - 1)
    return [line[round(number * step)] for number in range(MOST_POINTS)]


def _axes(points: Sequence[Point], *, is_log: bool = False) -> Axes:
    xs = [point[0] for point in points] or [0.0, 1.0]
    ys = [point[1] for point in points] or [0.0, 1.0]
    low, high = (min(xs), min(ys)), (max(xs), max(ys))
    wide = high[0] - low[0] or 1.0
    tall = high[1] - low[1] or 0.1
    return Axes(
        low=(low[0] - 0.02 * wide, low[1] - 0.06 * tall),
        high=(high[0] + 0.02 * wide, high[1] + 0.06 * tall),
        is_log=is_log,
    )


def round_ticks(low: float, high: float) -> dict[float, str]:
    """Return round values between two values, at most seven, with their texts.

    >>> round_ticks(-1.98, 153)
    {0.0: '0', 50.0: '50', 100.0: '100', 150.0: '150'}
    >>> list(round_ticks(0.6741, 0.6749).values())
    ['0.6742', '0.6744', '0.6746', '0.6748']
    """
    least = (high - low) / 6.5
    power = floor(log10(least))
    step = next(step for step in (1, 2, 5, 10) if step * 10.0**power >= least)
    power, step = (power + 1, 1) if step == 10 else (power, step)
    size, decimals = step * 10.0**power, max(0, -power)
    numbers = range(ceil(low / size), floor(high / size) + 1)
    return {round(n * size, 12): f"{n * size:,.{decimals}f}" for n in numbers}


def log_ticks(low: float, high: float) -> dict[float, str]:
    """Return where round counts are on an axis of logarithms, with their texts.

    >>> list(log_ticks(0, 4.2).values())
    ['1', '10', '100', '1,000', '10,000']
    >>> list(log_ticks(1.3, 2.4).values())
    ['20', '50', '100', '200']
    """
    steps = (1, 2, 5) if high - low < 2 else (1,)
    counts = [step * 10**power for power in range(floor(low), ceil(high) + 1) for step in steps]
    places = {log10(count): f"{count:,}" for count in counts if count >= 1}
    return {place: text for place, text in places.items() if low <= place <= high}


def _legend(names: Sequence[str], *, is_colored: bool) -> tuple[list[str], int]:
    """Return the names of lines below the plot, and how many pixels they need."""
    if len(names) < 2:
        return [], 0
    places = flow_names(names, WIDTH - LEFT, LEGEND_SIZE)
    shapes = [
        f'<text x="{LEFT + x:g}" y="{HEIGHT + LEGEND_LINE * line + 4}" font-size="{LEGEND_SIZE}" '
        f'fill="{COLORS[number % len(COLORS)] if is_colored else "#000"}">{escape(name)}</text>'
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
    is_colored: bool = True,
) -> str:
    names, below = _legend(legend, is_colored=is_colored)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT + below}" '
        f'width="{WIDTH}" height="{HEIGHT + below}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT + below}" fill="#fff"/>',
        f'<text x="{LEFT}" y="16" font-size="12" font-weight="bold">{escape(title)}</text>',
        f'<path d="M{LEFT},{TOP} V{HEIGHT - BOTTOM} H{WIDTH - RIGHT}" fill="none" stroke="#888"/>',
    ]
    for value, shown in round_ticks(axes.low[1], axes.high[1]).items():
        _, y = axes.place((axes.low[0], value))
        parts.append(f'<path d="M{LEFT - 3},{y} H{LEFT}" stroke="#888"/>')
        text = f'x="{LEFT - 5}" y="{round(y + 3, 1)}" font-size="8" text-anchor="end"'
        parts.append(f"<text {text}>{shown}</text>")
    ticks = log_ticks if axes.is_log else round_ticks
    for value, shown in ticks(axes.low[0], axes.high[0]).items() if x_ticks else ():
        x, _ = axes.place((value, axes.low[1]))
        parts.append(f'<path d="M{x},{HEIGHT - BOTTOM} v3" stroke="#888"/>')
        text = f'x="{x}" y="{HEIGHT - BOTTOM + 12}" font-size="8" text-anchor="middle"'
        parts.append(f"<text {text}>{shown}</text>")
    middle = (LEFT + WIDTH - RIGHT) / 2
    label = f'y="{HEIGHT - 8}" font-size="9" text-anchor="middle"'
    parts.append(f'<text x="{middle}" {label}>{escape(x_label)}</text>')
    turned = f'transform="rotate(-90 12 {HEIGHT / 2})" font-size="9" text-anchor="middle"'
    parts.append(f'<text x="12" y="{HEIGHT / 2}" {turned}>{escape(y_label)}</text>')
    return "\n".join([*parts, *shapes, *names, "</svg>"])
