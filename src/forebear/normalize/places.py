"""Where is a place?

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
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from forebear.normalize.likeness import is_listed, lies_in, looks_like_place
from forebear.normalize.place_levels import (
    BRACKETED,
    CACHED_PLACES,
    MAX_LENGTH,
    clean_level,
    find_region,
    level_in_full,
    without_rank,
    words_in_places,
)
from forebear.normalize.regions import (
    Region,
    codes_named,
    codes_shared,
    country_named,
    find_country,
    has_town,
    is_in_several_states,
    level_key,
    region_coded,
    region_named,
    regions_named,
)
from forebear.normalize.spelling import compose
from forebear.normalize.trades import is_material, is_surname_like, is_trade
from forebear.records.record import Place

_SLASH = r"(?<=[^\W\d_]{2})\s*/\s*(?=[^\W\d_]{2})"
_IN_THE_COUNTY = r"(?i)(?<=\w),?\s+in\s+(?:the\s+)?(?:county|co\.?|parish|province|state)\s+of\s+"
_HOUSE_NUMBER = r"(?i)(?:no\.?\s*)?[0-9]+[a-z]?(?:\s?[-/½]\s?[0-9]*)?"


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
            codes = codes_named(level) or codes_named(without_rank(level))
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
    stated = find_region(find_country, pieces[-1])
    below = pieces[:-1] if stated else pieces
    default = find_region(find_country, country) if country else None
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


def split_levels(text: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the levels of a text as written, small to large, and other names in it.

    >>> split_levels("Parish of Lee (or Lea) in the County of Kent")
    (['Parish of Lee', 'Kent'], ('or Lea',))
    """
    text = compose(text)
    other_names = []
    if "(" in text or "[" in text:
        brackets = [round_ or square for round_, square in re.findall(BRACKETED, text)]
        other_names = [" ".join(name.split()) for name in brackets if level_in_full(name)]
        text = re.sub(BRACKETED, "", text)
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
        if "/" in name and name.lower() not in words_in_places("level"):
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
    stated = [
        find_region(region_named, piece) or find_region(find_country, piece)
        for piece in pieces[1:][-2:]
    ]
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
    is_named = (
        find_region(find_country, piece) or region_coded(piece) or find_region(region_named, piece)
    )
    return bool(is_named or codes_named(level_in_full(piece)))


def _lies_in(piece: str, nation: str, code: str) -> bool:
    """Return whether a region lies in a nation, given by its level and its code."""
    if country_named(nation) is None:
        return False
    region = find_region(lambda text: region_named(text, country=nation), piece)
    return region is not None or code in codes_named(level_in_full(piece))


def _stands_alone(pieces: list[str], around: PlaceReading) -> bool:
    """Return whether the last piece is a county, state or country and no place in that one."""
    last, levels = pieces[-1], around.place.levels if around.place else ()
    if len(last) <= 2 and not region_named(last, country=levels[-1]):
        return False
    if any(has_town(last, level) for level in levels):
        return False
    if region_coded(last) or find_region(find_country, last):
        return True
    if find_region(lambda text: region_named(text, country=levels[-1]), last):
        return True
    region = find_region(region_named, last)
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
    is_large = find_region(find_country, pieces[-1]) or region_coded(pieces[-1])
    return pieces if is_large or find_region(region_named, pieces[-1]) else pieces[::-1]


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
    return find_region(lambda text: region_named(text, country=country), pieces[-1])


def _written(piece: str, region: Region | None) -> str:
    """Return a level as written, or the region's name if it is a code or an abbreviation of it."""
    full = level_in_full(piece)
    if region is None:
        return full
    is_code = region_coded(piece) is region or not (regions_named(piece) or regions_named(full))
    return region.name if is_code or level_key(piece) in region.short else full
