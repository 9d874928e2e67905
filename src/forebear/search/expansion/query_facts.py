"""The facts of a query, under the words by which the catalog asks for them.

The catalog's ``needs`` column speaks of ``surname``, ``married``, ``birth.year``,
``father.given`` and so on.  Facts answers each word with names, spans of years, dates or
places, after the rules that hold for every record type have been applied.
"""

from dataclasses import dataclass, field

from forebear.normalize.spelling import ascii_forms
from forebear.records.record import HistoricalDate, Place
from forebear.search.expansion.catalog import Branch, CatalogRow, Clause, Condition
from forebear.search.expansion.knowledge import Knowledge, NameField
from forebear.search.expansion.own_events import ANY_EVENT, own_kinds
from forebear.search.expansion.rules.customs import Custom
from forebear.search.expansion.rules.surname_by_type import Surnames
from forebear.search.expansion.spans import Span
from forebear.search.expansion.vocabulary import NameVocabulary
from forebear.search.query.person_query import PersonQuery

# An event of the person that belongs to a record type; several kinds may.
EVENT = "event"

WaysIn = tuple[tuple[Branch, ...], tuple[Condition, ...]]  # branches and refinements


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a query says and implies, by the catalog's words."""

    query: PersonQuery
    knowledge: Knowledge
    surnames: Surnames
    names: dict[str, tuple[str, ...]]  # spelled; "given", "father.surname", ...
    dates: dict[str, tuple[HistoricalDate, ...]]  # "birth", "residence", "child.birth", ...
    spans: dict[str, tuple[Span, ...]]  # the same words, as years
    places: dict[str, tuple[Place, ...]]
    words: dict[str, tuple[str, ...]]  # "keyword", "occupation", "sex", "arrival.ship", ...
    vocabularies: dict[NameField, NameVocabulary]
    year_range: tuple[int, int]  # of all events in the archive
    customs: tuple[Custom, ...] = ()
    inferred: dict[str, Span] = field(default_factory=dict)  # what rules 6, 7 and 8 work out
    lifetime: Span | None = None
    # Names that a pattern of the query stands for: they are taken as they are.
    patterned: frozenset[str] = frozenset()
    # The gate is opened by one name of two: it must be spelled alike, not only sound alike.
    is_relaxed: bool = False
    # Each clause is worked out once a query, however many types ask.
    built: dict[int, Clause | None] = field(default_factory=dict)  # by build_key
    ways: list[WaysIn] = field(default_factory=list)  # into the gate, once they are known
    _answers: dict[int, tuple[str, ...] | None] = field(default_factory=dict)

    def same_folded(self, kind: NameField, name: str) -> frozenset[str]:
        """Return the name and those of the archive that fold to the same letters."""
        vocabulary = self.vocabularies[kind]
        found = [other for fold in ascii_forms(name) for other in vocabulary.folding_to(fold)]
        return frozenset([name, *found])

    def has(self, word: str, row: CatalogRow | None = None) -> bool:
        """Say whether the query has the fact that a word of the catalog names."""
        subject, _, fact = word.rpartition(".")
        if fact == "year":
            return bool(self.spans_of(subject, row))
        if fact == "date":
            return any(d.precision in ("day", "month") for d in self.dates_of(subject, row))
        if fact == "birthplace":
            return bool(self.places.get(word))
        if fact == "place":
            return bool(self.places_of(word, row))
        if word in _GROUPS:
            return self._has_group(word)
        return bool(self.names.get(word) or self.words.get(word))

    def needed(self, row: CatalogRow) -> tuple[str, ...] | None:
        """Return the word that answers each need of a clause, or None if one has no answer."""
        if row.need_key not in self._answers:
            self._answers[row.need_key] = self._answer(row)
        return self._answers[row.need_key]

    def _answer(self, row: CatalogRow) -> tuple[str, ...] | None:
        chosen = []
        for need in row.needs:
            word = next((word for word in need if self.has(word, row)), "")
            if not word:
                return None
            chosen.append(word)
        return tuple(chosen)

    def needed_spans(self, row: CatalogRow) -> tuple[Span, ...]:
        """Return the years of the first fact a clause needs."""
        words = self.needed(row)
        return self.spans_of(words[0].removesuffix(".year"), row) if words else ()

    def needed_dates(self, row: CatalogRow) -> tuple[HistoricalDate, ...]:
        """Return the dates of the first fact a clause needs."""
        words = self.needed(row)
        if not words:
            return ()
        if words[0] == "dates":
            known = [self.dates.get(event, ()) for event in ("birth", "marriage", "death")]
            return tuple(date for dates in known for date in dates)
        return self.dates_of(words[0].removesuffix(".date"), row)

    def needed_places(self, row: CatalogRow) -> tuple[Place, ...]:
        """Return the places of the first fact a clause needs."""
        words = self.needed(row)
        return self.places_of(words[0], row) if words else ()

    def needed_names(self, row: CatalogRow, position: int = 0) -> tuple[str, ...]:
        """Return the names that answer one need of a clause."""
        words = self.needed(row)
        return self.names.get(words[position], ()) if words else ()

    def needed_words(self, row: CatalogRow) -> tuple[str, ...]:
        """Return the plain words of the first fact a clause needs."""
        words = self.needed(row)
        return self.words.get(words[0], ()) if words else ()

    def spans_of(self, subject: str, row: CatalogRow | None) -> tuple[Span, ...]:
        """Return the years of an event, as far as it speaks for or against this record type."""
        if subject != EVENT:
            return self.spans.get(subject, ())
        kinds = _kinds_for(row)
        return tuple(span for kind in kinds for span in self.spans.get(kind, ()))

    def dates_of(self, subject: str, row: CatalogRow | None) -> tuple[HistoricalDate, ...]:
        """Return the dates of an event."""
        if subject != EVENT:
            return self.dates.get(subject, ())
        return tuple(date for kind in _kinds_for(row) for date in self.dates.get(kind, ()))

    def places_of(self, word: str, row: CatalogRow | None) -> tuple[Place, ...]:
        """Return the places that a word of the catalog names."""
        if word == "places":
            return self.every_place
        subject = word.removesuffix(".place")
        if subject == EVENT:
            return tuple(place for kind in _kinds_for(row) for place in self.places.get(kind, ()))
        return self.places.get(subject, self.places.get(word, ()))

    @property
    def every_place(self) -> tuple[Place, ...]:
        """Return every place of the person's own life."""
        own = (places for word, places in self.places.items() if "." not in word)
        return tuple(dict.fromkeys(place for places in own for place in places))

    @property
    def own_spans(self) -> tuple[Span, ...]:
        """Return the years of every event of the person's own life."""
        return tuple(
            span for word, spans in self.spans.items() if "." not in word for span in spans
        )

    @property
    def known_years(self) -> dict[str, Span]:
        """Return the events that windows of time are reckoned from, by their letters."""
        life = self.lifetime
        known = {
            "b": next(iter(self.spans.get("birth", ())), self.inferred.get("birth")),
            "d": next(iter(self.spans.get("death", ())), None),
            "m": next(iter(self.spans.get("marriage", ())), None),
            "a": next(iter(self.spans.get("arrival", ())), None),
        }
        if known["d"] is None and life is not None:
            known["d"] = Span(first=life.last, last=life.last)
        return {letter: span for letter, span in known.items() if span is not None}

    def _has_group(self, word: str) -> bool:
        if word == "lifespan":
            return self.lifetime is not None
        if word == "dates":
            return bool(self.own_spans)
        return bool(self.every_place) if word == "places" else bool(self.query.relatives)


_GROUPS = frozenset({"lifespan", "dates", "places", "relatives"})


def _kinds_for(row: CatalogRow | None) -> tuple[str, ...]:
    """Return the kinds of event that belong to a record type.

    The "any event" of a search form may be one of them; it never speaks against a record.
    """
    if row is None:
        return ()
    kinds = own_kinds(row.record_type)
    return kinds if row.polarity < 0 else (*kinds, ANY_EVENT)
