"""The forms of a name: every name of the archive that a level would accept for it.

Each function takes the names of the query and returns names as the archive writes them, so
that a level is a set of terms.  Cumulative forms hold the closer ones too; the others are
only what explains a difference.  A name that came of a pattern has no other form.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from forebear.normalize.name_keys import daitch_mokotoff, shape_keys
from forebear.normalize.spelling import ascii_forms, is_initial
from forebear.normalize.variants import (
    abbreviations,
    forms_between,
    gendered_surnames,
    surname_translations,
    surname_variants,
    variants,
)
from forebear.records.record import Sex
from forebear.search.expansion.knowledge import NameField
from forebear.search.expansion.query_facts import Facts
from forebear.search.expansion.vocabulary import NameVocabulary
from forebear.search.terms.values import english_sounds, first_letter, surname_cores

Form = Callable[[Sequence[str], str, Facts], frozenset[str]]
One = Callable[[str, str, Facts], Iterable[str]]

MAX_REMEMBERED = 100_000  # sets of names of one vocabulary
LONG_NAME = 6  # letters; two edits leave enough of such a name
_OTHER_SEX: dict[Sex | None, Sex | None] = {"f": "m", "m": "f", None: None}
_SEX_OF: dict[str, Sex] = {"father": "m", "mother": "f", "spouse_father": "m", "spouse_mother": "f"}


@cache
def kind_of(field: str) -> NameField:
    """Return which vocabulary a field's names belong to."""
    return "given" if field.split(".")[1] in ("given", "middle") else "surname"


def sex_of(field: str, facts: Facts) -> Sex | None:
    """Return the sex of those whose names a field holds, as far as it is known."""
    subject = field.partition(".")[0]
    if subject == "self":
        return facts.sex
    if subject == "spouse":
        return _OTHER_SEX[facts.sex]
    return _SEX_OF.get(subject)


def exact(names: Sequence[str], field: str, facts: Facts) -> frozenset[str]:
    """Return the names letter for letter."""
    del field, facts
    return frozenset(names)


def _union_of(level: str, one: One) -> Form:
    """Return the form that unites what each name gives.

    What a name gives depends on the archive's names and how many have them, so its vocabulary,
    which is another after a change, remembers it.
    """

    def form(names: Sequence[str], field: str, facts: Facts) -> frozenset[str]:
        kind, sex = kind_of(field), sex_of(field, facts)
        remembered = facts.vocabularies[kind].remembered
        by_name = []
        for name in names:
            if name in facts.patterned:
                continue
            names_of_level = remembered.get((level, name, sex))
            if names_of_level is None:
                names_of_level = frozenset(one(name, field, facts))
                if len(remembered) < MAX_REMEMBERED:
                    remembered[level, name, sex] = names_of_level
            by_name.append(names_of_level)
        return by_name[0] if len(by_name) == 1 else frozenset().union(*by_name)

    return form


def _folded(name: str, field: str, facts: Facts) -> Iterable[str]:
    return facts.same_folded(kind_of(field), name)


def _variant(name: str, field: str, facts: Facts) -> Iterable[str]:
    kind = kind_of(field)
    learned = facts.vocabularies[kind].learned(name)
    if kind == "given":
        listed = variants(name, sex=sex_of(field, facts))
        return frozenset(learned).union(*(facts.same_folded("given", form) for form in listed))
    written = _archived(surname_variants(name), facts)
    return facts.same_folded("surname", name) | written | frozenset(learned)


def _archived(folds: Iterable[str], facts: Facts) -> frozenset[str]:
    """Return the surnames of the archive that have these folds."""
    vocabulary = facts.vocabularies["surname"]
    return frozenset(name for fold in folds for name in vocabulary.folding_to(fold))


def _edits(edits: int) -> One:
    def near(name: str, field: str, facts: Facts) -> Iterable[str]:
        if edits > 1 and len(name) < LONG_NAME:
            return ()
        return facts.vocabularies[kind_of(field)].near(name, edits)

    return near


def _similar(least: float) -> One:
    return _lookup(lambda names, name: names.similar(name, least=least))


def _lookup(lookup: Callable[[NameVocabulary, str], Iterable[str]]) -> One:
    """Return the form of a name that the archive's vocabulary looks up."""

    def others(name: str, field: str, facts: Facts) -> Iterable[str]:
        return lookup(facts.vocabularies[kind_of(field)], name)

    return others


def _apart(one: One) -> One:
    """Return what is left without the name itself and what folds alike: only ways of differing."""

    def others(name: str, field: str, facts: Facts) -> Iterable[str]:
        return frozenset(one(name, field, facts)) - facts.same_folded(kind_of(field), name)

    return others


def _gendered(name: str, field: str, facts: Facts) -> Iterable[str]:
    del field
    return _archived(gendered_surnames(name), facts)


def _abbreviated(name: str, field: str, facts: Facts) -> Iterable[str]:
    del field
    return frozenset().union(*(facts.same_folded("given", form) for form in abbreviations(name)))


