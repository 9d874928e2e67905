"""The gate: which personas are worth scoring at all.

A gate is a union of *branches*, each a few conditions that must hold together.  Retrieval
by surname and given name alone loses one true record in eleven (a married name nobody
knew, a surname read wrongly), so other pairs of facts open the gate too: the given name
with the birth year and county, or with a relative's name.

Branches stand from the most to the least telling.  When a gate lets in more than a storage
wants to score, it is narrowed in that order, the same way in every storage, and the answer
says so.
"""

from dataclasses import dataclass

from forebear.search.expansion.clauses import Clause, Condition
from forebear.search.expansion.facts import Facts
from forebear.search.expansion.levels.names import initials, sounds, variant
from forebear.search.expansion.levels.people import full_names, given_names
from forebear.search.expansion.levels.places import level_ids
from forebear.search.terms.fields import terms

MAX_CANDIDATES = 20_000
NEAR_YEARS = 2
WIDE_YEARS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """One way in: every condition must hold."""

    name: str
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Which personas of a list are candidates."""

    branches: tuple[Branch, ...]  # any opens the gate; the last are given up first
    refinements: tuple[Condition, ...] = ()  # added one by one while too many remain
    required: tuple[Condition, ...] = ()  # hold for every candidate, whatever the branch
    excluded: tuple[Clause, ...] = ()  # whoever fires one is left out, and counted
    limit: int = MAX_CANDIDATES


def build_gate(
    facts: Facts, *, required: tuple[Condition, ...], excluded: tuple[Clause, ...]
) -> Gate:
    """Return the gate for a query."""
    ways = _ways(facts)
    return Gate(
        branches=tuple(
            Branch(name=name, conditions=conditions)
            for name, conditions in _branches(ways)
            if conditions and all(conditions)
        ),
        refinements=tuple(
            ways[name]
            for name in ("given variants", "birth near", "county", "surname variants")
            if ways[name]
        ),
        required=required,
        excluded=excluded,
    )


def _ways(facts: Facts) -> dict[str, Condition]:
    """Return the conditions that branches are made of; an empty one asks for nothing."""
    surnames, given = facts.surnames.every, facts.names["given"]
    family = variant(surnames, "surname", facts)
    forms = variant(given, "given", facts)
    counties = level_ids("county", facts.every_place)
    places = [terms(field, counties) for field in ("birth.place", "event.place", "residence.place")]
    births = {year for span in facts.spans.get("birth", ()) for year in span.widened(NEAR_YEARS)}
    wide = {year for span in facts.spans.get("birth", ()) for year in span.widened(WIDE_YEARS)}
    events = {year for span in facts.own_spans for year in span.widened(NEAR_YEARS)}
    return {
        "surname": terms("self.surname", family)
        | terms("self.surname.dm", sounds(surnames))
        | terms("self.surname.inferred", family),
        "surname variants": terms("self.surname", family),
        "surname in the family": terms("other.surname", family),
        "given": terms("self.given", forms)
        | terms("self.given.dm", sounds(given))
        | terms("self.given.initial", initials(given))
        | terms("self.middle", forms),
        "given variants": terms("self.given", forms),
        "birth": terms("birth.year", births),
        "birth near": terms("birth.year", wide) | terms("event.year", events),
        "event": terms("event.year", events),
        "county": frozenset().union(*places),
        "relative": _relative(facts),
        "keyword": terms("record.text", facts.words["keyword"]),
    }


def _branches(ways: dict[str, Condition]) -> list[tuple[str, tuple[Condition, ...]]]:
    def together(*names: str) -> tuple[str, tuple[Condition, ...]]:
        return " and ".join(names), tuple(ways[name] for name in names)

    if ways["surname"] and ways["given"]:
        return [
            together("surname", "given"),
            together("surname in the family", "given"),
            together("given variants", "birth", "county"),
            together("given variants", "event", "county"),
            together("given", "relative"),
        ]
    # Without one of the names, it and the rarest facts there are must hold together.
    facts = [name for name in ("relative", "birth near", "county", "keyword") if ways[name]]
    if ways["surname"]:
        return [together("surname"), together("surname in the family", *facts[:1])]
    if ways["given"]:
        return [together("given", *facts[:2])]
    return [together(*facts)]


def _relative(facts: Facts) -> Condition:
    """Return the relatives' full names, or where no surname is known their given names."""
    full = full_names(variant, facts)
    if full:
        return terms("other.name", full)
    return terms("other.given", variant(given_names(facts), "given", facts))
