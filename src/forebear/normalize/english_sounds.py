"""What does a name sound like to English ears?  Soundex and NYSIIS.

Soundex (Russell and Odell 1918, in the form of the United States census) keeps the first letter and
three digits for the consonants after it.  NYSIIS (Taft 1970, the New York State Identification and
Intelligence System) rewrites letters by sound, vowels as A, and is the more precise of the two.
"""

import re
from functools import lru_cache

from forebear.normalize.names import folds

_SOUNDEX_LENGTH = 4
_GROUPS = {1: "bfpv", 2: "cgjkqsxz", 3: "dt", 4: "l", 5: "mn", 6: "r"}
_DIGITS = {letter: str(digit) for digit, group in _GROUPS.items() for letter in group}
_STARTS = (("mac", "mcc"), ("kn", "nn"), ("k", "c"), ("ph", "ff"), ("pf", "ff"), ("sch", "sss"))
_ENDS = re.compile(r"(ee|ie)$|(dt|rt|rd|nt|nd)$")


@lru_cache(maxsize=65_536)
def soundex(name: str) -> str:
    """Return the Soundex code of a name; "" without a letter.

    >>> soundex("robert"), soundex("ashcraft"), soundex("tymczak"), soundex("pfister")
    ('R163', 'A261', 'T522', 'P236')
    """
    letters = _letters(name)
    if not letters:
        return ""
    code, last = letters[0].upper(), _DIGITS.get(letters[0], "")
    for letter in letters[1:]:
        digit = _DIGITS.get(letter, "")
        if digit and digit != last:
            code += digit
        if letter not in "hw":  # which do not part two letters of one sound
            last = digit
    return code[:_SOUNDEX_LENGTH].ljust(_SOUNDEX_LENGTH, "0")


@lru_cache(maxsize=65_536)
def nysiis(name: str) -> str:
    """Return the NYSIIS code of a name, of any length; "" without a letter.

    >>> nysiis("knight"), nysiis("mitchell"), nysiis("o'daniel"), nysiis("larson")
    ('NAGT', 'MATCAL', 'ODANAL', 'LARSAN')
    """
    letters = _letters(name)
    if not letters:
        return ""
    for start, sound in _STARTS:
        if letters.startswith(start):
            letters = sound + letters[len(start) :]
            break
    letters = _ENDS.sub(lambda end: "y" if end[1] else "d", letters)
    code = letters[0]
    previous = letters[0]
    position = 1
    while position < len(letters):
        sound, length = _sound_at(letters, position, previous)
        letters = letters[:position] + sound + letters[position + length :]
        for letter in sound:
            if letter != code[-1]:
                code += letter
        previous = letters[position + len(sound) - 1] if sound else previous
        position += max(len(sound), 1)
    return _trim(code).upper()


def _sound_at(letters: str, position: int, previous: str) -> tuple[str, int]:
    """Return what the letters at a place become, and how many of them."""
    here, after = letters[position], letters[position + 1 : position + 2]
    if letters.startswith("ev", position):
        return "af", 2
    if here in "aeiou":
        return "a", 1
    if here in "qzm":
        return {"q": "g", "z": "s", "m": "n"}[here], 1
    for group, sound in (("kn", "n"), ("sch", "sss"), ("ph", "ff")):
        if letters.startswith(group, position):
            return sound, len(group)
    if here == "k":
        return "c", 1
    is_between = previous in "aeiou" and after != "" and after in "aeiou"
    if (here == "h" and not is_between) or (here == "w" and previous in "aeiou"):
        return previous, 1
    return here, 1


def _trim(code: str) -> str:
    if len(code) > 1 and code.endswith("s"):
        code = code[:-1]
    if code.endswith("ay"):
        code = code[:-2] + "y"
    return code[:-1] if len(code) > 1 and code.endswith("a") else code


def _letters(name: str) -> str:
    return "".join(letter for fold in folds(name)[:1] for letter in fold if letter.isalpha())
