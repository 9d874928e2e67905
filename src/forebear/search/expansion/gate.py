"""Which personas are worth scoring, and which clauses count for them?

A gate is a union of *branches*, each a few conditions that must hold together.  Retrieval
by surname and given name alone loses one true record in eleven (an unknown married name, a
surname read wrongly), so other facts together open the gate too: a surname that looks
roughly alike with the given name, either name with the years and the county (the state or the
country where nothing finer is stated), the given name with a relative's, the two in each other's
columns, a surname that few have, or the day.  Of two surnames, both open the gate without a given
name, in either order, and either of them with it.

Where there are few hits, a search is relaxed: one of two names opens the gate by itself.  Then the
name must be spelled alike, because who only sounds alike is hardly ever right, and anything but
a surname needs a second fact beside it.

Branches are in order, the most selective first.  When a gate lets in more than a storage
wants to score, it is narrowed in that order, alike in every storage, and the result
says so.

A searcher may insist on facts.  One under ``exact`` must agree to the letter, and then only its
exact clauses count: that it agrees more loosely as well says nothing more.  One under ``require``
must agree in some tolerant form.  Insisting on what the query does not say, or what no record type
has, is an error: there would be no hits, and no explanation why.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from forebear.errors import QueryError
from forebear.normalize.place_levels import ids_by_level, place_id, place_words
from forebear.normalize.variants import sex_of_given
from forebear.search.expansion.catalog import Branch, Clause, Condition, load_catalog
from forebear.search.expansion.clauses.dates import days_of, years_of
from forebear.search.expansion.clauses.forms import (
    edit1,
    initials,
    letters_only,
    near,
    one_word,
    shapes,
    sounds,
    wide,
)
from forebear.search.expansion.clauses.lifetimes import YEARS_OFF_DEATH
from forebear.search.expansion.clauses.names import compatible_names
from forebear.search.expansion.clauses.people import full_names, given_names, variant
from forebear.search.expansion.clauses.places import level_ids
from forebear.search.expansion.query_facts import Facts, GateParts
from forebear.search.terms.term import name_terms, terms

MAX_CANDIDATES = 20_000
NEAR_YEARS = 2
WIDE_YEARS = 5
MAX_RARE_BEARERS = 200  # personas; a surname that more have must not open the gate alone
EXACT_LEVELS = ("exact", "match", "day")
# A wider rung holds every closer one; those serve the record types that have no wider.
TOLERANT_LEVELS = (
    *EXACT_LEVELS,
    *("variant", "phonetic", "similar", "misread", "initial"),
    *("month", "within2", "within5", "within10", "from_age5"),
    "county",
)
SECOND = "self.surname2"  # is part of what "surname" says of a person who has two
HINT = "use names such as surname, given, birth.year, birth.place, spouse.given"
PLACES = ("birth.place", "event.place", "residence.place")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Which personas of a list are candidates."""

    branches: tuple[Branch, ...]  # any opens the gate; the last are dropped first
    refinements: tuple[Condition, ...] = ()  # added one by one while too many remain
    required: tuple[Condition, ...] = ()  # hold for every candidate, whatever the branch
    excluded: tuple[Clause, ...] = ()  # whoever fires one is excluded, and counted
    limit: int = MAX_CANDIDATES


def build_gate(
    facts: Facts, *, required: tuple[Condition, ...], excluded: tuple[Clause, ...]
) -> Gate:
    """Return the gate for a query; its branches are the same for every record type."""
    if not facts.gate_parts:
        facts.gate_parts.append(_gate_parts(facts))
    branches, refinements = facts.gate_parts[0]
    return Gate(branches=branches, refinements=refinements, required=required, excluded=excluded)


def _gate_parts(facts: Facts) -> GateParts:
    """Return the branches that the query opens, and what may be added to them."""
    by_name = {name: facts.reuse(("gate", name), build) for name, build in CONDITIONS.items()}
    if by_name["county"]:
        by_name["region"] = frozenset()
    branches = tuple(
        Branch(name=name, conditions=conditions)
        for name, conditions in _branches(by_name, is_relaxed=facts.is_relaxed)
        if conditions and all(conditions)
    )
    added = ("given variants", "birth near", "county", "surname variants")
    return branches, tuple(by_name[name] for name in added if by_name[name])


