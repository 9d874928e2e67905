"""Do two names sound the same, vowels included?

Sound keys such as Daitch-Mokotoff forget the vowels, so Hill meets Hall.  Here a name is
rewritten by the spelling habits of English and its neighbors into consonants and groups of
vowels.  Two names sound the same if the consonants agree in order, with vowels at the same
places, and the first vowels can be one sound; in later syllables any vowel is as good as
another.  In names of three syllables an unstressed vowel may be missing altogether.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from forebear.normalize.spelling import ascii_forms

_RULES: tuple[tuple[str, str], ...] = (
    (r"^(?:mac|mc|m')(?=[^aeiouy])|^(?:mac(?=[aeiouy]\w{4})|mc(?=[aeiouy]))", "mak"),
    (r"(?:ow|ov)(?:itz|its|ich|itch|icz|ic|itsch|yc|ics)$", "ovits"),
    (r"ow(?=sk)", "ov"),
    (r"(?:skiy|skij|skii|sky|ski|skyj)$", "ski"),
    (r"(?:eaux|eault|ault|aux|eux)$|eau", "o"),
    (r"mp(?=[st])", "m"),
    (r"(?<=[lnr])t[sz]", "s"),
    (r"(?<=w)es$", "s"),
    (r"(?<=[ao])we$", "w"),
    (r"^(?:kn|gn|pn)", "n"),
    (r"^wr", "r"),
    (r"^ps", "s"),
    (r"^wh", "w"),
    (r"^pf", "f"),
    (r"^x", "s"),
    (r"tsch|tch|tsh|cz(?=[^k])|cz$", "C"),
    (r"sch|sh|sz(?=[^i])", "S"),
    (r"chr", "kr"),
    (r"ch(?=[lnmst])", "k"),
    (r"ch", "C"),
    (r"c?ph", "f"),
    (r"ght", "t"),
    (r"(?<=[aeiouy])gh(?=[aeiouy])", "'"),
    (r"(?<=[aeiouy])gh", ""),
    (r"gh", "g"),
    (r"dg(?=[eiy])", "j"),
    (r"ck|cq", "k"),
    (r"kh", "k"),
    (r"x", "ks"),
    (r"qu?", "k"),
    (r"sc(?=[eiy])", "s"),
    (r"c(?=[eiy])", "s"),
    (r"c", "k"),
    (r"dt", "t"),
    (r"th", "t"),
    (r"^ge(?=o|[nr])", "je"),
    (r"z", "s"),
    (r"mb$", "m"),
    (r"(?<=[aeiou])w(?=[^aeiouy]|$)", "u"),
    (r"w", "v"),
    (r"(?<=[aeiouy])h(?=[aeiouy])", "'"),
    (r"(?<!^)h", ""),
    (r"(?<=[^aeiouy'])e$", ""),
    (r"ey$|ie$|ee$(?<=...)", "y"),
)
# Letters that some speak otherwise: each is tried beside the usual sound.
_OTHER_SOUNDS: tuple[tuple[str, str], ...] = (
    (r"g(?=[eiy])", "j"),  # Margery
    (r"(?<!s)ch(?=[aeiou])", "k"),  # Zachariah
    (r"ough$|ough(?=[^aeiouyt])", "uff"),  # Hough
    (r"ough(?=[^aeiouyt])", "off"),  # Coughlin
    (r"augh$|augh(?=[^aeiouyt])", "aff"),  # Laughlin
    (r"ault$", "alt"),  # Gault
    (r"^j(?=.*(?:sk[iy]|wicz|czyk)$)", "y"),  # Jankowski
    (r"(?<=[aeiouy])ph(?=[aeiouy])", "v"),  # Stephen
    (r"[iu]r(?=[^aeiouyr])", "er"),  # Ursula
    (r"(?<=[aei])s(?=que|tre$|nes?$)|(?<=vo)s(?=t$)", ""),  # Levesque, Lemaistre, Duchesne
    (r"er(?=[^aeiouy])", "ar"),  # Clerk
    (r"^sch(?=[aeiou])", "sk"),  # Schofield
    (r"ch$", "k"),  # Koch
    (r"ij", "y"),  # Dijkstra
    (r"^y(?=[aou])", "j"),  # Yung, who was Jung
    (r"^ch(?=[ao])", "sh"),  # Choquette
    (r"oix$", "oy"),  # Delacroix
    (r"^sz", "s"),  # Szabo
    (r"tz$", "z"),  # Lutz
    (r"ck(?=[iy]$)", "tsk"),  # Nowicki
    (r"gu(?=[ei])", "g"),  # Guest
    (r"(?<=[^aeiouy])oi[tsx]?$", "way"),  # Benoit
    (r"[ct]i(?=a$)", "sh"),  # Lucretia
)
_OTHER = tuple((re.compile(pattern), sound) for pattern, sound in _OTHER_SOUNDS)
_POLISH = re.compile(r"sz|cz|(?<=[aeo])j(?=[^aeiouy])|rc(?=$|[^aeiouhkyz])")
_COMPILED = tuple((re.compile(pattern), sound) for pattern, sound in _RULES)
_SHORT = re.compile(r"[^aeiouy]*(?:[aeiouy](?:([bdfgmnprstz])\1|ck)|[aeiuy]ll)")
_LONG = re.compile(r"[^aeiouy]*[aeiouy][^aeiouyxr]es?$")
_HISSED = str.maketrans({"ś": "sh", "š": "sh", "ż": "zh", "ž": "zh", "ć": "ch", "č": "ch"})
_PARTS = re.compile(r"[aeiouy]+|'|[^aeiouy']")
# What a group of vowels may stand for; capitals are long vowels, W and Y diphthongs.  One with
# a point stands before a doubled consonant, one with a colon before a consonant and a silent e.
_VOWELS = {
    **{"a": "aA", "e": "eI", "i": "iY", "o": "oO", "u": "uU", "y": "iY"},
    **{"ee": "I", "ea": "IeA", "ei": "IAY", "ie": "IY", "ey": "IAY", "ay": "AYe", "ai": "AYe"},
    **{"oo": "Uu", "ou": "UouW", "oa": "O", "oe": "Oe", "ue": "Uu", "ew": "U", "eu": "UY"},
    **{"a.": "a", "e.": "e", "i.": "i", "o.": "o", "u.": "u", "y.": "i"},
    **{"a:": "A", "e:": "I", "i:": "YI", "o:": "O", "u:": "U", "y:": "Y"},
    **{"au": "oWa", "aa": "aA", "ae": "eaA", "ui": "Ui", "oi": "y", "oy": "y", "ow": "OW"},
}


class Pronunciation(NamedTuple):
    """The consonants of a name with V for each syllable, and the vowels of each."""

    pattern: str
    vowels: tuple[str, ...]


def sounds_alike(first: str, second: str) -> bool:
    """Return whether two spelled names can be spoken as one.

    >>> sounds_alike("knight", "night"), sounds_alike("leigh", "lee"), sounds_alike("hill", "hall")
    (True, True, False)
    """
    return any(_agree(a, b) for a in _pronounced(first) for b in _pronounced(second))


def spoken(name: str) -> tuple[str, ...]:
    """Return the rewritten forms of a name, letters as they sound."""
    return tuple(_rewrite(fold) for fold in _written(name))


@lru_cache(maxsize=65_536)
def _pronounced(name: str) -> tuple[Pronunciation, ...]:
    written = _written(name)
    others = (_otherwise(fold) for fold in written)
    folded = dict.fromkeys([*written, *(form for forms in others for form in forms)])
    spoken_as = (_with_length(_pronounce(_rewrite(letters)), letters) for letters in folded)
    return tuple(form for form in dict.fromkeys(spoken_as) if form.pattern)


def _otherwise(letters: str) -> list[str]:
    """Return the letters as they would be written for each other way to speak them."""
    forms = [pattern.sub(sound, letters) for pattern, sound in _OTHER]
    if _POLISH.search(letters):  # Szwarc, Bernsztajn
        plain = re.sub(r"(?<=[aeo])j", "i", letters.replace("szt", "st"))
        forms += [plain, re.sub(r"c(?![hkz])", "ts", plain)]
    return [form for form in forms if form != letters]


def _written(name: str) -> tuple[str, ...]:
    stressed = re.sub("é(?:e|s)?$", "ay", name)
    hissed = name.translate(_HISSED)
    return tuple(dict.fromkeys([*ascii_forms(stressed), *ascii_forms(name), *ascii_forms(hissed)]))


def _rewrite(letters: str) -> str:
    for pattern, sound in _COMPILED:
        letters = pattern.sub(sound, letters)
    return re.sub(r"([^aeiouy'])\1+", r"\1", letters)


def _pronounce(form: str) -> Pronunciation:
    pattern, vowels = "", []
    for part in _PARTS.findall(form):
        if part[0] not in "aeiouy":
            pattern += part if part != "'" else ""
            continue
        syllables = [part] if len(part) < 3 else [part[:2], part[2:]]
        pattern += "V" * len(syllables)
        vowels += syllables
    return Pronunciation(pattern, tuple(vowels))


def _with_length(sound: Pronunciation, letters: str) -> Pronunciation:
    """Return the sound with its first vowel long in Blake and short in Black."""
    if len(sound.vowels) != 1 or len(sound.vowels[0]) != 1:  # only one syllable shows it
        return sound
    if _SHORT.match(letters):
        return sound._replace(vowels=(f"{sound.vowels[0]}.",))
    return sound._replace(vowels=(f"{sound.vowels[0]}:",)) if _LONG.match(letters) else sound


def _agree(first: Pronunciation, second: Pronunciation) -> bool:
    syllables = min(len(first.vowels), len(second.vowels))
    if not syllables or not _can_be_one_sound(first.vowels[0], second.vowels[0], syllables):
        return False
    if first.pattern == second.pattern:
        return True
    longer, shorter = sorted((first.pattern, second.pattern), key=len, reverse=True)
    start = longer.find("V") + 1
    return syllables >= 2 and any(
        longer[:at] + longer[at + 1 :] == shorter
        for at in range(start, len(longer) - 1)  # the last vowel is heard: Emil is no Emily
        if longer[at] == "V"
    )


def _sounds_of(group: str) -> str:
    return "".join(map(_VOWELS.__getitem__, group))


def _can_be_one_sound(first: str, second: str, syllables: int) -> bool:
    if first == second:
        return True
    a, b = (_VOWELS.get(group) or _sounds_of(group) for group in (first, second))
    is_weak = syllables >= 3 and {first, second} == {"i", "e"}
    return is_weak or not set(a).isdisjoint(b)
