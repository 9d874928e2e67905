"""The facts of a query, under the words by which the catalog needs them.

The catalog's ``needs`` column has words such as ``surname``, ``married``, ``birth.year`` and
``father.given``.  Facts has names, years, dates or places for each word, after the rules that
hold for every record type have been applied.

Builders read the query only through ``Facts``, which notes what they read, so that what was built
is reused for the next query of which the same is true (see ``clause_cache``).
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Generic, NamedTuple, TypeVar, cast

from forebear.normalize.spelling import ascii_forms
from forebear.records.record import HistoricalDate, Place, Sex
from forebear.search.expansion.catalog import Branch, CatalogRow, Clause, Condition, load_catalog
from forebear.search.expansion.clause_cache import Group, Slot
from forebear.search.expansion.knowledge import Knowledge, NameField
from forebear.search.expansion.name_rules import Custom, Surnames
from forebear.search.expansion.year_rules import YearRange
from forebear.search.query.person_query import PersonQuery
from forebear.tables import read_table

# An event of the person that belongs to a record type; several kinds may.
EVENT = "event"
ANY_EVENT = "any"  # the kind a search form gives an event of no stated kind
# Words that stand for several facts.
GROUPS = ("lifespan", "dates", "places", "relatives")
NEEDED = "needed"  # the kind of the slots that say which words answer the needs of a clause
SINGLE = "single"  # the kind of the slots of facts that have no word

T = TypeVar("T")
D = TypeVar("D")
BuiltT = TypeVar("BuiltT", Clause | None, Condition)
GateParts = tuple[tuple[Branch, ...], tuple[Condition, ...]]  # branches and refinements
Needs = Mapping[int, tuple[str, ...]]  # by need_key


class RelativeName(NamedTuple):
    """What a relative is called in the query."""

    kind: str
    given: str
    surname: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """Which facts a query has, whatever they say."""

    texts: frozenset[str]  # words that have names or other words
    years: frozenset[str]  # events
    dates: frozenset[str]  # events dated to the day or the month
    places: frozenset[str]  # events, and the birthplaces of relatives
    groups: frozenset[str]

    def has(self, word: str, row: CatalogRow | None = None) -> bool:
        """Return whether the query has the fact that a word of the catalog names."""
        subject, _, fact = word.rpartition(".")
        if fact == "year":
            return not self.years.isdisjoint(_events_of(subject, row))
        if fact == "date":
            return not self.dates.isdisjoint(_events_of(subject, row))
        if fact == "birthplace":
            return word in self.places
        if fact == "place":
            events = _events_of(subject, row)
            return not self.places.isdisjoint(events if subject == EVENT else (*events, word))
        return word in (self.groups if word in GROUPS else self.texts)


@lru_cache(maxsize=512)
def answer_needs(presence: Presence) -> Needs:
    """Return the words that answer the needs of clauses, by need_key, where all have an answer."""
    answers: dict[int, tuple[str, ...]] = {}
    has: dict[tuple[str, tuple[str, ...]], bool] = {}
    for need_key, needs, row in _needs():
        events = _kinds_for(row)
        words = []
        for need in needs:
            for word in need:
                key = (word, events if word.startswith("event.") else ())
                if key not in has:
                    has[key] = presence.has(word, row)
                if has[key]:
                    words.append(word)
                    break
            else:
                break
        else:
            answers[need_key] = tuple(words)
    return answers


@cache
def _needs() -> tuple[tuple[int, tuple[tuple[str, ...], ...], CatalogRow], ...]:
    """Return what clauses need of a query, each with its number and a row that needs it."""
    rows = {row.need_key: row for rows in load_catalog().values() for row in rows}
    return tuple([(need_key, row.needs, row) for need_key, row in rows.items()])


class FactsByWord(Generic[T]):
    """Facts of one kind by the catalog's words; each word that is read is noted."""

    def __init__(self, kind: str, facts: Mapping[str, T], read: set[Slot]) -> None:
        self._kind = kind
        self._facts = facts
        self._read = read

    def __getitem__(self, word: str) -> T:
        self._read.add((self._kind, word))
        return self._facts[word]

    def get(self, word: str, default: D) -> T | D:
        """Return the facts under a word, or the default if there are none."""
        self._read.add((self._kind, word))
        return self._facts.get(word, default)


