"""How is a name written down, so that two spellings of one name meet?

A name is kept once, in one form: Unicode NFC, lower case, single spaces.  That form is
close to what was written; accents, hyphens and apostrophes stay.  What ignores them is
`ascii_forms`, and a name has several: Müller is muller to one clerk and mueller to the next.

Some words stand where a name should and are none: "unknown", "N.N.", "[blank]", "infant".
They become the empty string, for a missing name must not match another missing name.
A mark of doubt (``JAMES?``) is dropped, because the name was read; letters that could not
be read (``B_LL``, ``WIN*``) stay as they are.  Transcribers of registers mark them in a notation
(UCF): letters in brackets are alternatives, an underscore is one unreadable letter, a star several,
braces a count.

Clerks of Iberian registers write the end of a given name small and raised: Francº, Antª.  Such a
word stands for the shortest name of the tables with this beginning and this end.
"""

import re
import sys
import unicodedata
from functools import cache, lru_cache
from itertools import chain, islice, product

from anyascii import anyascii

from forebear.tables import read_table

MAX_READINGS = 16
_EDITORIAL_REMARK = re.compile(
    r"\[(?:sic|blank|illegible|torn|missing|faded|damaged|\?)\]", re.IGNORECASE
)
_UNCERTAIN_PART = re.compile(r"\[([^\[\]]+)\]|_\{([0-9]+)(?:,([0-9]*))?\}|(_)|(\*)|([^\[_*]|\[)")
_MAX_UNREADABLE = 20  # letters; no name has more
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))
_EXPANSIONS = str.maketrans(
    {"ä": "ae", "æ": "ae", "å": "aa", "ö": "oe", "ø": "oe", "œ": "oe", "ü": "ue"}
)  # anyascii itself writes ß as ss and þ as th
_BRACKET = re.compile(r"([\[\]()])")
_DOUBT = re.compile(r"(?<!\?)\?++(?=[\s.,\])]|$)")  # whole runs, each looked at once
_STRAY = " .,;:+/"
_MAX_MARKS = 30  # on one letter; composing a run of marks takes the square of its length
_SHORT = 1000  # characters in which no run of marks is long enough to matter
_RELATION = re.compile(
    r"\b(?:son|daughter|dau|child|wife|widow|relict|husband)\s+of\b.*", re.IGNORECASE | re.DOTALL
)
_RAISED = str.maketrans(
    {
        code: unicodedata.normalize("NFKC", chr(code))
        for code in chain(
            range(0x2B0, 0x2B9), range(0x2E0, 0x2E4), range(0x1D2C, 0x1D63), (0x2071, 0x207F)
        )
    }
)
_RAISED_END = re.compile(r"(?<![^\W\d_ªº])([^\W\d_ªº]++)\.?([ªº°])(?:\.?[ªº°])*+")
_ORDINAL_LETTERS = {"ª": "a", "º": "o", "°": "o"}
_IBERIAN = ("spanish", "catalan", "portuguese")
_GIVEN_BREAKS = re.compile(r"[\s.,;()\[\]/-]+")


@lru_cache(maxsize=100_000)
def normalize_name(text: str) -> str:
    """Return the one spelling of a name, or "" where no name was given.

    >>> normalize_name("  O’BRIEN "), normalize_name("Mary   Ann"), normalize_name("[blank]")
    ("o'brien", 'mary ann', '')
    """
    if text.isascii() and text.replace(" ", "").isalpha():  # nothing but words, as most are
        name = " ".join(text.lower().split())
        return "" if name in _placeholders("any", "whole") else name
    name = _without_remarks(text)
    is_name = any(map(str.isalpha, name)) and _words(name) not in _placeholders("any", "whole")
    return name if is_name else ""


@lru_cache(maxsize=100_000)
def ascii_forms(name: str) -> tuple[str, ...]:
    """Return the ASCII letters and digits of a spelled name, accents stripped and expanded.

    >>> ascii_forms("müller"), ascii_forms("o'brien"), ascii_forms("søren")
    (('muller', 'mueller'), ('obrien',), ('soren', 'soeren'))
    """
    if name.isascii() and name.isalnum():
        return (name.lower(),)
    written = (_ascii(name), _ascii(name.translate(_EXPANSIONS)))
    return tuple(dict.fromkeys(fold for fold in written if fold))


@lru_cache(maxsize=100_000)
def split_given(text: str) -> tuple[str, ...]:
    """Return the given names one by one, without points; none if no name was given.

    >>> split_given("Mary Ann"), split_given("Wm."), split_given("J. W.")
    (('mary', 'ann'), ('wm',), ('j', 'w'))
    >>> split_given("Infant son of Thos."), split_given("Mary wife of Thos.")
    ((), ('mary',))
    """
    name = normalize_name(_RELATION.sub("", text) if " " in text else text)
    words = tuple(word for word in _GIVEN_BREAKS.split(name) if any(map(str.isalpha, word)))
    named = set(words) - _placeholders("article") if len(words) > 1 else set(words)
    return () if named <= _placeholders("any", "whole", "given") else words


def is_ascii_form(name: str) -> bool:
    """Return whether a normalized name is only ASCII letters and digits, its own ASCII form."""
    return name.isascii() and name.isalnum() and name.islower()


def is_initial(token: str) -> bool:
    """Return whether a given name is only its first letter, with or without a point."""
    letter = token.removesuffix(".")
    return len(letter) == 1 and letter.isalpha()


def lower_raised(text: str) -> str:
    """Return the text with raised letters on the line.

    >>> lower_raised("Wᵐ"), lower_raised("3ʳᵈ"), lower_raised("½")
    ('Wm', '3rd', '½')
    """
    return text if text.isascii() else text.translate(_RAISED)


