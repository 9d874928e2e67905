"""Which events of simulated lives could leave a record?

Each function returns people and days for one kind of register: everybody who could be in it.
Which of them do is decided by what survives and by the size of the archive (``registers.py``).
"""

import numpy as np

from forebear_lab.simulation.chance import Floats, Ints
from forebear_lab.simulation.clerk import World
from forebear_lab.simulation.lives import day_of, to_days
from forebear_lab.simulation.names import FEMALE, MALE

Events = tuple[Ints, Ints]
DRAFT_DAY = day_of(1917.43)


def births(world: World, rng: np.random.Generator) -> Events:
    """Return children of known mothers on the day of birth."""
    return _after_birth(world, rng, 0.0)


def baptisms(world: World, rng: np.random.Generator) -> Events:
    """Return children of known mothers some weeks after birth."""
    return _after_birth(world, rng, 45.0)


def _after_birth(world: World, rng: np.random.Generator, mean_days: float) -> Events:
    people = world.lives.people
    child = np.nonzero(people["mother"])[0]
    wait = (-mean_days * np.log1p(-rng.random(child.size))).astype(np.int64)
    day = people["born"][child] + wait
    alive = day < people["died"][child] + 1
    return child[alive], day[alive]


def weddings(world: World, _rng: np.random.Generator) -> Events:
    """Return grooms on their wedding days."""
    couples = world.lives.couples
    return couples["husband"][1:], couples["wed"][1:]


def banns(world: World, _rng: np.random.Generator) -> Events:
    """Return grooms a month before the wedding."""
    couples = world.lives.couples
    return couples["husband"][1:], couples["wed"][1:] - 30


def deaths(world: World, _rng: np.random.Generator) -> Events:
    """Return everybody on the day of death."""
    return _after_death(world, np.zeros(1), 0.0)


def burials(world: World, rng: np.random.Generator) -> Events:
    """Return everybody some days after death."""
    return _after_death(world, 1 + 6 * rng.random(len(world.lives.people)), 0.0)


def adult_deaths(world: World, rng: np.random.Generator) -> Events:
    """Return adults about a week after death."""
    return _after_death(world, 1 + 14 * rng.random(len(world.lives.people)), 18.0)


def grants(world: World, rng: np.random.Generator) -> Events:
    """Return adults when their will is proved, mostly within a year."""
    return _after_death(world, 20 - 160 * np.log1p(-rng.random(len(world.lives.people))), 21.0)


def _after_death(world: World, wait: Floats, age: float) -> Events:
    people = world.lives.people
    day = people["died"] + np.broadcast_to(wait, len(people)).astype(np.int64)
    person = np.nonzero(people["died"] - people["born"] >= to_days(np.array([age]))[0])[0]
    person = person[person > 0]
    return person, day[person]


def at_ages(
    world: World, rng: np.random.Generator, low: float, high: float, *, times: int = 1
) -> Events:
    """Return everybody on random days between two ages, while alive."""
    people = world.lives.people
    person = np.tile(np.arange(1, len(people)), times)
    day = people["born"][person] + to_days(low + (high - low) * rng.random(person.size))
    alive = day < people["died"][person]
    return person[alive], day[alive]


def householders(world: World, rng: np.random.Generator) -> Events:
    """Return men, widows and some spinsters in years of a directory."""
    person, day = at_ages(world, rng, 22, 78, times=7)
    lives = world.lives
    spouse = lives.spouse_on(person, day)
    is_man = lives.people["sex"][person] == MALE
    is_widow = (spouse > 0) & ~lives.is_alive(spouse, day)
    is_listed = is_man | is_widow | ((spouse == 0) & (rng.random(person.size) < 0.12))
    return person[is_listed], day[is_listed]


def voters(world: World, rng: np.random.Generator) -> Events:
    """Return men from 21 on, and women after 1918."""
    person, day = at_ages(world, rng, 22, 75, times=3)
    is_man = world.lives.people["sex"][person] == MALE
    may_vote = is_man | (day > day_of(1918.5))
    return person[may_vote], day[may_vote]


