"""The terms of the people around a persona, each under what they are to that persona.

Everybody else on the record, and on the other records of its group, is renamed relative
to the persona: a father on his child's baptism has that child, and the mother as his spouse.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from forebear.normalize.spelling import normalize_name, split_given
from forebear.normalize.surnames import split_surnames
from forebear.normalize.variants import sex_of_given
from forebear.records.record import RELATIONS, Persona, Relation
from forebear.search.terms.attributes import occupation_terms
from forebear.search.terms.fragments import CACHED_NAMES, NOTHING, Fragment, fragment
from forebear.search.terms.names import given_terms, surname_terms
from forebear.search.terms.places import place_terms

Kin = Sequence[tuple[Relation, Persona]]

FIELDS_OF: dict[Relation, tuple[str, str]] = {
    "spouse": ("spouse.given", "spouse.surname"),
    "child": ("child.given", "child.surname"),
    "sibling": ("sibling.given", ""),
}
SPOUSE_MOTHER = ("spouse_mother.given", "spouse_mother.maiden")
SPOUSE_FATHER = ("spouse_father.given", "spouse_father.surname")


def add_relatives(
    found: list[Fragment], persona: Persona, others: Sequence[Persona], *, is_census: bool
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
                found.append(given_terms(given, name.given))
                if surname:
                    found.append(surname_terms(surname, name.surname))
    if parents:
        _add_parents(found, parents, is_census=is_census)
    for name in persona.names:
        if normalize_name(name.surname):
            return
    _add_inferred_surname(found, kin)


def kin_of(persona: Persona, others: Sequence[Persona]) -> Kin:
    """Return what each of the others is to the persona, with each of them."""
    own = persona.kin
    if persona.relatives:
        said = {relative.key: relative.relation for relative in persona.relatives}
        return [(said.get(o.key) or RELATIONS.get((own, o.kin), "other"), o) for o in others]
    return [(RELATIONS.get((own, other.kin), "other"), other) for other in others]


def other_terms(other: Persona) -> Fragment:
    """Return what somebody gives everybody else on the record, whatever the role."""
    if len(other.names) == 1:
        return _other_name(other.names[0].given, other.names[0].surname)
    found = NOTHING
    for name in other.names:
        found += _other_name(name.given, name.surname)
    return found


@lru_cache(maxsize=CACHED_NAMES)
def _other_name(given: str, surname: str) -> Fragment:
    first, last = next(iter(split_given(given)), ""), normalize_name(surname)
    fragments = _other_part("other.given", first)
    for family in dict.fromkeys((last, split_surnames(last)[0])):
        fragments += _other_part("other.surname", family)
        if first and family:
            fragments += fragment("other.name", [f"{first} {family}"])
    return fragments


@lru_cache(maxsize=CACHED_NAMES)
def _other_part(field: str, name: str) -> Fragment:
    return fragment(field, [name])


def _fields_of(relation: Relation, other: Persona) -> tuple[str, str]:
    """Return the fields that the names of a relative go to; the surname of a sibling to none."""
    if relation == "spouse_parent":
        return SPOUSE_MOTHER if is_woman(other) else SPOUSE_FATHER
    return FIELDS_OF[relation]


def _add_parents(found: list[Fragment], parents: Iterable[Persona], *, is_census: bool) -> None:
    mothers: list[Persona] = []
    surnames: list[str] = []
    for parent in parents:
        if is_woman(parent):
            mothers.append(parent)
            continue
        if parent.occupation:
            found.append(occupation_terms("father.occupation", parent.occupation))
        _add_birthplace(found, "father.birthplace", parent)
        for name in parent.names:
            surnames.append(normalize_name(name.surname))
            found.append(given_terms("father.given", name.given))
            found.append(surname_terms("father.surname", name.surname))
    for mother in mothers:
        _add_birthplace(found, "mother.birthplace", mother)
        for name in mother.names:
            found.append(given_terms("mother.given", name.given))
            # On a census a widow stands under her husband's name, and he is not there.
            if (
                not is_census
                and name.kind != "married"
                and normalize_name(name.surname) not in surnames
            ):
                found.append(surname_terms("mother.maiden", name.surname))


def _add_birthplace(found: list[Fragment], field: str, parent: Persona) -> None:
    birth = parent.event("birth") if parent.events else None
    if birth is not None and birth.place is not None:
        found.append(place_terms(field, birth.place))


def _add_inferred_surname(found: list[Fragment], kin: Kin) -> None:
    """Add the surname of the head, parent or husband for somebody who has none."""
    for relation, other in kin:
        if relation in ("spouse", "parent") or other.kin == "self":
            names = [split_surnames(normalize_name(name.surname))[0] for name in other.names]
            found.append(fragment("self.surname.inferred", names))


def is_woman(persona: Persona) -> bool:
    """Say whether somebody is a woman: stated, or told by the given name."""
    if persona.sex is not None:
        return persona.sex == "f"
    names = (split_given(name.given)[:1] for name in persona.names)
    return any(sex_of_given(first[0]) == "f" for first in names if first)
