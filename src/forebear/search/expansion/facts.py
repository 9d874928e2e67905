"""A query becomes facts: what it says, resolved against the archive, and what that implies."""

from collections.abc import Iterable

from forebear.normalize.places import place_id
from forebear.normalize.spelling import normalize_name, split_given
from forebear.normalize.variants import sex_of_given
from forebear.normalize.words import occupations_of, text_words
from forebear.records.record import HistoricalDate, Place
from forebear.search.expansion.contradictions import without_contradictions
from forebear.search.expansion.knowledge import Knowledge
from forebear.search.expansion.query_facts import Facts, WaysIn
from forebear.search.expansion.rules.birth_from_age import birth_from_age
from forebear.search.expansion.rules.birth_unknown import inferred_birth
from forebear.search.expansion.rules.customs import Custom, customs_of
from forebear.search.expansion.rules.death_unknown import inferred_death, last_sign_of_life
from forebear.search.expansion.rules.fathers_surname import father_named_by
from forebear.search.expansion.rules.lifespan import lifetime
from forebear.search.expansion.rules.marriage_unknown import inferred_marriage
from forebear.search.expansion.rules.surname_by_type import Surnames, surnames_of
from forebear.search.expansion.spans import Span, joined, span_of
from forebear.search.expansion.wildcards import resolve_names
from forebear.search.query.person_query import PersonQuery
from forebear.search.terms.attributes import (
    identifier_key,
    identifier_kinds,
    organization_words,
    ship_name,
    title_words,
)
from forebear.search.terms.places import street_forms

__all__ = ["Facts", "WaysIn", "gather_facts", "resolve_place"]

Spans = dict[str, tuple[Span, ...]]


def gather_facts(query: PersonQuery, knowledge: Knowledge, *, is_relaxed: bool = False) -> Facts:
    """Return the facts of a query, resolved against the archive."""
    query = without_contradictions(query)
    resolved, patterned = resolve_names(query, knowledge)
    surnames = surnames_of(resolved)
    dates = _dates(query)
    spans: Spans = {word: _spans(found) for word, found in dates.items()}
    if not spans.get("birth") and query.age is not None:
        from_age = birth_from_age(query.age)
        spans["birth"] = (from_age,) if from_age else ()
    inferred = _infer(query, spans)
    birth = joined(spans.get("birth", ())) or inferred.get("birth")
    death = joined(spans.get("death", ()) or spans.get("burial", ()))
    places = _places(query, knowledge)
    own_places = [place for word, found in places.items() if "." not in word for place in found]
    customs = customs_of(own_places)
    return Facts(
        query=resolved,
        knowledge=knowledge,
        surnames=surnames,
        names=_names(resolved, surnames, customs, birth),
        dates=dates,
        spans=spans,
        places=places,
        words=_words(query),
        customs=customs,
        inferred=inferred,
        lifetime=lifetime(birth, death),
        patterned=patterned,
        is_relaxed=is_relaxed,
    )


def _names(
    query: PersonQuery, surnames: Surnames, customs: tuple[Custom, ...], birth: Span | None
) -> dict[str, tuple[str, ...]]:
    given = [split_given(name.given) for name in query.names]
    names = {
        "surname": surnames.birth,
        "surname2": surnames.second,
        "married": surnames.married,
        "alias.surname": surnames.other,
        "surnames": surnames.borne,
        "given": distinct(tokens[0] for tokens in given if tokens),
        "whole given": distinct(normalize_name(name.given) for name in query.names),
        "middle": distinct(token for tokens in given for token in tokens[1:]),
    }
    for relative in query.relatives:
        first = split_given(relative.given)[:1]
        last = "maiden" if relative.kind.endswith("mother") else "surname"
        for word, found in (
            (f"{relative.kind}.given", first),
            (f"{relative.kind}.{last}", (normalize_name(relative.surname),)),
        ):
            names[word] = distinct((*names.get(word, ()), *found))
    if not names.get("father.given"):
        year = birth.first if birth else None
        names["father.given"] = father_named_by(surnames.birth, customs=customs, year=year)
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
                if event.kind == "marriage" and relative.kind in ("father", "mother"):
                    dates["parents.marriage"] = (*dates.get("parents.marriage", ()), event.date)
    return dates


