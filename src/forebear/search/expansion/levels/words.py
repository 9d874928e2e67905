"""Clauses about plain words: sex, suffix, occupation, religion, marital status, keywords, role."""

from collections.abc import Callable

from forebear.search.expansion.catalog import CatalogRow
from forebear.search.expansion.clauses import (
    Clause,
    all_clause,
    conflict_clause,
    term_clause,
)
from forebear.search.expansion.facts import Facts
from forebear.search.terms.fields import terms

Builder = Callable[[CatalogRow, Facts], Clause | None]


def build_match(row: CatalogRow, facts: Facts) -> Clause | None:
    """The same value."""
    return term_clause(row.clause, terms(row.fields[0], _values(row, facts)))


def build_conflict(row: CatalogRow, facts: Facts) -> Clause | None:
    """Another value."""
    accepted = terms(row.fields[0], _values(row, facts))
    return conflict_clause(row.clause, row.fields[0], accepted)


def build_marital_match(row: CatalogRow, facts: Facts) -> Clause | None:
    """At a wedding a person is single, or widowed when the query knows another spouse."""
    return term_clause(row.clause, _statuses(facts)) if facts.needed(row) else None


def build_marital_conflict(row: CatalogRow, facts: Facts) -> Clause | None:
    """Another marital status than a wedding of this person would show."""
    if facts.needed(row) is None:
        return None
    return conflict_clause(row.clause, row.fields[0], _statuses(facts))


def build_any_keyword(row: CatalogRow, facts: Facts) -> Clause | None:
    """At least one keyword."""
    return term_clause(row.clause, terms("record.text", facts.words["keyword"]))


def build_all_keywords(row: CatalogRow, facts: Facts) -> Clause | None:
    """All keywords; with one there is nothing more to say than ``any``."""
    conditions = [terms("record.text", [word]) for word in facts.words["keyword"]]
    return all_clause(row.clause, conditions)


def build_principal(row: CatalogRow, facts: Facts) -> Clause | None:
    """The person the record is about."""
    del facts
    return Clause(name=row.clause, kind="flag", wanted=(terms("record.role", ["principal"]),))


def _values(row: CatalogRow, facts: Facts) -> tuple[str, ...]:
    words = facts.needed(row)
    return facts.words.get(words[0], ()) if words else ()


def _statuses(facts: Facts) -> frozenset[str]:
    spouses = [relative for relative in facts.query.relatives if relative.kind == "spouse"]
    married_before = len(spouses) > 1
    return terms("self.marital", ["single", "widowed"] if married_before else ["single"])


BUILDERS: dict[str, Builder] = {
    **{f"{fact}.match": build_match for fact in ("sex", "suffix", "occupation", "religion")},
    "sex.conflict": build_conflict,
    "suffix.conflict": build_conflict,
    "marital.match": build_marital_match,
    "marital.conflict": build_marital_conflict,
    "keyword.any": build_any_keyword,
    "keyword.all": build_all_keywords,
    "role.principal": build_principal,
}
