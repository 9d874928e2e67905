"""Where is a place, and when are two places the same?

The grammar of a place, in the order in which it is read:

    place    := level ("," level)*          small to large; turned round if a country or state
                                            comes first and the last level is neither
    level    := [relative] words            "near", "late of", "in the parish of" are dropped
              | number "," street           a house number belongs to the street after it
              | code | region | country     in full: "NFK", "Wilts", "N.Y.", "U.S.A."
    words    := word | abbreviation         in full: "St" before a name is Saint, at the end Street
    other    := "(" text ")" | "[" text "]" | "/" text      another name of the level before it
    nowhere  := "of this parish" | "ditto" | "at sea" | a ship | "unknown" | "?" ...
    trade    := "Veterinary Surgeon" | "widow" ...   no level; before a county alone no place,
                                            unless a town of the name lies there (``likeness``)

A place may be read within others, those of the register: a village lies there, but a county, state
or country that a text ends in lies where it lies.  An abode "Devon" in a register of Somerset is
Devon, unless the county or state of the register has a town of that name (table ``namesakes``).

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
from typing import NamedTuple

from forebear.normalize.likeness import is_listed, lies_in, looks_like_place
from forebear.normalize.regions import (
    Region,
    codes_named,
    codes_shared,
    country_named,
    county_around,
    find_country,
    has_states,
    has_town,
    is_british,
    is_in_several_states,
    level_key,
    region_coded,
    region_named,
    regions_named,
)
from forebear.normalize.spelling import compose
from forebear.normalize.trades import is_material, is_surname_like, is_trade
from forebear.records.record import Place
from forebear.tables import read_table

MAX_LENGTH = 300  # characters; longer text is prose
CACHED_PLACES = 1 << 16
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))
_NOT_IN_LEVEL = re.compile(r"[^\w\s'&-]+|_+")
# Compiled when a text has a character that calls for them: few have one, and a search starts here.
_BRACKETED = r"\s*(?:\(([^()]*)\)|\[([^\[\]]*)\])"
_UNCLOSED = r"[(\[].*"
_AFTER_POINT = r"(?<=\.)(?=[^\W\d_]{2})|(?<=\b[a-z]\.)(?=[^\W\d_])"  # "St.Mary", "a.M."
_SLASH = r"(?<=[^\W\d_]{2})\s*/\s*(?=[^\W\d_]{2})"
_IN_THE_COUNTY = r"(?i)(?<=\w),?\s+in\s+(?:the\s+)?(?:county|co\.?|parish|province|state)\s+of\s+"
_HOUSE_NUMBER = r"(?i)(?:no\.?\s*)?[0-9]+[a-z]?(?:\s?[-/½]\s?[0-9]*)?"
_ARTICLES = ("the", "ye")
_NO_IDS: Mapping[str, str] = MappingProxyType({})
_MAX_PHRASE = 3  # words of an abbreviation ("o. d. T.") or a rank ("grand duchy of")


class PlaceReading(NamedTuple):
    """What a text says of a place; ``place`` is None if it names none."""

    place: Place | None = None
    levels_as_written: tuple[str, ...] = ()  # small to large, abbreviations in full
    other_names: tuple[str, ...] = ()  # in brackets or after a slash
    region: Region | None = None  # the country, county or state that the largest level names
    default_country: Region | None = None  # of a place that says nothing else
    is_located: bool = False  # a county code or the places around it tell namesakes apart

    @property
    def country_code(self) -> str:
        """Return the country of today, ISO 3166-1 alpha-2; "" if it is unknown or several."""
        if self.region:
            return self.region.country_code
        codes = self._country_codes()
        return next(iter(codes)) if len(codes) == 1 else ""

    @property
    def is_ambiguous(self) -> bool:
        """Return whether the largest level is the name of places in several countries or states.

        >>> read_place("Suffolk").is_ambiguous, read_place("Suffolk, England").is_ambiguous
        (True, False)
        >>> read_place("Portland").is_ambiguous, read_place("Portland, Maine").is_ambiguous
        (True, False)
        """
        if self.place is None or self.default_country or self.is_located:
            return False
        if len(self.levels_as_written) == 1:
            (name,) = self.levels_as_written
            return len(codes_shared(name)) > 1 or is_in_several_states(name)
        if self.region and self.region.is_country:
            return False
        return len(self._country_codes() - {""}) > 1

    def _country_codes(self) -> frozenset[str]:
        """Return the countries that the larger levels may lie in, else the default country."""
        written = self.levels_as_written
        for level in written[:-3:-1] if len(written) > 2 else written[-1:]:
            codes = codes_named(level) or codes_named(_without_rank(level))
            if codes and (len(written) > 1 or len(level) > 2):
                return codes
        return frozenset({self.default_country.country_code} if self.default_country else ())


def read_place(*parts: str, within: Sequence[str] = (), country: str = "") -> PlaceReading:
    """Return what the parts, small to large, say of a place.

    ``within`` is where the place lies unless it is, or names, a county, state or country itself;
    ``country`` is where places lie that say nothing else.

    >>> reading = read_place("St Mary", "Gt. Yarmouth", "NFK")
    >>> reading.place.levels
    ('saint mary', 'great yarmouth', 'norfolk', 'england')
    >>> reading.levels_as_written, reading.country_code
    (('Saint Mary', 'Great Yarmouth', 'Norfolk'), 'GB')
    >>> read_place("-", "INC").place is None
    True
    >>> read_place("Devon", within=["SOM"]).place.levels
    ('devon', 'england')
    >>> read_place("Veterinary Surgeon", within=["SOM"]).place is None
    True
    """
    return _read(parts, tuple(within), country)


@lru_cache(maxsize=CACHED_PLACES)
def _read(parts: tuple[str, ...], within: tuple[str, ...], country: str) -> PlaceReading:
    text = _joined(parts)
    if len(text) > MAX_LENGTH:
        return PlaceReading()
    around = _read(within, (), country) if within else PlaceReading()
    pieces, other_names = split_levels(text)
    with_county = len(parts) > 1 and is_region(parts[-1])
    pieces = _without_trades(pieces, other_names, around, with_county=with_county)
    if not pieces:
        return PlaceReading(other_names=other_names)
    if around.place:
        if not _stands_alone(pieces, around):
            return _read((*parts, *within), (), country)._replace(is_located=True)
        nation = around.place.levels[-1]
        reading = _read(
            parts, (), nation if _lies_in(pieces[-1], nation, around.country_code) else ""
        )
        return reading._replace(default_country=None, is_located=True)
    stated = _find(find_country, pieces[-1])
    below = pieces[:-1] if stated else pieces
    default = _find(find_country, country) if country else None
    nation = stated.country if stated else default.country if default else clean_level(country)
    region = _region(below, nation)
    named = [*map(region_coded, below[:-1]), *[region][: len(below)], *([stated] if stated else [])]
    written = [_written(piece, row) for piece, row in zip(pieces, named, strict=True)]
    levels = [clean_level(level) for level in written[: len(below)]]
    if region and level_key(levels[-1]) != level_key(region.name):
        levels[-1] = region.level  # another name of it: Upper Canada
    largest = stated.country if stated else region.country if region else nation
    return PlaceReading(
        place=Place(text=text, levels=(*levels, largest) if largest else tuple(levels)),
        levels_as_written=tuple(written),
        other_names=other_names,
        region=stated or region,
        default_country=default,
        is_located=region_coded(pieces[-1]) is not None,
    )


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
        region = region_coded(piece.strip()) or _find(find_country, piece.strip())
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
        level = re.sub(_UNCLOSED, "", re.sub(_BRACKETED, " ", level))
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
    if whole := _words("level").get(" ".join(level.lower().replace(".", " ").split())):
        return whole
    return _words_in_full((re.sub(_AFTER_POINT, " ", level) if "." in level else level).split())


def level_words(level: str) -> tuple[str, ...]:
    """Return the words of a clean level that tell places apart."""
    words = re.findall(r"[^\W_]+(?:'[^\W_]+)*", level)
    return tuple(word for word in words if word not in _words("stop"))


def split_levels(text: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the levels of a text as written, small to large, and other names in it.

    >>> split_levels("Parish of Lee (or Lea) in the County of Kent")
    (['Parish of Lee', 'Kent'], ('or Lea',))
    """
    text = compose(text)
    other_names = []
    if "(" in text or "[" in text:
        brackets = [round_ or square for round_, square in re.findall(_BRACKETED, text)]
        other_names = [" ".join(name.split()) for name in brackets if level_in_full(name)]
        text = re.sub(_BRACKETED, "", text)
    if " of " in text.lower():
        text = re.sub(_IN_THE_COUNTY, ", ", text)
    pieces: list[str] = []
    for piece in text.split(","):
        name = " ".join(piece.split())
        if not level_in_full(name):
            continue
        if pieces and pieces[-1][0] in "0123456789Nn" and re.fullmatch(_HOUSE_NUMBER, pieces[-1]):
            pieces[-1] = f"{pieces[-1]} {name}"
            continue
        if "/" in name and name.lower() not in _words("level"):
            name, *others = re.split(_SLASH, name)
            other_names.extend(others)
        pieces.append(name)
    return _small_to_large(pieces), tuple(other_names)


