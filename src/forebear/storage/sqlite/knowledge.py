"""What expansion asks of the file: names that fold alike, common facts, places, years.

Everything is counted on the live postings, so that it is right after deletions too.  The
answers are kept until the archive changes.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from pyroaring import BitMap

from forebear.normalize.gazetteer import Gazetteer
from forebear.search.expansion.knowledge import NameField
from forebear.search.expansion.vocabulary import NameVocabulary
from forebear.search.terms.fields import COLLECTION, HAS, term, terms, value_of
from forebear.storage.coverage import COVERED_FIELDS, Coverage, covered_places
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.places import read_gazetteer
from forebear.storage.sqlite.postings import Postings
from forebear.storage.vocabulary import GIVEN_FIELDS, PLACE_FIELDS, SURNAME_FIELDS, is_common

T = TypeVar("T")


class SqliteKnowledge:
    """The archive's own vocabulary and habits, as its file has them."""

    def __init__(self, connection: Connection, postings: Postings) -> None:
        self._connection = connection
        self._postings = postings
        self._kept: dict[Any, Any] = {}
        self._kept_at = -1

    def names_folding_to(self, kind: NameField, fold: str) -> frozenset[str]:
        """Return the names of the archive that have this folded form."""
        rows = self._connection.rows(
            "SELECT name FROM name_folds WHERE kind = ? AND fold = ?", (kind, fold)
        )
        return frozenset(name for (name,) in rows)

    def vocabulary(self, kind: NameField) -> NameVocabulary:
        """Return every distinct name of the name fields."""
        fields = SURNAME_FIELDS if kind == "surname" else GIVEN_FIELDS

        def read() -> NameVocabulary:
            return NameVocabulary(name for field in fields for name in self._live(field))

        return self._keep(("vocabulary", kind), read)

    def share(self, field: str, value: str) -> float:
        """Return which share of the personas that have the field have this value."""

        def count() -> float:
            having = self._keep(("having", field), lambda: len(self._having(field)))
            bearers = len(self._postings.holding(frozenset([term(field, value)])))
            return bearers / having if having else 0.0

        return self._keep(("share", field, value), count)

    def parts_with(self, fields: frozenset[str]) -> frozenset[str]:
        """Return the parts in which more than half of the personas have one of the fields."""

        def count() -> frozenset[str]:
            having = [self._having(field) for field in fields]
            return frozenset(
                part
                for part, personas in self._parts().items()
                if any(
                    is_common(personas.intersection_cardinality(h), len(personas)) for h in having
                )
            )

        return self._keep(fields, count)

    def field_presence(self, collection: str) -> dict[str, float]:
        """Return which share of a collection's personas has each field, the commonest first."""

        def count() -> dict[str, float]:
            personas = self._of_collection(collection)
            counts = {
                field: self._having(field).intersection_cardinality(personas)
                for field in self._live(HAS)
            }
            found = sorted((-having, field) for field, having in counts.items() if having)
            return {field: -having / len(personas) for having, field in found}

        return self._keep(("presence", collection), count)

    def coverage(self, collection: str) -> Coverage:
        """Return the places and years that the records of a collection are from."""
        return self._keep(("coverage", collection), lambda: self._count_coverage(collection))

    def parts_of(self, collections: frozenset[str]) -> frozenset[str]:
        """Return the parts of these collections."""
        return frozenset(part for part in self._parts() if part.rsplit("/", 2)[0] in collections)

    def places_named(self, name: str) -> tuple[str, ...]:
        """Return the ids of the places whose own name is this, the commonest first."""

        def count() -> tuple[str, ...]:
            rows = self._connection.rows("SELECT place FROM place_names WHERE name = ?", (name,))
            personas = {
                place: len(
                    self._postings.holding(frozenset(term(field, place) for field in PLACE_FIELDS))
                )
                for (place,) in rows
            }
            known = [place for place, found in personas.items() if found]
            return tuple(sorted(known, key=lambda place: (-personas[place], place)))

        return self._keep(("places", name), count)

    def places_near(self, place: str, kilometers: int) -> tuple[str, ...]:
        """Return the ids of places so near to one, itself first; none without coordinates."""
        return self._gazetteer.nearby(place, within_km=kilometers)

    def places_renamed(self, place: str) -> tuple[str, ...]:
        """Return the ids under which the same place stands by another of its names."""
        return self._gazetteer.also_known_as(place)

    def year_range(self) -> tuple[int, int]:
        """Return the first and the last year of any event in the archive."""

        def read() -> tuple[int, int]:
            years = [int(year) for year in self._live("event.year")]
            return (min(years), max(years)) if years else (0, 0)

        return self._keep("years", read)

    def _count_coverage(self, collection: str) -> Coverage:
        personas = self._of_collection(collection)

        def holds(field: str, value: str) -> int:
            found = self._postings.holding(frozenset([term(field, value)]))
            return found.intersection_cardinality(personas)

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
        return self._postings.holding(frozenset([term(COLLECTION, collection)]))

    @property
    def _gazetteer(self) -> Gazetteer:
        return self._keep("gazetteer", lambda: read_gazetteer(self._connection))

    def _having(self, field: str) -> BitMap:
        return self._postings.holding(terms(HAS, [field]))

    def _parts(self) -> dict[str, BitMap]:
        return self._keep(
            "parts",
            lambda: {
                part: self._postings.holding(frozenset([term("record.part", part)]))
                for part in self._live("record.part")
            },
        )

    def _live(self, field: str) -> list[str]:
        """Return the values of a field that some persona has."""
        rows = self._connection.rows(
            "SELECT term FROM terms WHERE term >= ? AND term < ?"
            " AND EXISTS (SELECT 1 FROM postings p WHERE p.term = terms.id)",
            (f"{field}=", f"{field}>"),
        )
        return [value_of(text) for (text,) in rows]

    def _keep(self, key: Any, work_out: Callable[[], T]) -> T:
        (now,) = self._connection.rows("SELECT counter FROM changes")[0]
        if now != self._kept_at:
            self._kept, self._kept_at = {}, now
        kept = self._kept  # another thread may begin a new one at any moment
        if key not in kept:
            kept[key] = work_out()
        answer: T = kept[key]
        return answer
