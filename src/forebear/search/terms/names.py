"""The terms of a name: the name itself, and keys of what it sounds and looks like.

A value field holds a name once, as it is spelled.  Beside it stand only the keys that a
lookup in the archive's vocabulary cannot replace: sound codes, shape keys and initials,
for the whole surname, each part of a compound and what is left without a particle.

Of two surnames (Barroso Lopez) each has a field of its own, and a third has both written together,
because clerks write Green Wood for Greenwood.  A relative's two are stored as one, and the first
of them also alone: it is what a family has in common.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from forebear.normalize.name_keys import daitch_mokotoff, nysiis, shape_keys, soundex
from forebear.normalize.name_words import is_uncertain, particle_kind
from forebear.normalize.spelling import (
    ascii_forms,
    is_initial,
    normalize_name,
    split_given,
    uncertain_readings,
)
from forebear.normalize.surnames import split_surnames, without_particle
from forebear.search.terms.fragments import CACHED_NAMES, NOTHING, Fragment, fragment

_BREAK = re.compile(r"[\s-]+")
SHORTEST_PART = 3  # letters


@lru_cache(maxsize=CACHED_NAMES)
def english_sounds(name: str) -> frozenset[str]:
    """Return the NYSIIS and Soundex codes of a spelled name, each marked as what it is.

    >>> sorted(english_sounds("smith"))
    ['n:snat', 's:s530']
    """
    codes = (("n", nysiis(name)), ("s", soundex(name)))
    return frozenset(f"{kind}:{code.lower()}" for kind, code in codes if code)


def first_letter(name: str) -> str:
    """Return the letter that a name begins with."""
    return name[:1]


# Which keys stand beside a field of names.
KEYS: dict[str, Callable[[str], Iterable[str]]] = {
    "dm": daitch_mokotoff,
    "sound": english_sounds,
    "shape": shape_keys,
    "initial": first_letter,
}
KEYS_OF: dict[str, tuple[str, ...]] = {
    "self.surname": ("dm", "sound", "shape", "initial"),
    "self.surname2": ("dm", "sound", "shape", "initial"),
    "spouse.surname": ("dm", "shape"),
    "father.surname": ("dm",),
    "mother.maiden": ("dm",),
    "self.given": ("dm", "shape"),
    "spouse.given": ("dm",),
    "father.given": ("dm",),
    "mother.given": ("dm",),
}
WITH_INITIAL = frozenset(
    {"self.given", "self.middle", "spouse.given", "father.given", "mother.given"}
)


@lru_cache(maxsize=CACHED_NAMES)
def surname_terms(field: str, text: str) -> Fragment:
    """Return what a surname gives a field: every reading of it, and their keys."""
    fragments = NOTHING
    for name in surname_readings(text):
        first, second = split_surnames(name)
        if field != "self.surname":
            fragments += _surname(field, name) + (fragment(field, [first]) if second else NOTHING)
            continue
        fragments += _surname(field, first)
        if second:
            fragments += _surname("self.surname2", second)
            fragments += fragment("self.surname.joined", ascii_forms(name))
    return fragments


def _surname(field: str, name: str) -> Fragment:
    fragments = fragment(field, [name])
    for key in KEYS_OF.get(field, ()):
        codes = {code for form in surname_forms(name) for code in KEYS[key](form)}
        fragments += fragment(f"{field}.{key}", sorted(codes))
    return fragments


@lru_cache(maxsize=CACHED_NAMES)
def given_terms(field: str, text: str) -> Fragment:
    """Return what the given names give a field: the first; of the person itself, the others."""
    found = NOTHING
    for position, token in enumerate(split_given(text)):
        if position == 0:
            found += _given(field, token)
        elif field == "self.given":
            found += _given("self.middle", token)
    return found


def surname_readings(text: str) -> tuple[str, ...]:
    """Return the surname as spelled, or the names that an uncertain reading may be."""
    name = normalize_name(text)
    if not name:
        return ()
    return (uncertain_readings(name) or (name,)) if is_uncertain(name) else (name,)


@lru_cache(maxsize=CACHED_NAMES)
def surname_forms(name: str) -> frozenset[str]:
    """Return what keys are made of: the whole, its parts, and the core without particles.

    >>> sorted(surname_forms("van der berg")), sorted(surname_forms("smith-jones"))
    (['berg', 'van der berg'], ['jones', 'smith', 'smith-jones'])
    """
    return frozenset({name, *surname_parts(name)}) | surname_cores(name)


def surname_parts(name: str) -> tuple[str, ...]:
    """Return the parts of a compound surname, without particles; none of a simple one."""
    words = _BREAK.split(name)
    if len(words) == 1:
        return ()
    parts = [word for word in words if len(word) >= SHORTEST_PART and not particle_kind(word)]
    return tuple(part for part in parts if part != name)


def surname_cores(name: str) -> frozenset[str]:
    """Return the name without its particle, in folded letters; none where it has none."""
    return without_particle(name) - frozenset(ascii_forms(name))


@lru_cache(maxsize=CACHED_NAMES)
def _given(field: str, token: str) -> Fragment:
    found = fragment(field, [token])
    for key in KEYS_OF.get(field, ()):
        found += fragment(f"{field}.{key}", sorted(KEYS[key](token)))
    if field in WITH_INITIAL:
        found += fragment(f"{field}.initial", [f"{token[0]}." if is_initial(token) else token[0]])
    return found
