"""Clauses about names: the same, folded, a known variant, sounding alike, missing, different."""

from collections.abc import Callable, Iterable, Sequence

from forebear.normalize.name_variants import abbreviations, variants
from forebear.normalize.names import is_initial
from forebear.normalize.sound_keys import daitch_mokotoff
from forebear.search.expansion.catalog import CatalogRow
from forebear.search.expansion.clauses import (
    Clause,
    Condition,
    absent_clause,
    all_clause,
    conflict_clause,
    term_clause,
)
from forebear.search.expansion.facts import Facts
from forebear.search.expansion.knowledge import NameField
from forebear.search.terms.fields import terms

Builder = Callable[[CatalogRow, Facts], Clause | None]

RARE_SHARE = 1 / 10_000


def exact(names: Iterable[str]) -> frozenset[str]:
    """Return the names letter for letter."""
    return frozenset(names)


def folded(names: Iterable[str], kind: NameField, facts: Facts) -> frozenset[str]:
    """Return the names and those of the archive that differ only in marks and spaces."""
    return frozenset().union(*(facts.same_folded(kind, name) for name in names))


def variant(names: Iterable[str], kind: NameField, facts: Facts) -> frozenset[str]:
    """Return the names and their known variants, the other names of the person included."""
    known = set(names)
    if kind == "given":
        known = known.union(*map(variants, known))
    return folded(known, kind, facts)


def sounds(names: Iterable[str]) -> frozenset[str]:
    """Return the Daitch-Mokotoff codes of the names."""
    return frozenset(code for name in names for code in daitch_mokotoff(name))


def initials(names: Iterable[str]) -> frozenset[str]:
    """Return the initials that agree: on one side there is only the letter."""
    found = {f"{name[0]}." for name in names}
    found |= {name[0] for name in names if is_initial(name)}
    return frozenset(found)


def kind_of(field: str) -> NameField:
    """Return which vocabulary a field's names belong to."""
    return "given" if field.split(".")[1] in ("given", "middle") else "surname"


def tolerable(field: str, names: Sequence[str], facts: Facts) -> frozenset[str]:
    """Return every term of a field and its keys that these names would accept."""
    return (
        terms(field, variant(names, kind_of(field), facts))
        | terms(f"{field}.dm", sounds(names))
        | terms(f"{field}.initial", initials(names))
    )


def _values(row: CatalogRow, facts: Facts, position: int = 0) -> tuple[str, ...]:
    words = facts.needed(row)
    return facts.names.get(words[position], ()) if words else ()


def _note(row: CatalogRow, facts: Facts) -> str:
    words = facts.needed(row) or ()
    about_marriage = any(word in ("married", "surnames") for word in words)
    return facts.surnames.note if about_marriage and facts.surnames.married else ""


def build_exact(row: CatalogRow, facts: Facts) -> Clause | None:
    """The same letter for letter."""
    names = exact(_values(row, facts))
    return term_clause(row.clause, terms(row.fields[0], names), note=_note(row, facts))


def build_folded(row: CatalogRow, facts: Facts) -> Clause | None:
    """The same apart from accents, hyphens, apostrophes and spaces."""
    names = folded(_values(row, facts), kind_of(row.fields[0]), facts)
    return term_clause(row.clause, terms(row.fields[0], names), note=_note(row, facts))


def build_variant(row: CatalogRow, facts: Facts) -> Clause | None:
    """The same or a known variant."""
    names = variant(_values(row, facts), kind_of(row.fields[0]), facts)
    return term_clause(row.clause, terms(row.fields[0], names), note=_note(row, facts))


def build_phonetic(row: CatalogRow, facts: Facts) -> Clause | None:
    """Shares a sound code; the catalog names the field of codes."""
    codes = sounds(_values(row, facts))
    return term_clause(row.clause, terms(row.fields[0], codes), note=_note(row, facts))


def build_abbreviated(row: CatalogRow, facts: Facts) -> Clause | None:
    """Wm for William."""
    names = _values(row, facts)
    short = frozenset(form for name in names for form in abbreviations(name)) - frozenset(names)
    return term_clause(row.clause, terms(row.fields[0], short))


def build_initial(row: CatalogRow, facts: Facts) -> Clause | None:
    """One side has only the initial."""
    return term_clause(row.clause, terms(row.fields[0], initials(_values(row, facts))))


def build_rare_exact(row: CatalogRow, facts: Facts) -> Clause | None:
    """The same, and a surname that few in the archive bear."""
    rare = [
        name for name in _values(row, facts) if facts.knowledge.surname_share(name) < RARE_SHARE
    ]
    return term_clause(row.clause, terms(row.fields[0], rare))


def build_other_surname(row: CatalogRow, facts: Facts) -> Clause | None:
    """Stands under a surname that is not one of the person's own: father's, mother's."""
    others = frozenset(_values(row, facts)) - frozenset(facts.surnames.every)
    return term_clause(row.clause, terms(row.fields[0], others))


def build_both(row: CatalogRow, facts: Facts) -> Clause | None:
    """The birth surname and a later one are both given."""
    field = row.fields[0]
    first = variant(_values(row, facts, 0), "surname", facts)
    second = variant(_values(row, facts, 1), "surname", facts) - first
    return all_clause(row.clause, [terms(field, first), terms(field, second)])


