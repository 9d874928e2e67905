"""Do words say what a person is instead of where?

Clerks and transcribers put an occupation or a status into the column of the abode: "Veterinary
Surgeon", "Coal Miner's Widow", "Farmer of 80 acres".  Such words are recognized by the noun they
end in, before any "of", "at" or bracket:

- the noun is an occupation of the table, a noun for a person, or ends the way occupations do
  ("-maker", "-keeper");
- all words say whose child, of which people or of which standing someone is, in Spanish too;
- the noun says what a person is to the parish ("pauper") or to others ("widow", "miner's son");
- the noun ends in "-er", "-man" ... after a word for what people work with ("tin streamer");
- all words are titles, with what follows "of" ("Rev.", "3rd Earl of Oxford").

A house number, "Saint", "Great" or "Port" before it makes a place of any noun, and so does a word
that follows it: "Butcher Row", "Potter Heigham".

Occupations, statuses and notes are made of ordinary words ("keeps a small shop"), most names of
places are not.  The table ``words/vocabulary`` has English words by their first letter: nouns for
persons ("lapidary", "widower"), and the other words that are usual in texts.  No word is in it that
stands in the name of a town; ``scripts/make_vocabulary.py`` makes it of WordNet 3.0.
"""

import re
from functools import cache, lru_cache

from anyascii import anyascii

from forebear.normalize.similarity import osa_distance
from forebear.normalize.spelling import normalize_name
from forebear.tables import read_table

