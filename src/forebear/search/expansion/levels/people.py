"""Clauses about the people around the person: relatives counted, named elsewhere, in the text."""

from collections.abc import Callable, Sequence

from forebear.normalize.names import spell, split_given
from forebear.search.expansion.catalog import CatalogRow
from forebear.search.expansion.clauses import Clause, Condition, count_clause, term_clause
from forebear.search.expansion.facts import Facts
from forebear.search.expansion.knowledge import NameField
from forebear.search.expansion.levels.names import exact, variant
from forebear.search.terms.fields import terms

Builder = Callable[[CatalogRow, Facts], Clause | None]
Form = Callable[[Sequence[str], NameField, Facts], frozenset[str]]


def build_several(least: int) -> Builder:
    """Return the builder for "at least so many of the children (siblings) you named"."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        names = facts.names.get(row.fields[0], ())
        return count_clause(row.clause, _one_each(row.fields[0], names, facts), least)

    return build


def build_members(least: int) -> Builder:
    """Return the builder for "at least so many of the relatives you named"."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        conditions = _one_each("other.given", given_names(facts), facts)
        return count_clause(row.clause, conditions, least)

    return build


def build_other_given(row: CatalogRow, facts: Facts) -> Clause | None:
    """A relative's given name elsewhere on the record."""
    names = variant(given_names(facts), "given", facts)
    return term_clause(row.clause, terms("other.given", names))


def build_other_name(form: Form) -> Builder:
    """Return the builder for a relative's full name elsewhere on the record."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        return term_clause(row.clause, terms("other.name", full_names(form, facts)))

    return build


def build_other_surname(form: Form) -> Builder:
    """Return the builder for a family surname that is not the person's own."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        surnames = {spell(relative.surname) for relative in facts.query.relatives}
        others = sorted(surnames - {""} - set(facts.surnames.every))
        return term_clause(row.clause, terms("other.surname", form(others, "surname", facts)))

    return build


def build_in_text(row: CatalogRow, facts: Facts) -> Clause | None:
    """A relative's given name occurs in the text."""
    return term_clause(row.clause, terms("record.text", given_names(facts)))


def _one_each(field: str, names: Sequence[str], facts: Facts) -> list[Condition]:
    return [terms(field, variant([name], "given", facts)) for name in names]


def given_names(facts: Facts) -> list[str]:
    """Return the first given name of each relative of the query."""
    firsts = (split_given(relative.given)[:1] for relative in facts.query.relatives)
    return list(dict.fromkeys(first[0] for first in firsts if first))


def full_names(form: Form, facts: Facts) -> frozenset[str]:
    """Return the relatives' full names, each part in every form of a level."""
    return frozenset(
        f"{given} {surname}"
        for relative in facts.query.relatives
        for first in split_given(relative.given)[:1]
        for given in form([first], "given", facts)
        for surname in form([spell(relative.surname)], "surname", facts)
        if surname
    )


def _exact(names: Sequence[str], kind: NameField, facts: Facts) -> frozenset[str]:
    del kind, facts
    return exact(names)


BUILDERS: dict[str, Builder] = {
    "given.two_or_more": build_several(2),
    "given.three_or_more": build_several(3),
    "family.two_members": build_members(2),
    "family.three_members": build_members(3),
    "family.four_members": build_members(4),
    "text.relative": build_in_text,
}

# Clauses about everybody else share their last two parts with those about one person.
OTHER_BUILDERS: dict[str, Builder] = {
    "other.given.variant": build_other_given,
    "other.name.exact": build_other_name(_exact),
    "other.name.variant": build_other_name(variant),
    "other.surname.exact": build_other_surname(_exact),
    "other.surname.variant": build_other_surname(variant),
}