def build_by_date(row: CatalogRow, facts: Facts) -> Clause | None:
    """Under the birth surname before the wedding, or the husband's after it (rule 1)."""
    words = facts.needed(row)
    if not words:
        return None
    first_year, last_year = facts.knowledge.year_range()
    wedding = facts.spans["marriage"][0]
    is_maiden = row.clause.startswith("self.maiden")
    names = facts.names["surname" if is_maiden else "married"]
    years = (
        range(first_year, wedding.last + 1) if is_maiden else range(wedding.first, last_year + 1)
    )
    return all_clause(
        row.clause,
        [
            terms("self.surname", variant(names, "surname", facts)),
            terms("event.year", years),
        ],
        note=facts.surnames.note,
    )


def build_missing(row: CatalogRow, facts: Facts) -> Clause | None:
    """The query has the name, records of this part usually do, this one does not."""
    if facts.needed(row) is None:
        return None
    fields = row.fields[:-1]
    return absent_clause(row.clause, fields, facts.knowledge.parts_with(frozenset(fields)))


def build_conflict(row: CatalogRow, facts: Facts) -> Clause | None:
    """The record has a name there, and none that any tolerant form would accept."""
    words = facts.needed(row)
    if words is None:
        return None
    names = facts.names[words[0]]
    field = row.fields[0]
    if field == "self.surname":
        if _is_unmarried_woman(row, facts):
            return None
        names = facts.surnames.every
    accepted = tolerable(field, names, facts)
    if field == "self.given":
        accepted |= terms("self.middle", variant(names, "given", facts))
    elif field == "self.middle":
        accepted |= terms("self.given", variant(names, "given", facts))
    return conflict_clause(row.clause, field, accepted, note=_note(row, facts))


def _is_unmarried_woman(row: CatalogRow, facts: Facts) -> bool:
    """Say whether a woman may stand here under a husband's name that nobody told us."""
    stands_under_birth_name = row.needs[0] == ("surname",)
    return facts.query.sex == "f" and not facts.surnames.married and not stands_under_birth_name


def build_together(form: Callable[[Sequence[str], NameField, Facts], frozenset[str]]) -> Builder:
    """Return the builder for several names of one record that agree at a level together."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        words = facts.needed(row)
        if words is None:
            return None
        conditions: list[Condition] = []
        for field in row.fields:
            names = facts.names.get(_word_for(field, words), ())
            if not names and field == "self.middle":
                continue  # a part of the name that the query lacks is not asked for
            conditions.append(terms(field, form(names, kind_of(field), facts)))
        return all_clause(row.clause, conditions, note=_note(row, facts))

    return build


def _word_for(field: str, words: Sequence[str]) -> str:
    """Return the catalog's word for the fact that a field holds, as this clause needs it."""
    name = field.removesuffix(".dm")
    if name == "self.surname":
        return next(
            word for word in words if word in ("surname", "married", "surnames", "alias.surname")
        )
    return name.removeprefix("self.")


def build_swapped(row: CatalogRow, facts: Facts) -> Clause | None:
    """Given name and surname have changed places."""
    given, surname = _values(row, facts, 0), _values(row, facts, 1)
    if set(given) & set(surname):
        return None
    return all_clause(row.clause, [terms("self.given", surname), terms("self.surname", given)])


def build_widow_of(row: CatalogRow, facts: Facts) -> Clause | None:
    """Called the widow of the spouse."""
    spouses, married = _values(row, facts, 0), _values(row, facts, 1)
    return all_clause(
        row.clause,
        [
            terms("self.marital", ["widowed"]),
            terms("self.surname", variant(married, "surname", facts)),
            terms("spouse.given", variant(spouses, "given", facts)),
        ],
    )


def _form_exact(names: Sequence[str], kind: NameField, facts: Facts) -> frozenset[str]:
    del kind, facts
    return exact(names)


def _form_sounds(names: Sequence[str], kind: NameField, facts: Facts) -> frozenset[str]:
    del kind, facts
    return sounds(names)


_LADDER: dict[str, Builder] = {
    "exact": build_exact,
    "folded": build_folded,
    "variant": build_variant,
    "phonetic": build_phonetic,
    "abbreviated": build_abbreviated,
    "initial": build_initial,
    "missing": build_missing,
    "conflict": build_conflict,
}

BUILDERS: dict[str, Builder] = {
    **{
        f"{fact}.{level}": build
        for fact in ("given", "surname", "maiden", "married", "middle")
        for level, build in _LADDER.items()
    },
    "surname.rare_exact": build_rare_exact,
    "surname.alias": build_exact,
    "surname.inferred": build_variant,
    "surname.from_father": build_other_surname,
    "surname.from_mother": build_other_surname,
    "surname.both": build_both,
    "given.as_middle": build_variant,
    "middle.as_given": build_variant,
    "maiden.by_date": build_by_date,
    "married.by_date": build_by_date,
    "name.full_exact": build_together(_form_exact),
    "name.full_variant": build_together(variant),
    "name.swapped": build_swapped,
    "name.missing": build_missing,
    "couple.both_exact": build_together(_form_exact),
    "couple.both_variant": build_together(variant),
    "couple.both_phonetic": build_together(_form_sounds),
    "couple.widow_of": build_widow_of,
    "parents.both_exact": build_together(_form_exact),
    "parents.both_variant": build_together(variant),
}