def _surname(facts: Facts) -> Condition:
    return _any_surname(facts.surnames.every, facts)


def _either_surname(facts: Facts) -> Condition:
    """Return a second surname in the place of the first, or in its own, or the two as one."""
    in_first = _any_surname(facts.names["surname2"], facts)
    return in_first | _in_second(facts) | _joined_surname(facts)


def _one_surname(facts: Facts) -> Condition:
    return _any_surname(_two_surnames(facts), facts)


def _other_surname(facts: Facts) -> Condition:
    return _in_second(facts) if _two_surnames(facts) else frozenset()


def _in_second(facts: Facts) -> Condition:
    names = _two_surnames(facts) or facts.surnames.every
    return _any_surname(names, facts, field="self.surname2")


def _two_surnames(facts: Facts) -> tuple[str, ...]:
    """Return both of two surnames; none of those who have one."""
    seconds = facts.names["surname2"]
    return (*facts.names["surname"], *seconds) if seconds else ()


def _surname_variants(facts: Facts, field: str = "self.surname") -> Condition:
    return name_terms(field, variant(facts.surnames.every, "self.surname", facts))


def _surname_in_family(facts: Facts) -> Condition:
    return _surname_variants(facts, "other.surname")


def _wide_surname(facts: Facts) -> Condition:
    return name_terms("self.surname", wide(facts.surnames.every, "self.surname", facts))


def _given(facts: Facts) -> Condition:
    """Return a given name in any tolerant form, first or second on either side."""
    called = variant(facts.names["given"], "self.given", facts)
    seconds = variant(facts.names["middle"], "self.given", facts)
    return (
        _any_given(facts.names["given"], facts)
        | name_terms("self.middle", called)
        | name_terms("self.given", seconds)
    )


def _given_variants(facts: Facts) -> Condition:
    return name_terms("self.given", variant(facts.names["given"], "self.given", facts))


def _given_letter(facts: Facts) -> Condition:
    letters = {name[0] for name in _plain(facts.names["given"], facts)}
    return terms("self.given.initial", letters)


def _given_as_surname(facts: Facts) -> Condition:
    """Return a given name where the surname should be."""
    given = facts.names["given"]
    called = variant(given, "self.given", facts)
    codes = sounds(_plain(given, facts))
    written = called | set(facts.names["whole given"])
    return name_terms("self.surname", written) | terms("self.surname.dm", codes)


def _day(facts: Facts) -> Condition:
    return terms("event.date", days_of(facts))


def _births(facts: Facts, years: int = NEAR_YEARS) -> Condition:
    spans = facts.spans.get("birth", ())
    return years_of("birth.year", (span.widened(years) for span in spans))


def _births_wide(facts: Facts) -> Condition:
    return _births(facts, WIDE_YEARS)


def _birth_near(facts: Facts) -> Condition:
    return _births_wide(facts) | _events(facts)


def _life_of_wife(facts: Facts) -> Condition:
    """Return the years of birth and death of a woman of whom one surname is unknown."""
    return _births(facts) | _deaths(facts) if _may_be_other(facts) else frozenset()


def _events(facts: Facts) -> Condition:
    return years_of("event.year", (span.widened(NEAR_YEARS) for span in facts.own_spans))


def _keyword(facts: Facts) -> Condition:
    return terms("record.text", facts.words["keyword"])


def _any_surname(names: tuple[str, ...], facts: Facts, field: str = "self.surname") -> Condition:
    """Return a surname in any tolerant form, by its letters, its sound or its looks."""
    plain = _heard(names, facts)
    written = (near if facts.is_relaxed else compatible_names)(names, field, facts)
    inferred = written if field == "self.surname" else frozenset()
    return (
        name_terms(field, written)
        | name_terms("self.surname.inferred", inferred)
        | terms(f"{field}.dm", sounds(plain))
        | terms(f"{field}.shape", shapes(plain))
    )


def _joined_surname(facts: Facts) -> Condition:
    """Return two surnames written together as one, in the query or in the record."""
    words = one_word(facts.surnames.whole, facts)
    letters = letters_only(facts.surnames.every)
    return name_terms("self.surname", words) | terms("self.surname.joined", letters)


