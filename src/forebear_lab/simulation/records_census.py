"""Who was in which house on census night, and what did the enumerator write?

A couple lives with its unmarried children; a widow heads the house; a child whose mother married
again is a stepchild.  Some of the aged live with a married child, single people who left home serve
or lodge with a couple of the parish, the others live alone.  A child of a single mother is with
her.  Everybody of a house stands together, head first.
"""

from dataclasses import dataclass

import numpy as np

from forebear_lab.simulation.chance import Ints
from forebear_lab.simulation.clerk import Clerk, World
from forebear_lab.simulation.names import FEMALE
from forebear_lab.simulation.records_church import Columns

CENSUS_DAYS = (
    "1841-06-06", "1851-03-30", "1861-04-07", "1871-04-02", "1881-04-03", "1891-04-05",
    "1901-03-31", "1911-04-02", "1921-06-19",
)  # fmt: skip
HEAD, SPOUSE, CHILD, STEPCHILD, PARENT, SERVANT, LODGER, VISITOR = range(8)
RELATIONS = np.array(
    [
        ("Head", "Head"), ("Husband", "Wife"), ("Son", "Daur"), ("Stepson", "Stepdau"),
        ("Father", "Mother"), ("Servant", "Servant"), ("Lodger", "Boarder"),
        ("Visitor", "Visitor"),
    ],
    dtype=object,
)  # fmt: skip
ROLES = ("head", "spouse", "child", "stepchild", "parent", "servant", "lodger", "visitor")
GUESTS = 0.75  # of single people away from home who live in the house of others
AGED_WITH_CHILD = 0.35
MINOR = 13  # years: too young to serve or to live alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Households:
    """Everybody who was counted, house by house."""

    person: Ints
    day: Ints
    place: Ints
    house: Ints
    relation: Ints


def form_households(world: World, day: int) -> Households:
    """Return the houses of one census night."""
    lives, rng = world.lives, world.chance.stream(f"households/{day}")
    people, couples = lives.people, lives.couples
    everybody = np.arange(len(people))
    night = np.full(everybody.size, day)
    couple = lives.couple_on(everybody, night)
    house = couple.copy()
    father, mother = people["father"], people["mother"]
    parent = np.where(lives.is_alive(mother, night), mother, father)
    is_home = (couple == 0) & (people["leaves_home"] > day) & lives.is_alive(parent, night)
    house = np.where(is_home, couple[parent], house)
    relation = np.where(is_home & (house > 0), CHILD, SPOUSE)
    head = np.where(
        lives.is_alive(couples["husband"][house], night), couples["husband"][house],
        couples["wife"][house],
    )  # fmt: skip
    is_step = is_home & (father != head) & (mother != head)
    relation = np.where(is_step & (relation == CHILD), STEPCHILD, relation)
    relation = np.where(everybody == head, HEAD, relation)
    house, relation = _move_aged(world, rng, day, house, relation)
    place = np.where(house > 0, lives.home_on(house, night), lives.place_on(everybody, night))
    house, relation = _place_guests(world, rng, day, house, relation, place)
    counted = lives.is_alive(everybody, night) & (people["recorded"] > 0)
    counted &= lives.has_arrived(everybody, night)
    numbers = everybody[counted]
    return Households(
        person=numbers, day=night[counted], place=place[counted], house=house[counted],
        relation=relation[counted],
    )  # fmt: skip


def _move_aged(
    world: World, rng: np.random.Generator, day: int, house: Ints, relation: Ints
) -> tuple[Ints, Ints]:
    """Move some widowed parents into the house of their first child."""
    lives = world.lives
    everybody = np.arange(house.size)
    night = np.full(house.size, day)
    child = lives.child(lives.couple_on(everybody, night), 0)
    own_house = lives.couple_on(child, night)
    husband = lives.couples["husband"][own_house]
    is_aged = (lives.age_on(everybody, night) > 62) & (relation == HEAD)
    is_aged &= ~lives.is_alive(lives.spouse_on(everybody, night), night)
    moves = is_aged & (husband == child) & lives.is_alive(child, night) & (child > 0)
    moves &= rng.random(house.size) < AGED_WITH_CHILD
    return np.where(moves, own_house, house), np.where(moves, PARENT, relation)


