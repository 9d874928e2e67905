"""Which places are in an archive file, and what does a gazetteer add?"""

from collections import defaultdict
from collections.abc import Iterable

from forebear.normalize.gazetteer import Coordinates, Gazetteer, GazetteerEntry, PlaceName
from forebear.search.terms.term import NOWHERE
from forebear.storage.places import PLACE_FIELDS
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.postings import Postings


def read_places(connection: Connection) -> list[str]:
    """Return the ids of all places that some persona has."""
    places: set[str] = set()
    for field in sorted(PLACE_FIELDS):
        terms = Postings(connection).terms_of(field, live=True)
        places.update(term[len(field) + 1 :] for _, term in terms)
    return sorted(places - {NOWHERE})


def read_gazetteer(connection: Connection) -> Gazetteer:
    """Return what an imported gazetteer says of the places."""
    return Gazetteer(read_entries(connection).values())


def read_entries(connection: Connection) -> dict[str, GazetteerEntry]:
    """Return what is known of places beside their levels, by id."""
    names: defaultdict[str, list[PlaceName]] = defaultdict(list)
    for name, place in connection.rows("SELECT name, place FROM place_aliases"):
        names[place].append(PlaceName(name))
    points = {
        place: Coordinates(latitude, longitude)
        for place, latitude, longitude in connection.rows("SELECT * FROM place_points")
    }
    return {
        place: GazetteerEntry(
            place_id=place, names=tuple(names.get(place, ())), coordinates=points.get(place)
        )
        for place in names.keys() | points.keys()
    }


def write_entries(connection: Connection, entries: Iterable[GazetteerEntry]) -> None:
    """Add what is known of places; what was known of the same places is replaced."""
    with connection.transaction():
        for entry in entries:
            connection.execute("DELETE FROM place_aliases WHERE place = ?", (entry.place_id,))
            connection.execute_many(
                "INSERT OR IGNORE INTO place_aliases VALUES (?, ?)",
                [(name.name, entry.place_id) for name in entry.names],
            )
            if entry.coordinates:
                connection.execute(
                    "REPLACE INTO place_points VALUES (?, ?, ?)",
                    (entry.place_id, *entry.coordinates),
                )
        connection.execute("UPDATE changes SET counter = counter + 1")
