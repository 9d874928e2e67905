"""Clauses about several names that agree together: all names of a person, a couple, parents."""

from collections.abc import Sequence

from forebear.search.expansion.catalog import CatalogRow, Clause, Condition, all_clause
from forebear.search.expansion.levels import forms
from forebear.search.expansion.levels.forms import Form
from forebear.search.expansion.levels.names import Builder, note_of
from forebear.search.expansion.query_facts import Facts
from forebear.search.terms.fields import name_terms, terms

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
                continue  # a part of the name that the query lacks is not asked for
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
    """Under the birth surname before the wedding, or the husband's after it (rule 1)."""
    if facts.needed(row) is None:
        return None
    first_year, last_year = facts.year_range
    wedding = facts.spans["marriage"][0]
    is_maiden = row.clause.startswith("self.maiden")
    names = facts.names["surname" if is_maiden else "married"]
    years = (
        range(first_year, wedding.last + 1) if is_maiden else range(wedding.first, last_year + 1)
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
}