def _rare_surname(facts: Facts) -> Condition:
    """Return the widest form of a surname that few personas have; none if it is common."""
    names = facts.surnames.every
    for form in (compatible_names, edit1, variant):
        written = name_terms("self.surname", form(names, "self.surname", facts))
        if written and facts.knowledge.bearers(written) <= MAX_RARE_BEARERS:
            return written
    return frozenset()


def _region(facts: Facts) -> Condition:
    """Return the states of the birth, or its countries where no state is stated."""
    places = facts.places.get("birth", ())
    ids = level_ids("state", places) or level_ids("country", places)
    return terms("birth.place", ids)


def _surname_as_given(facts: Facts) -> Condition:
    """Return a surname where the given name should be, misread perhaps."""
    names = facts.surnames.every
    plain = _plain(names, facts)
    return (
        name_terms("self.given", compatible_names(names, "self.surname", facts))
        | name_terms("self.given", edit1(names, "self.given", facts))
        | terms("self.given.dm", sounds(plain))
        | terms("self.given.shape", shapes(plain))
    )


def _plain(names: tuple[str, ...], facts: Facts) -> list[str]:
    """Return the names that no pattern of the query stands for."""
    return [name for name in names if name not in facts.patterned]


def _heard(names: tuple[str, ...], facts: Facts) -> list[str]:
    """Return the names that sound or look alike is enough for."""
    return [] if facts.is_relaxed else _plain(names, facts)


def _may_be_other(facts: Facts) -> bool:
    """Return whether this is a woman whose name by birth or by marriage the query lacks."""
    sexes = {facts.sex or sex_of_given(name) for name in facts.names["given"]}
    return sexes == {"f"} and not (facts.surnames.birth and facts.surnames.married)


def _deaths(facts: Facts) -> Condition:
    """Return the years of the death, as far off as families remember them."""
    spans = facts.spans.get("death", ())
    return years_of("death.year", (span.widened(YEARS_OFF_DEATH) for span in spans))


def _county(facts: Facts) -> Condition:
    """Return the counties of the life by their ids, or by name where no country is known."""
    places = facts.every_place
    counties = level_ids("county", places)
    unplaced = [place for place in places if not ids_by_level(place)]
    names = [name for place in unplaced for name in place.levels[1:-1] or place.levels[:1]]
    words = {word for name in names for word in place_words(name)}
    return frozenset().union(
        *(terms(field, counties) for field in PLACES),
        *(terms(f"{field}.word", words) for field in PLACES),
    )


def _place(facts: Facts) -> Condition:
    """Return the places of the life themselves; a county or a country alone is none.

    Records leave out the country more often than not: then a place in another is small enough.
    """
    ids = [
        place_id(place.levels)
        for place in facts.every_place
        if level_ids("town", [place]) or (len(place.levels) > 1 and not ids_by_level(place))
    ]
    return frozenset().union(*(terms(field, ids) for field in PLACES))


def _any_given(names: tuple[str, ...], facts: Facts) -> Condition:
    plain = _heard(names, facts)
    return (
        name_terms("self.given", compatible_names(names, "self.given", facts))
        | terms("self.given.dm", sounds(plain))
        | terms("self.given.shape", shapes(plain))
        | terms("self.given.initial", initials(names))
    )


def _branches(
    by_name: dict[str, Condition], *, is_relaxed: bool
) -> list[tuple[str, tuple[Condition, ...]]]:
    def together(*names: str) -> tuple[str, tuple[Condition, ...]]:
        return " and ".join(names), tuple(by_name[name] for name in names)

    if by_name["surname"] and by_name["given"]:
        return [
            together("surname", "given"),
            together("either surname", "given"),
            together("one surname", "other surname"),
            together("surname in the family", "given"),
            together("surname as given", "given as surname"),
            together("surname", "birth"),
            together("surname", "relative"),
            together("surname variants", "place"),
            together("surname variants", "given letter"),
            together("given variants", "birth wide", "county"),
            together("given variants", "event", "county"),
            together("given variants", "life of a wife"),
            together("given", "relative"),
            together("wide surname", "given"),
            together("given variants", "birth", "region"),
            together("rare surname"),
            together("day"),
            together("surname", "event"),
        ]
    # Without one of the names, it and the rarest facts there are must hold together.
    facts = [name for name in ("relative", "birth near", "county", "keyword") if by_name[name]]
    if is_relaxed and not facts:
        return [together("surname"), together("either surname"), together("given", "day")]
    if by_name["surname"]:
        return [
            together("surname"),
            together("either surname"),
            together("surname in the family", *facts[:1]),
        ]
    if by_name["given"]:
        return [together("given", *facts[:2]), together("given", "day")]
    return [together(*facts)]


