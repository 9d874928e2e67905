"""Which names, places and years may a viewer know of, and how common is each?

Everything is counted on the live postings, so that it is right after deletions too, and less
the personas whom the viewer may not see.  The answers are cached until the archive changes.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from pyroaring import BitMap

from forebear.records.privacy import Viewer
from forebear.search.expansion.catalog import Condition
from forebear.search.expansion.clause_cache import ClauseCache
from forebear.search.expansion.knowledge import NameField
from forebear.search.expansion.learned_variants import pairs_of
from forebear.search.expansion.vocabulary import NameVocabulary
from forebear.search.facets import ListFacets
from forebear.search.terms.term import COLLECTION, HAS, NOWHERE, term, terms
from forebear.storage.places import (
    GIVEN_FIELDS,
    PLACE_FIELDS,
    SURNAME_FIELDS,
    KnownPlaces,
    is_common,
)
from forebear.storage.sqlite.cache import Answers, PerChange, read_statistics
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.gate import hidden_personas, terms_only_of
from forebear.storage.sqlite.models import read_variants
from forebear.storage.sqlite.postings import Postings

# Most searches ask for no place, and none for a collection's: they start without these.
if TYPE_CHECKING:
    from forebear.normalize.gazetteer import Gazetteer, GazetteerEntry
    from forebear.storage.places import Coverage

MOST_SHARES = 20_000  # how common names and places are; beyond, they are counted again

T = TypeVar("T")


class SqliteKnowledge(KnownPlaces):
    """The vocabulary and habits of the personas that one viewer may see.

    Statistics that were saved in the file are ``trusted``, and not counted again.
    """

    def __init__(
        self,
        connection: Connection,
        postings: Postings,
        viewer: Viewer,
        *,
        trusted: bool = True,
        holding: Callable[[Condition], BitMap] | None = None,
    ) -> None:
        self._connection = connection
        self._postings = postings
        self._viewer = viewer
        self.moments = PerChange(connection, _Counts)
        self._trusted = trusted
        # Searches share what they read of the names that they count and then look for.
        self._holding = holding or postings.holding

    def clause_cache(self) -> ClauseCache:
        """Return the clauses built for the viewer; the same object until a change."""
        return self._keep("clauses", ClauseCache)

    def vocabulary(self, kind: NameField) -> NameVocabulary:
        """Return every distinct name of the name fields; the same object until a change."""
        fields = SURNAME_FIELDS if kind == "surname" else GIVEN_FIELDS

        def count() -> list[str]:
            return sorted({name for field in fields for name in self._live(field)})

        def read() -> NameVocabulary:
            names = self._saved(f"names {' '.join(sorted(fields))}", count)
            pairs = pairs_of(read_variants(self._connection), kind)
            return NameVocabulary(names, pairs, needs_both=not self._viewer.is_owner)

        return self._keep(("vocabulary", kind), read)

    def share(self, field: str, value: str) -> float:
        """Return which share of the personas that have the field have this value."""

        def count() -> float:
            having = self._keep(("having", field), lambda: len(self._having(field) - self._hidden))
            bearers = self._holding(frozenset([term(field, value)]))
            return len(bearers - self._hidden) / having if having else 0.0

        return self._keep_share((field, value), count)

    def collections(self) -> frozenset[str]:
        """Return the names of the collections of which the viewer may see a record."""

        def count() -> list[str]:
            names = self._connection.rows("SELECT name FROM collections ORDER BY name")
            return [name for (name,) in names if self._of_collection(name)]

        return self._keep("collections", lambda: frozenset(self._saved("collections", count)))

    def shares(self, field: str, values: Iterable[str]) -> dict[str, float]:
        """Return the share of each of many values."""
        return {value: self.share(field, value) for value in values}

    def bearers(self, terms: frozenset[str]) -> int:
        """Return how many personas have any of these terms."""
        return self._keep(("bearers", terms), lambda: len(self._holding(terms) - self._hidden))

    def parts_with(self, fields: frozenset[str]) -> frozenset[str]:
        """Return the parts in which more than half of the personas have one of the fields."""

        def count() -> list[str]:
            having = [self._having(field) for field in fields]
            return [
                part
                for part, personas in self._parts().items()
                if any(
                    is_common(personas.intersection_cardinality(h), len(personas)) for h in having
                )
            ]

        def read() -> frozenset[str]:
            return frozenset(self._saved(f"parts with {' '.join(sorted(fields))}", count))

        return self._keep(fields, read)

    def field_presence(self, collection: str) -> dict[str, float]:
        """Return which share of a collection's personas has each field, the commonest first."""

        def count() -> dict[str, float]:
            personas = self._of_collection(collection)
            counts = {
                field: self._having(field).intersection_cardinality(personas)
                for field in self._live(HAS)
            }
            ordered = sorted((-having, field) for field, having in counts.items() if having)
            return {field: -having / len(personas) for having, field in ordered}

        return self._keep(("presence", collection), count)

    def coverage(self, collection: str) -> "Coverage":
        """Return the places and years that the records of a collection are from."""
        return self._keep(("coverage", collection), lambda: self._count_coverage(collection))

    def collection_facets(self, collection: str, count: Callable[[], ListFacets]) -> ListFacets:
        """Return the facets of a whole collection, counted once after a change."""

        def read() -> ListFacets:
            (text,) = self._saved(f"facets {collection}", lambda: [json.dumps(asdict(count()))])
            return ListFacets(**json.loads(text))

        return self._keep(("facets", collection), read)

    def parts_of(self, collections: frozenset[str]) -> frozenset[str]:
        """Return the parts of these collections."""
        return frozenset(part for part in self._parts() if part.rsplit("/", 2)[0] in collections)

    def places(self) -> frozenset[str]:
        """Return the ids of all places that some persona has."""

        def read() -> frozenset[str]:
            places = (place for field in PLACE_FIELDS for place in self._live(field))
            return frozenset(places) - {NOWHERE}

        return self._keep("all places", read)

    def places_named(self, name: str) -> tuple[str, ...]:
        """Return the ids of the places whose own name is this, the commonest first."""

        def count() -> tuple[str, ...]:
            rows = self._connection.rows("SELECT place FROM place_names WHERE name = ?", (name,))
            personas = {
                place: self.bearers(frozenset(term(field, place) for field in PLACE_FIELDS))
                for (place,) in rows
            }
            borne = [place for place, count in personas.items() if count]
            return tuple(sorted(borne, key=lambda place: (-personas[place], place)))

        return self._keep_share(name, count)

    def year_range(self) -> tuple[int, int]:
        """Return the first and the last year of any event in the archive."""

        def count() -> list[str]:
            years = sorted(map(int, self._live("event.year")))
            return [str(year) for year in (years[0], years[-1])] if years else ["0", "0"]

        def read() -> tuple[int, int]:
            first, last = self._saved("years", count)
            return int(first), int(last)

        return self._keep("years", read)

    @property
    def gazetteer(self) -> "Gazetteer":
        """Return what was imported of places."""
        from forebear.normalize.gazetteer import Gazetteer

        return self._keep("gazetteer", lambda: Gazetteer(read_entries(self._connection).values()))

    def _count_coverage(self, collection: str) -> "Coverage":
        from forebear.storage.places import COVERED_FIELDS, Coverage, covered_places

        personas = self._of_collection(collection)

        def holds(field: str, value: str) -> int:
            having = self._postings.holding(frozenset([term(field, value)]))
            return having.intersection_cardinality(personas)

        years = sorted(int(year) for year in self._live("event.year"))
        fitting = (year for year in years if holds("event.year", str(year)))
        backward = (year for year in reversed(years) if holds("event.year", str(year)))
        places = {place for field in COVERED_FIELDS for place in self._live(field)}
        return Coverage(
            places=covered_places(
                places, lambda place: max(holds(field, place) for field in COVERED_FIELDS)
            ),
            first_year=next(fitting, None),
            last_year=next(backward, None),
        )

    def _of_collection(self, collection: str) -> BitMap:
        return self._postings.holding(frozenset([term(COLLECTION, collection)])) - self._hidden

    def _having(self, field: str) -> BitMap:
        return self._postings.holding(terms(HAS, [field]))

    def _parts(self) -> dict[str, BitMap]:
        """Return the personas of each part that the viewer may see."""

        def read() -> dict[str, BitMap]:
            parts = self._postings.of_field("record.part")
            if self._hidden:
                parts = {part: personas - self._hidden for part, personas in parts.items()}
            return {part: personas for part, personas in parts.items() if personas}

        return self._keep("parts", read)

    def _live(self, field: str) -> list[str]:
        """Return the values of a field that some persona has."""
        unseen = self._keep(
            "unseen", lambda: terms_only_of(self._hidden, self._connection, self._postings)
        )
        rows = self._postings.terms_of(field, live=True)
        return [term[len(field) + 1 :] for number, term in rows if number not in unseen]

    def _saved(self, question: str, count: Callable[[], Sequence[str]]) -> Sequence[str]:
        """Return an answer as it was saved in the file, or else counted and to be saved there.

        The question names all that the answer depends on, beside the records and the viewer.
        """
        change = self._connection.change()
        if self._trusted and change is not None:
            saved = read_statistics(self._connection, question, self._viewer, change=change)
            if saved is not None:
                return saved
        answer = count()
        self.moments.current().counted[question] = answer
        return answer

    @property
    def _hidden(self) -> BitMap:
        return self._keep("hidden", lambda: hidden_personas(self._postings, self._viewer))

    def _keep(self, key: Any, compute: Callable[[], T]) -> T:
        """Return an answer, computed if it is not cached yet.

        Who is hidden and what is counted are read at one moment: a record that was hidden in
        between would else be counted as if it could be seen.
        """
        with self._connection.snapshot():
            return self.moments.current().answers.get(key, compute)

    def _keep_share(self, key: Any, compute: Callable[[], T]) -> T:
        """Return an answer of which there may be as many as people search for."""
        with self._connection.snapshot():
            return self.moments.current().shares.get(key, compute)


@dataclass(frozen=True, slots=True)
class _Counts:
    """What was counted at one moment."""

    answers: Answers = field(default_factory=Answers)
    shares: Answers = field(default_factory=lambda: Answers(most=MOST_SHARES))
    counted: dict[str, Sequence[str]] = field(default_factory=dict)  # to be saved in the file


def read_entries(connection: Connection) -> "dict[str, GazetteerEntry]":
    """Return what gazetteers say of places, by id."""
    from forebear.normalize.gazetteer import Coordinates, GazetteerEntry, PlaceName

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


def write_entries(connection: Connection, entries: "Iterable[GazetteerEntry]") -> None:
    """Add what a gazetteer says of places; what one said of the same places before is replaced."""
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
