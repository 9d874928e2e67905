"""Who is the relative that a name speaks of: "son of Henry & Ann Clark"?"""

import re

from forebear.normalize.given_names import is_given_name, sex_of_given
from forebear.normalize.name_forms.markers import Marked
from forebear.normalize.name_forms.words import leading_title, particle_at_end, particle_kind

_AND = frozenset({"&", "and", "et", "und", "en", "og", "och", "y", "e", "i"})
_REMARKS = re.compile(
    r"[\s,]*\b(?:his wife|her husband|ux(?:or)? ejus|ux(?:or)?\.? eius|deceased|decd)\b.*$", re.I
)
_LATE = frozenset({"late", "the", "ye", "of", "feu", "fu", "deceased"})
_PARENTS = {"son", "daughter", "child"}


def relation_facts(marked: Marked) -> list[tuple[str, str]]:
    """Return what the words after a relation's marker say, as facts with their keys."""
    text = _REMARKS.sub("", " ".join(marked.words))
    people = [_name_parts(words, marked.marker.alone) for words in _people(text.split())]
    facts = [("relation", marked.marker.relation)]
    if marked.marker.relation not in _PARENTS:
        return facts + (_facts("spouse", *people[0]) if people else [])
    if len(people) == 1:
        given, surname = people[0]
        is_mother = sex_of_given(given.split()[0]) == "f" if given else False
        return facts + _facts("mother" if is_mother else "father", given, surname)
    if people:
        (father, surname), (mother, her_surname) = people[0], people[1]
        if not surname:
            surname, her_surname = her_surname, ""
        return facts + _facts("father", father, surname) + _facts("mother", mother, her_surname)
    return facts


def _people(words: list[str]) -> list[list[str]]:
    people: list[list[str]] = [[]]
    for word in words:
        if word.lower() in _AND and people[-1]:
            people.append([])
        elif word.lower() not in _LATE or people[-1]:
            people[-1].append(word.strip(","))
    return [person for person in people if person][:2]


def _name_parts(words: list[str], alone: str) -> tuple[str, str]:
    """Return the given names and the surname, with its particle, of a relative."""
    words = words[leading_title(words) :]
    if len(words) == 1:
        is_surname = alone == "surname" or (alone == "either" and not is_given_name(words[0]))
        return ("", words[0]) if is_surname else (words[0], "")
    start = len(words) - 1
    while start > 1 and particle_kind(words[start - 1]) != "patronymic":
        length = particle_at_end(words[1:start])
        if not length:
            break
        start -= length
    return " ".join(words[:start]), " ".join(words[start:])


def _facts(who: str, given: str, surname: str) -> list[tuple[str, str]]:
    facts = [(f"{who}_given", given), (f"{who}_surname", surname)]
    return [fact for fact in facts if fact[1]]