class Facts:
    """What a query says and implies, by the catalog's words."""

    def __init__(
        self,
        *,
        query: PersonQuery,
        knowledge: Knowledge,
        surnames: Surnames,
        names: Mapping[str, tuple[str, ...]],  # spelled; "given", "father.surname", ...
        dates: Mapping[str, tuple[HistoricalDate, ...]],  # "birth", "residence", "child.birth", ...
        spans: Mapping[str, tuple[YearRange, ...]],  # the same words, as years
        places: Mapping[str, tuple[Place, ...]],
        words: Mapping[str, tuple[str, ...]],  # "keyword", "occupation", "sex", "arrival.ship", ...
        customs: tuple[Custom, ...],
        inferred: Mapping[str, YearRange],  # what rules 6, 7 and 8 compute
        lifetime: YearRange | None,
        patterned: frozenset[str],  # names that a pattern stands for: they are taken as they are
        is_relaxed: bool,  # one name of two opens the gate, if it is spelled alike
    ) -> None:
        self.query = query  # not for builders
        # These are the same for all queries of a viewer until the archive changes.
        self.knowledge = knowledge
        self.vocabularies = {kind: knowledge.vocabulary(kind) for kind in _NAME_FIELDS}
        self.year_range = knowledge.year_range()  # of all events in the archive
        # Each clause is built once a query, however many types ask.
        self.built: dict[int, Clause | None] = {}  # by build_key
        self.gate_parts: list[GateParts] = []  # one, once they are computed
        self._cache = knowledge.clause_cache()
        self._read: set[Slot] = set()  # by the builder that runs
        self._values: dict[Slot, int] = {}  # their numbers
        self._groups: dict[int, Group] = {}  # by the set of facts that builders read
        self.names = FactsByWord("names", names, self._read)
        self.dates = FactsByWord("dates", dates, self._read)
        self.spans = FactsByWord("spans", spans, self._read)
        self.places = FactsByWord("places", places, self._read)
        self.words = FactsByWord("words", words, self._read)
        self.inferred = FactsByWord("inferred", inferred, self._read)
        self._single: dict[str, Hashable] = {
            "sex": query.sex,
            "relatives": tuple([RelativeName(r.kind, r.given, r.surname) for r in query.relatives]),
            "surnames": surnames,
            "customs": customs,
            "lifetime": lifetime,
            "patterned": patterned,
            "is relaxed": is_relaxed,
            "events": tuple([item for item in spans.items() if _is_own(item[0])]),
            "dates": tuple([d for word in filter(_is_own, dates) for d in dates[word]]),
            "places": tuple(
                dict.fromkeys([p for word in filter(_is_own, places) for p in places[word]])
            ),
            "known years": tuple(_known_years(spans, inferred, lifetime).items()),
        }
        self.presence = Presence(
            texts=_filled(names) | _filled(words),
            years=_filled(spans),
            dates=frozenset([word for word in dates if any(map(_is_precise, dates[word]))]),
            places=_filled(places),
            groups=self._filled_groups(),
        )
        self.needs = answer_needs(self.presence)
        self._kinds: dict[str, Mapping[Any, Hashable]] = {
            **{"names": names, "dates": dates, "spans": spans, "places": places},
            **{"words": words, "inferred": inferred, SINGLE: self._single, NEEDED: self.needs},
        }

    @property
    def sex(self) -> Sex | None:
        """Return the sex that the query states."""
        return cast("Sex | None", self._note("sex"))

    @property
    def relatives(self) -> tuple[RelativeName, ...]:
        """Return the names of the relatives."""
        return cast("tuple[RelativeName, ...]", self._note("relatives"))

    @property
    def surnames(self) -> Surnames:
        """Return the surnames of the person by how they came to them."""
        return cast("Surnames", self._note("surnames"))

    @property
    def customs(self) -> tuple[Custom, ...]:
        """Return what custom names follow where the person lived."""
        return cast("tuple[Custom, ...]", self._note("customs"))

    @property
    def lifetime(self) -> YearRange | None:
        """Return the years in which the person may have lived."""
        return cast("YearRange | None", self._note("lifetime"))

    @property
    def patterned(self) -> frozenset[str]:
        """Return the names that a pattern of the query stands for."""
        return cast("frozenset[str]", self._note("patterned"))

    @property
    def is_relaxed(self) -> bool:
        """Return whether one name of two opens the gate."""
        return cast("bool", self._note("is relaxed"))

    @property
    def own_events(self) -> tuple[tuple[str, tuple[YearRange, ...]], ...]:
        """Return the events of the person's own life, each with its years."""
        return cast("tuple[tuple[str, tuple[YearRange, ...]], ...]", self._note("events"))

    @property
    def own_spans(self) -> tuple[YearRange, ...]:
        """Return the years of every event of the person's own life."""
        return tuple([span for _, spans in self.own_events for span in spans])

    @property
    def own_dates(self) -> tuple[HistoricalDate, ...]:
        """Return the dates of every event of the person's own life."""
        return cast("tuple[HistoricalDate, ...]", self._note("dates"))

    @property
    def every_place(self) -> tuple[Place, ...]:
        """Return every place of the person's own life."""
        return cast("tuple[Place, ...]", self._note("places"))

    @property
    def known_years(self) -> dict[str, YearRange]:
        """Return the events that windows of time are counted from, by their letters."""
        return dict(cast("tuple[tuple[str, YearRange], ...]", self._note("known years")))

    def reuse(self, builder: Hashable, build: Callable[..., BuiltT], *arguments: object) -> BuiltT:
        """Return what a builder made of the same facts before, or let it build.

        ``builder`` names the builder with its arguments.  A builder may not call this.
        """
        cache = self._cache
        facts_read = cache.facts_read(builder)
        if facts_read is not None:
            group = self._groups.get(facts_read) or self._group(facts_read)
            if builder in group:
                return cast("BuiltT", group[builder])
        self._read.clear()
        built = build(*arguments, self)
        cache.add(self._group(cache.note(builder, self._read)), builder, built)
        return built

    def _group(self, facts_read: int) -> Group:
        """Return what was built of the same values of a set of facts."""
        group = self._groups.get(facts_read)
        if group is None:
            values = [self._value(slot) for slot in self._cache.slots(facts_read)]
            group = self._groups[facts_read] = self._cache.group((facts_read, *values))
        return group

    def same_folded(self, kind: NameField, name: str) -> frozenset[str]:
        """Return the name and those of the archive that fold to the same letters."""
        vocabulary = self.vocabularies[kind]
        others = [other for fold in ascii_forms(name) for other in vocabulary.folding_to(fold)]
        return frozenset([name, *others])

    def needed(self, row: CatalogRow) -> tuple[str, ...] | None:
        """Return the word that answers each need of a clause, or None if one has no answer."""
        self._read.add((NEEDED, row.need_key))
        return self.needs.get(row.need_key)

    def needed_spans(self, row: CatalogRow) -> tuple[YearRange, ...]:
        """Return the years of the first fact a clause needs."""
        words = self.needed(row)
        if not words:
            return ()
        events = _events_of(words[0].removesuffix(".year"), row)
        return tuple([span for event in events for span in self.spans.get(event, ())])

    def needed_dates(self, row: CatalogRow) -> tuple[HistoricalDate, ...]:
        """Return the dates of the first fact a clause needs."""
        words = self.needed(row)
        if not words:
            return ()
        events = _events_of(words[0].removesuffix(".date"), row)
        if words[0] == "dates":
            events = ("birth", "marriage", "death")
        return tuple([date for event in events for date in self.dates.get(event, ())])

    def needed_places(self, row: CatalogRow) -> tuple[Place, ...]:
        """Return the places of the first fact a clause needs."""
        words = self.needed(row)
        if not words:
            return ()
        if words[0] == "places":
            return self.every_place
        subject = words[0].removesuffix(".place")
        if subject == EVENT:
            return tuple([p for kind in _kinds_for(row) for p in self.places.get(kind, ())])
        places = self.places.get(subject, None)
        return self.places.get(words[0], ()) if places is None else places

    def needed_names(self, row: CatalogRow, position: int = 0) -> tuple[str, ...]:
        """Return the names that answer one need of a clause."""
        words = self.needed(row)
        return self.names.get(words[position], ()) if words else ()

    def needed_words(self, row: CatalogRow) -> tuple[str, ...]:
        """Return the words of the first fact a clause needs."""
        words = self.needed(row)
        return self.words.get(words[0], ()) if words else ()

    def _note(self, name: str) -> Hashable:
        """Return a fact that has no word, and note that it was read."""
        self._read.add((SINGLE, name))
        return self._single[name]

    def _value(self, slot: Slot) -> int:
        """Return the number of the value of a fact."""
        number = self._values.get(slot)
        if number is None:
            kind, word = slot
            number = self._values[slot] = self._cache.value(self._kinds[kind].get(word))
        return number

    def _filled_groups(self) -> frozenset[str]:
        single = self._single
        filled = (single["lifetime"], self.own_spans, single["places"], single["relatives"])
        return frozenset([group for group, facts in zip(GROUPS, filled, strict=True) if facts])


