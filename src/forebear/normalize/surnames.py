"""Where does the surname begin, and what is left of it without its particles?

Mostly the surname is the last word, with the particles in front of it.  It comes first where the
source says so, or where it alone is in capitals.  Spanish and Portuguese names have two surnames,
and a patronymic may be between the given names and a surname, or in its place.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from forebear.normalize.name_words import (
    count_suffixes,
    is_initials,
    is_unknown,
    particle_at_end,
    particle_at_start,
    particle_kind,
    special_words,
    split_particle,
)
from forebear.normalize.spelling import ascii_forms, words_of_kind
from forebear.normalize.variants import is_given_name

MIN_CORE = 3  # letters
SURNAME_FIRST_SCRIPTS = frozenset({"han", "kana", "hangul"})
TWO_SURNAMES = frozenset({"spanish", "portuguese"})
_SCRIPTS = {
    "CYRILLIC": "cyrillic",
    "HEBREW": "hebrew",
    "GREEK": "greek",
    "ARABIC": "arabic",
    "CJK": "han",
    "HIRAGANA": "kana",
    "KATAKANA": "kana",
    "HANGUL": "hangul",
}
_PREFIXED_CAPITALS = re.compile(r"(?:Mc|Mac|M'|O'|D'|Fitz|De|Le|La|Van|de|van|d')?(?=[^\W\d_])(.+)")
_HYPHEN = re.compile(r"\s*-\s*")
_WHOLE_WORD = re.compile(r"[^\W\d_](?:['-]?[^\W\d_])+\.?")
_IRISH = re.compile(r"^o(?:'\s*|\s+)(?=\w{3})")
_SCOTTISH = re.compile(r"^(?:mac\s+|mac|mc\s*|m'\s*)(?=\w{3})")
_FUSED = re.compile(r"^(?:vanden|vander|vande|van|vonder|von|dela|della|delos)(?=\w{4})")
_SURE_PATRONYMIC = re.compile(
    r"(?P<stem>.{2,}?)(?:d[oó]tt[ie]r|dotter|datter|dochter|dóttur|dtr|dr|szoon|zoon|sz|z(?=\.?$)(?<=[^aeiouytn]z))\.?",
    re.IGNORECASE,
)
_CUSTOM_PATRONYMIC = re.compile(r"(?P<stem>.{2,}?)(?:son|sen|zen)\.?", re.IGNORECASE)
_EASTERN_PATRONYMIC = re.compile(
    r"(?P<stem>.{2,}?)(?P<end>ович|овна|евич|евна|ovich|ovna|evich|evna|ovitch|ówna)\.?",
    re.IGNORECASE,
)


class NameSplit(NamedTuple):
    """The words of a name by what they are."""

    given: list[str]
    surname: list[str]  # with its particles
    patronymic: str = ""
    father: str = ""
    is_surname_first: bool = False


@lru_cache(maxsize=1 << 16)
def is_ordinary(word: str) -> bool:
    """Return whether a word can only be a given name or surname, wherever it appears."""
    return (
        word.isalpha()
        and len(word) > 1
        and max(word) < "\u0250"  # Latin letters
        and word.lower() not in special_words()
        and not father_of(word, is_custom=False)
        and not eastern_father_of(word)
    )


def split_words(words: list[str], order: str) -> NameSplit:
    """Return the given names and surname of words that hold nothing else.

    A single word is a given name if our tables have it as one, else a surname.
    """
    if len(words) == 1:
        is_given = is_given_name(words[0]) and order != "surname_first"
        return NameSplit(words, []) if is_given else NameSplit([], words)
    if order == "surname_first" or (not order and _has_surname_in_capitals_first(words)):
        end = _end_of_first_surname(words)
        return NameSplit(words[end:], words[:end], is_surname_first=True)
    start = _start_of_surname(words, order)
    return _with_patronymic(words[:start], words[start:], order)


def before_particles(words: list[str], start: int) -> int:
    """Return where the particles in front of a surname begin; the first word is a given name."""
    while start > 1 and (length := particle_at_end(words[1:start])):
        word = words[start - 1]
        if len(word.rstrip(".")) == 1 and word[0].isupper() and word != "Ó":
            break  # an initial
        start -= length
    return start


def _with_patronymic(given: list[str], surname: list[str], order: str) -> NameSplit:
    """Find the patronymic that is the surname, or is before it."""
    is_custom = order == "patronymic"
    if len(surname) > 1 and particle_kind(surname[0]) == "patronymic":
        return NameSplit(given, surname, " ".join(surname), " ".join(surname[1:]))
    if len(surname) == 1 and given and (father := father_of(surname[0], is_custom=is_custom)):
        return NameSplit(given, surname, surname[0], father)
    if len(given) > 2 and particle_kind(given[-2]) == "patronymic":
        return NameSplit(given[:-2], surname, " ".join(given[-2:]), given[-1])
    middle = given[-1] if len(given) > 1 else ""
    if not middle or is_given_name(middle):  # Jan Mateusz Nowak
        return NameSplit(given, surname)
    father = father_of(middle, is_custom=is_custom) or eastern_father_of(middle)
    return NameSplit(given[:-1], surname, middle, father) if father else NameSplit(given, surname)


def _start_of_surname(words: list[str], order: str) -> int:
    last = len(words) - 1
    while last > 1 and particle_kind(words[last - 1].rpartition("-")[2]) and "-" in words[last - 1]:
        last -= 1  # van der Waals-de Boer
    start = before_particles(words, last)
    for position in range(2, len(words) - 1):  # José Ortega y Gasset
        if words[position].islower() and particle_kind(words[position]) == "joint":
            return before_particles(words, position - 1)
    if order in TWO_SURNAMES and start > 1:
        is_one_surname = start == 2 and len(words) == 3 and _is_only_given(words[1])
        start = start if is_one_surname else before_particles(words, start - 1)
    return max(start, 1)


def _is_only_given(word: str) -> bool:
    return is_given_name(word) and not word.lower().endswith(("ez", "es"))


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


@lru_cache(maxsize=1 << 16)
def _is_capitals(word: str) -> bool:
    """Return whether a word is written in capitals, as surnames are: SMITH, McDONALD."""
    match = _PREFIXED_CAPITALS.fullmatch(word)
    letters = [c for c in (match[1] if match else "") if c.isalpha()]
    is_short = len(letters) < 2 or is_initials(word) or is_unknown(word)
    return not is_short and all(map(str.isupper, letters))


def father_of(patronymic: str, *, is_custom: bool) -> str:
    """Return the father's given name in a patronymic, or "" if the word is none.

    Some endings are unmistakable, others (-son, -sen) became surnames, so they count only where
    the source says that people were called by their fathers (``is_custom``).  The s before the
    ending is the genitive's, unless the father's name itself ends in s.

    >>> father_of("Jensdatter", is_custom=False), father_of("Olofsdotter", is_custom=False)
    ('Jens', 'Olof')
    >>> father_of("Einarsson", is_custom=True), father_of("Einarsson", is_custom=False)
    ('Einar', '')
    """
    match = _SURE_PATRONYMIC.fullmatch(patronymic)
    if not match and is_custom:
        match = _CUSTOM_PATRONYMIC.fullmatch(patronymic)
    if not match:
        return ""
    stem, names_in_s = match["stem"], words_of_kind("name_in_s")
    if stem.lower().endswith("s") and stem.lower() not in names_in_s:
        return stem[:-1]
    if stem.lower() + "s" in names_in_s and patronymic[len(stem)].lower() == "s":
        return patronymic[: len(stem) + 1]  # Hansen is the son of Hans
    return stem


def eastern_father_of(middle: str) -> str:
    """Return the father's name in a patronymic between given name and surname (Петрович)."""
    match = _EASTERN_PATRONYMIC.fullmatch(middle)
    if not match:
        return ""
    stem = match["stem"]
    is_cyrillic = not stem.isascii()
    if match["end"][0] in "еe" and stem[-1] in "еаоуeaou":
        return stem + ("й" if is_cyrillic else "i")
    if is_cyrillic and stem[-1] in "ьй":
        return stem[:-1] + "ий"
    return stem