def _in_language(*kinds: str) -> One:
    def forms(name: str, field: str, facts: Facts) -> Iterable[str]:
        if kind_of(field) == "surname":
            return _archived(surname_translations(name), facts)
        listed = variants(name, sex=sex_of(field, facts))
        foreign = (form for form in listed if not forms_between(name, form).isdisjoint(kinds))
        return frozenset().union(*(facts.same_folded("given", form) for form in foreign))

    return forms


folded = _union_of("folded", _folded)
variant = _union_of("variant", _variant)
edit1 = _union_of("edit1", _edits(1))
edit2 = _union_of("edit2", _edits(2))
similar = _union_of("similar", _similar(0.9))
similar85 = _union_of("similar85", _similar(0.85))
similar80 = _union_of("similar80", _similar(0.8))
wide = _union_of("wide", _lookup(NameVocabulary.wide))
particle = _union_of("particle", _apart(_lookup(NameVocabulary.sharing_core)))
part = _union_of("part", _apart(_lookup(NameVocabulary.sharing_part)))
prefix = _union_of("prefix", _apart(_lookup(NameVocabulary.sharing_beginning)))
gendered = _union_of("gendered", _apart(_gendered))
abbreviated = _union_of("abbreviated", _apart(_abbreviated))
translated = _union_of("translated", _apart(_in_language("latin", "translation")))
anglicized = _union_of("anglicized", _apart(_in_language("translation")))

# Every form that still may be the name, and so contradicts nothing.
NEAR_SURNAMES: tuple[Form, ...] = (
    *(variant, particle, part, gendered, edit1, similar, anglicized),
)
TOLERANT_SURNAMES: tuple[Form, ...] = (*NEAR_SURNAMES, edit2)
TOLERANT_GIVEN: tuple[Form, ...] = (variant, abbreviated, prefix, edit1, similar)


def _compatible(name: str, field: str, facts: Facts) -> Iterable[str]:
    tolerant = TOLERANT_SURNAMES if kind_of(field) == "surname" else TOLERANT_GIVEN
    return frozenset().union(*(form((name,), field, facts) for form in tolerant))


def _near(name: str, field: str, facts: Facts) -> Iterable[str]:
    return frozenset().union(*(form((name,), field, facts) for form in NEAR_SURNAMES))


def with_exact(form: Form) -> Form:
    """Return a cumulative form: the names themselves, a pattern's too, and their forms."""

    def cumulative(names: Sequence[str], field: str, facts: Facts) -> frozenset[str]:
        others = form(names, field, facts)
        # The remembered set itself, where it has the names already.
        return others if others.issuperset(names) else others.union(names)

    return cumulative


compatible = with_exact(_union_of("compatible", _compatible))
near = with_exact(_union_of("near", _near))  # surnames that are enough without a given name


def rare(persons: int) -> Form:
    """Return the form of near names that at most one in this number of persons has."""

    def near_and_rare(name: str, field: str, facts: Facts) -> Iterable[str]:
        near = variant((name,), field, facts) | edit1((name,), field, facts)
        shares = facts.knowledge.shares("self.surname", near)
        return [other for other in near if shares[other] <= 1 / persons]

    return _union_of(f"rare{persons}", near_and_rare)


def sounds(names: Iterable[str]) -> frozenset[str]:
    """Return the Daitch-Mokotoff codes of the names, with and without particles."""
    return _keys(daitch_mokotoff, names)


def spoken_english(names: Iterable[str]) -> frozenset[str]:
    """Return the NYSIIS and Soundex codes of the names."""
    return _keys(english_sounds, names)


def shapes(names: Iterable[str]) -> frozenset[str]:
    """Return the shape keys of the names."""
    return _keys(shape_keys, names)


def _keys(key: Callable[[str], Iterable[str]], names: Iterable[str]) -> frozenset[str]:
    forms = [form for name in names for form in (name, *surname_cores(name))]
    return frozenset(code for form in forms for code in key(form))


def letters(names: Iterable[str]) -> frozenset[str]:
    """Return the first letters of given names, written alone or not."""
    return frozenset(letter for name in names for letter in (name[0], f"{name[0]}."))


def letters_only(names: Iterable[str]) -> frozenset[str]:
    """Return the names in folded letters, without spaces and marks."""
    return frozenset(fold for name in names for fold in ascii_forms(name))


def one_word(wholes: Sequence[str], facts: Facts) -> frozenset[str]:
    """Return two surnames as one word, in letters and as the archive spells it."""
    return letters_only(wholes) | folded(wholes, "self.surname", facts)


def surname_letters(names: Iterable[str]) -> frozenset[str]:
    """Return the letters that surnames begin with, with and without particles."""
    return _keys(first_letter, names)


def initials(names: Iterable[str]) -> frozenset[str]:
    """Return the initials that agree: on one side there is only the letter."""
    letters: set[str] = set()
    for name in names:
        letters.add(f"{name[0]}.")
        if is_initial(name):
            letters.add(name[0])
    return frozenset(letters)
