"""Is this the same event, transcribed in another collection, or the same entry twice?

A baptism may be in a parish transcript and in a county index.  Shown once, with both places
where it is found, it takes one line instead of two.  Two records are taken for the same event
only if all of this holds:

- they are of one record type and in different collections, and neither is a row of a
  household: on census day a town may well hold two people of one name;
- the people they are about have the same names, letter for letter after normalizing;
- whoever else has the same role on both has the same names, and ages do not differ;
- both give the day, and it is the same;
- both give the place, and one lies in the other or is it, to the level of a town at least.

Records need not be read to see that most pairs are none: the same names and the same day fire
the same clauses on names and years, so only records that agree in those are read.

Two records of one collection are *identical* if they say the same of the same people: they are
equal in all but their ids, the places in their files and the rows they were read from, and neither
is a row of a household or has people whom the viewer may not see.  Then they fire the same clauses,
so only records that do are read.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain

from msgspec.structs import replace

from forebear.normalize.place_levels import ancestor_ids, ids_by_level
from forebear.normalize.spelling import normalize_name
from forebear.records.record import HistoricalDate, Persona, Place, Record
from forebear.search.expansion.catalog import load_catalog
from forebear.search.hits import Hit, Hits, PackedBits

Read = Callable[[Sequence[str]], Mapping[str, Record]]


class Duplicates:
    """The records of one list that repeat others, looked for when they are needed."""

    def __init__(self, fused: Hits, read: Read) -> None:
        """Take the one list; in any ordering the better of a type is before the worse."""
        self._fused = fused
        self._read_many = read
        self._records: dict[str, Record | None] = {}
        self._keys: dict[int, str] = {}  # by row, as far as they were read
        self._rows = {tie: row for row, tie in enumerate(fused.tie.tolist())}
        self._firing = _EqualRows(fused, fused.fired)
        agreeing = [_agreeing_clauses(info.record_type) for info in fused.lists]
        self._alike = _EqualRows(fused, fused.masked(agreeing))

    def is_repeat(self, hit: Hit) -> bool:
        """Return whether a better hit is of the same event, or is identical."""
        repeats = chain(self._identical(hit), self._same(hit))
        return any(self._is_better(row, hit) for row, _ in repeats)

    def identical(self, hit: Hit) -> tuple[str, ...]:
        """Return the other records of the collection that say exactly the same, best first."""
        return tuple(key for _, key in self._identical(hit))

    def also(self, hit: Hit) -> tuple[str, ...]:
        """Return the other records of the same event, best first."""
        return tuple(key for _, key in self._same(hit))

    def _same(self, hit: Hit) -> Iterator[tuple[int, str]]:
        """Yield row and key of the records of the same event."""
        rows = self._alike.equal_to(self._rows[hit.tie])
        if len(rows) < 2 or self._is_one_collection(rows):
            return
        for row, key in self._with_keys(rows):
            if _collection(key) != _collection(hit.record_key) and self._is_same(
                hit.record_key, key
            ):
                yield row, key

    def _identical(self, hit: Hit) -> Iterator[tuple[int, str]]:
        """Yield row and key of the identical records."""
        rows = self._firing.equal_to(self._rows[hit.tie])
        if len(rows) < 2:
            return
        same = _collection(hit.record_key)
        others = [(row, key) for row, key in self._with_keys(rows) if _collection(key) == same]
        if len(others) < 2:
            return
        records = self._read([hit.record_key, *(key for _, key in others)])
        of_hit = records[0]
        for other, record in zip(others, records[1:], strict=True):
            if of_hit and record and of_hit is not record and is_identical(of_hit, record):
                yield other

    def _is_better(self, row: int, hit: Hit) -> bool:
        evidence, tie = int(self._fused.evidence[row]), int(self._fused.tie[row])
        return (-evidence, tie) < (-hit.evidence, hit.tie)

    def _is_one_collection(self, rows: Sequence[int]) -> bool:
        """Return whether hits are of one collection, as their lists say without their keys."""
        lists = {*self._fused.of_list[rows].tolist()}
        collections = {self._fused.lists[number].collections for number in lists}
        return len(collections) == 1 and all(len(names) == 1 for names in collections)

    def _with_keys(self, rows: Sequence[int]) -> list[tuple[int, str]]:
        unread = [row for row in rows if row not in self._keys]
        if unread:
            read = self._fused.take(unread).record_keys()
            self._keys |= zip(unread, read, strict=True)
        return [(row, self._keys[row]) for row in rows]

    def _is_same(self, key: str, other_key: str) -> bool:
        record, other = self._read([key, other_key])
        return record is not None and other is not None and same_event(record, other)

    def _read(self, keys: Sequence[str]) -> list[Record | None]:
        """Return records; None for one that was removed.  Each is read once."""
        unread = [key for key in keys if key not in self._records]
        if unread:
            self._records |= {**dict.fromkeys(unread), **self._read_many(unread)}
        return [self._records[key] for key in keys]


class _EqualRows:
    """The rows of one record type that have the same packed bits."""

    def __init__(self, hits: Hits, fired: PackedBits) -> None:
        first: dict[tuple[str, tuple[str, ...]], int] = {}
        kinds = [
            first.setdefault((info.record_type, info.clauses), number)
            for number, info in enumerate(hits.lists)
        ]
        data, width = fired.tobytes(), fired.shape[1]
        self._bits = [
            (kinds[number], data[row * width : (row + 1) * width])
            for row, number in enumerate(hits.of_list.tolist())
        ]
        self._rows: defaultdict[tuple[int, bytes], list[int]] = defaultdict(list)
        for row, bits in enumerate(self._bits):
            self._rows[bits].append(row)

    def equal_to(self, row: int) -> list[int]:
        """Return the rows that are equal to one, itself among them, in their order."""
        return self._rows[self._bits[row]]


def same_event(record: Record, other: Record) -> bool:
    """Return whether two records are of the same event; see the module for the rule."""
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
    """Return whether two records of a collection say the same; see the module for the rule."""
    is_comparable = record.group is None and not any(p.is_masked for p in record.personas)
    return is_comparable and _content(record) == _content(other)


def identical_words(keys: Sequence[str]) -> str:
    """Return how many identical records there are, in words.

    >>> identical_words(["baptisms:8"])
    'and 1 identical record'
    """
    return f"and {len(keys)} identical record{'s' if len(keys) > 1 else ''}"


def _content(record: Record) -> Record:
    return replace(record, id="", row=(), source="")


def _collection(record_key: str) -> str:
    return record_key.partition(":")[0]


@cache
def _agreeing_clauses(record_type: str) -> tuple[str, ...]:
    """Return the clauses that two transcripts of one event fire alike."""
    names = {
        f"self.{part}.{level}"
        for part in ("surname", "given")
        for level in ("exact", "folded", "variant", "phonetic")
    }
    return tuple(
        row.clause
        for row in load_catalog().get(record_type, ())
        if row.clause in names or (row.kind == "term" and row.clause.startswith("event.year."))
    )


def _same_day(date: HistoricalDate | None, other: HistoricalDate | None) -> bool:
    if date is None or other is None:
        return False
    return date.precision == other.precision == "day" and date.start == other.start


def _same_place(place: Place | None, other: Place | None) -> bool:
    if place is None or other is None:
        return False
    large, small = sorted((place, other), key=lambda one: len(ancestor_ids(one)))
    return ancestor_ids(large)[0] in ancestor_ids(small) and "town" in ids_by_level(large)


def _principals(record: Record) -> list[tuple[str, str]]:
    return sorted(name for p in record.personas if p.is_principal for name in _names(p))


def _agree(record: Record, other: Record) -> bool:
    """Return whether no person of one record has another name or another age on the other."""
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