def script_of(text: str) -> str:
    """Return the script of the first letter that is not Latin, or ""."""
    if text.isascii():
        return ""
    for letter in text:
        if letter.isalpha() and not letter.isascii():
            script = _SCRIPTS.get(unicodedata.name(letter, "").partition(" ")[0])
            if script:
                return script
    return ""


def split_surname_first(text: str) -> tuple[str, str]:
    """Return the surname and the given name of an East Asian name, which has the surname first.

    Without a space the surname is one character, or two for the compound surnames of the table;
    a Japanese name of four characters is halved.

    >>> split_surname_first("欧阳修"), split_surname_first("山田 太郎")
    (('欧阳', '修'), ('山田', '太郎'))
    """
    words = text.replace("・", " ").split()
    if len(words) > 1:
        return words[0], " ".join(words[1:])
    length = 2 if text[:2] in words_of_kind("compound_surname") or len(text) > 3 else 1
    return text[:length], text[length:]


@lru_cache(maxsize=1 << 16)
def split_surnames(surname: str) -> tuple[str, str]:
    """Return the first and the second surname of a normalized one; the second is "" for most.

    A surname is a word with the particles before it.  Two are joined by a space, a hyphen, or
    y, i or e, which may join longer ones too.  What has more words without such a joint, an
    initial, a suffix or unread letters is taken for one.

    >>> split_surnames("barroso y lopez"), split_surnames("de la cruz garcia")
    (('barroso', 'lopez'), ('de la cruz', 'garcia'))
    >>> split_surnames("van der berg"), split_surnames("smith-jones")
    (('van der berg', ''), ('smith', 'jones'))
    """
    if " " not in surname and "-" not in surname:
        return surname, ""
    words = _HYPHEN.sub("-", surname).split()
    joints = [n for n in range(1, len(words) - 1) if particle_kind(words[n]) == "joint"]
    if len(joints) == 1:
        halves = [words[: joints[0]], words[joints[0] + 1 :]]
        is_two = all(map(_surnames_in, halves))
    else:
        text = " ".join(words)
        halves = [half.split() for half in text.split("-")]
        if len(halves) != 2 or any(len(_surnames_in(half)) != 1 for half in halves):
            halves = [list(one) for one in _surnames_in(words)]
        is_two = len(halves) == 2 and not count_suffixes(words)
    first, second = (" ".join(half).rstrip(".") for half in (halves if is_two else [words, []]))
    return (first, second) if is_two else (surname, "")


