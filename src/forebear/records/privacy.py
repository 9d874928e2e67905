"""Who may see what: living people and embargoed records are decided before retrieval.

One estimator, used everywhere.  A person is taken for living unless the record is of
their death or 110 years have passed since their latest possible birth (the custom of
genealogy programs).  The answer is a year, not a yes: the first year in which the public
may see the record, stored with it, so that time passing opens records without a rewrite.

Everybody on a record counts, because the terms of one persona name all the others: a
record is shown when everyone on it may be shown.  A tree may say of a person that they are
private (GEDCOM's RESN); such a person never may.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from forebear.records.collections import RECORD_TYPES, Collection
from forebear.records.record import HistoricalDate, Persona, Record

MAX_LIFETIME_YEARS = 110
MIN_PARENT_AGE_YEARS = 13
NEVER = 9999  # nothing on the record bounds the lives it names
RESTRICTION = "restriction"  # the attribute by which a source says that a person is private
PRIVATE = frozenset({"confidential", "privacy"})


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
            if not _is_dead(persona, record):
                years.append(_plus(_latest_birth(persona, event_year), MAX_LIFETIME_YEARS + 1))
    return max(years)


def _is_private(persona: Persona) -> bool:
    return any(
        word.strip().casefold() in PRIVATE
        for name, value in persona.attributes
        if name == RESTRICTION
        for word in value.split(",")
    )


def _is_dead(persona: Persona, record: Record) -> bool:
    if persona.events and (persona.event("death") or persona.event("burial")):
        return True
    return persona.is_principal and RECORD_TYPES[record.record_type].ends_life


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
