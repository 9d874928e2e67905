"""Where do the given names end and the surname begin?

Mostly the surname is the last word, with the particles in front of it.  It comes first where the
source says so, or where it alone is in capitals.  Spanish and Portuguese names have two surnames,
and a patronymic may stand between the given names and a surname, or in its place.
"""

import re
from typing import NamedTuple

from forebear.normalize.given_names import is_given_name
from forebear.normalize.name_forms.patronymics import eastern_father_of, father_of
from forebear.normalize.name_forms.words import (
    is_initials,
    is_unknown,
    particle_at_end,
    particle_at_start,
    particle_kind,
)

TWO_SURNAMES = frozenset({"spanish", "portuguese"})
_PREFIXED_CAPITALS = re.compile(r"(?:Mc|Mac|M'|O'|D'|Fitz|De|Le|La|Van|de|van|d')?(?=[^\W\d_])(.+)")
_ELIDED = re.compile(
    r"(?:de\s)?(?:d'|l'|dell'|dall'|all'|al-|el-|ash-|at-|as-|ad-)(?=[^\W\d_])", re.I
)


class NameSplit(NamedTuple):
    """The words of a name by what they are."""

    given: list[str]
    surname: list[str]  # with its particles
    patronymic: str = ""
    father: str = ""
    is_surname_first: bool = False


class SurnameParts(NamedTuple):
    """A surname and the particle in front of it."""

    particle: str
    surname: str


def split_words(words: list[str], order: str) -> NameSplit:
    """Return the given names and surname of words that hold nothing else."""
    if len(words) == 1:
        is_given = is_given_name(words[0]) and order != "surname_first"
        return NameSplit(words, []) if is_given else NameSplit([], words)
    if order == "surname_first" or (not order and _has_surname_in_capitals_first(words)):
        end = _end_of_first_surname(words)
        return NameSplit(words[end:], words[:end], is_surname_first=True)
    start = _start_of_surname(words, order)
    return _with_patronymic(words[:start], words[start:], order)


def split_particle(words: list[str]) -> SurnameParts:
    """Return the particle and the rest of a surname's words.

    >>> split_particle(["van", "der", "Berg"])
    SurnameParts(particle='van der', surname='Berg')
    >>> split_particle(["d'Artagnan"])
    SurnameParts(particle="d'", surname='Artagnan')
    """
    count = 0
    while count < len(words) - 1 and particle_kind(words[count]) != "prefix":
        length = particle_at_start(words[count:])
        if not length or count + length >= len(words):
            break
        count += length
    rest = " ".join(words[count:])
    elided = _ELIDED.match(rest)
    length = elided.end() if elided else 0
    particle = " ".join([*words[:count], rest[:length]]).strip()
    return SurnameParts(particle, rest[length:])


def _with_patronymic(given: list[str], surname: list[str], order: str) -> NameSplit:
    """Find the patronymic that is the surname, or stands before it."""
    is_custom = order == "patronymic"
    if len(surname) > 1 and particle_kind(surname[0]) == "patronymic":
        return NameSplit(given, surname, " ".join(surname), " ".join(surname[1:]))
    if len(surname) == 1 and given and (father := father_of(surname[0], is_custom=is_custom)):
        return NameSplit(given, surname, surname[0], father)
    if len(given) > 2 and particle_kind(given[-2]) == "patronymic":
        return NameSplit(given[:-2], surname, " ".join(given[-2:]), given[-1])
    middle = given[-1] if len(given) > 1 else ""
    father = father_of(middle, is_custom=is_custom) or eastern_father_of(middle) if middle else ""
    return NameSplit(given[:-1], surname, middle, father) if father else NameSplit(given, surname)


def _start_of_surname(words: list[str], order: str) -> int:
    last = len(words) - 1
    while last > 1 and particle_kind(words[last - 1].rpartition("-")[2]) and "-" in words[last - 1]:
        last -= 1  # van der Waals-de Boer
    start = _before_particles(words, last)
    for position in range(1, len(words) - 1):  # José Ortega y Gasset
        is_joint = particle_kind(words[position]) == "joint" and words[position].islower()
        if is_joint and position > 1:
            return _before_particles(words, position - 1)
    if order in TWO_SURNAMES and start > 1:
        is_given = start == 2 and len(words) - start == 1 and _is_only_given(words[1])
        start = start if is_given else _before_particles(words, start - 1)
    return max(start, 1)


def _is_only_given(word: str) -> bool:
    return is_given_name(word) and not word.lower().endswith(("ez", "es"))


def _before_particles(words: list[str], start: int) -> int:
    """Return where the particles in front of a surname begin; the first word is a given name."""
    while start > 1 and (length := particle_at_end(words[1:start])):
        is_initial = len(words[start - 1].rstrip(".")) == 1 and words[start - 1][0].isupper()
        if is_initial and words[start - 1] not in ("Ó",):
            break
        start -= length
    return start


def _end_of_first_surname(words: list[str]) -> int:
    end = 0
    while end < len(words) - 2 and (length := particle_at_start(words[end:-1])):
        end += length
    if not _is_capitals(words[end]):
        return end + 1
    while end < len(words) - 1 and (_is_capitals(words[end + 1]) and not _all_capitals(words)):
        end += 1
    return end + 1


def _has_surname_in_capitals_first(words: list[str]) -> bool:
    if _all_capitals(words) and not all(map(is_initials, words[1:])):
        return False
    first = 0
    while first < len(words) - 1 and words[first].islower() and particle_kind(words[first]):
        first += 1
    others = words[first + 1 :]
    if not others or (others[-1].islower() and is_given_name(words[first].lower())):
        return False  # "WILLIAM turner": no care was taken with capitals
    return _is_capitals(words[first]) and not _is_capitals(others[-1])


def _all_capitals(words: list[str]) -> bool:
    return all(_is_capitals(word) or is_initials(word) for word in words)


def _is_capitals(word: str) -> bool:
    """Say whether a word is written in capitals, as surnames are: SMITH, McDONALD."""
    match = _PREFIXED_CAPITALS.fullmatch(word)
    letters = [c for c in (match[1] if match else "") if c.isalpha()]
    is_short = len(letters) < 2 or is_initials(word) or is_unknown(word)
    return not is_short and all(map(str.isupper, letters))
