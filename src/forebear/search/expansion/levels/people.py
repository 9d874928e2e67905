"""Clauses about the people around the person: relatives counted, named elsewhere, in the text."""

from collections.abc import Sequence

from forebear.normalize.spelling import normalize_name, split_given
from forebear.normalize.surnames import split_surnames
from forebear.search.expansion.catalog import (
    CatalogRow,
    Clause,
    Condition,
    count_clause,
    term_clause,
)
from forebear.search.expansion.levels import forms
from forebear.search.expansion.levels.forms import Form
from forebear.search.expansion.levels.names import Builder
from forebear.search.expansion.query_facts import Facts
from forebear.search.terms.fields import name_terms, terms

variant = forms.with_exact(forms.variant)


def build_several(least: int) -> Builder:
    """Return the builder for "at least so many of the children (siblings, spouses) you named"."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        names = facts.names.get(row.fields[0], ())
        return count_clause(row, _one_each(row.fields[0], names, facts), least)

    return build


def build_members(least: int) -> Builder:
    """Return the builder for "at least so many of the relatives you named"."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        conditions = _one_each("other.given", given_names(facts), facts)
        return count_clause(row, conditions, least)

    return build


def build_other_given(form: Form) -> Builder:
    """Return the builder for a relative's given name elsewhere on the record."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        names = form(given_names(facts), "other.given", facts)
        return term_clause(row, name_terms("other.given", names))

    return build


def build_other_name(form: Form) -> Builder:
    """Return the builder for a relative's full name elsewhere on the record."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        return term_clause(row, terms("other.name", full_names(form, facts)))

    return build


def build_other_surname(form: Form) -> Builder:
    """Return the builder for a family surname that is not the person's own."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        surnames = {normalize_name(relative.surname) for relative in facts.relatives}
        borne = facts.surnames.every
        others = tuple(
            sorted(name for name in surnames if name and split_surnames(name)[0] not in borne)
        )
        return term_clause(row, name_terms("other.surname", form(others, "other.surname", facts)))

    return build


def build_in_text(row: CatalogRow, facts: Facts) -> Clause | None:
    """A relative's given name occurs in the text."""
    return term_clause(row, terms("record.text", given_names(facts)))


def _one_each(field: str, names: Sequence[str], facts: Facts) -> list[Condition]:
    return [name_terms(field, variant((name,), field, facts)) for name in names]


def given_names(facts: Facts) -> tuple[str, ...]:
    """Return the first given name of each relative of the query."""
    firsts = (split_given(relative.given)[:1] for relative in facts.relatives)
    return tuple(dict.fromkeys(first[0] for first in firsts if first))


def full_names(form: Form, facts: Facts) -> frozenset[str]:
    """Return the relatives' full names, each part in every form of a level."""
    found: set[str] = set()
    for relative in facts.relatives:
        first, surname = split_given(relative.given)[:1], normalize_name(relative.surname)
        if first and surname:
            given = form(first, f"{relative.kind}.given", facts)
            surnames = form((surname,), "other.surname", facts)
            found.update(f"{one} {other}" for one in given for other in surnames)
    return frozenset(found)


BUILDERS: dict[str, Builder] = {
    "given.two_or_more": build_several(2),
    "given.three_or_more": build_several(3),
    "family.two_members": build_members(2),
    "family.three_members": build_members(3),
    "family.four_members": build_members(4),
    "family.five_members": build_members(5),
    "text.relative": build_in_text,
}

# Clauses about everybody else share their last two parts with those about one person.
OTHER_BUILDERS: dict[str, Builder] = {
    "other.given.exact": build_other_given(forms.exact),
    "other.given.variant": build_other_given(variant),
    "other.name.exact": build_other_name(forms.exact),
    "other.name.variant": build_other_name(variant),
    "other.surname.exact": build_other_surname(forms.exact),
    "other.surname.variant": build_other_surname(variant),
}
