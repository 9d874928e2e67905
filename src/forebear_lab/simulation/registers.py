"""Which registers does a simulated archive have, and which events are in them?

A register is a collection: what it records, in which years, how many records per persona of the
archive, how careful its clerks were, and who writes its columns.  The numbers of records per type
follow the proportions of the generator the project has measured with so far
(``benchmarks.quality.simulation`` compares them); the censuses take whatever personas are left.

A fifth of the registers is lost: whether a parish's register of a decade survives is decided by a
hash of both.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from forebear_lab.simulation import events as event
from forebear_lab.simulation import records_census as census
from forebear_lab.simulation import records_church as church
from forebear_lab.simulation import records_civil as civil
from forebear_lab.simulation import records_public as public
from forebear_lab.simulation.chance import Bools, Ints
from forebear_lab.simulation.clerk import Clerk, Entries, Mentions, World
from forebear_lab.simulation.damage import (
    CERTIFIED,
    ENUMERATED,
    EXAMINED,
    LISTED,
    ORDERED,
    PARISH,
    PRINTED,
    Damage,
)
from forebear_lab.simulation.lives import day_of, year_of
from forebear_lab.simulation.records_church import Columns

LOST = 0.2
ARCHIVE_ENDS = day_of(1941)
POOR_LAW_COUNTRIES = ("England", "Wales")
ENGLISH_SPEAKING = (
    "England", "Wales", "Scotland", "Ireland", "United States", "Canada", "Australia",
)  # fmt: skip
Writer = Callable[[Clerk], Columns]
Finder = Callable[[World, np.random.Generator], event.Events]


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """A collection of records of one kind."""

    name: str
    record_type: str
    share: float  # records per persona of the archive
    years: tuple[int, int]
    find: Finder
    write: Writer
    damage: Damage
    cases: str = ""  # registers about the same cases choose the same ones
    countries: tuple[str, ...] = ()  # in which they were kept; empty: everywhere


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenRegister:
    """A register as it is written, and who is named in it."""

    name: str
    record_type: str
    columns: Columns
    mentions: tuple[Mentions, ...]
    person: Ints  # whom each row is about
    day: Ints

    @property
    def records(self) -> int:
        """Return the number of rows."""
        return self.day.size

    @property
    def personas(self) -> int:
        """Return how many people are named."""
        return sum(mentions.row.size for mentions in self.mentions)


def _register(
    name: str, record_type: str, share: float, years: tuple[int, int], find: Finder,
    write: Writer, damage: Damage, cases: str = "", countries: tuple[str, ...] = (),
) -> Register:  # fmt: skip
    return Register(
        name=name, record_type=record_type, share=share, years=years, find=find, write=write,
        damage=damage, cases=cases, countries=countries,
    )  # fmt: skip


REGISTERS = (
    _register("parish_baptisms", "baptism", 0.0252, (1745, 1940), event.baptisms,
              church.write_baptisms, PARISH, "", ENGLISH_SPEAKING),
    _register("norwegian_baptisms", "baptism", 0.0012, (1770, 1940), event.baptisms,
              church.write_norwegian_baptisms, PARISH, "", ("Norway",)),
    _register("bautismos", "baptism", 0.0012, (1770, 1940), event.baptisms,
              church.write_peruvian_baptisms, PARISH, "", ("Peru",)),
    _register("birth_certificates", "birth", 0.0359, (1838, 1940), event.births,
              civil.write_birth_certificates, CERTIFIED),
    _register("birth_index", "birth", 0.005, (1838, 1940), event.births,
              civil.write_birth_index, CERTIFIED),
    _register("parish_marriages", "marriage", 0.0227, (1754, 1940), event.weddings,
              church.write_marriages, PARISH),
    _register("banns", "marriage", 0.003, (1754, 1940), event.banns, church.write_banns, PARISH),
    _register("death_certificates", "death", 0.033, (1838, 1940), event.deaths,
              civil.write_death_certificates, CERTIFIED),
    _register("death_index", "death", 0.004, (1838, 1940), event.deaths, civil.write_death_index,
              CERTIFIED),
    _register("parish_burials", "burial", 0.0415, (1745, 1940), event.burials,
              church.write_burials, PARISH),
    _register("gravestones", "burial", 0.012, (1770, 1940), event.adult_deaths,
              church.write_gravestones, PRINTED),
    _register("death_notices", "obituary", 0.0116, (1790, 1940), event.adult_deaths,
              civil.write_death_notices, PRINTED),
    _register("directories", "residence", 0.0337, (1800, 1940), event.householders,
              civil.write_directories, LISTED),
    _register("voters", "residence", 0.014, (1832, 1940), event.voters, civil.write_voters,
              LISTED),
    _register("passenger_lists", "immigration", 0.0314, (1770, 1940), event.crossings,
              public.write_passengers, LISTED),
    _register("naturalizations", "naturalization", 0.002, (1800, 1940), event.new_citizens,
              public.write_naturalizations, CERTIFIED),
    _register("attestations", "military", 0.0151, (1780, 1920), event.recruits,
              public.write_attestations, ENUMERATED),
    _register("draft_cards", "military", 0.009, (1917, 1919), event.drafted,
              public.write_draft_cards, ENUMERATED),
    _register("probate_calendars", "probate", 0.0108, (1770, 1940), event.grants,
              civil.write_probate, CERTIFIED),
    _register("settlement_examinations", "court", 0.003, (1750, 1850), event.poor_cases,
              public.write_examinations, EXAMINED, "poor law", POOR_LAW_COUNTRIES),
    _register("removal_orders", "court", 0.0027, (1750, 1850), event.poor_orders,
              public.write_orders, ORDERED, "poor law", POOR_LAW_COUNTRIES),
    _register("quarter_sessions", "court", 0.002, (1770, 1920), event.offenders,
              public.write_sessions, PARISH),
    _register("church_members", "church", 0.0126, (1770, 1940), event.members,
              church.write_members, PARISH),
    _register("school_admissions", "institution", 0.0033, (1840, 1940), event.pupils,
              civil.write_school, CERTIFIED),
    _register("apprentices", "institution", 0.002, (1760, 1900), event.apprentices,
              civil.write_apprentices, PARISH),
    _register("rate_books", "land_tax", 0.002, (1770, 1920), event.occupiers,
              civil.write_rate_books, LISTED),
    _register("marriage_notices", "newspaper", 0.002, (1790, 1940), event.weddings,
              civil.write_marriage_notices, PRINTED),
)  # fmt: skip
CENSUSES = (
    ("census_1841", (1841,), census.write_1841),
    ("census_1851_1901", (1851, 1861, 1871, 1881, 1891, 1901), census.write_1851),
    ("census_1911_1921", (1911, 1921), census.write_1911),
)


def survives(world: World, register: str, place: Ints, day: Ints) -> Bools:
    """Return which entries are in registers that were not lost."""
    return world.chance.uniform(f"lost/{register}", place, year_of(day) // 10) >= LOST


def write_register(world: World, register: Register, *, personas: int) -> WrittenRegister:
    """Choose the entries of a register for an archive of this size, and write them."""
    entries = choose_entries(world, register, round(register.share * personas))
    clerk = Clerk(world, register.name, register.damage, entries)
    return _written(register.name, register.record_type, clerk, register.write(clerk))


def _written(name: str, record_type: str, clerk: Clerk, columns: Columns) -> WrittenRegister:
    return WrittenRegister(
        name=name,
        record_type=record_type,
        columns=columns,
        mentions=tuple(clerk.mentions),
        person=clerk.entries.person,
        day=clerk.entries.day,
    )


def choose_entries(world: World, register: Register, count: int) -> Entries:
    """Return the entries of a register in its order: by parish, then by day."""
    rng = world.chance.stream(f"events/{register.name}")
    person, day = register.find(world, rng)
    place = world.lives.place_on(person, day)
    year = year_of(day)
    is_kept = (year >= register.years[0]) & (year <= register.years[1]) & (day < ARCHIVE_ENDS)
    is_kept &= survives(world, register.cases or register.name, place, day)
    is_kept &= world.lives.people["recorded"][person] > 0
    is_kept &= world.lives.has_arrived(person, day)
    if register.countries:
        is_kept &= np.isin(world.places.country_text[place], register.countries)
    person, day, place = person[is_kept], day[is_kept], place[is_kept]
    order = world.chance.uniform(register.cases, person) if register.cases else rng.random(day.size)
    chosen = np.argsort(order, kind="stable")[:count]
    chosen = chosen[np.lexsort((day[chosen], place[chosen]))]
    person, day, place = person[chosen], day[chosen], place[chosen]
    return Entries(
        person=person,
        day=day,
        place=place,
        before=world.lives.place_on(person, day - 1),
        entry=np.arange(person.size),
    )


def write_censuses(world: World, *, personas: int) -> list[WrittenRegister]:
    """Write whole households of all censuses until enough people are counted."""
    days = [int(np.datetime64(day, "D").astype(np.int64)) for day in census.CENSUS_DAYS]
    nights = [census.form_households(world, day) for day in days]
    person, day, place, house, relation = (
        np.concatenate([getattr(night, column) for night in nights])
        for column in ("person", "day", "place", "house", "relation")
    )
    is_kept = survives(world, "census", place, day)
    is_kept &= world.chance.uniform("census", house, day) < personas / max(1, is_kept.sum())
    order = np.nonzero(is_kept)[0]
    order = order[np.lexsort((relation[order], house[order], place[order], day[order]))]
    number = np.searchsorted(days, day[order])
    entries = Entries(
        person=person[order], day=day[order], place=place[order], before=place[order],
        entry=house[order] * len(days) + number,
    )  # fmt: skip
    return [
        _write_census(world, entries, relation[order], *description) for description in CENSUSES
    ]


def _write_census(
    world: World, entries: Entries, relation: Ints, name: str, years: tuple[int, ...],
    write: Callable[[Clerk, Ints], Columns],
) -> WrittenRegister:  # fmt: skip
    rows = np.nonzero(np.isin(year_of(entries.day), years))[0]
    clerk = Clerk(world, name, ENUMERATED, entries.take(rows))
    return _written(name, "census", clerk, write(clerk, relation[rows]))
