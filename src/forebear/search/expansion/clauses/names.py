"""Clauses about one name: the same, a known variant, alike in sound or script, different."""

from collections.abc import Callable, Iterable, Sequence

from forebear.search.expansion.catalog import (
    CatalogRow,
    Clause,
    all_clause,
    conflict_clause,
    term_clause,
)
from forebear.search.expansion.clauses import forms
from forebear.search.expansion.clauses.builder import Builder, build_missing
from forebear.search.expansion.clauses.forms import Form, kind_of
from forebear.search.expansion.name_rules import parents_surnames, patronymics, tolerated_surnames
from forebear.search.expansion.query_facts import Facts
from forebear.search.terms.term import has, name_terms, terms

RARE_SHARE = 1 / 10_000
RARE_STEPS = (100, 1_000, 10_000)  # one person in this number has the surname

with_variants = forms.with_exact(forms.variant)


def note_of(row: CatalogRow, facts: Facts) -> str:
    """Return what rule 1, 2 or 3 inferred to make the names of a clause."""
    words = facts.needed(row) or ()
    if row.subject == "father" and "surname" in words:
        return "the father's surname is taken to be the person's own"
    about_marriage = any(word in ("married", "surnames") for word in words)
    return facts.surnames.note if about_marriage and facts.surnames.married else ""


def build_form(form: Form) -> Builder:
    """Return the builder for names that agree in some form."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        field = row.fields[0]
        names = form(facts.needed_names(row), field, facts)
        return term_clause(row, name_terms(field, names), note=note_of(row, facts))

    return build


def build_keys(key: Callable[[Iterable[str]], frozenset[str]]) -> Builder:
    """Return the builder for names that share a key; the catalog names the field of keys."""

    def build(row: CatalogRow, facts: Facts) -> Clause | None:
        codes = key(name for name in facts.needed_names(row) if name not in facts.patterned)
        return term_clause(row, name_terms(row.fields[0], codes), note=note_of(row, facts))

    return build


def build_rare_exact(row: CatalogRow, facts: Facts) -> Clause | None:
    """The same, and a surname that few in the archive bear."""
    shares = facts.knowledge.shares("self.surname", facts.needed_names(row))
    rare = [name for name, share in shares.items() if share < RARE_SHARE]
    return term_clause(row, terms(row.fields[0], rare))


def build_part(row: CatalogRow, facts: Facts) -> Clause | None:
    """One part of a compound, or one of two surnames in the place of the other."""
    field, second_field = row.fields
    names, seconds = facts.needed_names(row), facts.names["surname2"]
    in_first = forms.part(names, field, facts) | forms.variant(seconds, field, facts)
    in_second = with_variants(names, second_field, facts) - with_variants(seconds, field, facts)
    return term_clause(
        row,
        name_terms(field, in_first - frozenset(names)) | name_terms(second_field, in_second),
        note=note_of(row, facts),
    )


def build_joined(row: CatalogRow, facts: Facts) -> Clause | None:
    """Two surnames of one side are one word on the other: Green Wood, Greenwood."""
    wholes = facts.surnames.whole
    if wholes:
        return term_clause(row, name_terms(row.fields[0], forms.one_word(wholes, facts)))
    letters = forms.letters_only(facts.needed_names(row))
    return term_clause(row, name_terms(row.fields[1], letters))


def build_exchanged(row: CatalogRow, facts: Facts) -> Clause | None:
    """The two surnames are in the other order."""
    first, second = (
        forms.compatible(facts.needed_names(row, position), row.fields[0], facts)
        for position in (0, 1)
    )
    fields = row.fields
    return all_clause(
        row, [name_terms(fields[0], second - first), name_terms(fields[1], first - second)]
    )


def build_crossed_initial(row: CatalogRow, facts: Facts) -> Clause | None:
    """One given name begins like the query's other one, and the first names begin differently."""
    letters = forms.letters(facts.needed_names(row))
    same_first = terms("self.given.initial", forms.letters(facts.names["given"]))
    return term_clause(row, terms(row.fields[0], letters), none_of=same_first)


def build_extra_middle(row: CatalogRow, facts: Facts) -> Clause | None:
    """The record has a middle name, and the query none."""
    return None if facts.names["middle"] else term_clause(row, has(row.fields[0]))


def build_parents_surname(row: CatalogRow, facts: Facts) -> Clause | None:
    """Under the surname of a parent that the person did not bear (rule 4)."""
    words = facts.needed(row)
    if not words:
        return None
    others = parents_surnames(facts.names.get(words[0], ()), facts.surnames.every)
    names = forms.variant(others, row.fields[0], facts)
    return term_clause(row, name_terms(row.fields[0], names), note="under a parent's surname")


def build_patronymic(row: CatalogRow, facts: Facts) -> Clause | None:
    """Under a name made of the father's given name (rule 3)."""
    others = patronymic_surnames(facts.needed_names(row), facts) - frozenset(facts.surnames.every)
    names = forms.folded(tuple(sorted(others)), row.fields[0], facts)
    return term_clause(
        row, name_terms(row.fields[0], names), note="a patronymic of the father's name"
    )


