"""A query becomes facts: what it says, resolved against the archive, and what that implies.

Two things are resolved first.  No one marries, arrives or dies before being born: where a query
says so, one of two dates is wrong.  The birth is usually the one that is known best, so the other
is ignored, and reported as ignored.

A name with ``?`` or ``*`` is a pattern.  Each name of the archive that it fits is then taken as it
is: whoever writes a pattern has said how far a name may differ.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from msgspec import structs

from forebear.normalize.place_levels import place_id
from forebear.normalize.spelling import normalize_name, split_given
from forebear.normalize.variants import sex_of_given
from forebear.normalize.words import occupations_of, text_words
from forebear.records.record import HistoricalDate, Name, Place
from forebear.search.expansion.knowledge import Knowledge, NameField
from forebear.search.expansion.name_rules import (
    Custom,
    Surnames,
    customs_of,
    father_named_by,
    surnames_of,
)
from forebear.search.expansion.query_facts import Facts
from forebear.search.expansion.year_rules import (
    YearRange,
    birth_from_age,
    inferred_birth,
    inferred_death,
    inferred_marriage,
    joined,
    last_sign_of_life,
    lifetime,
    year_range_of,
)
from forebear.search.query.person_query import LifeEvent, PersonQuery, Relative
from forebear.search.terms.attributes import (
    identifier_key,
    identifier_kinds,
    organization_words,
    ship_name,
    title_words,
)
from forebear.search.terms.values import street_forms

Spans = dict[str, tuple[YearRange, ...]]

SLACK_YEARS = 1  # a year off is no contradiction
MAX_NAMES = 64  # that a pattern stands for


def gather_facts(query: PersonQuery, knowledge: Knowledge, *, is_relaxed: bool = False) -> Facts:
    """Return the facts of a query, resolved against the archive."""
    query = without_contradictions(query)
    resolved, patterned = resolve_names(query, knowledge)
    surnames = surnames_of(resolved)
    dates = _dates(query)
    spans: Spans = {word: _spans(dated) for word, dated in dates.items()}
    if not spans.get("birth") and query.age is not None:
        from_age = birth_from_age(query.age)
        spans["birth"] = (from_age,) if from_age else ()
    inferred = _infer(query, spans)
    birth = joined(spans.get("birth", ())) or inferred.get("birth")
    death = joined(spans.get("death", ()) or spans.get("burial", ()))
    places = _places(query, knowledge)
    customs = customs_of([p for word in places if "." not in word for p in places[word]])
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
    query: PersonQuery, surnames: Surnames, customs: tuple[Custom, ...], birth: YearRange | None
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
        for word, stated in (
            (f"{relative.kind}.given", first),
            (f"{relative.kind}.{last}", (normalize_name(relative.surname),)),
        ):
            names[word] = distinct((*names.get(word, ()), *stated))
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


def _spans(dates: Iterable[HistoricalDate]) -> tuple[YearRange, ...]:
    spans = (year_range_of(date) for date in dates)
    return tuple(sorted((span for span in spans if span), key=lambda span: span.first))


def _infer(query: PersonQuery, spans: Spans) -> dict[str, YearRange]:
    """Return what rules 6, 7 and 8 infer of births, deaths and marriages that are not stated."""
    birth = next(iter(spans.get("birth", ())), None)
    children = spans.get("child.birth", ())
    inferred: dict[str, YearRange | None] = {}
    if birth is None:
        birth = inferred["birth"] = inferred_birth(
            sex=query.sex,
            baptisms=spans.get("baptism", ()),
            marriages=spans.get("marriage", ()),
            children=children,
            parents_marriages=spans.get("parents.marriage", ()),
            siblings=spans.get("sibling.birth", ()),
            spouses=spans.get("spouse.birth", ()),
        )
    if not spans.get("death") and not spans.get("burial"):
        events = [span for word in spans if "." not in word for span in spans[word]]
        alive = last_sign_of_life(events, [*children], query.sex)
        inferred["death"] = inferred_death(birth, alive)
    if not spans.get("marriage"):
        inferred["marriage"] = inferred_marriage(birth, children)
    return {word: span for word, span in inferred.items() if span is not None}


def _places(query: PersonQuery, knowledge: Knowledge) -> dict[str, tuple[Place, ...]]:
    places: dict[str, tuple[Place, ...]] = {}
    for event in query.events:
        if event.place is not None:
            meant = resolve_place(event.place, knowledge)
            places[event.kind] = (*places.get(event.kind, ()), *meant)
    for relative in query.relatives:
        if relative.birthplace is not None:
            word = f"{relative.kind}.birthplace"
            places[word] = resolve_place(relative.birthplace, knowledge)
    return places


def resolve_place(place: Place, knowledge: Knowledge) -> tuple[Place, ...]:
    """Return the places of the archive that the words may mean, else the words themselves.

    A name alone, or with some of its levels missing, means every known place that bears
    it under the levels that were given: Layham is Layham, Suffolk, England.  So does a known
    place that lacks the largest of them: Zell, Baden is Zell, Baden, Germany.
    """
    stated = _levels_of(place_id(place.levels))
    namesakes = [_levels_of(id_) for id_ in knowledge.places_named(stated[0])]
    within = [levels for levels in namesakes if set(stated) <= set(levels)] or [place.levels]
    # With the smallest levels that are stated; a name alone is too little.
    larger = [
        levels
        for levels in namesakes
        if 1 < len(levels) < len(stated) and stated[: len(levels)] == levels
    ]
    meant = (*within, *larger)
    return tuple(Place(text=place.text, levels=levels) for levels in meant)


def _levels_of(id_: str) -> tuple[str, ...]:
    return tuple(id_.removeprefix("p:").split(","))


def _words(query: PersonQuery) -> dict[str, tuple[str, ...]]:
    fathers = [relative for relative in query.relatives if relative.kind == "father"]
    addresses = [form for event in query.events for form in street_forms(event.address)]
    return {
        "keyword": text_words(query.keywords),
        "occupation": _occupations([query.occupation]),
        "father.occupation": _occupations(relative.occupation for relative in fathers),
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


def _occupations(texts: Iterable[str]) -> tuple[str, ...]:
    return distinct(occupation.name for text in texts for occupation in occupations_of(text))


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


def contradictions(query: PersonQuery) -> tuple[str, ...]:
    """Return what is ignored because it lies before the birth, in words."""
    return tuple(
        f"{event.kind} {event.date.text} (it lies before the birth)"
        for event in query.events
        if event.date is not None and _is_before(event, _birth(query))
    )


def without_contradictions(query: PersonQuery) -> PersonQuery:
    """Return the query without the dates that cannot be true together with the birth."""
    birth = _birth(query)
    if birth is None:
        return query
    events = tuple(
        replace(event, date=None) if _is_before(event, birth) else event for event in query.events
    )
    return replace(query, events=events)


def _birth(query: PersonQuery) -> YearRange | None:
    dates = [event.date for event in query.events if event.kind == "birth" and event.date]
    spans = [span for date in dates if (span := year_range_of(date))]
    return min(spans, key=lambda span: span.earliest, default=None)


def _is_before(event: LifeEvent, birth: YearRange | None) -> bool:
    if birth is None or event.kind == "birth" or event.date is None:
        return False
    span = year_range_of(event.date)
    return span is not None and span.latest < birth.earliest - SLACK_YEARS


def resolve_names(query: PersonQuery, knowledge: Knowledge) -> tuple[PersonQuery, frozenset[str]]:
    """Return the query with its patterns resolved, and the names they stand for."""
    people: list[Name | Relative] = [*query.names, *query.relatives]
    if not any(is_pattern(text) for person in people for text in (person.given, person.surname)):
        return query, frozenset()
    meant: set[str] = set()

    def resolve(person: Name | Relative) -> list[tuple[str, str]]:
        given = _fitting(person.given, "given", knowledge, meant)
        surnames = _fitting(person.surname, "surname", knowledge, meant)
        return [*product(given, surnames)][:MAX_NAMES]

    names = [
        structs.replace(name, given=given, surname=surname)
        for name in query.names
        for given, surname in resolve(name)
    ]
    relatives = [
        replace(relative, given=given, surname=surname)
        for relative in query.relatives
        for given, surname in resolve(relative)
    ]
    return replace(query, names=tuple(names), relatives=tuple(relatives)), frozenset(meant)


def is_pattern(text: str) -> bool:
    """Return whether a name is a pattern; a mark of doubt behind a whole name is none.

    >>> is_pattern("Sm?th*"), is_pattern("James?"), is_pattern("*")
    (True, False, False)
    """
    letters = sum(map(str.isalpha, text))
    return letters > 0 and ("*" in text or "?" in text.rstrip("?"))


def _fitting(text: str, kind: NameField, knowledge: Knowledge, meant: set[str]) -> tuple[str, ...]:
    """Return the names that a pattern fits, or the text itself where it is none or fits none."""
    if not is_pattern(text):
        return (text,)
    names = knowledge.vocabulary(kind).matching(text.lower().strip())[:MAX_NAMES]
    meant.update(names)
    return names or (text,)