def _joined(parts: Sequence[str]) -> str:
    return ", ".join(part.strip() for part in parts if part.strip())


def _without_trades(
    pieces: list[str], other_names: Sequence[str], around: PlaceReading, *, with_county: bool
) -> list[str]:
    """Return the pieces that name places; none if only a county or country is left of others.

    In America a single word may be a town that is named after a person: "Butler, Pennsylvania".
    """
    stated = [_find(region_named, piece) or _find(find_country, piece) for piece in pieces[1:][-2:]]
    regions = [around.region] if around.region else stated
    is_new_world = any(region is not None and region.kind == "state" for region in regions)
    names = _levels_around(around, stated)
    places = [
        piece
        for piece in pieces
        if _names_place(piece, with_county=with_county and piece == pieces[0])
        or lies_in(piece, names)
        or (is_new_world and is_surname_like(piece))
    ]
    if len(places) == len(pieces) and all(map(_names_place, other_names)):
        return places
    places = [piece for piece in places if not is_material(piece)]  # "Miner, Tin"
    return [] if all(map(is_region, places)) else places


def _levels_around(around: PlaceReading, stated: Sequence[Region | None]) -> frozenset[str]:
    """Return the states and countries that a place is said to lie in: levels, and codes."""
    names = {*around.place.levels, around.country_code.lower()} if around.place else set()
    for region in filter(None, stated):
        names |= {region.level, region.country, region.country_code.lower()}
    return frozenset(names - {""})