def compose(text: str) -> str:
    """Return the text with letters and their marks in one (NFC), at most 30 marks to a letter.

    >>> compose("Mu\u0308ller") == "M\u00fcller"
    True
    """
    if text.isascii():
        return text
    if len(text) > _SHORT:
        text = _many_marks().sub(r"\1", text)
    return unicodedata.normalize("NFC", text)


@cache
def _many_marks() -> re.Pattern[str]:
    marks = "".join(filter(unicodedata.combining, map(chr, range(sys.maxunicode + 1))))
    return re.compile(rf"([{marks}]{{{_MAX_MARKS}}})[{marks}]++")


def uncertain_readings(name: str) -> tuple[str, ...]:
    """Return the alternatives written out, at most 16; none for a name with unreadable letters.

    >>> uncertain_readings("SM[IY]TH"), uncertain_readings("Hall"), uncertain_readings("B_LL")
    (('SMITH', 'SMYTH'), ('Hall',), ())
    """
    choices: list[str] = []
    for part in _UNCERTAIN_PART.finditer(_EDITORIAL_REMARK.sub("", name)):
        if part[1]:
            choices.append(part[1].replace("_", ""))
        elif part[6]:
            choices.append(part[6])
        else:
            return ()
    if not all(choices):
        return ()
    readings = ("".join(letters) for letters in product(*choices))
    return tuple(dict.fromkeys(islice(readings, MAX_READINGS)))


def uncertain_pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of the names that an uncertain reading may be, case ignored.

    >>> bool(uncertain_pattern("HOL_DSWORTH").fullmatch("holidsworth"))
    True
    """
    pattern = ""
    for part in _UNCERTAIN_PART.finditer(_EDITORIAL_REMARK.sub("", name)):
        if part[1]:
            letters = re.escape(part[1].replace("_", ""))
            pattern += rf"[\w{letters}]" if "_" in part[1] else f"[{letters}]"
        elif part[2]:
            low = min(int(part[2][:2]), _MAX_UNREADABLE)
            high = min(int((part[3] or part[2])[:2]), _MAX_UNREADABLE)
            pattern += rf"\w{{{low},{max(low, high)}}}"
        else:
            pattern += r"\w" if part[4] else r"\w*" if part[5] else re.escape(part[6])
    return re.compile(re.sub(r"(?:\\w\*)+", r"\\w*", pattern), re.IGNORECASE)


def _without_remarks(text: str) -> str:
    name = compose(compose(lower_raised(text)).lower()).translate(_APOSTROPHES)
    if not name.isascii():
        name = _RAISED_END.sub(_write_out, name)
    if "(" in name or "[" in name:
        name = _without_bracketed_remarks(name)
    name = " ".join(_DOUBT.sub("", name).split())
    return name.strip(_STRAY).rstrip(_STRAY + "?")


def _write_out(word: re.Match[str]) -> str:
    """Return the name that begins and ends like a word with a raised end, else its letters."""
    beginning, end = word[1], _ORDINAL_LETTERS[word[2]]
    listed = words_of_kind("raised").get(word[1] + end)
    if listed:
        return listed
    ascii_beginning = _ascii(beginning)
    names = (
        name
        for name in _iberian_names()
        if _ascii(name).startswith(ascii_beginning) and name.endswith(end)
    )
    return next(names, beginning + end) if len(beginning) > 1 else beginning + end


@cache
def _iberian_names() -> tuple[str, ...]:
    """Return the given names of Spain and Portugal, the shortest first, Spanish before others."""
    rows = read_table("normalize/names/languages")
    names = [name for language in _IBERIAN for row in rows for name in row[language].split()]
    return tuple(sorted(dict.fromkeys(names), key=len))


def _without_bracketed_remarks(text: str) -> str:
    """Return the text with a blank for each remark in brackets; brackets may hold brackets."""
    parts: list[str] = []
    starts: list[int] = []  # where the brackets that are still open are in the parts
    for part in _BRACKET.split(text):
        parts.append(part)
        if part in ("[", "("):
            starts.append(len(parts) - 1)
        elif part in ("]", ")") and starts:
            start = starts.pop()
            words = _words("".join(parts[start + 1 : -1]))
            if not words or words in _placeholders("bracketed", "any", "whole"):
                parts[start:] = [" "]
            else:
                starts.clear()  # what holds more than a remark is none
    return "".join(parts)


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W\d_][^\W\d_']*", text))


class _AsciiLetters(dict[int, str]):
    """What is written for each letter that was met: small ASCII letters and digits, or nothing."""

    def __missing__(self, code: int) -> str:
        written = "".join(letter for letter in anyascii(chr(code)).lower() if letter.isalnum())
        self[code] = written
        return written


_ASCII_LETTERS = _AsciiLetters()


def _ascii(name: str) -> str:
    return name.translate(_ASCII_LETTERS)


@cache
def words_of_kind(kind: str) -> dict[str, str]:
    """Return the words of one kind in the table of words in names, each with its meaning."""
    return {row["word"]: row["meaning"] for row in _name_words() if row["kind"] == kind}


@cache
def _name_words() -> list[dict[str, str]]:
    return read_table("normalize/names/words")


@cache
def _placeholders(*meanings: str) -> frozenset[str]:
    """Return the words that are no names.

    Meanings: in "any" name or as a "word" of a full name, as a "whole" name, as a "given" name,
    "bracketed", and "article".
    """
    words = words_of_kind("placeholder")
    return frozenset(word for word, meaning in words.items() if meaning in meanings)
