"""Clauses about when in a life a record is dated: usual, impossible, before and after events."""

from functools import cache
from typing import NamedTuple

from forebear.records.record import Sex
from forebear.search.expansion.catalog import (
    PRINCIPAL,
    CatalogRow,
    Clause,
    Condition,
    all_clause,
    conflict_clause,
    term_clause,
)
from forebear.search.expansion.clauses.builder import Builder
from forebear.search.expansion.clauses.dates import years_of
from forebear.search.expansion.query_facts import Facts
from forebear.search.expansion.year_rules import (
    last_child,
    marriage_limit,
    tail_years,
    window_years,
)
from forebear.search.terms.term import terms
from forebear.tables import read_table

PARENT_AGES = {"f": (15, 50), "m": (16, 70), None: (15, 70)}
YOUNGEST_PARENT = 13
OLDEST_PARENT: dict[Sex | None, int] = {"f": 55, "m": 80, None: 80}
# On these the record is dated when the child was born; elsewhere the child may be of any age.
NEWBORN_TYPES = frozenset({"birth", "baptism"})
PARENT: Condition = frozenset({"record.role=parent"})
YEARS_BEFORE_CHILD = 30
YEARS_OF_CHILDREN = 25  # after a marriage
GRANTS = ("administration", "inventory", "grant", "probate", "estate", "death duty")
YOUNGEST_TESTATOR = 14
# The dead are named on their children's records; only what is about them is impossible.
OF_PRINCIPAL = frozenset({"before_death", "after_death"})
YEARS_BEFORE_BIRTH = 3  # a year of birth is as wrong as the age it was inferred from
YEARS_OFF_DEATH = 1  # how far off what a family remembers and a clerk writes may be (rule 12)


class SubtypeAges(NamedTuple):
    """Which subtypes say that a person is of a certain age, and of which."""

    subtypes: tuple[str, ...]
    youngest: int
    oldest: int


def build_in_lifespan(row: CatalogRow, facts: Facts) -> Clause | None:
    """Dated within the lifetime, or the tail that such records have after it (rule 12)."""
    life = facts.lifetime
    if life is None:
        return None
    years = range(life.first, life.last + tail_years(row.record_type) + 1)
    return term_clause(row, years_of("event.year", [years]))


def build_known_span(row: CatalogRow, facts: Facts) -> Clause | None:
    """Between the first and the last dated event of the query."""
    spans = facts.own_spans
    if len(spans) < 2:
        return None
    first, last = min(span.first for span in spans), max(span.last for span in spans)
    return term_clause(row, years_of("event.year", [range(first, last + 1)]))


def build_before_birth(row: CatalogRow, facts: Facts) -> Clause | None:
    """Some years before the earliest birth (rule 12)."""
    life = facts.lifetime
    return None if life is None else _outside(row, facts, first=life.first - YEARS_BEFORE_BIRTH)


def build_after_death(row: CatalogRow, facts: Facts) -> Clause | None:
    """Longer after the latest death than such records are made (rule 12)."""
    life = facts.lifetime
    if life is None:
        return None
    return _outside(row, facts, last=life.last + tail_years(row.record_type) + YEARS_OFF_DEATH)


def build_before_event(row: CatalogRow, facts: Facts) -> Clause | None:
    """Dated before an event that must come first: a death, a marriage, an arrival."""
    spans = facts.needed_spans(row)
    if not spans:
        return None
    off = YEARS_OFF_DEATH if row.clause == "event.year.before_death" else 0
    return _outside(row, facts, first=min(span.earliest for span in spans) - off)


def build_after_event(row: CatalogRow, facts: Facts) -> Clause | None:
    """Dated after a marriage or an arrival."""
    spans = facts.needed_spans(row)
    if not spans:
        return None
    _, last = facts.year_range
    years = range(min(span.first for span in spans), last + 1)
    return term_clause(row, years_of("event.year", [years]))


def build_usual(row: CatalogRow, facts: Facts) -> Clause | None:
    """At the usual time of life for this kind of record."""
    if facts.needed(row) is None:
        return None
    years = window_years(row.record_type, "usual", facts.known_years)
    return term_clause(row, years_of("event.year", [years])) if years else None


def build_unusual(row: CatalogRow, facts: Facts) -> Clause | None:
    """At an age hardly possible for this kind of record."""
    if facts.needed(row) is None:
        return None
    years = window_years(row.record_type, "hard", facts.known_years)
    return conflict_clause(row, years_of("event.year", [years])) if years else None


def build_before_children(row: CatalogRow, facts: Facts) -> Clause | None:
    """A marriage no later than a year after the first child (rule 8)."""
    spans = facts.needed_spans(row)
    if not spans:
        return None
    last = marriage_limit(spans)
    return term_clause(row, years_of("event.year", [range(last - YEARS_BEFORE_CHILD, last + 1)]))


def build_after_children(row: CatalogRow, facts: Facts) -> Clause | None:
    """A marriage after the last child (rule 8)."""
    spans = facts.needed_spans(row)
    return _outside(row, facts, last=last_child(spans)) if spans else None


def build_before_known(row: CatalogRow, facts: Facts) -> Clause | None:
    """A death before an event at which the person was alive (rule 7)."""
    alive = [
        span
        for event, spans in facts.own_events
        if event not in ("death", "burial", "probate", "obituary")
        for span in spans
    ]
    if not alive:
        return None
    _, last = facts.year_range
    first = max(span.earliest for span in alive)
    years = range(first, max(last, first) + 1)
    return conflict_clause(row, years_of(row.fields[1], [years]))