def _names_place(piece: str, *, with_county: bool = False) -> bool:
    if is_trade(piece):
        return is_region(piece) or (" " in piece and is_listed(piece))
    return looks_like_place(piece, with_county=with_county) or is_region(piece)


def is_region(piece: str) -> bool:
    """Return whether a piece between commas is a county, state or country.

    >>> is_region("Wilts"), is_region("N. Y."), is_region("Layham")
    (True, True, False)
    """
    is_named = _find(find_country, piece) or region_coded(piece) or _find(region_named, piece)
    return bool(is_named or codes_named(level_in_full(piece)))


def _lies_in(piece: str, nation: str, code: str) -> bool:
    """Return whether a region lies in a nation, given by its level and its code."""
    if country_named(nation) is None:
        return False
    region = _find(lambda text: region_named(text, country=nation), piece)
    return region is not None or code in codes_named(level_in_full(piece))


def _stands_alone(pieces: list[str], around: PlaceReading) -> bool:
    """Return whether the last piece is a county, state or country and no place in that one."""
    last, levels = pieces[-1], around.place.levels if around.place else ()
    if len(last) <= 2 and not region_named(last, country=levels[-1]):
        return False
    if any(has_town(last, level) for level in levels):
        return False
    if region_coded(last) or _find(find_country, last):
        return True
    if _find(lambda text: region_named(text, country=levels[-1]), last):
        return True
    region = _find(region_named, last)
    if region:
        return region.kind == "state" or _has_rank(last)
    return bool(codes_named(level_in_full(last))) and not has_town(last, around.country_code)