def patronymic_surnames(fathers: Sequence[str], facts: Facts) -> frozenset[str]:
    """Return the surnames that the given names of fathers make."""
    birth = facts.known_years.get("b")
    year = birth.first if birth else None
    return frozenset().union(
        *(patronymics(name, sex=facts.sex, customs=facts.customs, year=year) for name in fathers)
    )


def build_conflict(row: CatalogRow, facts: Facts) -> Clause | None:
    """The record has a name there, and none that any tolerant form would accept."""
    words = facts.needed(row)
    if words is None:
        return None
    names = facts.names[words[0]]
    if row.fields[0] == "self.surname":
        return _surname_conflict(row, facts)
    if row.fields[0] == "self.surname2":
        names = (*names, *facts.names["surname"])  # in the other order
    return conflict_clause(
        row, compatible_terms(row.fields, names, facts), note=note_of(row, facts)
    )


def _surname_conflict(row: CatalogRow, facts: Facts) -> Clause | None:
    """No surname the person is known to have borne, nor one that such a record may show instead.

    The second of two surnames may come first or alone; the first may come second where only
    the record has two.

    That a woman may have taken the name of a husband whom the query does not name is no excuse:
    then every woman of her given name and age would fit, and the surname is what is left to
    distinguish them.
    """
    names = facts.surnames.every
    fathers, mothers = (facts.names.get(word, ()) for word in ("father.surname", "mother.maiden"))
    parents = tolerated_surnames(fathers, mothers, names, row.record_type)
    patronymics_borne = patronymic_surnames(facts.names.get("father.given", ()), facts)
    seconds = facts.names["surname2"]
    fields = [field for field in row.fields if not (seconds and field == "self.surname2")]
    others = compatible_names(seconds, "self.surname", facts)
    others |= forms.one_word(facts.surnames.whole, facts)
    accepted = compatible_terms(fields, (*names, *parents), facts) | terms(
        "self.surname", patronymics_borne
    )
    accepted |= name_terms("self.surname", others)
    return conflict_clause(row, accepted, note=note_of(row, facts))


def compatible_terms(fields: Sequence[str], names: Sequence[str], facts: Facts) -> frozenset[str]:
    """Return every term of these fields that the names would accept."""
    field = fields[0]
    accepted = name_terms(field, compatible_names(names, field, facts))
    for other in fields[1:]:
        key = other.removeprefix(f"{field}.")
        if key in _KEYS:
            accepted |= name_terms(other, _KEYS[key](names))
        else:  # a middle name may be the given one, a second surname the first
            accepted |= name_terms(other, forms.variant(tuple(names), field, facts))
    return accepted


def compatible_names(names: Sequence[str], field: str, facts: Facts) -> frozenset[str]:
    """Return every name that may still be one of these."""
    others = forms.compatible(tuple(names), field, facts)
    return others if kind_of(field) == "surname" else others.union(name[0] for name in names)


_KEYS: dict[str, Callable[[Iterable[str]], frozenset[str]]] = {
    "dm": forms.sounds,
    "sound": forms.spoken_english,
    "shape": forms.shapes,
    "initial": forms.initials,
    "joined": forms.letters_only,
}

_LADDER: dict[str, Builder] = {
    "exact": build_form(forms.exact),
    **{
        level: build_form(forms.with_exact(form))
        for level, form in (
            ("folded", forms.folded),
            ("variant", forms.variant),
            ("edit1", forms.edit1),
            ("edit2", forms.edit2),
            ("similar", forms.similar),
            ("similar85", forms.similar85),
            ("similar80", forms.similar80),
        )
    },
    "particle": build_form(forms.particle),
    "gendered": build_form(forms.gendered),
    "prefix": build_form(forms.prefix),
    "abbreviated": build_form(forms.abbreviated),
    "translated": build_form(forms.translated),
    "anglicized": build_form(forms.anglicized),
    "phonetic": build_keys(forms.sounds),
    "soundalike": build_keys(forms.spoken_english),
    "misread": build_keys(forms.shapes),
    "initial": build_keys(forms.initials),
    "missing": build_missing,
    "conflict": build_conflict,
}

BUILDERS: dict[str, Builder] = {
    **{
        f"{fact}.{level}": build
        for fact in ("given", "surname", "surname2", "maiden", "married", "middle")
        for level, build in _LADDER.items()
    },
    **{
        f"{fact}.{level}": build
        for fact in ("surname", "surname2")
        for level, build in (
            ("letter", build_keys(forms.surname_letters)),
            *((f"rare{persons}", build_form(forms.rare(persons))) for persons in RARE_STEPS),
        )
    },
    "surname.part": build_part,
    "surname.joined": build_joined,
    "surname.exchanged": build_exchanged,
    "given.letter": build_keys(forms.letters),
    "given.crossed": build_crossed_initial,
    "middle.crossed": build_crossed_initial,
    "middle.extra": build_extra_middle,
    "surname.rare_exact": build_rare_exact,
    "surname.alias": build_form(forms.exact),
    "surname.inferred": build_form(forms.variant),
    "surname.from_father": build_parents_surname,
    "surname.from_mother": build_parents_surname,
    "surname.patronymic": build_patronymic,
    "given.as_middle": build_form(forms.with_exact(forms.variant)),
    "middle.as_given": build_form(forms.with_exact(forms.variant)),
    "name.missing": build_missing,
}
