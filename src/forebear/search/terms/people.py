"""The terms of the people around a persona, each under what they are to that persona.

Everybody else on the record, and on the other records of its group, is renamed relative
to the persona: a father on his child's baptism has that child, and the mother as his spouse.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from forebear.normalize.given_names import sex_of_given
from forebear.normalize.names import spell, split_given
from forebear.records.names import Name
from forebear.records.personas import RELATIONS, Persona, Relation
from forebear.search.terms.attributes import occupation_terms
from forebear.search.terms.fragments import CACHED_NAMES, NOTHING, Fragment, fragment
from forebear.search.terms.names import given_terms, surname_terms
from forebear.search.terms.places import place_terms

Kin = Sequence[tuple[Relation, Persona]]


def kin_of(persona: Persona, others: Sequence[Persona]) -> Kin:
    """Return what each of the others is to the persona, with each of them."""
    said = {relative.key: relative.relation for relative in persona.relatives}
    own = persona.kin
    if said:
        return [(said.get(o.key) or RELATIONS.get((own, o.kin), "other"), o) for o in others]
    return [(RELATIONS.get((own, other.kin), "other"), other) for other in others]


def relative_terms(persona: Persona, kin: Kin, *, is_census: bool) -> list[Fragment]:
    """Return what the relatives give the persona."""
    found: list[Fragment] = []
    parents = [other for relation, other in kin if relation == "parent"]
    if parents:
        _add_parents(found, parents, is_census=is_census)
    for relation, other in kin:
        if relation == "other" or relation == "parent":
            continue
        for name in other.names:
            _add_relative(found, relation, other, name)
    if not any(spell(name.surname) for name in persona.names):
        _add_inferred_surname(found, kin)
    return found


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
    first, last = next(iter(split_given(given)), ""), spell(surname)
    whole = f"{first} {last}" if first and last else ""
    names = fragment("other.given", [first]) + fragment("other.surname", [last])
    return names + fragment("other.name", [whole])


def _add_relative(found: list[Fragment], relation: Relation, other: Persona, name: Name) -> None:
    if relation == "spouse":
        found.append(given_terms("spouse.given", name.given))
        found.append(surname_terms("spouse.surname", name.surname))
    elif relation == "child":
        found.append(given_terms("child.given", name.given))
        found.append(surname_terms("child.surname", name.surname))
    elif relation == "sibling":
        found.append(given_terms("sibling.given", name.given))
    elif _is_woman(other):
        found.append(given_terms("spouse_mother.given", name.given))
        found.append(surname_terms("spouse_mother.maiden", name.surname))
    else:
        found.append(given_terms("spouse_father.given", name.given))
        found.append(surname_terms("spouse_father.surname", name.surname))


def _add_parents(found: list[Fragment], parents: Iterable[Persona], *, is_census: bool) -> None:
    mothers = [parent for parent in parents if _is_woman(parent)]
    fathers = [parent for parent in parents if not _is_woman(parent)]
    surnames = {spell(name.surname) for father in fathers for name in father.names}
    for father in fathers:
        found.append(occupation_terms("father.occupation", father.occupation))
        _add_birthplace(found, "father.birthplace", father)
        for name in father.names:
            found.append(given_terms("father.given", name.given))
            found.append(surname_terms("father.surname", name.surname))
    for mother in mothers:
        _add_birthplace(found, "mother.birthplace", mother)
        for name in mother.names:
            found.append(given_terms("mother.given", name.given))
            # On a census a widow stands under her husband's name, and he is not there.
            if not is_census and name.kind != "married" and spell(name.surname) not in surnames:
                found.append(surname_terms("mother.maiden", name.surname))


def _add_birthplace(found: list[Fragment], field: str, parent: Persona) -> None:
    birth = parent.event("birth") if parent.events else None
    if birth is not None and birth.place is not None:
        found.append(place_terms(field, birth.place))


def _add_inferred_surname(found: list[Fragment], kin: Kin) -> None:
    """Add the surname of the head, parent or husband for somebody who has none."""
    for relation, other in kin:
        if relation in ("spouse", "parent") or other.kin == "self":
            names = [spell(name.surname) for name in other.names]
            found.append(fragment("self.surname.inferred", names))


def _is_woman(persona: Persona) -> bool:
    """Say whether somebody is a woman: stated, or told by the given name."""
    if persona.sex is not None:
        return persona.sex == "f"
    names = (split_given(name.given)[:1] for name in persona.names)
    return any(sex_of_given(first[0]) == "f" for first in names if first)