def _spans(dates: Iterable[HistoricalDate]) -> tuple[Span, ...]:
    spans = (span_of(date) for date in dates)
    return tuple(sorted((span for span in spans if span), key=lambda span: span.first))


def _infer(query: PersonQuery, spans: Spans) -> dict[str, Span]:
    """Return what rules 6, 7 and 8 work out of births, deaths and weddings left unsaid."""
    birth = next(iter(spans.get("birth", ())), None)
    children = spans.get("child.birth", ())
    found: dict[str, Span | None] = {}
    if birth is None:
        birth = found["birth"] = inferred_birth(
            sex=query.sex,
            baptisms=spans.get("baptism", ()),
            marriages=spans.get("marriage", ()),
            children=children,
            parents_marriages=spans.get("parents.marriage", ()),
            siblings=spans.get("sibling.birth", ()),
            spouses=spans.get("spouse.birth", ()),
        )
    if not spans.get("death") and not spans.get("burial"):
        own = [span for word, known in spans.items() if "." not in word for span in known]
        found["death"] = inferred_death(birth, last_sign_of_life(own, [*children], query.sex))
    if not spans.get("marriage"):
        found["marriage"] = inferred_marriage(birth, children)
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
    it under the levels that were given: Layham is Layham, Suffolk, England.  So does a known
    place that leaves out the largest of them: Zell, Baden is Zell, Baden, Germany.
    """
    asked = _levels_of(place_id(place.levels))
    known = [_levels_of(id_) for id_ in knowledge.places_named(asked[0])]
    within = [levels for levels in known if set(asked) <= set(levels)] or [place.levels]
    meant = (*within, *(levels for levels in known if _begins(levels, asked)))
    return tuple(Place(text=place.text, levels=levels) for levels in meant)


def _begins(levels: tuple[str, ...], asked: tuple[str, ...]) -> bool:
    """Say whether a known place has the smallest levels asked for; a name alone is too little."""
    return 1 < len(levels) < len(asked) and asked[: len(levels)] == levels


def _levels_of(id_: str) -> tuple[str, ...]:
    return tuple(id_.removeprefix("p:").split(","))


def _words(query: PersonQuery) -> dict[str, tuple[str, ...]]:
    fathers = [relative for relative in query.relatives if relative.kind == "father"]
    addresses = [form for event in query.events for form in street_forms(event.address)]
    return {
        "keyword": text_words(query.keywords),
        "occupation": _trades([query.occupation]),
        "father.occupation": _trades(relative.occupation for relative in fathers),
        "religion": distinct([normalize_name(query.religion)]),
        "sex": (query.sex,) if query.sex else (),
        "implied.sex": _implied_sex(query),
        "suffix": distinct(normalize_name(name.suffix).rstrip(".") for name in query.names),
        "title": distinct(word for name in query.names for word in title_words(name.title)[:1]),
        "organization": organization_words(query.organization),
        "identifier": _identifiers(query.identifier),
        "arrival.ship": distinct(ship_name(event.ship) for event in query.events),
        "residence.address": distinct(addresses),
    }


def _implied_sex(query: PersonQuery) -> tuple[str, ...]:
    """Return the sex that the given names imply, if it is not stated."""
    if query.sex:
        return ()
    first = (split_given(name.given)[:1] for name in query.names)
    sexes = {sex_of_given(names[0]) for names in first if names}
    return tuple(sex for sex in sexes if sex) if len(sexes) == 1 else ()


def _trades(texts: Iterable[str]) -> tuple[str, ...]:
    return distinct(trade.name for text in texts for trade in occupations_of(text))


def _identifiers(text: str) -> tuple[str, ...]:
    """Return an official number of each kind it may be, or of the one named before a colon."""
    kind, colon, number = text.partition(":")
    if colon and kind.strip().lower() in identifier_kinds():
        return (f"{kind.strip().lower()}:{identifier_key(number)}",)
    key = identifier_key(text)
    return tuple(f"{kind}:{key}" for kind in identifier_kinds()) if key else ()


def distinct(values: Iterable[str]) -> tuple[str, ...]:
    """Return the different values that are not empty, in order."""
    return tuple(dict.fromkeys(value for value in values if value))
