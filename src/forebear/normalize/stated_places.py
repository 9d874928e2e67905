"""What does a place say as it is written: its levels, and the country they lie in?

The levels keep the words and capitals of the text, small to large; only abbreviations and
county codes are written in full, and words that tell how somebody stands to the place ("near",
"late of") are dropped, with second names in brackets.  The country is the one of today (ISO
3166-1) that is named, or implied by a state, a province or a county; an empire that lay in
several has none.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

from forebear.normalize.place_levels import level_key
from forebear.tables import read_table, word_set

LONGEST_PLACE = 300  # characters; longer text is prose
_BRACKETED = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
_PHRASES = re.compile(
    r"^(?:(?:late|formerly|born|residing|living|now|then|lately|sometime|presently|abode|"
    r"native)\s+)*"
    r"(?:(?:of|at|in|near|nr|nigh|beside|by|from|next to|outside|just outside|to)\b\.?\s+)*"
    r"(?:(?:the|ye)\s+(?:parish|county|town|city|township|village|borough|hamlet|province|state|co|"
    r"diocese|liberty|chapelry|kingdom|district)\s+of\s+|"
    r"(?:parish|par|county|town|city|township|village|province)\.?\s+of\s+)*",
    re.IGNORECASE,
)
_NOWHERE = re.compile(
    r"(?:(?:of|in|at)\s+)?(?:this|that|the|the same|same|ye same|said|the said|our)\s+"
    r"(?:parish|place|town|county|village|city)|o\.?\s?t\.?\s?p\.?|(?:d[oº]|ditto|idem|id|ibid|same)\.?|\"|,,|"
    r"(?:(?:born|died|buried|lost|married)\s+)?(?:at|on|en) (?:sea|mer|route|passage|voyage)|"
    r"(?:(?:born|died|buried|lost|married)\s+)?"
    r"(?:at sea|auf see|op zee|on the (?:high seas|ocean|\w+ ocean)|en mer|in mare).*|"
    r"(?:(?:born|died|buried|lost|married)\s+)?"
    r"(?:on ?board|aboard|on the ship|h\.?m\.?s\.?\b|s\.?s\.?\b|ship\b|"
    r"r\.?m\.?s\.?\b|u\.?s\.?s\.?\b|steamer\b|barque\b).*|"
    r"(?:place )?(?:unknown(?: place| parish| town| country| origin)?|unk|unkn|n\.?k\.?|"
    r"not (?:known|stated|given|recorded)|illegible|"
    r"blank|none|n/?a|nowhere|unbekannt|onbekend|inconnu|no place|elsewhere|abroad|foreign parts|"
    r"various)\.?|[\W_]*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?:No\.?\s*)?[0-9]+[a-zA-Z]?(?:\s?[-/½]\s?[0-9]*)?", re.IGNORECASE)
_RANK = re.compile(  # of a key, which has neither accents nor capitals
    r"^(?:(?:grand )?duchy of|kingdom of|principality of|electorate of|county of|republic of|"
    r"free state of|margraviate of|landgraviate of|province of|canton of|canton de|canton du|"
    r"colony of|crown colony of|state of|departement (?:de l|de la|du|de|des|d)|"
    r"konigreich|grossherzogtum|herzogtum|furstentum|kurfurstentum|grafschaft|provinz|kanton|"
    r"freistaat|land|provincia (?:di|de|del)|provincie|prov|regno di|granducato di|ducato di|"
    r"royaume de|duche de|comte de|reino de|reyno de|wojewodztwo|gubernia|kraj|"
    r"estado de|estado do)\s+(?=\S)"
    r"|(?<=\S)\s+(?:province|kingdom|canton|lan|amt|fylke|megye|varmegye|lanet|voivodeship|"
    r"wojewodztwo|guberniya|gubernia|governorate|oblast|gubernie|kraj|colony|presidency)$"
)
_GERMAN_SHORT = (
    (re.compile(r"(?<=\w)\s+a\.\s?d\.\s?(?=[A-ZÄÖÜ])"), " an der "),
    (re.compile(r"(?<=\w)\s+o\.\s?d\.\s?(?=[A-ZÄÖÜ])"), " ob der "),
    (re.compile(r"(?<=\w)\s+a\.\s?(?=(?:Main|Rhein|Neckar|Inn|Lech|Harz|See|Rh\b))"), " am "),
    (re.compile(r"(?<=\w)\s+a\.\s?M\.?$"), " am Main"),
    (re.compile(r"(?<=\w)\s+a\.\s?Rh\.?$"), " am Rhein"),
    (re.compile(r"(?<=\w)\s+a\.\s?N\.?$"), " am Neckar"),
    (re.compile(r"(?<=\w)\s+i\.\s?d\.\s?(?=[A-ZÄÖÜ])"), " in der "),
    (re.compile(r"(?<=\w)\s+b\.\s(?=[A-ZÄÖÜ])"), " bei "),
    (re.compile(r"(?<=\w)\s+i\.\s(?=[A-ZÄÖÜ]\w{3,})"), " in "),
)
_IN_THE_COUNTY = re.compile(
    r"(?<=\w),?\s+in\s+(?:the\s+)?(?:county|co\.?|parish|province|state)\s+of\s+", re.I
)
_TERRITORY = re.compile(r"(.+?)\.?\s+Terr?y?\.?")
_LATIN_COUNTIES = ("Salop", "Oxon", "Hants")
_ISLANDS = {"jersey": "JE", "guernsey": "GG", "alderney": "GG", "sark": "GG"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPlace:
    """A place as the text has it; no levels if the text names no place."""

    text: str
    levels: tuple[str, ...] = ()
    country: str = ""  # ISO 3166-1, two letters
    other_names: tuple[str, ...] = ()  # in brackets or after a slash


@lru_cache(maxsize=65_536)
def read_stated_place(text: str) -> StatedPlace:
    """Return the levels and the country that a text states.

    >>> place = read_stated_place("Great Yarmouth, NFK")
    >>> place.levels, place.country
    (('Great Yarmouth', 'Norfolk'), 'GB')
    """
    plain = " ".join(unicodedata.normalize("NFC", text[:LONGEST_PLACE]).split())
    if len(text) > LONGEST_PLACE or _NOWHERE.fullmatch(plain.strip(" .[]()")):
        return StatedPlace(text=text)
    others = [name for name in _BRACKETED.findall(plain) if name.strip()]
    unbracketed = _IN_THE_COUNTY.sub(", ", _BRACKETED.sub("", plain))
    pieces = [piece.strip(" .;:") for piece in unbracketed.split(",")]
    pieces = [_without_phrase(piece, others) for piece in _join_numbers(pieces)]
    pieces = _small_to_large([piece for piece in pieces if not _NOWHERE.fullmatch(piece)])
    levels = tuple(
        _in_full(piece, rank=len(pieces) - at, count=len(pieces)) for at, piece in enumerate(pieces)
    )
    return StatedPlace(
        text=text, levels=levels, country=_country(pieces, levels), other_names=tuple(others)
    )


def _join_numbers(pieces: list[str]) -> list[str]:
    """Join a house number to the street that follows it."""
    joined: list[str] = []
    for piece in pieces:
        if joined and _NUMBER.fullmatch(joined[-1]) and piece:
            joined[-1] = f"{joined[-1]} {piece}"
        else:
            joined.append(piece)
    return joined


def _without_phrase(piece: str, others: list[str]) -> str:
    plain = _PHRASES.sub("", piece, count=1)
    first, slash, second = plain.partition("/")
    if slash and _place_in_full(plain) is None and first.strip() and not first.strip().isdigit():
        others.append(second.strip())
        plain = first.strip()
    return plain


def _small_to_large(pieces: list[str]) -> list[str]:
    if len(pieces) < 2:
        return pieces
    is_large_first = _country_code(pieces[0]) is not None or _state(pieces[0]) is not None
    is_small_last = _country_code(pieces[-1]) is None and _region_country(pieces[-1]) is None
    return pieces[::-1] if is_large_first and is_small_last else pieces


def _in_full(piece: str, *, rank: int, count: int) -> str:
    """Return a level with its abbreviations written out; rank 1 is the largest level."""
    if rank <= 3 and (code := _chapman().get(piece)) and (count > 1 or len(piece) > 2):
        return code[0]
    letters = "".join(filter(str.isalpha, piece)).upper()
    if rank == 1 and letters in _short_countries():
        return _short_countries()[letters]
    may_be_region = rank <= 2 and (count > 1 or len(piece.strip(".")) > 2)
    if may_be_region and (name := _short_regions().get(_key(piece))):
        return name
    whole = _place_in_full(piece)
    if (territory := _TERRITORY.fullmatch(piece)) and (state := _state_in_full(territory[1])):
        return f"{state} Territory"
    for short, full in _GERMAN_SHORT if "." in piece else ():
        piece = short.sub(full, piece)
    words = piece.split()
    return whole or " ".join(_word_in_full(words, at) for at in range(len(words)))


def _state_in_full(piece: str) -> str | None:
    """Return the full name of a state of the table, also of its abbreviation."""
    full = _short_regions().get(_key(piece), piece)
    return full if _state(full) == "US" else None


def _place_in_full(piece: str) -> str | None:
    return _abbreviated_places().get(" ".join(piece.lower().replace(".", " ").split()))


def _word_in_full(words: list[str], at: int) -> str:
    word = words[at]
    head, hyphen, tail = word.partition("-")
    if hyphen and tail and head.lower().rstrip(".") in _words("inside"):
        return f"{_cased(_words('inside')[head.lower().rstrip('.')], head)}-{tail}"
    bare = word.lower().rstrip(".")
    places = ["any"] + (["inside"] if at + 1 < len(words) else ["end"] if at else [])
    places += ["front"] if at == 0 and len(words) > 1 else []
    for place in places:
        if bare in _words(place):
            return _cased(_words(place)[bare], word)
    return word


def _cased(full: str, written: str) -> str:
    return full.capitalize() if written[:1].isupper() else full


def _country(pieces: list[str], levels: tuple[str, ...]) -> str:
    """Return the country of the largest level that tells one."""
    if not levels:
        return ""
    if _key(levels[-1]) == "georgia":
        below = _key(levels[-2]) if len(levels) > 1 else ""
        return "GE" if below in word_set("stated_places.georgian_towns") else "US"
    named = _country_code(levels[-1]) if len(levels) > 1 or len(pieces[0]) > 2 else None
    region = _region_country(pieces[-1]) or _region_country(levels[-1])
    code = named if named is not None else region or ""
    if not code and named is None and len(levels) > 2:
        return _region_country(levels[-2]) or ""
    return code


def _region_country(piece: str) -> str | None:
    """Return the country of a county, state or province; None if it is none."""
    if code := _chapman().get(piece):
        return code[1]
    key = _key(piece)
    is_territory = key.endswith(" territory") and _state(key.removesuffix(" territory")) == "US"
    return "US" if is_territory else _regions().get(key) or _regions().get(_without_rank(key))


def _state(piece: str) -> str | None:
    return _states().get(_key(piece))


def _country_code(piece: str) -> str | None:
    key = _key(piece)
    codes = _country_codes()
    return codes[key] if key in codes else codes.get(_without_rank(key))


def _without_rank(key: str) -> str:
    """Return the name of a realm or province without what it was: "kingdom of bavaria"."""
    return _RANK.sub("", key)


def _key(text: str) -> str:
    return level_key(text.replace(".", " ").replace("'", ""))


@cache
def _country_codes() -> dict[str, str]:
    rows = read_table("normalize/country_codes")
    return {_key(name): row["code"] for row in rows for name in row["names"].split("|")}


@cache
def _short_countries() -> dict[str, str]:
    short = {"USA": "United States", "US": "United States", "UK": "United Kingdom"}
    return short | {"GB": "Great Britain", "NZ": "New Zealand", "USSR": "Soviet Union"}


@cache
def _chapman() -> dict[str, tuple[str, str]]:
    """Return the name and the country of each county code."""
    return {
        row["code"]: (
            row["county"] or row["country"],
            _county_country(row["county"], row["country"]),
        )
        for row in read_table("normalize/chapman_codes")
    }


def _county_country(county: str, country: str) -> str:
    key = county.lower()
    if key in _ISLANDS:
        return _ISLANDS[key]
    if key in word_set("stated_places.six_counties"):
        return "GB"
    codes = {"Ireland": "IE", "Isle of Man": "IM", "Channel Islands": ""}
    return codes.get(country, "GB")


@cache
def _states() -> dict[str, str]:
    codes = {"United States": "US", "Canada": "CA", "Australia": "AU"}
    rows = read_table("normalize/states")
    return {_key(row["state"]): codes[row["country"]] for row in rows}


@cache
def _regions() -> dict[str, str]:
    """Return the countries of counties, states and provinces, by every name of theirs."""
    regions = {}
    for row in read_table("normalize/chapman_codes"):
        code = _county_country(row["county"], row["country"])
        for name in (row["county"], *row["aliases"].split("|")):
            if name:
                regions[_key(name)] = code
    for row in read_table("normalize/provinces"):
        for name in row["names"].split("|"):
            regions.setdefault(_key(name), row["code"])
    codes = {"United States": "US", "Canada": "CA", "Australia": "AU"}
    for row in read_table("normalize/states"):
        for name in (row["state"], *row["aliases"].split("|")):
            if name:
                regions[_key(name)] = codes[row["country"]]
    return regions


@cache
def _short_regions() -> dict[str, str]:
    """Return the full names of the abbreviations of counties and states."""
    rows = [(row["state"], row["aliases"]) for row in read_table("normalize/states")]
    rows += [(row["county"], row["aliases"]) for row in read_table("normalize/chapman_codes")]
    return {
        _key(alias): name
        for name, aliases in rows
        for alias in aliases.split("|")
        if alias and _is_abbreviation(alias, name)
    }


def _is_abbreviation(alias: str, name: str) -> bool:
    """Say whether an alias is a short form, and not another name (Upper Canada)."""
    is_short = len(alias.replace(" ", "")) < 0.7 * len(name)
    return (is_short and alias[0] == name[0]) or alias in _LATIN_COUNTIES


@cache
def _abbreviated_places() -> dict[str, str]:
    return {row["written"]: row["full"] for row in read_table("normalize/place_abbreviations")}


@cache
def _words(place: str) -> dict[str, str]:
    return {
        r["word"]: r["means"] for r in read_table("normalize/place_words") if r["where"] == place
    }