_USUAL_WORD = re.compile(r"[^\W\d_]{2,}")
# Words of sentences that names of places have too.
_LINK = re.compile(r"an|the|of|at|in|on|to|and|or|by|for|with|from|his|her|is|was|as|not?")
_MIN_STEM = 3  # letters before an ending
_ENDINGS = (
    ("s", ""),
    ("es", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("ies", "y"),
    ("ied", "y"),
    ("men", "man"),
)
_REMARK = re.compile(r"[(\[].*")
_COMPLEMENT = re.compile(
    r"\s+(?:at|in|on|of|to|for|from|by|with|under|emp(?:l|loy|loying|loys)?|and|&|or)\b.*"
    r"|\s+[0-9].*"
)
_MIN_MISSPELLED = 8  # letters: Minster is a place
_MIN_LETTERS = 4  # of a trade alone
_MIN_TITLE = 3  # letters
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_SAINTS = frozenset({"st", "saint", "sts"})
_INCOMPLETE = frozenset({"maker", "monger"})
_VOWELS = re.compile(r"[aeiouy]")
_MIN_CONSONANTS = 5
_POSSESSIVE = re.compile(r"'?s$|'$")
_AGENT = re.compile(
    r"(?:maker|keeper|wright|dealer|worker|seller|driver|dresser|cutter|binder|builder|layer"
    r"|founder|burner|grinder|holder|owner|master|mistress|woman|carrier|mender|labourer|servant)"
)
_AGENT_AT_END = re.compile(rf".{{3,}}{_AGENT.pattern}|.{{4,}}monger")
_WORKER = re.compile(r".{2,}(?:er|or|ar|man|ist|boy|girl|maid|hand)")
_SERVANT = re.compile(r"se?rv(?:a?n?t?s?)?|servnt|sert|lab(?:r|or|our|ou?rer|orer)?s?")
_ORDINAL = re.compile(r"[0-9]+(?:st|nd|rd|th)\s+(?=[a-z])")


def is_person_noun(word: str) -> bool:
    """Return whether a word in lower case says what a person is.

    >>> is_person_noun("lapidary"), is_person_noun("tywardreath")
    (True, False)
    """
    return word in _vocabulary("person")


def is_usual(word: str) -> bool:
    """Return whether a word in lower case is an ordinary one, inflected or not.

    >>> is_usual("keeps"), is_usual("drowning"), is_usual("layham")
    (True, True, False)
    """
    return any(
        form in _vocabulary("usual") or form in _vocabulary("person") for form in _stems(word)
    )


def usual_shares(text: str) -> tuple[float, bool]:
    """Return the share of usual words among those that are no links, and whether the last is one.

    >>> usual_shares("Keeps a lodging"), usual_shares("Layham")
    ((1.0, True), (0.0, False))
    """
    words = [word for word in _USUAL_WORD.findall(text.lower()) if not _LINK.fullmatch(word)]
    usual = [is_usual(word) for word in words]
    return (sum(usual) / len(usual), usual[-1]) if usual else (0.0, False)


def _stems(word: str) -> list[str]:
    """Return the word and what may be its uninflected forms."""
    return [word] + [
        word[: -len(ending)] + other
        for ending, other in _ENDINGS
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM
    ]


@cache
def _vocabulary(kind: str) -> frozenset[str]:
    rows = read_table("normalize/words/vocabulary")
    return frozenset(word for row in rows if row["kind"] == kind for word in row["words"].split())


@lru_cache(maxsize=65_536)
def is_trade(text: str) -> bool:
    """Return whether the words are an occupation or a status.

    >>> is_trade("Veterinary Surgeon"), is_trade("Farmer of 80 acres"), is_trade("Butcher Row")
    (True, True, False)
    """
    lower = text.strip().lower().replace("’", "'")
    ordinal = _ORDINAL.match(lower)
    lower = lower[ordinal.end() :] if ordinal else lower
    if not lower or lower[0].isdigit():
        return False
    head = _COMPLEMENT.sub("", _REMARK.sub("", lower) or lower.strip("()[]"))
    if head in _words("kin"):
        return True
    words = [word for word in _WORD.findall(head) if word not in _words("status")]
    if not words:
        return len(head) >= _MIN_MISSPELLED  # "General Domestic"; Old and High are places
    if all(anyascii(word) in _words("condition") for word in _WORD.findall(lower)):
        return any(len(word) >= _MIN_TITLE for word in words)
    if words[0] in _words("place") or words[-1] in _words("building"):
        return False
    if not _SAINTS.isdisjoint(words):
        return False  # "Hitchin St Saviours"
    if len(words) > 1 and " ".join(words) in _occupations():
        return True
    if all(word in _titles() for word in words):
        return _WORD.findall(lower)[-1] not in _words("building")
    while len(words) > 1 and (words[-1] in _words("work") or len(words[-1]) == 1):
        words.pop()  # "Labourer Coal Mines", "Stoker R N"
    noun = _singular(words[-1]) if len(words) > 1 else words[-1]  # Bakers is a farm
    if len(words) == 1:
        is_long = len(noun) >= _MIN_LETTERS or noun != lower
        is_noun = is_long and not needs_object(noun) and _is_noun(noun)
        return is_noun or noun in _words("kin")
    before = _POSSESSIVE.sub("", words[-2])
    if noun in _words("kin"):
        return before != words[-2] or _is_noun(before)
    is_work = before in _words("work") and bool(_WORKER.fullmatch(noun))
    return is_work or _is_noun(noun) or bool(_AGENT.fullmatch(noun))


def is_surname_like(text: str) -> bool:
    """Return whether the words are a single one, as the towns have that are named after people.

    >>> is_surname_like("Butler"), is_surname_like("Coal Miner")
    (True, False)
    """
    return len(text.split()) == 1


def is_material(text: str) -> bool:
    """Return whether all words are for what people work with: "Tin" after "Miner".

    >>> is_material("Copper & Tin"), is_material("Truro")
    (True, False)
    """
    words = _WORD.findall(text.lower())
    return bool(words) and all(word in _words("work") for word in words)


def buildings() -> frozenset[str]:
    """Return the words for houses, streets and fields that end the names of places."""
    return _words("building")


def needs_object(noun: str) -> bool:
    """Return whether a noun says nothing of a person alone: one is a shoe maker, not a maker.

    >>> needs_object("maker"), needs_object("keeper")
    (True, False)
    """
    return noun in _INCOMPLETE


def words_of_places() -> frozenset[str]:
    """Return the words that begin the names of places and streets."""
    return _words("place")


def _singular(noun: str) -> str:
    """Return a noun in the singular: labourers, workmen."""
    if noun.endswith("men"):
        return f"{noun[:-2]}an"
    return noun[:-1] if noun.endswith("s") and _is_noun(noun[:-1]) else noun


def _is_noun(word: str) -> bool:
    return (
        word in _words("person")
        or word in _words("trade")
        or word in _occupations()
        or (word.endswith("man") and word[:-3] in _words("work"))
        or is_person_noun(word)
        or bool(_AGENT_AT_END.fullmatch(word) or _SERVANT.fullmatch(word))
        or _is_misspelled_noun(word)
    )


def _is_misspelled_noun(word: str) -> bool:
    """Return whether a long word is one edit from a trade, or lacks vowels: carpinter, blksmth."""
    if word in _nouns_without_vowels():
        return True
    if len(word) < _MIN_MISSPELLED:
        return False
    nouns = _nouns_by_letter().get(word[0], ())
    return any(
        osa_distance(word, noun, limit=1) <= 1 and word != f"{noun}s"
        for noun in nouns
        if abs(len(noun) - len(word)) <= 1
    )


@cache
def _nouns_without_vowels() -> frozenset[str]:
    """Return what is left of long trades without any vowel after the first letter, or with one."""
    left = set()
    for nouns in _nouns_by_letter().values():
        for noun in nouns:
            consonants = _VOWELS.sub("", noun[1:])
            if len(consonants) >= _MIN_CONSONANTS:
                left.add(noun[0] + consonants)
                vowels = (at for at in range(1, len(noun)) if _VOWELS.match(noun[at]))
                left.update(_without_vowels_but(noun, at) for at in vowels)
    return frozenset(left)


def _without_vowels_but(noun: str, at: int) -> str:
    """Return a noun without the vowels after the first letter, but for one."""
    before, after = (_VOWELS.sub("", part) for part in (noun[1:at], noun[at + 1 :]))
    return f"{noun[0]}{before}{noun[at]}{after}"


@cache
def _nouns_by_letter() -> dict[str, tuple[str, ...]]:
    """Return the trades of one long word by their first letter."""
    by_letter: dict[str, tuple[str, ...]] = {}
    for noun in sorted(_occupations() | _words("person")):
        if len(noun) >= _MIN_MISSPELLED - 1 and " " not in noun:
            by_letter[noun[0]] = (*by_letter.get(noun[0], ()), noun)
    return by_letter


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(
        row["word"] for row in read_table("normalize/places/people") if row["kind"] == kind
    )


@cache
def _titles() -> frozenset[str]:
    """Return the titles of three letters or more; "don" and "pan" are names of places too."""
    rows = read_table("normalize/names/words")
    titles = {row["word"] for row in rows if row["kind"] == "title"}
    return frozenset(title for title in titles if len(title) >= _MIN_TITLE) - {"don", "pan"}


@cache
def _occupations() -> frozenset[str]:
    """Return the occupations of the table and their names in other words and languages."""
    rows = read_table("normalize/words/occupations")
    names = {name for row in rows for name in (row["occupation"], *row["synonyms"].split("|"))}
    return frozenset(normalize_name(name) for name in names if name) - {""}
