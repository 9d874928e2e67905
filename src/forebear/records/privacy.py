"""Who may see what: living people and embargoed records are decided before retrieval.

One estimator, used everywhere.  A person counts as living unless there is evidence of their death,
or 110 years have passed since their latest possible birth (the custom of genealogy programs).
Evidence of a death is a date in the past, a clear yes (GEDCOM's ``DEAT Y``), or a record that is of
their death.  The latest birth is what is said of the person, else what follows from their closest
relatives on the record.  Who is bounded by nothing, or marked private (GEDCOM's RESN), is never
shown.

A group of records has two years.  From the first, the public sees it without those relatives who
may be living: they are *masked*, and with them everything that might name them.  From the second
it sees all of it.  Whom a record is about is never masked: until they may be shown, the whole group
is hidden.  The years are stored with the group, so that time passing opens records without a
rewrite.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from forebear.records.collections import RECORD_TYPES, Collection
from forebear.records.record import (
    Event,
    HistoricalDate,
    Persona,
    Qualifier,
    Record,
    relation_between,
)
from forebear.tables import read_table

# Raised whenever the rules hide more people; an archive notes the version it was written by.
PRIVACY_RULES_VERSION = 2
BUILD_YEAR = 2026  # of this release: the least that the public's year can be, whatever the clock
MAX_LIFETIME_YEARS = 110
MIN_PARENT_AGE_YEARS = 13
MAX_MOTHER_AGE_YEARS = 55
MAX_FATHER_AGE_YEARS = 80
MAX_YEARS_BETWEEN_SPOUSES = 60
MAX_YEARS_BETWEEN_SIBLINGS = 50
FIRST_YEAR = 100  # a birth in the year 85 is one of 1985
NEVER = 9999  # nothing on the record bounds the lives it names
NOTHING_PUBLIC = -1  # a year before all years: who looks from there sees nothing
RESTRICTION = "restriction"  # the attribute by which a source says that a person is private
PRIVATE = frozenset({"confidential", "privacy"})
BIRTHS = frozenset({"birth", "baptism"})
DEATHS = frozenset({"death", "burial", "cremation", "probate"})  # events that need a death
SUMMARIZED_DEATHS = frozenset({"death", "burial"})  # what a tree repeats on relatives' records
COUPLED = frozenset({"marriage", "divorce"})  # records about both
# Of the events of a life, those that need a birth before them.
LIVED = frozenset(
    {
        *("birth", "baptism", "confirmation", "marriage", "divorce", "residence", "arrival"),
        *("departure", "naturalization", "ordination", "graduation", "service"),
    }
)
# Of a birth, these are there: the child, its parents, godparents and witnesses.
AT_BIRTH = frozenset({"self", "parent", "other"})
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


class PublicYears(NamedTuple):
    """The first years in which the public may see a group: without the living, and all of it."""

    masked: int
    full: int

    @property
    def has_masks(self) -> bool:
        """Return whether there are years in which the public sees only a part of the group."""
        return self.masked < self.full


HIDDEN = PublicYears(NEVER, NEVER)  # for good


def limit_year(clock_year: int, import_year: int) -> int:
    """Return the year that is believed of a clock: one year at most after the last import."""
    return min(clock_year, 1 + max(BUILD_YEAR, import_year))


def public_years(group: Sequence[Record], collection: Collection) -> PublicYears:
    """Return the first years in which the public may see the records of one group."""
    return _public_years(group, collection, _years_of(group, collection))


def mask(group: Sequence[Record], collection: Collection) -> tuple[Record, ...]:
    """Return a group as the public sees it before its second year: without the living.

    Relatives who may be living keep their place on the record and nothing else.  What might name
    them is withheld: notes, the row of the source, details, addresses, citations and pictures.
    """
    years = _years_of(group, collection)
    return _mask(group, years, _public_years(group, collection, years).masked)


def mask_if_public(
    group: Sequence[Record], collection: Collection
) -> tuple[PublicYears, tuple[Record, ...] | None]:
    """Return the public years of a group, and its mask if there are years in which it is seen."""
    years = _years_of(group, collection)
    public = _public_years(group, collection, years)
    return public, _mask(group, years, public.masked) if public.has_masks else None


Years = list[list[int]]  # of the personas of each record


def _years_of(group: Sequence[Record], collection: Collection) -> Years:
    return [_persona_years(record, collection) for record in group]


def _public_years(group: Sequence[Record], collection: Collection, years: Years) -> PublicYears:
    masked = full = 0
    for record, persona_years in zip(group, years, strict=True):
        if collection.embargo_years:
            year = _plus(_last_year(record.event.date, collection), collection.embargo_years + 1)
            masked = max(masked, year)
        for persona, year in zip(record.personas, persona_years, strict=True):
            if year > full:
                full = year
            if year > masked and _is_about(record, persona):
                masked = year
    return PublicYears(masked, max(masked, full))


def _mask(group: Sequence[Record], years: Years, opens: int) -> tuple[Record, ...]:
    return tuple(
        [
            _mask_record(record, persona_years, opens)
            for record, persona_years in zip(group, years, strict=True)
        ]
    )


def _mask_record(record: Record, years: Sequence[int], opens: int) -> Record:
    return replace(
        record,
        text="",
        row=(),
        citation="",
        image="",
        event=_without_detail(record.event),
        events=tuple(map(_without_detail, record.events)),
        personas=tuple(
            [
                _mask_persona(persona) if year > opens else _without_remarks(persona)
                for persona, year in zip(record.personas, years, strict=True)
            ]
        ),
    )


def _mask_persona(persona: Persona) -> Persona:
    return Persona(
        role=persona.role,
        kin=persona.kin,
        key=persona.key,
        relatives=persona.relatives,
        is_masked=True,
    )


def _without_remarks(persona: Persona) -> Persona:
    if not persona.events and not persona.attributes:
        return persona
    return replace(persona, events=tuple(map(_without_detail, persona.events)), attributes=())


def _without_detail(event: Event) -> Event:
    if not event.detail and not event.address:
        return event
    return replace(event, detail="", address="")


def _is_about(record: Record, persona: Persona) -> bool:
    """Return whether a record is about a person, and so hidden as long as they are."""
    if persona.is_principal or persona.kin == "self":
        return True
    if persona.kin == "spouse" and record.record_type in COUPLED:
        return True
    return not any(other.is_principal or other.kin == "self" for other in record.personas)


def _persona_years(record: Record, collection: Collection) -> list[int]:
    """Return, for each person on a record, the first year in which the public may see them."""
    years = []
    for persona in record.personas:
        if persona.is_masked:
            years.append(0)
        elif persona.attributes and _is_private(persona):
            years.append(NEVER)
        else:
            birth = _latest_birth(persona, record, collection)
            year = _plus(birth, MAX_LIFETIME_YEARS + 1)
            dead_from = _year_after_death(persona, record)
            years.append(year if dead_from is None else min(year, dead_from))
    return years


def _is_private(persona: Persona) -> bool:
    return any(
        word.strip().casefold() in PRIVATE
        for name, value in persona.attributes
        if name == RESTRICTION
        for word in value.split(",")
    )


def _year_after_death(
    persona: Persona, record: Record, kinds: frozenset[str] = DEATHS
) -> int | None:
    """Return the first year in which the person is dead; None if nothing says they died."""
    if persona.is_principal and RECORD_TYPES[record.record_type].ends_life:
        date = record.event.date
        return date.last_year + 1 if date and date.last_year is not None else 0
    if not persona.events:
        return None
    years = [
        year
        for event in persona.events
        if event.kind in kinds and (year := _year_after(event)) is not None
    ]
    birth = _birth_date(persona, record) if years else None
    born = birth.first_year if birth else None
    # A death before the birth: one of the two dates is wrong, and nothing is known.
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


def _latest_birth(persona: Persona, record: Record, collection: Collection) -> int | None:
    """Return the last year in which a person on a record can be born; None if unknown."""
    stated = _stated_birth(persona, record)
    if stated is not None:
        return stated
    bounds = []
    for event in persona.events:
        if event.date and event.kind in LIVED and event.date.last_year is not None:
            bounds.append(event.date.last_year)
    event_bound = _birth_by_event(persona, record, collection)
    if event_bound is not None:
        bounds.append(event_bound)
    if record.record_type == "family_tree" or not bounds:
        bounds += _births_by_relation(persona, record)
    return min([year for year in bounds if year >= FIRST_YEAR], default=None)


def _stated_birth(persona: Persona, record: Record) -> int | None:
    """Return the last year of birth that is said of the person: born, of an age, or baptized."""
    birth = persona.event("birth") if persona.events else None
    year = _usable_year(birth)
    if year is None and persona.age and persona.age.born_to:
        year = persona.age.born_to.year
    if year is None and persona.events:
        year = _usable_year(persona.event("baptism"))
    if year is None and persona.is_principal and record.event.kind in BIRTHS:
        year = _usable_year(record.event)
    return year


def _usable_year(event: Event | None) -> int | None:
    """Return the last year of an event; none that is written in two figures."""
    year = event.date.last_year if event and event.date else None
    return year if year is not None and year >= FIRST_YEAR else None


def _birth_by_event(persona: Persona, record: Record, collection: Collection) -> int | None:
    """Return the last year of birth that follows from the date of the record.

    Whoever is at an event is born by then.  But a record of a birth, and a tree, whose event is
    one, may name people of later years.
    """
    year = _last_year(record.event.date, collection)
    if record.event.kind in BIRTHS:
        is_there = persona.kin in AT_BIRTH and record.record_type != "family_tree"
        if not is_there and not persona.is_principal:
            return collection.last_year
    return year - MIN_PARENT_AGE_YEARS if year is not None and persona.kin == "parent" else year


def _births_by_relation(persona: Persona, record: Record) -> Iterator[int]:
    """Yield the last years of birth that follow from relatives of whom the record says enough.

    Only what is said of them counts, not what follows in turn, and only of relations that the
    record states: then a person's own record knows at least as much as those of their relatives.
    """
    stated = {relative.key for relative in persona.relatives}
    for relative in record.personas:
        if relative is persona or not (
            persona.kin == "self" or relative.kin == "self" or relative.key in stated
        ):
            continue
        relation = relation_between(persona, relative)
        if relation not in ("parent", "child", "spouse", "sibling"):
            continue
        birth = _stated_birth(relative, record)
        if birth is not None:
            if relation == "parent":
                is_mother = relative.sex == "f"
                yield birth + (MAX_MOTHER_AGE_YEARS if is_mother else MAX_FATHER_AGE_YEARS)
            elif relation == "child":
                yield birth - MIN_PARENT_AGE_YEARS
            elif relation == "spouse":
                yield birth + MAX_YEARS_BETWEEN_SPOUSES
            else:
                yield birth + MAX_YEARS_BETWEEN_SIBLINGS
        if relation in ("parent", "spouse"):
            # Born in the year after a father's death at the latest, and before a spouse's.
            dead_from = _year_after_death(relative, record, kinds=SUMMARIZED_DEATHS)
            if dead_from:
                yield dead_from


def _last_year(date: HistoricalDate | None, collection: Collection) -> int | None:
    if date and date.last_year is not None:
        return date.last_year
    return collection.last_year


def _plus(year: int | None, years: int) -> int:
    return NEVER if year is None else year + years
