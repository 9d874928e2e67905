"""The facts of a query, under the words by which the catalog asks for them.

The catalog's ``needs`` column speaks of ``surname``, ``married``, ``birth.year``,
``father.given`` and so on.  Facts answers each word with names, spans of years, dates or
places, after the rules that hold for every record type have been applied.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from forebear.normalize.names import folds, spell, split_given
from forebear.normalize.places import place_id
from forebear.normalize.text_words import text_words
from forebear.records.dates import HistoricalDate
from forebear.records.places import Place
from forebear.search.expansion.catalog import CatalogRow
from forebear.search.expansion.knowledge import Knowledge, NameField
from forebear.search.expansion.rules.surnames import Surnames, surnames_of
from forebear.search.expansion.rules.years import (
    Span,
    birth_from_age,
    inferred_birth,
    inferred_death,
    inferred_marriage,
    joined,
    lifetime,
    span_of,
)
from forebear.search.query.person_query import PersonQuery


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
    words: dict[str, tuple[str, ...]]  # "keyword", "occupation", "religion", "sex", "suffix"
    inferred: dict[str, Span] = field(default_factory=dict)  # what rules 6, 7 and 8 work out
    lifetime: Span | None = None
    _forms: dict[tuple[NameField, str], frozenset[str]] = field(default_factory=dict)

    def same_folded(self, kind: NameField, name: str) -> frozenset[str]:
        """Return the name and those of the archive that fold to the same letters.

        Many clauses of every record type ask for the same names, so each is looked up once.
        """
        if (kind, name) not in self._forms:
            found = (self.knowledge.names_folding_to(kind, fold) for fold in folds(name))
            self._forms[kind, name] = frozenset({name}).union(*found)
        return self._forms[kind, name]

    def has(self, word: str) -> bool:
        """Say whether the query has the fact that a word of the catalog names."""
        subject, _, fact = word.rpartition(".")
        if fact == "year":
            return bool(self.spans.get(subject))
        if fact == "date":
            return any(date.precision in ("day", "month") for date in self.dates.get(subject, ()))
        if fact in ("place", "birthplace"):
            return bool(self.places.get(word if fact == "birthplace" else subject))
        if word == "lifespan":
            return self.lifetime is not None
        if word == "dates":
            return sum(map(len, self.spans.values())) > 1
        if word == "places":
            return bool(self.every_place)
        if word == "relatives":
            return bool(self.query.relatives)
        return bool(self.names.get(word) or self.words.get(word))

    def needed(self, row: CatalogRow) -> tuple[str, ...] | None:
        """Return the word that answers each need of a clause, or None if one has no answer."""
        chosen = tuple(next((word for word in need if self.has(word)), "") for need in row.needs)
        return chosen if all(chosen) else None

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


def gather_facts(query: PersonQuery, knowledge: Knowledge) -> Facts:
    """Return the facts of a query, resolved against the archive."""
    surnames = surnames_of(query)
    dates = _dates(query)
    spans = {word: _spans(found) for word, found in dates.items()}
    if not spans.get("birth") and query.age is not None:
        from_age = birth_from_age(query.age)
        spans["birth"] = (from_age,) if from_age else ()
    inferred = _infer(query, spans)
    birth = joined(spans.get("birth", ())) or inferred.get("birth")
    death = joined(spans.get("death", ()) or spans.get("burial", ()))
    return Facts(
        query=query,
        knowledge=knowledge,
        surnames=surnames,
        names=_names(query, surnames),
        dates=dates,
        spans=spans,
        places=_places(query, knowledge),
        words=_words(query),
        inferred=inferred,
        lifetime=lifetime(birth, death),
    )


def _names(query: PersonQuery, surnames: Surnames) -> dict[str, tuple[str, ...]]:
    given = [split_given(name.given) for name in query.names]
    names = {
        "surname": surnames.birth,
        "married": surnames.married,
        "alias.surname": surnames.alias,
        "surnames": surnames.borne,
        "given": _distinct(tokens[0] for tokens in given if tokens),
        "middle": _distinct(token for tokens in given for token in tokens[1:]),
    }
    for relative in query.relatives:
        first = split_given(relative.given)[:1]
        last = "maiden" if relative.kind.endswith("mother") else "surname"
        for word, found in (
            (f"{relative.kind}.given", first),
            (f"{relative.kind}.{last}", (spell(relative.surname),)),
        ):
            names[word] = _distinct((*names.get(word, ()), *found))
    return names


def _dates(query: PersonQuery) -> dict[str, tuple[HistoricalDate, ...]]:
    dates: dict[str, tuple[HistoricalDate, ...]] = {}
    for event in query.events:
        if event.date is not None:
            dates[event.kind] = (*dates.get(event.kind, ()), event.date)
    for relative in query.relatives:
        for event in relative.events:
            if event.date is not None:
                word = f"{relative.kind}.{event.kind}"
                dates[word] = (*dates.get(word, ()), event.date)
    return dates


def _spans(dates: Iterable[HistoricalDate]) -> tuple[Span, ...]:
    spans = (span_of(date) for date in dates)
    return tuple(sorted((span for span in spans if span), key=lambda span: span.first))


def _infer(query: PersonQuery, spans: dict[str, tuple[Span, ...]]) -> dict[str, Span]:
    birth = next(iter(spans.get("birth", ())), None)
    found: dict[str, Span | None] = {}
    if birth is None:
        birth = found["birth"] = inferred_birth(
            is_female=query.sex == "f",
            marriages=spans.get("marriage", ()),
            children=spans.get("child.birth", ()),
            parents_marriages=spans.get("father.marriage", ()) or spans.get("mother.marriage", ()),
            siblings=spans.get("sibling.birth", ()),
            spouses=spans.get("spouse.birth", ()),
        )
    if not spans.get("death") and not spans.get("burial"):
        own = [span for word, known in spans.items() if "." not in word for span in known]
        found["death"] = inferred_death(birth, max((span.first for span in own), default=None))
    if not spans.get("marriage"):
        found["marriage"] = inferred_marriage(birth, spans.get("child.birth", ()))
    return {word: span for word, span in found.items() if span is not None}


def _places(query: PersonQuery, knowledge: Knowledge) -> dict[str, tuple[Place, ...]]:
    places: dict[str, tuple[Place, ...]] = {}
    for event in query.events:
        if event.place is not None:
            found = places.get(event.kind, ())
            places[event.kind] = (*found, *resolve_place(event.place, knowledge))
    for relative in query.relatives:
        if relative.birthplace is not None:
            word = f"{relative.kind}.birthplace"
            places[word] = resolve_place(relative.birthplace, knowledge)
    return places


def resolve_place(place: Place, knowledge: Knowledge) -> tuple[Place, ...]:
    """Return the places of the archive that the words may mean, else the words themselves.

    A name alone, or with some of its levels left out, means every known place that bears
    it under the levels that were given: Layham is Layham, Suffolk, England.
    """
    asked = _levels_of(place_id(place.levels))
    known = [_levels_of(id_) for id_ in knowledge.places_named(asked[0])]
    meant = [levels for levels in known if set(asked) <= set(levels)]
    return tuple(Place(text=place.text, levels=levels) for levels in meant) or (place,)


def _levels_of(id_: str) -> tuple[str, ...]:
    return tuple(id_.removeprefix("p:").split(","))


def _words(query: PersonQuery) -> dict[str, tuple[str, ...]]:
    return {
        "keyword": text_words(query.keywords),
        "occupation": _distinct([spell(query.occupation)]),
        "religion": _distinct([spell(query.religion)]),
        "sex": (query.sex,) if query.sex else (),
        "suffix": _distinct(spell(name.suffix).rstrip(".") for name in query.names),
        "father.occupation": _distinct(
            spell(relative.occupation) for relative in query.relatives if relative.kind == "father"
        ),
    }


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))
