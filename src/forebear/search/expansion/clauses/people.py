"""Clauses about several names: all names of a person, a couple, parents, and other relatives.

Relatives may also be counted, be named elsewhere on the record, or occur in its text.
"""

from collections.abc import Sequence

from forebear.normalize.spelling import normalize_name, split_given
from forebear.normalize.surnames import split_surnames
from forebear.search.expansion.catalog import (
    CatalogRow,
    Clause,
    Condition,
    all_clause,
    count_clause,
    term_clause,
)
from forebear.search.expansion.clauses import forms
from forebear.search.expansion.clauses.builder import Builder
from forebear.search.expansion.clauses.forms import Form
from forebear.search.expansion.clauses.names import note_of
from forebear.search.expansion.query_facts import Facts
from forebear.search.terms.term import name_terms, terms

SURNAME_WORDS = ("surname", "married", "surnames", "alias.surname")
WIDOWED = frozenset({"self.marital=widowed"})
MRS = terms("self.title", ("mrs", "mistress", "madame", "mme", "frau", "mevrouw", "widow"))

variant = forms.with_exact(forms.variant)


def build_together(form: Form) -> Builder:
    """Return the builder for several names of one record that agree at a level together."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        words = facts.needed(row)
        if words is None:
            return None
        conditions: list[Condition] = []
        for field in row.fields:
            names = facts.names.get(_word_for(field, words), ())
            if not names and field in ("self.middle", "self.surname2"):
                continue  # a part of the name that the query lacks is not compared
            conditions.append(name_terms(field, form(names, field, facts)))
        return all_clause(row, conditions, note=note_of(row, facts))

    return build


def _word_for(field: str, words: Sequence[str]) -> str:
    """Return the catalog's word for the fact that a field holds, as this clause needs it."""
    name = field.removesuffix(".dm").removesuffix(".initial")
    if name == "self.surname":
        return next(word for word in words if word in SURNAME_WORDS)
    return name.removeprefix("self.")


def build_initials(row: CatalogRow, facts: Facts) -> Clause | None:
    """The initial and the surname agree: J. Smith."""
    given, surnames = facts.needed_names(row, 0), facts.needed_names(row, 1)
    letters = terms("self.given.initial", {name[0] for name in given} | forms.initials(given))
    return all_clause(
        row, [letters, name_terms("self.surname", variant(surnames, "self.surname", facts))]
    )


def build_swapped(row: CatalogRow, facts: Facts) -> Clause | None:
    """Given name and surname have changed places."""
    given, surname = facts.needed_names(row, 0), facts.needed_names(row, 1)
    if set(given) & set(surname):
        return None
    return all_clause(row, [terms("self.given", surname), terms("self.surname", given)])


def build_both(row: CatalogRow, facts: Facts) -> Clause | None:
    """The birth surname and a later one are both given."""
    field = row.fields[0]
    first = variant(facts.needed_names(row, 0), field, facts)
    second = variant(facts.needed_names(row, 1), field, facts) - first
    return all_clause(row, [name_terms(field, first), name_terms(field, second)])


def build_by_date(row: CatalogRow, facts: Facts) -> Clause | None:
    """Under the birth surname before the marriage, or the husband's after it (rule 1)."""
    if facts.needed(row) is None:
        return None
    first_year, last_year = facts.year_range
    marriage = facts.spans["marriage"][0]
    is_maiden = row.clause.startswith("self.maiden")
    names = facts.names["surname" if is_maiden else "married"]
    years = (
        range(first_year, marriage.last + 1) if is_maiden else range(marriage.first, last_year + 1)
    )
    surnames = name_terms("self.surname", variant(names, "self.surname", facts))
    return all_clause(row, [surnames, terms("event.year", years)], note=facts.surnames.note)


def build_widow_of(row: CatalogRow, facts: Facts) -> Clause | None:
    """Called the widow of the spouse."""
    return _wife_of(row, facts, WIDOWED)


def build_mrs(row: CatalogRow, facts: Facts) -> Clause | None:
    """Called Mrs. with the husband's given name."""
    return _wife_of(row, facts, MRS)


def _wife_of(row: CatalogRow, facts: Facts, called: Condition) -> Clause | None:
    spouses, married = facts.needed_names(row, 0), facts.needed_names(row, 1)
    surnames = name_terms("self.surname", variant(married, "self.surname", facts))
    given = name_terms("spouse.given", variant(spouses, "spouse.given", facts))
    return all_clause(row, [called, surnames, given])


def _sounds(names: Sequence[str], field: str, facts: Facts) -> frozenset[str]:
    del field, facts
    return forms.sounds(names)


def build_several(least: int) -> Builder:
    """Return the builder for "at least this many of the children (siblings, spouses) you named"."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        names = facts.names.get(row.fields[0], ())
        return count_clause(row, _one_each(row.fields[0], names, facts), least)

    return build


def build_members(least: int) -> Builder:
    """Return the builder for "at least this many of the relatives you named"."""

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
    """Return the builder for a family surname that the person did not bear."""

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
    names: set[str] = set()
    for relative in facts.relatives:
        first, surname = split_given(relative.given)[:1], normalize_name(relative.surname)
        if first and surname:
            given = form(first, f"{relative.kind}.given", facts)
            surnames = form((surname,), "other.surname", facts)
            names.update(f"{one} {other}" for one in given for other in surnames)
    return frozenset(names)


BUILDERS: dict[str, Builder] = {
    "surname.both": build_both,
    "maiden.by_date": build_by_date,
    "married.by_date": build_by_date,
    "name.full_exact": build_together(forms.exact),
    "name.full_variant": build_together(variant),
    "name.initials": build_initials,
    "name.swapped": build_swapped,
    "couple.both_exact": build_together(forms.exact),
    "couple.both_variant": build_together(variant),
    "couple.both_phonetic": build_together(_sounds),
    "couple.widow_of": build_widow_of,
    "couple.mrs": build_mrs,
    "parents.both_exact": build_together(forms.exact),
    "parents.both_variant": build_together(variant),
    "given.two_or_more": build_several(2),
    "given.three_or_more": build_several(3),
    "family.two_members": build_members(2),
    "family.three_members": build_members(3),
    "family.four_members": build_members(4),
    "family.five_members": build_members(5),
    "text.relative": build_in_text,
}

# Clauses about all other people share their last two parts with those about one person.
OTHER_BUILDERS: dict[str, Builder] = {
    "other.given.exact": build_other_given(forms.exact),
    "other.given.variant": build_other_given(variant),
    "other.name.exact": build_other_name(forms.exact),
    "other.name.variant": build_other_name(variant),
    "other.surname.exact": build_other_surname(forms.exact),
    "other.surname.variant": build_other_surname(variant),
}
