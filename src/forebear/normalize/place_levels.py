"""How is a level of a place written in full, and when are two places the same?

A place is its levels.  There is no gazetteer behind it: a place is known by its name within its
county and country, so the id of a place is its levels from itself upward.  A county code, a county
or a state implies the country where none was named.

Levels keep what the text says, in lower case.  Ids go one step further, so that spellings of one
place meet: without accents and the word "county", a riding as Yorkshire, and England without the
United Kingdom.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType

from forebear.normalize.regions import (
    Region,
    country_named,
    county_around,
    find_country,
    has_states,
    is_british,
    level_key,
    region_coded,
    region_named,
)
from forebear.normalize.spelling import compose
from forebear.records.record import Place
from forebear.tables import read_table, word_meanings

MAX_LENGTH = 300  # characters; longer text is prose
CACHED_PLACES = 1 << 16
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))
_NOT_IN_LEVEL = re.compile(r"[^\w\s'&-]+|_+")
# Compiled when a text has a character that calls for them: few have one, and a search starts here.
BRACKETED = r"\s*(?:\(([^()]*)\)|\[([^\[\]]*)\])"
_UNCLOSED = r"[(\[].*"
_AFTER_POINT = r"(?<=\.)(?=[^\W\d_]{2})|(?<=\b[a-z]\.)(?=[^\W\d_])"  # "St.Mary", "a.M."
_ARTICLES = ("the", "ye")
_NO_IDS: Mapping[str, str] = MappingProxyType({})
_MAX_PHRASE = 3  # words of an abbreviation ("o. d. T.") or a rank ("grand duchy of")


def place_id(levels: Sequence[str]) -> str:
    """Return the id of the place with these levels.

    >>> place_id(["layham", "suffolk", "england"])
    'p:layham,suffolk,england'
    """
    return "p:" + ",".join(_canonical(levels))


@lru_cache(maxsize=100_000)
def ancestor_ids(place: Place) -> tuple[str, ...]:
    """Return the ids of the place and of every place around it, its own first."""
    names = _canonical(place.levels)
    return tuple("p:" + ",".join(names[start:]) for start in range(len(names)))


@lru_cache(maxsize=100_000)
def ids_by_level(place: Place) -> Mapping[str, str]:
    """Return the ids of the place's country, state, county and town, those it has.

    The town is what lies next below the county; a church or street lies below the town.
    """
    names = _canonical(place.levels)
    if not names or country_named(names[-1]) is None:
        return _NO_IDS
    kinds = ["country", "county", "town"]
    if has_states(names[-1]):
        kinds.insert(1, "state")
    elif is_british(names[-1]) and len(names) > 1:
        county = region_named(names[-2])
        if county is None or county.country != names[-1]:
            kinds.remove("county")
    return MappingProxyType(dict(zip(kinds, reversed(ancestor_ids(place)), strict=False)))


@lru_cache(maxsize=100_000)
def place_words(text: str) -> tuple[str, ...]:
    """Return the words of a place as written, county codes in full, without "of", "near" ...

    >>> place_words("near Stoke upon Trent, STS")
    ('stoke', 'upon', 'trent', 'staffordshire')
    """
    levels = []
    for piece in text.split(","):
        region = region_coded(piece.strip()) or find_region(find_country, piece.strip())
        levels.append(region.level if region else clean_level(piece))
    return tuple(dict.fromkeys(word for level in levels for word in level_words(level)))


def renamed(name: str) -> frozenset[str]:
    """Return the keys of a place's older, newer and foreign names; none if it kept its name.

    >>> sorted(renamed("Lemberg"))
    ['lviv', 'lvov', 'lwow']
    """
    key = level_key(clean_level(name))
    return _renames().get(key, frozenset()) - {key}


@lru_cache(maxsize=CACHED_PLACES)
def clean_level(text: str) -> str:
    """Return one level in lower case without punctuation, or "" where the text names no place.

    >>> clean_level("St. Blazey"), clean_level("Fore St"), clean_level("near Gt. Yarmouth")
    ('saint blazey', 'fore street', 'great yarmouth')
    >>> clean_level("of this parish"), clean_level("?")
    ('', '')
    """
    level = " ".join(_NOT_IN_LEVEL.sub(" ", level_in_full(text).lower()).split())
    return level if any(map(str.isalnum, level)) else ""


@lru_cache(maxsize=CACHED_PLACES)
def level_in_full(text: str) -> str:
    """Return one level as written, abbreviations in full, or "" where it names no place.

    Second names in brackets are dropped, and words that only relate a person to the place.
    Text of more than 300 characters is prose.

    >>> level_in_full("nr. Mt. Pleasant Twp"), level_in_full("on board HMS Victory")
    ('Mount Pleasant Township', '')
    """
    if len(text) > MAX_LENGTH:
        return ""
    level = compose(text).translate(_APOSTROPHES)
    if "(" in level or "[" in level:
        level = re.sub(_UNCLOSED, "", re.sub(BRACKETED, " ", level))
    level = " ".join(level.split()).strip(" .,;:")
    while not _is_nowhere(level):
        first = level.split(maxsplit=1)[0].lower().rstrip(".:")
        is_relative = first in _first_words("relative") or first in _ARTICLES
        phrase = _relative().match(level) if is_relative else None
        if phrase is None:
            break
        level = level[phrase.end() :]
    else:
        return ""
    if whole := words_in_places("level").get(" ".join(level.lower().replace(".", " ").split())):
        return whole
    return _words_in_full((re.sub(_AFTER_POINT, " ", level) if "." in level else level).split())


def level_words(level: str) -> tuple[str, ...]:
    """Return the words of a clean level that tell places apart."""
    words = re.findall(r"[^\W_]+(?:'[^\W_]+)*", level)
    return tuple(word for word in words if word not in words_in_places("stop"))


def find_region(lookup: Callable[[str], Region | None], piece: str) -> Region | None:
    """Look a piece up as written, for "N. Y." is no north, and then with its words in full."""
    return lookup(piece) or lookup(level_in_full(piece))


def without_rank(level: str) -> str:
    """Return the name of a realm or province without its rank: "kingdom of bavaria"."""
    words = level_key(level).split()
    for count in range(_MAX_PHRASE, 0, -1):
        if len(words) > count and " ".join(words[:count]) in words_in_places("rank_before"):
            return " ".join(words[count:])
    return " ".join(
        words[:-1] if len(words) > 1 and words[-1] in words_in_places("rank_after") else words
    )


def _canonical(levels: Sequence[str]) -> list[str]:
    names = [level_key(level) for level in levels]
    if len(names) > 1 and names[-1] == "united kingdom":
        region = region_named(names[-2], country="united kingdom")
        if country_named(names[-2]):
            names.pop()
        elif region:
            names[-1] = region.country
    counties = [county_around(name) or name for name in names]
    following = [*counties[1:], ""]
    return [
        county
        for name, county, next_county in zip(names, counties, following, strict=True)
        if county == name or county != next_county  # "West Riding, Yorkshire" is one county
    ]


def _is_nowhere(level: str) -> bool:
    words = re.findall(r"[^\W_]+", level.lower())
    if not words or " ".join(words) in words_in_places("nowhere"):
        return True
    if words[0] not in _first_words("nowhere_from"):
        return False
    begins = (" ".join(words[:count]) for count in range(1, _MAX_PHRASE + 2))
    return any(begin in words_in_places("nowhere_from") for begin in begins)


def _words_in_full(words: list[str]) -> str:
    """Return the words joined, abbreviations in full where their position gives them a meaning."""
    full, at = [], 0
    while at < len(words):
        count, meaning = _meaning(words, at)
        full.append(meaning)
        at += count
    return " ".join(full)


def _meaning(words: list[str], at: int) -> tuple[int, str]:
    """Return the meaning of the longest abbreviation that begins there, and its number of words."""
    word = words[at]
    bare = word.lower().rstrip(".:?")
    head, hyphen, tail = word.partition("-")
    if hyphen and tail and (inside := words_in_places("inside").get(head.lower().rstrip("."))):
        return 1, f"{inside.capitalize() if head[:1].isupper() else inside}-{tail}"  # Ste-Anne
    if bare not in _first_words("any", "front", "inside", "end"):
        return 1, word
    # Of a single letter only the point says that it is an abbreviation: "b." is bei.
    if word.islower() and word.endswith("."):
        for count in range(min(_MAX_PHRASE, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + count]).lower().rstrip(".") + "."
            if meaning := _meaning_at(phrase, at, at + count, len(words)):
                return count, meaning
    meaning = _meaning_at(bare, at, at + 1, len(words))
    return 1, (meaning.capitalize() if word[:1].isupper() else meaning) or word


def _meaning_at(abbreviation: str, start: int, end: int, count: int) -> str:
    """Return what an abbreviation means at a position among the words, or ""."""
    kinds = ["any"]
    if end < count:
        kinds += ["inside", "front"] if start == 0 else ["inside"]
    elif start:
        kinds.append("end")
    return next(filter(None, (words_in_places(kind).get(abbreviation) for kind in kinds)), "")


@cache
def _relative() -> re.Pattern[str]:
    """Return the pattern of one phrase that relates a person to a place, at the beginning."""
    phrases = [row.replace(" ", r"\.?\s+") for row in words_in_places("relative")]
    divisions = "|".join(words_in_places("division"))
    phrases.append(rf"(?:{'|'.join(_ARTICLES)})\s+(?:{divisions})\.?\s+of")
    return re.compile(rf"(?:{'|'.join(phrases)})\b[.:]?\s+(?=\S)", re.IGNORECASE)


def words_in_places(kind: str) -> dict[str, str]:
    """Return the words of a kind and what they mean."""
    return word_meanings("normalize/places/words")[kind]


@cache
def _first_words(*kinds: str) -> frozenset[str]:
    """Return the first words of the phrases of these kinds, without points."""
    return frozenset(
        phrase.split()[0].rstrip(".") for kind in kinds for phrase in words_in_places(kind)
    )


@cache
def _renames() -> dict[str, frozenset[str]]:
    renames: dict[str, frozenset[str]] = {}
    for row in read_table("normalize/places/renames"):
        names = frozenset(level_key(clean_level(name)) for name in row["names"].split("|"))
        for name in names:
            renames[name] = renames.get(name, frozenset()) | names
    return renames
