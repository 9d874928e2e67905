"""Is this the same event, transcribed in another collection, or the same entry twice?

A baptism may stand in a parish transcript and in a county index.  Shown once, with both places
where it is found, it takes one line instead of two.  Two records are taken for the same event
only if all of this holds:

- they are of one record type and stand in different collections, and neither is a row of a
  household: on census day a town may well hold two people of one name;
- the people they are about have the same names, letter for letter after normalizing;
- whoever else has the same role on both has the same names, and ages do not differ;
- both give the day, and it is the same;
- both give the place, and one lies in the other or is it, to the level of a town at least.

Records need not be read to see that most pairs are none: the same names and the same day fire
the same clauses on names and years, so only records that agree in those are looked at.

Two records of one collection are *identical* if they say the same of the same people: they are
equal in all but their ids, the places in their files and the rows they were read from, and neither
is a row of a household or has people whom the viewer may not see.  Then they fire the same clauses,
so only records that do are read.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from forebear.normalize.places import ancestor_ids, ids_by_level
from forebear.normalize.spelling import normalize_name
from forebear.records.record import HistoricalDate, Persona, Place, Record
from forebear.search.expansion.catalog import load_catalog
from forebear.search.fusion.shifted import FusedHit

Read = Callable[[Sequence[str]], Mapping[str, Record]]
Likeness = tuple[str, frozenset[str]]  # the record type, and the clauses that must agree
Firing = tuple[str, str, tuple[str, ...]]  # the record type, the collection and all clauses


class Duplicates:
    """The records of one list that repeat others, found as they are asked for."""

    def __init__(self, fused: Sequence[FusedHit], read: Read) -> None:
        """Take the one list; in any arrangement the better of a type stands before the worse."""
        self._read_many = read
        self._records: dict[str, Record | None] = {}
        self._alike: defaultdict[Likeness, list[FusedHit]] = defaultdict(list)
        self._firing: defaultdict[Firing, list[FusedHit]] = defaultdict(list)
        shelves: defaultdict[str, set[str]] = defaultdict(set)
        for hit in fused:
            shelves[hit.record_type].add(_shelf(hit))
            self._firing[_firing(hit)].append(hit)
        for hit in fused:
            if len(shelves[hit.record_type]) > 1:
                self._alike[_likeness(hit)].append(hit)

    def is_repeat(self, hit: FusedHit) -> bool:
        """Say whether a better hit tells of the same event, or is identical."""
        repeats = (*self._identical(hit), *self._same(hit))
        return any(_standing(other) < _standing(hit) for other in repeats)

    def identical(self, hit: FusedHit) -> tuple[str, ...]:
        """Return the other records of the collection that say exactly the same, best first."""
        return tuple(other.hit.record_key for other in self._identical(hit))

    def also(self, hit: FusedHit) -> tuple[str, ...]:
        """Return the other records that tell of the same event, best first."""
        return tuple(other.hit.record_key for other in self._same(hit))

    def _same(self, hit: FusedHit) -> Iterator[FusedHit]:
        for other in self._alike.get(_likeness(hit), ()) if self._alike else ():
            is_elsewhere = _shelf(other) != _shelf(hit)
            if is_elsewhere and self._is_same(hit.hit.record_key, other.hit.record_key):
                yield other

    def _is_same(self, key: str, other_key: str) -> bool:
        record, other = self._read([key, other_key])
        return record is not None and other is not None and same_event(record, other)

    def _identical(self, hit: FusedHit) -> Iterator[FusedHit]:
        others = self._firing.get(_firing(hit), ())
        if len(others) < 2:
            return
        records = self._read([other.hit.record_key for other in others])
        of_hit = records[others.index(hit)]
        for other, record in zip(others, records, strict=True):
            if of_hit and record and of_hit is not record and is_identical(of_hit, record):
                yield other

    def _read(self, keys: Sequence[str]) -> list[Record | None]:
        """Return records; None for one that is gone.  Each is read once."""
        unread = [key for key in keys if key not in self._records]
        if unread:
            self._records |= {**dict.fromkeys(unread), **self._read_many(unread)}
        return [self._records[key] for key in keys]


def same_event(record: Record, other: Record) -> bool:
    """Say whether two records tell of the same event; see the module for the rule."""
    if record.record_type != other.record_type or record.collection == other.collection:
        return False
    if record.group or other.group:
        return False
    return (
        _same_day(record.event.date, other.event.date)
        and _same_place(record.event.place, other.event.place)
        and _principals(record) == _principals(other) != []
        and _agree(record, other)
    )


def is_identical(record: Record, other: Record) -> bool:
    """Say whether two records of a collection say the same; see the module for the rule."""
    return _is_comparable(record) and _content(record) == _content(other)


def identical_words(keys: Sequence[str]) -> str:
    """Return how many identical records there are, in words.

    >>> identical_words(["baptisms:8"])
    'and 1 identical record'
    """
    return f"and {len(keys)} identical record{'s' if len(keys) > 1 else ''}"


def _is_comparable(record: Record) -> bool:
    return record.group is None and not any(persona.is_masked for persona in record.personas)


def _content(record: Record) -> Record:
    return replace(record, id="", row=(), source="")


def _firing(hit: FusedHit) -> Firing:
    return hit.record_type, _shelf(hit), hit.hit.fired


def _shelf(hit: FusedHit) -> str:
    return hit.hit.record_key.partition(":")[0]


def _standing(hit: FusedHit) -> tuple[int, int]:
    return -hit.evidence, hit.tie


def _likeness(hit: FusedHit) -> Likeness:
    return hit.record_type, _telling(hit.record_type).intersection(hit.hit.fired)


@cache
def _telling(record_type: str) -> frozenset[str]:
    """Return the clauses that two transcripts of one event fire alike."""
    names = {
        f"self.{part}.{level}"
        for part in ("surname", "given")
        for level in ("exact", "folded", "variant", "phonetic")
    }
    return frozenset(
        row.clause
        for row in load_catalog()[record_type]
        if row.clause in names or (row.kind == "term" and row.clause.startswith("event.year."))
    )


def _same_day(date: HistoricalDate | None, other: HistoricalDate | None) -> bool:
    if date is None or other is None:
        return False
    return date.precision == other.precision == "day" and date.start == other.start


def _same_place(place: Place | None, other: Place | None) -> bool:
    if place is None or other is None:
        return False
    large, small = sorted((place, other), key=lambda each: len(ancestor_ids(each)))
    return ancestor_ids(large)[0] in ancestor_ids(small) and "town" in ids_by_level(large)


def _principals(record: Record) -> list[tuple[str, str]]:
    return sorted(name for p in record.personas if p.is_principal for name in _names(p))


def _agree(record: Record, other: Record) -> bool:
    """Say whether nobody on one record is called otherwise or aged otherwise on the other."""
    roles = {persona.role: persona for persona in other.personas}
    pairs = [(persona, roles[persona.role]) for persona in record.personas if persona.role in roles]
    return all(_same_names(one, two) and _same_age(one, two) for one, two in pairs)


def _same_names(one: Persona, two: Persona) -> bool:
    return not one.names or not two.names or _names(one) == _names(two)


def _same_age(one: Persona, two: Persona) -> bool:
    if one.age is None or two.age is None:
        return True
    return (one.age.born_from, one.age.born_to) == (two.age.born_from, two.age.born_to)


def _names(persona: Persona) -> list[tuple[str, str]]:
    return sorted(
        (normalize_name(name.given), normalize_name(name.surname)) for name in persona.names
    )
