"""Whose child does a patronymic name: Jónsdóttir, Jansz, Петрович?

Some endings are unmistakable, others (-son, -sen) became surnames, so they count only where the
source says that people were called by their fathers.  What is left of the ending is the
father's name; the s before it is the genitive's, unless the name itself ends in s.
"""

import re

from forebear.tables import word_set

_SURE = re.compile(
    r"(?P<stem>.{2,}?)(?:d[oó]tt[ie]r|dotter|datter|dochter|dóttur|dtr|dr|szoon|zoon|sz|z(?=\.?$)(?<=[^aeiouytn]z))\.?",
    re.IGNORECASE,
)
_BY_CUSTOM = re.compile(r"(?P<stem>.{2,}?)(?:son|sen|zen)\.?", re.IGNORECASE)
_EASTERN = re.compile(
    r"(?P<stem>.{2,}?)(?P<end>ович|овна|евич|евна|ovich|ovna|evich|evna|ovitch|ówna)\.?",
    re.IGNORECASE,
)
_SOFT = "ьй"


def father_of(patronymic: str, *, is_custom: bool) -> str:
    """Return the father's given name in a patronymic, or "" if the word is none.

    >>> father_of("Jensdatter", is_custom=False), father_of("Olofsdotter", is_custom=False)
    ('Jens', 'Olof')
    >>> father_of("Einarsson", is_custom=True), father_of("Einarsson", is_custom=False)
    ('Einar', '')
    """
    match = _SURE.fullmatch(patronymic) or (is_custom and _BY_CUSTOM.fullmatch(patronymic))
    return _nominative(match["stem"], patronymic) if match else ""


def eastern_father_of(middle: str) -> str:
    """Return the father's name in a patronymic between given name and surname (Петрович)."""
    match = _EASTERN.fullmatch(middle)
    if not match:
        return ""
    stem = match["stem"]
    is_cyrillic = not stem.isascii()
    if match["end"][0] in "еe" and stem[-1] in "еаоуeaou":
        return stem + ("й" if is_cyrillic else "i")
    if is_cyrillic and stem[-1] in _SOFT:
        return stem[:-1] + "ий"
    return stem


def _nominative(stem: str, patronymic: str) -> str:
    lower = stem.lower()
    if lower.endswith("s") and lower not in word_set("patronymics.names_in_s"):
        return stem[:-1]
    if lower + "s" in word_set("patronymics.names_in_s") and patronymic[len(stem)].lower() == "s":
        return patronymic[: len(stem) + 1]  # Hansen is the son of Hans
    return stem