def _surnames_in(words: list[str]) -> list[list[str]]:
    """Return the words of each surname, with the particles before it; none if one is no name."""
    surnames, start = [], 0
    while start < len(words):
        end = start
        while end < len(words) - 1 and (length := particle_at_start(words[end:])):
            end += length
        if end >= len(words) or particle_kind(words[end]) or not _WHOLE_WORD.fullmatch(words[end]):
            return []
        surnames.append(words[start : end + 1])
        start = end + 1
    return surnames


@lru_cache(maxsize=1 << 16)
def without_particle(surname: str) -> frozenset[str]:
    """Return the ASCII forms of a normalized surname, as written and without its particles.

    "van der Berg", "Vandenberg" and "Berg" are one name to many clerks; so are O'Connor and
    Connor, MacDonald, McDonald and M'Donald, ap Rhys and Rhys.

    >>> sorted(without_particle("van der berg")), "berg" in without_particle("vandenberg")
    (['berg', 'vanderberg'], True)
    """
    bare = _IRISH.sub("", surname)
    names = {surname, split_particle(bare.split())[1], bare}
    names |= {_SCOTTISH.sub("mc", surname)} if _SCOTTISH.match(surname) else set()
    whole = ascii_forms(surname)
    forms = {form for name in names for form in ascii_forms(name)}
    forms |= {_FUSED.sub("", form) for form in whole}
    return frozenset(form for form in forms if len(form) >= MIN_CORE or form in whole)
