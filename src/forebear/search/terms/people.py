"""Which terms do people give: the persona itself, and the others on the record?

Of the persona they are names, sex, occupation, religion, status, and whatever else is stated.
Everyone else on the record, and on the other records of its group, is renamed relative
to the persona: a father on his child's baptism has that child, and the mother as his spouse.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from forebear.normalize.spelling import normalize_name, split_given
from forebear.normalize.surnames import split_surnames
from forebear.normalize.variants import sex_of_given
from forebear.normalize.words import text_words
from forebear.records.record import RELATIONS, Name, Persona, Relation
from forebear.search.terms.attributes import (
    attribute_named,
    attribute_terms,
    occupation_terms,
    title_terms,
)
from forebear.search.terms.term import CACHED_NAMES, NOTHING, Terms, fragment
from forebear.search.terms.values import given_terms, place_terms, surname_terms

Kin = Sequence[tuple[Relation, Persona]]

FIELDS_OF: dict[Relation, tuple[str, str]] = {
    "spouse": ("spouse.given", "spouse.surname"),
    "child": ("child.given", "child.surname"),
    "sibling": ("sibling.given", ""),
}
SPOUSE_MOTHER = ("spouse_mother.given", "spouse_mother.maiden")
SPOUSE_FATHER = ("spouse_father.given", "spouse_father.surname")


def add_person(fragments: list[Terms], persona: Persona, year: int | None) -> None:
    """Add what the record says of the person; ``year`` is that of the record."""
    for name in persona.names:
        fragments.append(surname_terms("self.surname", name.surname))
        fragments.append(given_terms("self.given", name.given))
        if name.patronymic or name.nickname or name.suffix or name.title:
            _add_rest_of_name(fragments, name)
    if persona.sex:
        fragments.append(word_terms("self.sex", persona.sex))
    if persona.occupation:
        fragments.append(occupation_terms("self.occupation", persona.occupation))
    if persona.religion:
        fragments.append(word_terms("self.religion", persona.religion))
    if persona.marital:
        fragments.append(word_terms("self.marital", persona.marital))
    for attribute, text in persona.attributes:
        is_known = attribute_named(attribute) is not None
        fragments.append(attribute_terms(attribute, text, year) if is_known else _text_terms(text))


@lru_cache(maxsize=CACHED_NAMES)
def word_terms(field: str, text: str) -> Terms:
    """Return the one value that a text gives a field."""
    return fragment(field, [normalize_name(text).rstrip(".")])


def _add_rest_of_name(fragments: list[Terms], name: Name) -> None:
    fragments.append(surname_terms("self.surname", name.patronymic))
    fragments.append(given_terms("self.given", name.nickname))
    fragments.append(word_terms("self.suffix", name.suffix))
    fragments.append(title_terms(name.title))


@lru_cache(maxsize=CACHED_NAMES)
def _text_terms(text: str) -> Terms:
    """Return what no field is for: the words of the text."""
    return fragment("record.text", text_words(text))


def add_relatives(
    fragments: list[Terms], persona: Persona, others: Sequence[Persona], *, is_census: bool
) -> None:
    """Add what the others on the record give the persona, each by what they are to it."""
    kin = kin_of(persona, others)
    parents: list[Persona] = []
    for relation, other in kin:
        if relation == "parent":
            parents.append(other)
        elif relation != "other":
            given, surname = _fields_of(relation, other)
            for name in other.names:
                fragments.append(given_terms(given, name.given))
                if surname:
                    fragments.append(surname_terms(surname, name.surname))
    if parents:
        _add_parents(fragments, parents, is_census=is_census)
    for name in persona.names:
        if normalize_name(name.surname):
            return
    _add_inferred_surname(fragments, kin)


def kin_of(persona: Persona, others: Sequence[Persona]) -> Kin:
    """Return what each of the others is to the persona, with each of them."""
    position = persona.kin
    if persona.relatives:
        stated = {relative.key: relative.relation for relative in persona.relatives}
        return [(stated.get(o.key) or RELATIONS.get((position, o.kin), "other"), o) for o in others]
    return [(RELATIONS.get((position, other.kin), "other"), other) for other in others]


def other_terms(other: Persona) -> Terms:
    """Return what a person gives everyone else on the record, whatever the role."""
    if len(other.names) == 1:
        return _other_name(other.names[0].given, other.names[0].surname)
    fragments = NOTHING
    for name in other.names:
        fragments += _other_name(name.given, name.surname)
    return fragments


@lru_cache(maxsize=CACHED_NAMES)
def _other_name(given: str, surname: str) -> Terms:
    first, last = next(iter(split_given(given)), ""), normalize_name(surname)
    fragments = _other_part("other.given", first)
    for family in dict.fromkeys((last, split_surnames(last)[0])):
        fragments += _other_part("other.surname", family)
        if first and family:
            fragments += fragment("other.name", [f"{first} {family}"])
    return fragments


@lru_cache(maxsize=CACHED_NAMES)
def _other_part(field: str, name: str) -> Terms:
    return fragment(field, [name])


def _fields_of(relation: Relation, other: Persona) -> tuple[str, str]:
    """Return the fields that the names of a relative go to; the surname of a sibling to none."""
    if relation == "spouse_parent":
        return SPOUSE_MOTHER if is_woman(other) else SPOUSE_FATHER
    return FIELDS_OF[relation]


def _add_parents(fragments: list[Terms], parents: Iterable[Persona], *, is_census: bool) -> None:
    mothers: list[Persona] = []
    surnames: list[str] = []
    for parent in parents:
        if is_woman(parent):
            mothers.append(parent)
            continue
        if parent.occupation:
            fragments.append(occupation_terms("father.occupation", parent.occupation))
        _add_birthplace(fragments, "father.birthplace", parent)
        for name in parent.names:
            surnames.append(normalize_name(name.surname))
            fragments.append(given_terms("father.given", name.given))
            fragments.append(surname_terms("father.surname", name.surname))
    for mother in mothers:
        _add_birthplace(fragments, "mother.birthplace", mother)
        for name in mother.names:
            fragments.append(given_terms("mother.given", name.given))
            # On a census a widow is under her husband's name, and he is not there.
            if (
                not is_census
                and name.kind != "married"
                and normalize_name(name.surname) not in surnames
            ):
                fragments.append(surname_terms("mother.maiden", name.surname))


def _add_birthplace(fragments: list[Terms], field: str, parent: Persona) -> None:
    birth = parent.event("birth") if parent.events else None
    if birth is not None and birth.place is not None:
        fragments.append(place_terms(field, birth.place))


def _add_inferred_surname(fragments: list[Terms], kin: Kin) -> None:
    """Add the surname of the head, parent or husband for a person who has none."""
    for relation, other in kin:
        if relation in ("spouse", "parent") or other.kin == "self":
            names = [split_surnames(normalize_name(name.surname))[0] for name in other.names]
            fragments.append(fragment("self.surname.inferred", names))


def is_woman(persona: Persona) -> bool:
    """Return whether a person is a woman: stated, or implied by the given name."""
    if persona.sex is not None:
        return persona.sex == "f"
    names = (split_given(name.given)[:1] for name in persona.names)
    return any(sex_of_given(first[0]) == "f" for first in names if first)
