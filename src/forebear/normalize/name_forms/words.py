"""What kind of word is this in a name: a title, suffix, particle, initial, placeholder?"""

import re
from collections.abc import Mapping
from functools import cache

from forebear.tables import read_table, word_set

LONGEST_PHRASE = 4  # words
_UNKNOWN_SIGNS = re.compile(r"[\s_?*.—–\-\[\]()]+")
_INITIALS = re.compile(r"(?:[^\W\d_]\.){1,4}|[^\W\d_]\.?")
_UCF = re.compile(r"[_*]|[^\W_]\[[^\]]+\]|\[[^\]]+\][^\W_]|\{[0-9,]+\}")


def key_of(words: list[str] | str) -> str:
    """Return words as the tables have them: lower case, without points and commas."""
    text = words if isinstance(words, str) else " ".join(words)
    return " ".join(text.lower().replace(".", " ").replace(",", " ").split())


def leading_title(words: list[str]) -> int:
    """Return how many words in front are titles; at least one word is left for the name."""
    count = 0
    while length := _longest(words[count:-1], _titles()):
        count += length
    return count


def title_kinds(words: list[str]) -> set[str]:
    """Return the kinds of the titles: plain, honor (before a given name), married, widow."""
    kinds: set[str] = set()
    position = 0
    while length := _longest(words[position:], _titles()):
        kinds.add(_titles()[key_of(words[position : position + length])])
        position += length
    return kinds


def trailing_suffixes(words: list[str]) -> int:
    """Return how many words at the end are suffixes; at least one word is left."""
    count = 0
    while True:
        rest = words[1 : len(words) - count]
        lengths = range(min(LONGEST_PHRASE, len(rest)), 0, -1)
        length = next((n for n in lengths if key_of(rest[-n:]) in _suffixes()), 0)
        if not length:
            return count
        count += length


def is_suffix(words: list[str]) -> bool:
    """Say whether the words are suffixes and nothing else."""
    return bool(words) and trailing_suffixes(["", *words]) == len(words)


def is_unknown(word: str) -> bool:
    """Say whether a word stands where a name should and is none."""
    bare = word.lower().strip(".,[]()?")
    return (
        bool(_UNKNOWN_SIGNS.fullmatch(word))
        or bare in word_set("words.no_names")
        or bare == "blank"
    )


def is_initials(word: str) -> bool:
    """Say whether a given name is only its initial, or several: "J.", "J.W."."""
    return bool(_INITIALS.fullmatch(word))


def is_uncertain(word: str) -> bool:
    """Say whether letters of a word could not be read, in the notation of transcribers (UCF)."""
    return bool(_UCF.search(word))


def particle_kind(word: str) -> str:
    """Return the kind of a particle (plain, joint, patronymic, inner), or "" for other words."""
    plain = word.lower().rstrip(".") if len(word) > 2 else word.lower()
    return _particles().get(plain) or _particles().get(key_of(word), "")


def particle_at_end(words: list[str]) -> int:
    """Return how many words at the end are one particle: "in 't", "v. d.", "von und zu"."""
    lengths = range(min(LONGEST_PHRASE, len(words)), 1, -1)
    several = next((n for n in lengths if key_of(words[-n:]) in _particles()), 0)
    return several or int(bool(words) and particle_kind(words[-1]) not in ("", "joint"))


def particle_at_start(words: list[str]) -> int:
    """Return how many words in front are one particle."""
    several = next((n for n in (4, 3, 2) if key_of(words[:n]) in _particles() and words[n:]), 0)
    return several or int(bool(words) and particle_kind(words[0]) not in ("", "joint"))


def count_names(words: list[str]) -> int:
    """Return how many of the words are names, and not particles."""
    return sum(not particle_kind(word) for word in words)


@cache
def description_flags() -> dict[str, str]:
    """Return the words that describe a person ("infant"), each with its flag or ""."""
    return {row["word"]: row["flag"] for row in read_table("normalize/name_descriptions")}


def _longest(words: list[str], phrases: Mapping[str, str]) -> int:
    """Return how many of the words make the longest phrase that they begin with."""
    lengths = range(min(LONGEST_PHRASE, len(words)), 0, -1)
    return next((n for n in lengths if key_of(words[:n]) in phrases), 0)


@cache
def _titles() -> dict[str, str]:
    return {row["title"]: row["kind"] for row in read_table("normalize/name_titles")}


@cache
def _suffixes() -> frozenset[str]:
    return frozenset(row["suffix"] for row in read_table("normalize/name_suffixes"))


@cache
def _particles() -> dict[str, str]:
    return {row["particle"]: row["kind"] for row in read_table("normalize/name_particles")}
