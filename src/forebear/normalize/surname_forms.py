"""Which other surnames are spellings, translations or gendered forms of a surname?

The tables of pairs, asked for all partners of one name; `name_pairs` asks them of two.  Names
come back folded: what an archive writes for a fold is looked up there.
"""

from collections import defaultdict
from functools import cache, lru_cache

from anyascii import anyascii

from forebear.normalize.name_pairs.endings import masculine_forms
from forebear.normalize.spelling import ascii_forms, is_ascii_form
from forebear.tables import read_table

SHORTEST_STEM = 2  # letters


@lru_cache(maxsize=16_384)
def surname_variants(name: str) -> frozenset[str]:
    """Return the folds of the known spellings of a surname, its own left out.

    >>> sorted(surname_variants("smyth"))
    ['smith', 'smithe', 'smythe']
    """
    own = ascii_forms(name)
    return frozenset(form for fold in own for form in _spellings().get(fold, ())) - frozenset(own)


@lru_cache(maxsize=16_384)
def surname_translations(name: str) -> frozenset[str]:
    """Return the folds of a surname in other languages.

    >>> "schmidt" in surname_translations("smith"), "smith" in surname_translations("schmidt")
    (True, True)
    """
    own = ascii_forms(name)
    found = frozenset(form for fold in own for form in _translations().get(fold, ()))
    return found - frozenset(own)


@lru_cache(maxsize=16_384)
def gendered_surnames(name: str) -> frozenset[str]:
    """Return the folds of a surname with another ending for a man or a woman.

    >>> "kowalska" in gendered_surnames("kowalski"), "nowak" in gendered_surnames("nowakowa")
    (True, True)
    """
    plain = anyascii(name).lower()
    men = masculine_forms(plain)
    women = {woman for man in men for woman in _feminine_forms(man)}
    own = frozenset(ascii_forms(name))
    return frozenset(fold for form in men | women for fold in ascii_forms(form)) - own


def _feminine_forms(man: str) -> set[str]:
    return {
        stem + feminine
        for feminine, masculine in _endings()
        for ending in masculine
        for stem in [man.removesuffix(ending)]
        if (stem != man or not ending) and len(stem) >= SHORTEST_STEM
    }


@cache
def _endings() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (row["feminine"], tuple(ending.strip("-") for ending in row["masculine"].split()))
        for row in read_table("normalize/surname_endings")
    )


@cache
def _spellings() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for row in read_table("normalize/surname_variants"):
        group = frozenset(_all_folds(row["spellings"]))
        for fold in group:
            found[fold] = found.get(fold, frozenset()) | group
    return found


@cache
def _translations() -> dict[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for row in read_table("normalize/surname_translations"):
        english = set(ascii_forms(row["name"]))
        others = set(_all_folds(row["translations"]))
        for fold in english:
            found[fold] |= others
        for fold in others:
            found[fold] |= english
    return {fold: frozenset(forms) for fold, forms in found.items()}


def _all_folds(names: str) -> list[str]:
    words = names.split()
    if is_ascii_form("".join(words)):
        return words
    return [fold for word in words for fold in ascii_forms(word)]