def _relative(facts: Facts) -> Condition:
    """Return the relatives' full names, or where no surname is known their given names."""
    full = full_names(variant, facts)
    if full:
        return terms("other.name", full)
    return terms("other.given", variant(given_names(facts), "other.given", facts))


def required_conditions(facts: Facts, clauses: tuple[Clause, ...]) -> tuple[Condition, ...] | None:
    """Return what every candidate must have, or None if the record type has no such fact."""
    if not (facts.query.exact or facts.query.require or facts.query.collections):
        return ()
    by_name = {clause.name: clause for clause in clauses}
    conditions = [
        _union(by_name, subject_of(fact, levels, facts), levels)
        for insisted, levels in (
            (facts.query.exact, EXACT_LEVELS),
            (facts.query.require, TOLERANT_LEVELS),
        )
        for fact in insisted
    ]
    if "surname" in facts.query.exact and facts.names["surname2"]:
        conditions.append(_union(by_name, SECOND, EXACT_LEVELS))
    if facts.query.collections:
        parts = facts.knowledge.parts_of(frozenset(facts.query.collections))
        conditions.append(terms("record.part", parts))
    return tuple(conditions) if all(conditions) else None


def counting_clauses(facts: Facts, clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Return the clauses without the looser ones of facts that are taken to the letter."""
    if not facts.query.exact:
        return clauses
    subjects = {subject_of(fact, EXACT_LEVELS, facts) for fact in facts.query.exact}
    subjects |= {SECOND} if "self.surname" in subjects else set()
    return tuple(clause for clause in clauses if _counts(clause.name, subjects))


def subject_of(fact: str, levels: Iterable[str], facts: Facts) -> str:
    """Return the clause subject that a fact of ``exact`` or ``require`` names."""
    subject = fact if "." in fact else f"self.{fact}"
    names = {f"{subject}.{level}" for level in levels}
    rows = [row for rows in load_catalog().values() for row in rows if row.clause in names]
    if not rows:
        raise QueryError(f"cannot insist on {fact!r}: no record type has such a fact", hint=HINT)
    if all(facts.needed(row) is None for row in rows):
        raise QueryError(
            f"cannot insist on {fact!r}: the query does not say it",
            hint="give the fact, or leave it out of exact and require",
        )
    return subject


def _counts(name: str, subjects: set[str]) -> bool:
    subject, _, level = name.rpartition(".")
    return subject not in subjects or level in EXACT_LEVELS


def _union(by_name: dict[str, Clause], subject: str, levels: Iterable[str]) -> Condition:
    clauses = (by_name.get(f"{subject}.{level}") for level in levels)
    return frozenset().union(*(clause.any_of[0] for clause in clauses if clause is not None))


# What branches are made of; an empty condition is not used.
CONDITIONS: dict[str, Callable[[Facts], Condition]] = {
    "surname": _surname,
    "either surname": _either_surname,
    "one surname": _one_surname,
    "other surname": _other_surname,
    "surname variants": _surname_variants,
    "wide surname": _wide_surname,
    "rare surname": _rare_surname,
    "surname in the family": _surname_in_family,
    "given": _given,
    "given variants": _given_variants,
    "given letter": _given_letter,
    "surname as given": _surname_as_given,
    "given as surname": _given_as_surname,
    "day": _day,
    "birth": _births,
    "life of a wife": _life_of_wife,
    "birth wide": _births_wide,
    "birth near": _birth_near,
    "event": _events,
    "county": _county,
    "region": _region,
    "place": _place,
    "relative": _relative,
    "keyword": _keyword,
}