def _place_guests(
    world: World, rng: np.random.Generator, day: int, house: Ints, relation: Ints, place: Ints
) -> tuple[Ints, Ints]:
    """Lodge single people with couples of their parish; give the others a house each."""
    lives = world.lives
    everybody = np.arange(house.size)
    night = np.full(house.size, day)
    is_head = (relation == HEAD) & (house > 0) & lives.is_alive(everybody, night)
    hosts = everybody[is_head]
    hosts = hosts[np.argsort(place[hosts], kind="stable")]
    is_minor = lives.age_on(everybody, night) < MINOR
    is_single = (house == 0) & ((rng.random(house.size) < GUESTS) | is_minor)
    is_single &= lives.is_alive(everybody, night)
    single = everybody[is_single]
    first = np.searchsorted(place[hosts], place[single])
    count = np.searchsorted(place[hosts], place[single], side="right") - first
    single, first, count = single[count > 0], first[count > 0], count[count > 0]
    chosen = hosts[first + (rng.random(single.size) * count).astype(np.int64)]
    house = np.where(house > 0, house, len(lives.couples) + everybody)
    house[single] = house[chosen]
    kind = rng.random(single.size)
    relation = np.where(house > len(lives.couples), HEAD, relation)
    serves = (kind < 0.5) & ~is_minor[single]
    relation[single] = np.select([serves, kind < 0.9], [SERVANT, LODGER], VISITOR)
    mother = lives.people["mother"]
    with_mother = (lives.people["couple"] == 0) & (mother > 0) & lives.is_alive(mother, night)
    with_mother &= (lives.couple_on(everybody, night) == 0) & (lives.people["leaves_home"] > day)
    house = np.where(with_mother, house[mother], house)
    is_mothers_house = relation[mother] == HEAD
    return house, np.where(with_mother, np.where(is_mothers_house, CHILD, VISITOR), relation)


def write_1841(clerk: Clerk, _relation: Ints) -> Columns:
    """Return the columns of 1841: no relations, ages rounded down, born in the county or not."""
    columns = _write_person(clerk)
    person, day = clerk.entries.person, clerk.entries.day
    ages = clerk.age(person, day)
    rounded = [
        str(int(text) // 5 * 5) if text.isdigit() and int(text) >= 15 else text for text in ages
    ]
    places = clerk.world.places
    is_native = (
        places.county[clerk.world.lives.people["birth_place"][person]]
        == places.county[clerk.entries.place]
    )
    return columns | {
        "age_1841": np.array(rounded, dtype=object),
        "whether_born_in_county": clerk.maybe(np.where(is_native, "Y", "N").astype(object)),
    }


def write_1851(clerk: Clerk, relation: Ints) -> Columns:
    """Return the columns of 1851 to 1901."""
    person, day = clerk.entries.person, clerk.entries.day
    columns = _write_person(clerk) | _write_relation(clerk, relation)
    return columns | {
        "age": clerk.age(person, day),
        "where_born_stated": clerk.birthplace(person),
    }


def write_1911(clerk: Clerk, relation: Ints) -> Columns:
    """Return the columns of 1911 and 1921, which ask wives how long they have been married."""
    entries, lives = clerk.entries, clerk.world.lives
    columns = write_1851(clerk, relation)
    wed = lives.couples["wed"][lives.couple_on(entries.person, entries.day)]
    years = np.maximum((entries.day - wed) // 365, 0).astype(str).astype(object)
    return columns | {
        "years_married": np.where(relation == SPOUSE, years, ""),
        "nationality": clerk.maybe(np.full(clerk.count, "British", dtype=object), 0.5),
    }


def _write_person(clerk: Clerk) -> Columns:
    entries = clerk.entries
    given, surname = clerk.name(entries.person, "person", entries.day)
    return {
        "census": clerk.year(entries.day),
        "enumerated_in": clerk.parish(entries.place),
        "shire": clerk.county(entries.place),
        "schedule": clerk.year(entries.day) + "/" + entries.entry.astype(str).astype(object),
        "person_surname": np.array([text.upper() for text in surname], dtype=object),
        "person_forenames": given,
        "sex": clerk.sex(entries.person),
        "occupation_or_rank": clerk.trade(entries.person, entries.day),
    }


def _write_relation(clerk: Clerk, relation: Ints) -> Columns:
    entries = clerk.entries
    is_woman = (clerk.world.lives.people["sex"][entries.person] == FEMALE).astype(np.int64)
    return {
        "relation": clerk.maybe(RELATIONS[relation, is_woman], 0.03),
        "status": clerk.maybe(clerk.condition(entries.person, entries.day, "U U M"), 0.06),
    }
