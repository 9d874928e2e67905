"""Who may see what: living people and embargoed records are decided before retrieval.

One estimator, used everywhere.  A person is taken for living unless the record is of
their death or 110 years have passed since their latest possible birth (the custom of
genealogy programs).  The answer is a year, not a yes: the first year in which the public
may see the record, stored with it, so that time passing opens records without a rewrite.

Everybody on a record counts, because the terms of one persona name all the others: a
record is shown when everyone on it may be shown.  A tree may say of a person that they are
private (GEDCOM's RESN); such a person never may.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from forebear.records.collections import RECORD_TYPES, Collection
from forebear.records.record import Event, HistoricalDate, Persona, Qualifier, Record
from forebear.tables import read_table

MAX_LIFETIME_YEARS = 110
MIN_PARENT_AGE_YEARS = 13
NEVER = 9999  # nothing on the record bounds the lives it names
RESTRICTION = "restriction"  # the attribute by which a source says that a person is private
PRIVATE = frozenset({"confidential", "privacy"})
BIRTHS = frozenset({"birth", "baptism"})
DEATHS = frozenset({"death", "burial", "cremation", "probate"})  # events that need a death
# "After 1990" has no last year, a period is of a life, and a phrase is not a date.
DEATH_QUALIFIERS: frozenset[Qualifier] = frozenset(
    {"exact", "about", "calculated", "estimated", "before", "between"}
)
_NO_DATE_OF_DEATH = re.compile(r"[(*☆⚭∞]|-\s*$")  # a remark, a sign of birth, an open span
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who is looking, and in which year."""

    year: int
    is_owner: bool = False

    def may_see(self, public_year: int) -> bool:
        """Return whether something that is public from that year on may be seen."""
        return self.is_owner or public_year <= self.year


OWNER = Viewer(year=NEVER, is_owner=True)  # for work on the whole archive


def public_year(records: Iterable[Record], collection: Collection) -> int:
    """Return the first year in which the public may see these records of one group."""
    years = [0]
    for record in records:
        event_year = _last_year(record.event.date, collection)
        if collection.embargo_years:
            years.append(_plus(event_year, collection.embargo_years + 1))
        for persona in record.personas:
            if persona.attributes and _is_private(persona):
                return NEVER
            years.append(_persona_year(persona, record, event_year))
    return max(years)


def _persona_year(persona: Persona, record: Record, event_year: int | None) -> int:
    """Return the first year in which the public may see a person on a record."""
    year = _plus(_latest_birth(persona, event_year), MAX_LIFETIME_YEARS + 1)
    if persona.events or persona.is_principal:
        dead_from = _year_after_death(persona, record)
        if dead_from is not None:
            return min(year, dead_from)
    return year


def _is_private(persona: Persona) -> bool:
    return any(
        word.strip().casefold() in PRIVATE
        for name, value in persona.attributes
        if name == RESTRICTION
        for word in value.split(",")
    )


def _year_after_death(persona: Persona, record: Record) -> int | None:
    """Return the first year in which the person is dead; None if nothing says they died."""
    if persona.is_principal and RECORD_TYPES[record.record_type].ends_life:
        date = record.event.date
        return date.last_year + 1 if date and date.last_year is not None else 0
    years = [
        year
        for event in persona.events
        if event.kind in DEATHS and (year := _year_after(event)) is not None
    ]
    birth = _birth_date(persona, record) if years else None
    born = birth.first_year if birth else None
    # Nobody dies before their birth: then one of the two dates is wrong, and nothing is known.
    return min((year for year in years if not year or born is None or born < year), default=None)


def _birth_date(persona: Persona, record: Record) -> HistoricalDate | None:
    birth = persona.event("birth")
    if birth is None and persona.is_principal and record.event.kind in BIRTHS:
        birth = record.event
    return birth.date if birth else None


def _year_after(event: Event) -> int | None:
    """Return the first year after a death; 0 if it is claimed without a date."""
    date = event.date
    if date is None:
        return 0 if event.is_claimed else None
    if date.last_year is None or date.qualifier not in DEATH_QUALIFIERS:
        return None
    return date.last_year + 1 if _may_date_death(date.text) else None


@lru_cache(maxsize=1 << 16)
def _may_date_death(text: str) -> bool:
    """Return whether a text is a date and no more: "living 2020" and "b. 1985" are more."""
    if _NO_DATE_OF_DEATH.search(text):
        return False
    return _other_event_words().isdisjoint(_WORD.findall(text.casefold().replace("’", "'")))


@cache
def _other_event_words() -> frozenset[str]:
    """Return the words that say of a date that it is of something else than a death."""
    rows = read_table("normalize/dates/words")
    words = {row["word"] for row in rows if row["meaning"] == "event"}
    return frozenset(words.difference(row["word"] for row in read_table("records/death_words")))


def _latest_birth(persona: Persona, event_year: int | None) -> int | None:
    birth = persona.event("birth") if persona.events else None
    if birth and birth.date and birth.date.last_year is not None:
        return birth.date.last_year
    if persona.age and persona.age.born_to:
        return persona.age.born_to.year
    if event_year is not None and persona.kin == "parent":
        return event_year - MIN_PARENT_AGE_YEARS
    return event_year


def _last_year(date: HistoricalDate | None, collection: Collection) -> int | None:
    if date and date.last_year is not None:
        return date.last_year
    return collection.last_year


def _plus(year: int | None, years: int) -> int:
    return NEVER if year is None else year + years