def _has_rank(piece: str) -> bool:
    """Return whether the words say themselves that they are a county."""
    words = level_in_full(piece).lower().split()
    return len(words) > 1 and "county" in (words[0], words[-1])


def _small_to_large(pieces: list[str]) -> list[str]:
    if len(pieces) < 2:
        return pieces
    # A state needs two levels after it: "New York, Altarnun" is a farm in Cornwall.
    if not (find_country(pieces[0]) or (len(pieces) > 2 and _is_state(pieces[0]))):
        return pieces
    is_large = _find(find_country, pieces[-1]) or region_coded(pieces[-1])
    return pieces if is_large or _find(region_named, pieces[-1]) else pieces[::-1]


def _is_state(piece: str) -> bool:
    region = region_named(piece)
    return region is not None and region.kind == "state" and level_key(piece) not in region.short


def _region(pieces: list[str], country: str) -> Region | None:
    """Return the county or state that the last piece names; a letter or two alone name none."""
    if not pieces:
        return None
    if coded := region_coded(pieces[-1]):
        return coded
    if len(pieces) == 1 and len(pieces[0]) <= 2 and not country:
        return None
    return _find(lambda text: region_named(text, country=country), pieces[-1])


def _written(piece: str, region: Region | None) -> str:
    """Return a level as written, or the region's name if it is a code or an abbreviation of it."""
    full = level_in_full(piece)
    if region is None:
        return full
    is_code = region_coded(piece) is region or not (regions_named(piece) or regions_named(full))
    return region.name if is_code or level_key(piece) in region.short else full


def _find(lookup: Callable[[str], Region | None], piece: str) -> Region | None:
    """Look a piece up as written, for "N. Y." is no north, and then with its words in full."""
    return lookup(piece) or lookup(level_in_full(piece))


def _without_rank(level: str) -> str:
    """Return the name of a realm or province without its rank: "kingdom of bavaria"."""
    words = level_key(level).split()
    for count in range(_MAX_PHRASE, 0, -1):
        if len(words) > count and " ".join(words[:count]) in _words("rank_before"):
            return " ".join(words[count:])
    return " ".join(words[:-1] if len(words) > 1 and words[-1] in _words("rank_after") else words)


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
    if not words or " ".join(words) in _words("nowhere"):
        return True
    if words[0] not in _first_words("nowhere_from"):
        return False
    begins = (" ".join(words[:count]) for count in range(1, _MAX_PHRASE + 2))
    return any(begin in _words("nowhere_from") for begin in begins)


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
    if hyphen and tail and (inside := _words("inside").get(head.lower().rstrip("."))):
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
    return next(filter(None, (_words(kind).get(abbreviation) for kind in kinds)), "")


@cache
def _relative() -> re.Pattern[str]:
    """Return the pattern of one phrase that relates a person to a place, at the beginning."""
    phrases = [row.replace(" ", r"\.?\s+") for row in _words("relative")]
    divisions = "|".join(_words("division"))
    phrases.append(rf"(?:{'|'.join(_ARTICLES)})\s+(?:{divisions})\.?\s+of")
    return re.compile(rf"(?:{'|'.join(phrases)})\b[.:]?\s+(?=\S)", re.IGNORECASE)


def _words(kind: str) -> dict[str, str]:
    """Return the words of a kind and what they mean."""
    return _words_by_kind()[kind]


@cache
def _words_by_kind() -> dict[str, dict[str, str]]:
    by_kind: dict[str, dict[str, str]] = {}
    for row in read_table("normalize/places/words"):
        by_kind.setdefault(row["kind"], {})[row["word"]] = row["meaning"]
    return by_kind


@cache
def _first_words(*kinds: str) -> frozenset[str]:
    """Return the first words of the phrases of these kinds, without points."""
    return frozenset(phrase.split()[0].rstrip(".") for kind in kinds for phrase in _words(kind))


@cache
def _renames() -> dict[str, frozenset[str]]:
    renames: dict[str, frozenset[str]] = {}
    for row in read_table("normalize/places/renames"):
        names = frozenset(level_key(clean_level(name)) for name in row["names"].split("|"))
        for name in names:
            renames[name] = renames.get(name, frozenset()) | names
    return renames
