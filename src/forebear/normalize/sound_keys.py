"""What does a name sound like?  Daitch-Mokotoff codes.

Six digits for the sounds of a name, made for the names of central and eastern Europe and
good for others (Mokotoff, "Soundexing and Genealogy").  The table gives, for groups of
letters, the code at the start of the name, before a vowel, and elsewhere; the longest group
wins.  Neighbors with the same code count once.  Some groups may sound two ways, so a name
has several codes: Auerbach is 097400 and 097500.

The published rule RS (as RTZ or ZH) is left out, on the advice of its author: it joins
Gierszlik to Gotsalk.  So Peters is 739400, and no longer 734000 as well.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from forebear.normalize.names import folds
from forebear.tables import read_table

CODE_LENGTH = 6
_VOWELS = frozenset("aeiou")


class SoundRule(NamedTuple):
    """The codes of a group of letters; each may have alternatives, "" is not coded."""

    start: tuple[str, ...]
    before_vowel: tuple[str, ...]
    elsewhere: tuple[str, ...]


@lru_cache(maxsize=65_536)
def daitch_mokotoff(name: str) -> frozenset[str]:
    """Return the codes of a name, the whole of it folded to ASCII letters.

    >>> sorted(daitch_mokotoff("auerbach")), sorted(daitch_mokotoff("moskowitz"))
    (['097400', '097500'], ['645740'])
    """
    letters = "".join(letter for fold in folds(name)[:1] for letter in fold if letter.isalpha())
    return _code(letters, sound_rules(), _sound_groups()) if letters else frozenset()


def code_sounds(letters: str, rules: dict[str, SoundRule]) -> frozenset[str]:
    """Return the codes of ASCII letters under these rules."""
    return _code(letters, rules, _groups_of(rules))


def _code(letters: str, rules: dict[str, SoundRule], groups: re.Pattern[str]) -> frozenset[str]:
    branches = {("", "")}  # the code so far, and the code of the last group
    for group in groups.finditer(letters):
        rule = rules[group[0]]
        if group.start() == 0:
            sounds = rule.start
        else:
            sounds = rule.before_vowel if letters[group.end() :][:1] in _VOWELS else rule.elsewhere
        branches = {_extend(code, last, sound) for code, last in branches for sound in sounds}
    return frozenset(code[:CODE_LENGTH].ljust(CODE_LENGTH, "0") for code, _ in branches)


def _extend(code: str, last: str, sound: str) -> tuple[str, str]:
    return (code if last.endswith(sound) else (code + sound)[:CODE_LENGTH]), sound


@cache
def sound_rules() -> dict[str, SoundRule]:
    """Return the rules of the table, by their letters."""
    return {
        row["letters"]: SoundRule(
            tuple(row["start"].split("|")),
            tuple(row["before_vowel"].split("|")),
            tuple(row["elsewhere"].split("|")),
        )
        for row in read_table("normalize/daitch_mokotoff")
    }


@cache
def _sound_groups() -> re.Pattern[str]:
    return _groups_of(sound_rules())


def _groups_of(rules: dict[str, SoundRule]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(rules, key=len, reverse=True)))