def occupiers(world: World, rng: np.random.Generator) -> Events:
    """Return married men and widows who pay rates."""
    person, day = householders(world, rng)
    has_house = world.lives.couple_on(person, day) > 0
    return person[has_house], day[has_house]


def crossings(world: World, _rng: np.random.Generator) -> Events:
    """Return everybody who moves to another country, alone or with a family, a list or two each."""
    lives = world.lives
    people, couples = lives.people, lives.couples
    everybody = np.arange(1, len(people))
    days = [people["leaves_home"][1:]]
    days += [couples["moves"][people[link][1:]] for link in ("couple", "couple1", "couple2")]
    person, day = np.tile(everybody, 4), np.concatenate(days)
    alive = lives.is_alive(person, day) & (day < day_of(1940))
    person, day = person[alive], day[alive]
    country = world.places.country
    crosses = country[lives.place_on(person, day)] != country[lives.place_on(person, day - 1)]
    return np.tile(person[crosses], 3), np.tile(day[crosses], 3)


def new_citizens(world: World, rng: np.random.Generator) -> Events:
    """Return adults some years after they moved to another country."""
    person, day = at_ages(world, rng, 24, 55)
    lives, country = world.lives, world.places.country
    is_foreign = (
        country[lives.place_on(person, day)] != country[lives.people["birth_place"][person]]
    )
    return person[is_foreign], day[is_foreign]


def recruits(world: World, rng: np.random.Generator) -> Events:
    """Return men of 17 to 34 on a day when they might enlist."""
    person, day = at_ages(world, rng, 17, 34)
    enlists = (world.lives.people["sex"][person] == MALE) & (rng.random(person.size) < 0.6)
    return person[enlists], day[enlists]


def drafted(world: World, rng: np.random.Generator) -> Events:
    """Return the men of 18 to 45 in the draft of 1917."""
    people = world.lives.people
    person = np.arange(1, len(people))
    day = DRAFT_DAY + (400 * rng.random(person.size)).astype(np.int64)
    age = world.lives.age_on(person, day)
    is_drafted = (people["sex"][person] == MALE) & (age > 18) & (age < 45)
    is_drafted &= world.lives.is_alive(person, day)
    return person[is_drafted], day[is_drafted]


def poor_cases(world: World, _rng: np.random.Generator) -> Events:
    """Return people examined by the overseers of the poor; the same for every register."""
    return at_ages(world, world.chance.stream("poor law"), 18, 60)


def poor_orders(world: World, rng: np.random.Generator) -> Events:
    """Return the same cases on the day of the removal order, mostly that of the examination."""
    person, day = poor_cases(world, rng)
    wait = np.where(rng.random(day.size) < 0.87, 0, 1 + 60 * rng.random(day.size) ** 3)
    return person, day + wait.astype(np.int64)


def offenders(world: World, rng: np.random.Generator) -> Events:
    """Return people before quarter sessions; two in three are men."""
    person, day = at_ages(world, rng, 12, 60)
    is_kept = (world.lives.people["sex"][person] == MALE) | (rng.random(person.size) < 0.5)
    return person[is_kept], day[is_kept]


def members(world: World, rng: np.random.Generator) -> Events:
    """Return people who join a church."""
    return at_ages(world, rng, 12, 50)


def pupils(world: World, rng: np.random.Generator) -> Events:
    """Return children who enter a school."""
    return at_ages(world, rng, 4, 13)


def apprentices(world: World, rng: np.random.Generator) -> Events:
    """Return youths who are bound to a master; few are girls."""
    person, day = at_ages(world, rng, 12, 17)
    is_girl = world.lives.people["sex"][person] == FEMALE
    is_bound = ~is_girl | (rng.random(person.size) < 0.2)
    return person[is_bound], day[is_bound]
