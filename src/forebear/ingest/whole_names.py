"""Which part of a whole name is the surname?

In "Green, Thomas" what stands before the comma, in "Thomas Green" the last word, with the
particles before it ("Jan van der Berg").  Titles in front and suffixes at the end belong to
neither.  Capitals at the start ("GREEN Thomas") are a surname put first.  A single word is a
given name, since registers leave out the surname that is plain from the entry (the father of
a child); after a title it is a surname ("Mr Green").
"""

from functools import cache, lru_cache

from forebear.records.record import Name, NameKind
from forebear.tables import read_table


@lru_cache(maxsize=1 << 16)
def split_name(text: str, *, kind: NameKind = "birth") -> Name:
    """Return a whole name in its parts.

    >>> split_name("Rev. Thomas Green Jr").surname, split_name("Green, Mary Ann").given
    ('Green', 'Mary Ann')
    """
    if not text:
        return Name(kind=kind)
    last, comma, first = text.partition(",")
    if comma and name_part(first.strip()) == "suffix":  # Thomas Green, Jr
        last, comma, first = f"{last} {first}", "", ""
    words = (first if comma else last).split()
    title, words = _take_titles(words)
    suffix, words = _take_suffixes(words)
    if not comma and (capitals := _capitals(words)):
        last, comma, words = " ".join(words[:capitals]), ",", words[capitals:]
    start = len(words) if comma else _surname_start(words, bool(title))
    surname = last.strip() if comma else " ".join(words[start:])
    return Name(
        given=" ".join(words[:start]), surname=surname, kind=kind, suffix=suffix, title=title
    )


def _capitals(words: list[str]) -> int:
    """Return how many words of a surname in capitals stand before a given name that is not."""
    count = 0
    while count < len(words) and words[count].isupper() and len(words[count].strip(".'’")) > 2:
        count += 1
    rest = words[count:]
    return count if rest and not any(word.isupper() and len(word) > 2 for word in rest) else 0


def _take_titles(words: list[str]) -> tuple[str, list[str]]:
    count = 0
    while count < len(words) - 1 and name_part(words[count]) == "title":
        count += 1
    return " ".join(words[:count]), words[count:]


def _take_suffixes(words: list[str]) -> tuple[str, list[str]]:
    end = len(words)
    while end > 1 and name_part(words[end - 1]) == "suffix":
        end -= 1
    return " ".join(words[end:]), words[:end]


def _surname_start(words: list[str], is_titled: bool) -> int:
    if len(words) == 1:
        return 0 if is_titled else 1
    start = max(len(words) - 1, 1)
    while start > 1 and name_part(words[start - 1]) == "particle":
        start -= 1
    return start


def name_part(word: str) -> str:
    """Return which part a word that is no name is: title, suffix or particle; else nothing."""
    return _words().get(word.casefold().strip(".,"), "")


@cache
def _words() -> dict[str, str]:
    return {row["word"]: row["part"] for row in read_table("ingest/name_words")}
