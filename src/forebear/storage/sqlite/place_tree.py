"""Which places has an archive, one inside the other, and how many people has each?

The hierarchy is nobody's list: it grew from the records, and a place is in it as long as
somebody whom the viewer may see was there.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forebear.normalize.likeness import osa_distance
from forebear.normalize.place_levels import clean_level, level_key
from forebear.records.privacy import Viewer
from forebear.search.terms.fields import term
from forebear.storage.coverage import parent_of
from forebear.storage.sqlite.find import SqliteFinder
from forebear.storage.sqlite.knowledge import SqliteKnowledge
from forebear.storage.vocabulary import PLACE_FIELDS

# A search must be quick to start, and looks at no tree of places.
if TYPE_CHECKING:
    from forebear.normalize.gazetteer import Coordinates, GazetteerEntry

LETTERS_PER_EDIT = 5  # Layham and Leyham; not Eye and Rye


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlace:
    """A place with what the archive and its gazetteer know of it."""

    id: str
    depth: int  # below the place that the answer starts from
    personas: int  # that the viewer may see
    also: tuple[str, ...] = ()  # other names, of the gazetteer
    spelled_like: tuple[str, ...] = ()  # neighbors in the hierarchy whose names are almost the same
    coordinates: "Coordinates | None" = None


class SqlitePlaceTree(SqliteFinder, SqliteKnowledge):
    """Tells the places of an archive file."""

    def places(self) -> list[str]:
        """Return the ids of all places."""
        from forebear.storage.sqlite.places import read_places

        return read_places(self._connection)

    def add_to_gazetteer(self, entries: "Iterable[GazetteerEntry]") -> None:
        """Keep what a gazetteer says of places."""
        from forebear.storage.sqlite.places import write_entries

        write_entries(self._connection, entries)

    def place_tree(self, name: str = "", *, viewer: Viewer, depth: int) -> list[KnownPlace]:
        """Return the places of this name, or the largest, each with those inside it."""
        from forebear.storage.sqlite.places import read_entries

        with self._connection.snapshot():
            seen = sorted(self.known_to(viewer).places())
            tree = PlaceTree(seen, read_entries(self._connection))
            hidden = self._asked.hidden(viewer)

            def count(place: str) -> int:
                named = frozenset(term(field, place) for field in PLACE_FIELDS)
                return len(self._postings.holding(named) - hidden)

            return list(tree.walk(tree.named(name) if name else tree.inside(""), depth, count))


class PlaceTree:
    """Places, one inside the other, with what a gazetteer knows of them."""

    def __init__(self, places: Iterable[str], known: "dict[str, GazetteerEntry]") -> None:
        self._inside: defaultdict[str, list[str]] = defaultdict(list)
        self._known = known
        for place in places:
            self._inside[parent_of(place)].append(place)

    def inside(self, place: str) -> list[str]:
        """Return the places inside one; inside "" are the largest."""
        return self._inside.get(place, [])

    def named(self, name: str) -> list[str]:
        """Return the places that have this name, else those in whose name it is."""
        key = level_key(clean_level(name))
        every = [place for places in self._inside.values() for place in places]
        exact = [place for place in every if key in (_own(place), *self._also(place))]
        return exact or [place for place in every if key in _own(place)]

    def walk(
        self, places: list[str], depth: int, count: Callable[[str], int], level: int = 0
    ) -> Iterator[KnownPlace]:
        """Yield places and those inside them, the commonest first."""
        counted = sorted((-found, place) for place in places if (found := count(place)))
        for found, place in counted:
            entry = self._known.get(place)
            yield KnownPlace(
                id=place,
                depth=level,
                personas=-found,
                also=self._also(place),
                spelled_like=self._spelled_like(place),
                coordinates=entry.coordinates if entry else None,
            )
            if level + 1 < depth:
                yield from self.walk(self.inside(place), depth, count, level + 1)

    def _also(self, place: str) -> tuple[str, ...]:
        entry = self._known.get(place)
        return tuple(sorted(name.name for name in entry.names)) if entry else ()

    def _spelled_like(self, place: str) -> tuple[str, ...]:
        own = _own(place)
        most = len(own) // LETTERS_PER_EDIT
        others = (_own(other) for other in self.inside(parent_of(place)) if other != place)
        return tuple(each for each in others if osa_distance(own, each, limit=most) <= most)


def _own(place: str) -> str:
    return place.removeprefix("p:").partition(",")[0]