def build_as_parent(row: CatalogRow, facts: Facts) -> Clause | None:
    """Named as a parent, and of an age to be one (rule 6)."""
    ages = PARENT_AGES[facts.sex]
    years = years_of("event.year", (span.aged(*ages) for span in facts.needed_spans(row)))
    return all_clause(row, [PARENT, years])


def build_not_parent(row: CatalogRow, facts: Facts) -> Clause | None:
    """Named as a parent, but too young to be one, or too old to have a newborn child (rule 6)."""
    spans = facts.needed_spans(row)
    if not spans:
        return None
    _, last = facts.year_range
    if row.record_type in NEWBORN_TYPES:
        last = max(span.last for span in spans) + OLDEST_PARENT[facts.sex]
    first = min(span.first for span in spans) + YOUNGEST_PARENT
    possible = years_of(row.fields[1], [range(first, max(first, last) + 1)])
    return conflict_clause(row, possible, role=PARENT)


def build_at_age(row: CatalogRow, facts: Facts) -> Clause | None:
    """Of a subtype that says how old a person is, and of that age."""
    ages = _ages()[row.clause.rpartition(".")[2]]
    spans = facts.needed_spans(row)
    years = years_of("event.year", (span.aged(ages.youngest, ages.oldest) for span in spans))
    return all_clause(row, [terms("record.subtype", ages.subtypes), years])


def build_ages_plausible(row: CatalogRow, facts: Facts) -> Clause | None:
    """The parents were of an age to have this child (rule 6)."""
    words = facts.needed(row)
    if not words:
        return None
    ages = PARENT_AGES["f" if words[0].startswith("mother") else "m"]
    years = years_of("event.year", (span.aged(*ages) for span in facts.needed_spans(row)))
    return term_clause(row, years)


def build_marriage_fits(row: CatalogRow, facts: Facts) -> Clause | None:
    """Dated within twenty-five years after the parents' marriage (rule 6)."""
    spans = facts.needed_spans(row)
    years = (range(span.first, span.last + YEARS_OF_CHILDREN + 1) for span in spans)
    return term_clause(row, years_of("event.year", years))


def build_will(row: CatalogRow, facts: Facts) -> Clause | None:
    """A will dated within the person's adult life."""
    life = facts.lifetime
    if life is None:
        return None
    years = years_of("event.year", [range(life.first + YOUNGEST_TESTATOR, life.last + 1)])
    return all_clause(row, [terms("record.subtype", ["will"]), years])


def build_early_grant(row: CatalogRow, facts: Facts) -> Clause | None:
    """A grant or inventory dated before the person died."""
    spans = facts.needed_spans(row)
    if not spans:
        return None
    first, _ = facts.year_range
    years = years_of("event.year", [range(first, min(span.earliest for span in spans))])
    return all_clause(row, [terms("record.subtype", GRANTS), years])


def build_marital(statuses: tuple[str, ...], *, after: bool) -> Builder:
    """Return the builder for a marital status on one side of the marriage (rule 8)."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        spans = facts.needed_spans(row)
        if not spans:
            return None
        first, last = facts.year_range
        marriage = spans[0]
        years = range(marriage.latest + 1, last + 1) if after else range(first, marriage.earliest)
        status = terms("self.marital", statuses)
        return all_clause(row, [status, years_of("event.year", [years])])

    return build


def _outside(
    row: CatalogRow, facts: Facts, *, first: int | None = None, last: int | None = None
) -> Clause | None:
    """Return the conflict with being dated from ``first`` on, or up to ``last``."""
    earliest, latest = facts.year_range
    accepted = range(earliest if first is None else first, (latest if last is None else last) + 1)
    # Nothing in the archive lies inside: one impossible year keeps the clause a conflict.
    years: Condition = years_of("event.year", [accepted or range(0, 1)])
    level = row.clause.rpartition(".")[2]
    return conflict_clause(row, years, role=PRINCIPAL if level in OF_PRINCIPAL else frozenset())


@cache
def _ages() -> dict[str, SubtypeAges]:
    return {
        row["level"]: SubtypeAges(
            tuple(row["subtypes"].split(";")), int(row["youngest"]), int(row["oldest"])
        )
        for row in read_table("search/subtype_ages")
    }


BUILDERS: dict[str, Builder] = {
    "year.in_lifespan": build_in_lifespan,
    "year.known_span": build_known_span,
    "year.before_birth": build_before_birth,
    "year.after_death": build_after_death,
    **{f"year.before_{event}": build_before_event for event in ("death", "marriage", "arrival")},
    **{f"year.after_{event}": build_after_event for event in ("marriage", "arrival")},
    "year.before_known": build_before_known,
    "year.usual": build_usual,
    "year.unusual": build_unusual,
    "year.before_children": build_before_children,
    "year.after_children": build_after_children,
    "year.will": build_will,
    "year.early_grant": build_early_grant,
    "age.parent": build_as_parent,
    "age.not_parent": build_not_parent,
    **{
        f"age.{level}": build_at_age
        for level in ("adult", "child", "confirmation", "school", "apprentice")
    },
    "parents.ages_plausible": build_ages_plausible,
    "parents.marriage_fits": build_marriage_fits,
    "marital.before_wedding": build_marital(("single",), after=False),
    "marital.after_wedding": build_marital(("married", "widowed"), after=True),
    "marital.still_single": build_marital(("single",), after=True),
}
