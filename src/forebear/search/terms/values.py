"""Which terms does a value give: a name, a date, an age, a place, an address?

A field of names has a name once, as it is spelled.  Beside it are only the keys that a lookup in
the archive's vocabulary cannot replace: sound codes, shape keys and initials, for the whole
surname, each part of a compound and what is left without a particle.  Of two surnames (Barroso
Lopez) each has a separate field, and a third has both written together, because clerks write Green
Wood for Greenwood.  A relative's two are stored as one, and the first of them also alone: it is
what a family has in common.

Of a date, the years, months and days that it names answer "the same year", and the years that it
allows answer "within n years".  An open date (before, after) names nothing and allows ten years
from its bound, because ten is the widest level of any clause.

Of a place, its id and those of the places around it are written, and its words: always, so that a
place that cannot be resolved is neither missing nor in conflict.  A place of no known country lies
"nowhere", an id beside those of its ancestors.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from forebear.normalize.name_keys import daitch_mokotoff, nysiis, shape_keys, soundex
from forebear.normalize.name_words import is_uncertain, particle_kind
from forebear.normalize.place_levels import (
    ancestor_ids,
    clean_level,
    ids_by_level,
    level_words,
    place_words,
)
from forebear.normalize.spelling import (
    ascii_forms,
    is_initial,
    normalize_name,
    split_given,
    uncertain_readings,
)
from forebear.normalize.surnames import split_surnames, without_particle
from forebear.records.record import Age, Day, HistoricalDate, Place
from forebear.search.terms.term import (
    CACHED_DATES,
    CACHED_NAMES,
    CACHED_PLACES,
    NOTHING,
    NOWHERE,
    Terms,
    fragment,
)

_BREAK = re.compile(r"[\s-]+")
SHORTEST_PART = 3  # letters
OPEN_YEARS = 10
MAX_SPAN_YEARS = 110  # a longer closed span says nothing about one life
_STREET = re.compile(
    r".*\b(?:street|road|lane|row|terrace|square|court|place|alley|avenue|yard|crescent|"
    r"buildings|cottages|gardens|hill|quay|wharf|boulevard)"
)
_HOUSE = re.compile(r"(?:no\s+)?([0-9]+[a-z]?)(?:\s*-\s*[0-9]+)?\s+(.+)")
# These fields have no words beside them.
WORDLESS = frozenset(
    {"father.birthplace", "mother.birthplace", "burial.place", "self.nationality"}
    | {f"{event}.place" for event in ("arrival", "departure", "destination")}
)


@lru_cache(maxsize=CACHED_NAMES)
def english_sounds(name: str) -> frozenset[str]:
    """Return the NYSIIS and Soundex codes of a spelled name, each marked as what it is.

    >>> sorted(english_sounds("smith"))
    ['n:snat', 's:s530']
    """
    codes = (("n", nysiis(name)), ("s", soundex(name)))
    return frozenset(f"{kind}:{code.lower()}" for kind, code in codes if code)


def first_letter(name: str) -> str:
    """Return the letter that a name begins with."""
    return name[:1]


# Which keys are beside a field of names.
KEYS: dict[str, Callable[[str], Iterable[str]]] = {
    "dm": daitch_mokotoff,
    "sound": english_sounds,
    "shape": shape_keys,
    "initial": first_letter,
}
KEYS_OF: dict[str, tuple[str, ...]] = {
    "self.surname": ("dm", "sound", "shape", "initial"),
    "self.surname2": ("dm", "sound", "shape", "initial"),
    "spouse.surname": ("dm", "shape"),
    "father.surname": ("dm",),
    "mother.maiden": ("dm",),
    "self.given": ("dm", "shape"),
    "spouse.given": ("dm",),
    "father.given": ("dm",),
    "mother.given": ("dm",),
}
WITH_INITIAL = frozenset(
    {"self.given", "self.middle", "spouse.given", "father.given", "mother.given"}
)


@lru_cache(maxsize=CACHED_NAMES)
def surname_terms(field: str, text: str) -> Terms:
    """Return what a surname gives a field: every reading of it, and their keys."""
    fragments = NOTHING
    for name in surname_readings(text):
        first, second = split_surnames(name)
        if field != "self.surname":
            fragments += _surname(field, name) + (fragment(field, [first]) if second else NOTHING)
            continue
        fragments += _surname(field, first)
        if second:
            fragments += _surname("self.surname2", second)
            fragments += fragment("self.surname.joined", ascii_forms(name))
    return fragments


def _surname(field: str, name: str) -> Terms:
    fragments = fragment(field, [name])
    for key in KEYS_OF.get(field, ()):
        codes = {code for form in surname_forms(name) for code in KEYS[key](form)}
        fragments += fragment(f"{field}.{key}", sorted(codes))
    return fragments


@lru_cache(maxsize=CACHED_NAMES)
def given_terms(field: str, text: str) -> Terms:
    """Return what the given names give a field: the first; of the person itself, the others."""
    fragments = NOTHING
    for position, token in enumerate(split_given(text)):
        if position == 0:
            fragments += _given(field, token)
        elif field == "self.given":
            fragments += _given("self.middle", token)
    return fragments


def surname_readings(text: str) -> tuple[str, ...]:
    """Return the surname as spelled, or the names that an uncertain reading may be."""
    name = normalize_name(text)
    if not name:
        return ()
    return (uncertain_readings(name) or (name,)) if is_uncertain(name) else (name,)


@lru_cache(maxsize=CACHED_NAMES)
def surname_forms(name: str) -> frozenset[str]:
    """Return what keys are made of: the whole, its parts, and the core without particles.

    >>> sorted(surname_forms("van der berg")), sorted(surname_forms("smith-jones"))
    (['berg', 'van der berg'], ['jones', 'smith', 'smith-jones'])
    """
    return frozenset({name, *surname_parts(name)}) | surname_cores(name)


def surname_parts(name: str) -> tuple[str, ...]:
    """Return the parts of a compound surname, without particles; none of a simple one."""
    words = _BREAK.split(name)
    if len(words) == 1:
        return ()
    parts = [word for word in words if len(word) >= SHORTEST_PART and not particle_kind(word)]
    return tuple(part for part in parts if part != name)


def surname_cores(name: str) -> frozenset[str]:
    """Return the name without its particle, in folded letters; none where it has none."""
    return without_particle(name) - frozenset(ascii_forms(name))


@lru_cache(maxsize=CACHED_NAMES)
def _given(field: str, token: str) -> Terms:
    fragments = fragment(field, [token])
    for key in KEYS_OF.get(field, ()):
        fragments += fragment(f"{field}.{key}", sorted(KEYS[key](token)))
    if field in WITH_INITIAL:
        initial = f"{token[0]}." if is_initial(token) else token[0]
        fragments += fragment(f"{field}.initial", [initial])
    return fragments


@lru_cache(maxsize=CACHED_DATES)
def date_terms(subject: str, date: HistoricalDate) -> Terms:
    """Return what a date gives an event: what it names, and the years it allows."""
    named = fragment(f"{subject}.date", dict.fromkeys(named_values(date)))
    return named + fragment(f"{subject}.year", allowed_years(date))


@lru_cache(maxsize=CACHED_DATES)
def bounded_date_terms(
    subject: str, date: HistoricalDate, first: int | None, last: int | None
) -> Terms:
    """Return what an open date gives an event that cannot lie outside these years."""
    years = allowed_years(date)
    inside = [y for y in years if (first is None or y >= first) and (last is None or y <= last)]
    return fragment(f"{subject}.year", inside or years)


def age_terms(age: Age, *, is_birth_stated: bool) -> Terms:
    """Return what an age gives: the years it allows, and the birth where nothing states it."""
    first, last = (day and day.year for day in (age.born_from, age.born_to))
    return _birth_years(first, last, is_birth_stated)


@lru_cache(maxsize=CACHED_DATES)
def _birth_years(first: int | None, last: int | None, is_birth_stated: bool) -> Terms:
    """Return what births of these years give; ages are many, but the years they allow are few."""
    if first is None and last is None:
        return NOTHING
    years = _years_between(first, last)
    of_age = fragment("birth.year.age", years)
    if is_birth_stated:
        return of_age
    # "Of full age" is open, and like every open date it names none.
    named = () if first is None or last is None else _named_years(years)
    return of_age + fragment("birth.year", years) + fragment("birth.date", named)


def allowed_years(date: HistoricalDate) -> range:
    """Return every year the date allows."""
    years = _years_between(date.first_year, date.last_year)
    if not years or date.written_year is None or date.start is None or date.end is None:
        return years
    return range(min(years.start, date.written_year), years.stop)


def _years_between(first: int | None, last: int | None) -> range:
    if first is None:
        return range(0) if last is None else range(last - OPEN_YEARS, last + 1)
    if last is None:
        return range(first, first + OPEN_YEARS + 1)
    if last - first > MAX_SPAN_YEARS:
        return range(0)
    return range(first, last + 1)


def named_values(date: HistoricalDate) -> Iterator[str]:
    """Yield what the date names, at each precision: 1851, 1851-q1, 1851-03, 1851-03-12, --03-12."""
    if date.start is None or date.end is None:
        return
    if date.qualifier == "period":
        yield from (str(year) for year in allowed_years(date))
    elif date.qualifier in ("about", "calculated", "estimated"):
        yield str((date.start.year + date.end.year) // 2)
    elif date.start.year != date.end.year:
        decades = {year // 10 for year in allowed_years(date)}
        yield from (f"{decade}x" for decade in sorted(decades))
    else:
        for year in {date.start.year, date.written_year or date.start.year}:
            yield from _named_in_year(year, date.start, date.precision)


def _named_in_year(year: int, start: Day, precision: str) -> Iterator[str]:
    day = str(Day(year, start.month, start.day))
    yield str(year)
    if precision == "quarter":
        yield f"{day[:-6]}-q{(start.month + 2) // 3}"
    if precision in ("day", "month"):
        yield day[:-3]
    if precision == "day":
        yield day
        yield f"-{day[-6:]}"


def _named_years(years: range) -> list[str]:
    """Return the years an age names: both of an exact age, the decades of a rounded one."""
    if len(years) <= 2:
        return [str(year) for year in years]
    return sorted({f"{year // 10}x" for year in years})


@lru_cache(maxsize=CACHED_PLACES)
def place_terms(field: str, place: Place) -> Terms:
    """Return what a place gives a field."""
    ids = ancestor_ids(place)
    fragments = fragment(field, ids if ids_by_level(place) else (*ids, NOWHERE))
    if field not in WORDLESS:
        fragments += fragment(f"{field}.word", place_words(place.text))
    if field == "residence.place" and _STREET.fullmatch(place.levels[0]):
        fragments += fragment("residence.address", street_forms(place.levels[0]))
    return fragments


@lru_cache(maxsize=CACHED_PLACES)
def address_terms(text: str) -> Terms:
    """Return what a street address gives: the street, house and street, and their words."""
    words = tuple(word for level in text.split(",") for word in level_words(clean_level(level)))
    if not words:
        return NOTHING
    forms = fragment("residence.address", street_forms(text))
    return forms + fragment("residence.place.word", dict.fromkeys(words))


def street_forms(text: str) -> tuple[str, ...]:
    """Return the street, and where a number is given the house in it.

    >>> street_forms("12 High St."), street_forms("Thwaite Farm")
    (('high street', '12 high street'), ('thwaite farm',))
    """
    pieces = [clean_level(piece) for piece in text.split(",")]
    level = " ".join(piece for piece in pieces[:2] if piece) if pieces[0].isdigit() else pieces[0]
    house = _HOUSE.fullmatch(level)
    if house is None:
        return (level,) if level else ()
    return house[2], f"{house[1]} {house[2]}"
