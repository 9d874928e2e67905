"""Where do the names in a plot go so that none covers another?

The width of a text is estimated from its letters, because fonts differ from reader to reader.  The
name of a point goes to the first free place beside it.  Where points lie too close for that, a
number names each, which may also stand farther away.  The names of a legend flow like words into
lines.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

LETTER_WIDTH = 0.58  # of the size of the font, on average
GAP = 10.0  # between two names of a legend
_RINGS = (1.0, 2.0, 3.0, 4.5, 6.0, 8.0)  # lines of text away from the point

Position = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """The rectangle of a text, in pixels; y counts downward."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        """Return whether two rectangles share an area."""
        beside = self.right <= other.left or other.right <= self.left
        return not (beside or self.bottom <= other.top or other.bottom <= self.top)

    def contains(self, other: "Box") -> bool:
        """Return whether the other rectangle is inside."""
        across = self.left <= other.left and other.right <= self.right
        return across and self.top <= other.top and other.bottom <= self.bottom


def text_box(text: str, place: Position, size: float) -> Box:
    """Return the rectangle of a text that begins at a place on its base line."""
    x, y = place
    return Box(x, y - 0.8 * size, x + LETTER_WIDTH * size * len(text), y + 0.2 * size)


def place_names(
    points: Mapping[str, Position], area: Box, size: float, *, everywhere: bool = False
) -> dict[str, Position] | None:
    """Return where the name of each point begins, beside its point; None if one has no place.

    With ``everywhere`` a name may also be farther away, and cover others if there is no place.
    """
    marks = [Box(x - 3, y - 3, x + 3, y + 3) for x, y in points.values()]
    taken: list[Box] = []
    places = {}
    for name, point in points.items():
        candidates = list(_candidates(name, point, size, _RINGS if everywhere else _RINGS[:1]))
        free = (
            place
            for place in candidates
            if _is_free(text_box(name, place, size), area, [*marks, *taken])
        )
        place = next(free, candidates[0] if everywhere else None)
        if place is None:
            return None
        places[name] = place
        taken.append(text_box(name, place, size))
    return places


def flow_names(names: Sequence[str], width: float, size: float) -> list[tuple[float, int]]:
    """Return for each name of a legend where it begins, and in which line.

    >>> flow_names(["ab", "cd", "ef"], 40, 10)
    [(0.0, 0), (21.6, 0), (0.0, 1)]
    """
    places, x, line = [], 0.0, 0
    for name in names:
        wide = LETTER_WIDTH * size * len(name)
        if x and x + wide > width:
            x, line = 0.0, line + 1
        places.append((round(x, 1), line))
        x += wide + GAP
    return places


def _candidates(
    name: str, point: Position, size: float, rings: Sequence[float]
) -> Iterator[Position]:
    """Yield places around a point, nearest first."""
    x, y = point
    wide = LETTER_WIDTH * size * len(name)
    for ring in rings:
        for down in (-0.4, 0.5, 0.0, -1.0, 1.0):
            for across in (4.0, -4.0 - wide, -wide / 2):
                yield round(x + across, 1), round(y + 0.3 * size + down * ring * size, 1)


def _is_free(box: Box, area: Box, taken: Sequence[Box]) -> bool:
    return area.contains(box) and not any(box.overlaps(other) for other in taken)
