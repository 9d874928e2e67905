"""Is one name an abbreviation of the other?

The usual ones are in a table.  Beside it clerks followed a habit, the first letters and the
last, raised (Fredk, Ebenr), wrote X for Christ, shortened the given name in a surname (Robtson) or
left out a vowel (Johnsn).  The habit is believed only where the short form is no name of its own.
"""

import re
from functools import cache

from forebear.normalize.given_names import is_given_name
from forebear.normalize.name_variants import abbreviations, known_forms
from forebear.normalize.spelling import ascii_forms

SHORTEST = 3  # letters
_LONGEST_ABBREVIATION = 8
_SAINT = re.compile(r"^(?:st|saint|ste|sainte|sankt|snt)\b\.?\s*(?=\w)")
_CHRIST = re.compile(r"^x(?:r|p|t|s)?(?:o|to|t)?")


def is_given_abbreviation(short: str, full: str) -> bool:
    """Say whether a spelled given name shortens another.

    >>> is_given_abbreviation("thos", "thomas"), is_given_abbreviation("jno", "jonathan")
    (True, False)
    """
    if full in abbreviations(short):
        return True
    if is_given_name(short) or not is_given_name(full) or not short.isascii():
        return False
    if short.startswith("x") and full.startswith("chris"):
        rest = _CHRIST.sub("", short).replace("f", "ph")
        return len(rest) >= 2 and full.endswith(rest) and not full.endswith("ian" + rest)
    return _keeps_both_ends(short.strip("."), full)


def is_surname_abbreviation(short: str, full: str) -> bool:
    """Say whether a spelled surname shortens another.

    >>> is_surname_abbreviation("robtson", "robertson")
    True
    >>> is_surname_abbreviation("johnsn", "johnson")
    True
    """
    if _SAINT.match(short) and _SAINT.match(full):
        return _SAINT.sub("", short) == _SAINT.sub("", full)
    a, b = (ascii_forms(name)[:1] for name in (short, full))
    if not a or not b:
        return False
    written = {a[0], *_with_given_in_full(a[0])}
    return b[0] in written - {a[0]} or any(_lacks_vowels(form, b[0]) for form in written)


def _keeps_both_ends(short: str, full: str) -> bool:
    """Say whether the short form is the first letters of the full one, and its last or two."""
    if not SHORTEST < len(short) < len(full):
        return False
    if full.startswith(short[:-1]) and full[-1] == short[-1]:
        return True
    if full.startswith(short) or (full.startswith(short[:-2]) and full.endswith(short[-2:])):
        return True
    letters = iter(full[SHORTEST:])  # Nichls
    is_begun = len(short) > SHORTEST + 1 and full.startswith(short[:SHORTEST])
    return is_begun and all(letter in letters for letter in short[SHORTEST:])


def _lacks_vowels(short: str, full: str) -> bool:
    """Say whether the short form lacks vowels of later syllables, and nothing else."""
    if len(short) < 5 or len(short) >= len(full) or not full.startswith(short[:3]):
        return False
    inner = "".join(f"{c}?" if c in "aeiou" else re.escape(c) for c in full[3:-1])
    return re.fullmatch(re.escape(full[:3]) + inner + re.escape(full[-1]), short) is not None


def _with_given_in_full(surname: str) -> set[str]:
    """Return the surname with an abbreviated given name at its front written out."""
    return {
        name + surname[length:]
        for length in range(2, min(len(surname), _LONGEST_ABBREVIATION) + 1)
        for name in _abbreviated().get(surname[:length], ())
    }


@cache
def _abbreviated() -> dict[str, tuple[str, ...]]:
    """Return the full names of each abbreviation of a given name."""
    names: dict[str, tuple[str, ...]] = {}
    for form in known_forms():
        if form.kind == "abbreviation":
            names[form.form] = (*names.get(form.form, ()), form.name)
    return names