_NAME_FIELDS: tuple[NameField, ...] = ("given", "surname")


def _filled(facts: Mapping[str, tuple[object, ...]]) -> frozenset[str]:
    """Return the words that have a fact."""
    return frozenset([word for word, values in facts.items() if values])


def _is_own(word: str) -> bool:
    """Return whether a word is about the person, and not about a relative."""
    return "." not in word


def _is_precise(date: HistoricalDate) -> bool:
    return date.precision in ("day", "month")


def _known_years(
    spans: Mapping[str, tuple[YearRange, ...]],
    inferred: Mapping[str, YearRange],
    life: YearRange | None,
) -> dict[str, YearRange]:
    events = {"b": "birth", "d": "death", "m": "marriage", "a": "arrival"}
    years = {letter: spans[event][0] for letter, event in events.items() if spans.get(event)}
    if "b" not in years and "birth" in inferred:
        years["b"] = inferred["birth"]
    if "d" not in years and life is not None:
        years["d"] = YearRange(first=life.last, last=life.last)
    return years


def _events_of(subject: str, row: CatalogRow | None) -> tuple[str, ...]:
    """Return the events that a word means, as far as they speak for or against a record type."""
    return _kinds_for(row) if subject == EVENT else (subject,)


def _kinds_for(row: CatalogRow | None) -> tuple[str, ...]:
    """Return the kinds of event that belong to a record type.

    The "any event" of a search form may be one of them; it never speaks against a record.
    """
    if row is None:
        return ()
    kinds = own_kinds(row.record_type)
    return kinds if row.polarity < 0 else (*kinds, ANY_EVENT)


@cache
def own_kinds(record_type: str) -> tuple[str, ...]:
    """Return the kinds of event that only one record type records.

    >>> own_kinds("divorce")
    ('divorce', 'annulment', 'separation')
    """
    return _table().get(record_type, ())


@cache
def every_own_kind() -> frozenset[str]:
    """Return the kinds of event that belong to some record type."""
    return frozenset(kind for kinds in _table().values() for kind in kinds)


@cache
def _table() -> dict[str, tuple[str, ...]]:
    rows = read_table("search/own_events")
    return {row["record_type"]: tuple(row["kinds"].split(";")) for row in rows}
