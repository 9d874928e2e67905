"""What do directories, lists of voters and newspapers say?

Directories put widows beside their late husbands and lag behind by a year; notices are prose that a
machine has read, with the names of relatives in it.
"""

import numpy as np

from forebear_lab.simulation.chance import Texts
from forebear_lab.simulation.clerk import Clerk
from forebear_lab.simulation.damage import read_by_machine
from forebear_lab.simulation.days import write_days, year_of
from forebear_lab.simulation.names import FEMALE
from forebear_lab.simulation.records_church import Columns

STREETS = (
    "Mill", "Church", "High", "Station", "Chapel", "Bridge", "King", "Queen", "Castle", "Albert",
    "Victoria", "Nelson", "Park", "School", "Water", "Spring", "Grove", "London", "York", "New",
)  # fmt: skip
WIVES_LISTED_FROM = 1880


def write_directories(clerk: Clerk) -> Columns:
    """Return the columns of trade and city directories."""
    entries, lives = clerk.entries, clerk.world.lives
    person, day = entries.person, entries.day
    given, surname = clerk.name(person, "resident", day)
    spouse = lives.spouse_on(person, day)
    is_woman = lives.people["sex"][person] == FEMALE
    is_alive = lives.is_alive(spouse, day)
    is_shown = (is_woman & ~is_alive) | (~is_woman & is_alive & (year_of(day) > WIVES_LISTED_FROM))
    written = clerk.given_name(np.where(is_shown, spouse, 0), "spouse", day, missing=0.3)
    widow = np.where((spouse > 0) & is_woman, "wid ", "").astype(object)
    lag = np.where(clerk.often(0.3), 365, 0)
    return {
        "issue": clerk.year(day + lag),
        "dir_surname": surname,
        "dir_forenames": given,
        "bracket": widow + written,
        "business": clerk.trade(person, day),
        "street": clerk.number(1, 160) + " " + clerk.choose(*STREETS) + " St",
        "town": clerk.parish(entries.place),
        "shire": clerk.county(entries.place),
    }


def write_voters(clerk: Clerk) -> Columns:
    """Return the columns of lists of voters."""
    entries = clerk.entries
    return {
        "qualifying_year": clerk.year(entries.day),
        "polling_district": clerk.parish(entries.place),
        "shire": clerk.county(entries.place),
        "voter": clerk.listed_name(entries.person, "voter", entries.day),
        "abode_of_voter": clerk.number(1, 160) + " " + clerk.choose(*STREETS) + " St",
        "qualification": clerk.choose("dwelling house", "freehold house", "land", "lodger"),
    }


def write_death_notices(clerk: Clerk) -> Columns:
    """Return the columns of death notices in newspapers."""
    entries, lives = clerk.entries, clerk.world.lives
    person, people = entries.person, lives.people
    died = people["died"][person]
    is_woman = people["sex"][person] == FEMALE
    name = clerk.full_name(person, "deceased", died)
    spouse = lives.spouse_on(person, died)
    named_spouse = clerk.full_name(spouse, "spouse", died, missing=0.25)
    late = np.where(lives.is_alive(spouse, died), "", "the late ").astype(object)
    word = np.where(is_woman, "wife of ", "husband of ").astype(object)
    father = np.where(spouse == 0, people["father"][person], 0)
    named_father = clerk.full_name(father, "father", died, missing=0.4)
    child_word = np.where(is_woman, "daughter of ", "son of ").astype(object)
    age = clerk.age(person, died)
    children = _name_children(clerk)
    parts = (
        ", " + word + late + named_spouse,
        ", " + child_word + named_father,
        ", aged " + age + " years",
        ", leaving children: " + children,
        ", a native of " + clerk.place(people["birth_place"][person]),
    )
    is_stated = (
        named_spouse != "",
        named_father != "",
        np.array([text.isdigit() for text in age]),
        children != "",
        clerk.often(0.3),
    )
    text = (
        "DIED, on " + write_days(died, "long") + ", at " + clerk.parish(entries.place) + ", " + name
    )
    for part, stated in zip(parts, is_stated, strict=True):
        text = text + np.where(stated, part, "")
    return {
        "paper": clerk.county(entries.place) + " Mercury",
        "issue_date": clerk.date(entries.day),
        "notice_of": name,
        "notice": read_by_machine(clerk.rng, text + "."),
    }


def _name_children(clerk: Clerk) -> Texts:
    entries, lives = clerk.entries, clerk.world.lives
    died = lives.people["died"][entries.person]
    couple, children = lives.couple_on(entries.person, died), clerk.blanks()
    for turn in range(5):
        child = lives.child(couple, turn)
        child = np.where(lives.is_alive(child, died), child, 0)
        written = clerk.full_name(child, "child", died, missing=0.45)
        children = children + np.where((children != "") & (written != ""), "; ", "") + written
    return children


def write_marriage_notices(clerk: Clerk) -> Columns:
    """Return the columns of marriage notices; ``person`` is the groom."""
    entries, lives = clerk.entries, clerk.world.lives
    groom, day = entries.person, entries.day
    couple = lives.couple_on(groom, day)
    bride, church = lives.couples["wife"][couple], lives.couples["wed_place"][couple]
    groom_name = clerk.full_name(groom, "groom", day - 1)
    bride_name = clerk.full_name(bride, "bride", day - 1)
    text = "MARRIED, on " + write_days(day, "long") + ", at " + clerk.parish(church) + ", Mr. "
    return {
        "weekly": clerk.county(church) + " Gazette",
        "printed": clerk.date(day + 5),
        "mr": groom_name,
        "miss_or_mrs": bride_name,
        "announcement": read_by_machine(clerk.rng, text + groom_name + " to " + bride_name + "."),
    }


def write_rate_books(clerk: Clerk) -> Columns:
    """Return the columns of rate books: occupiers and owners of houses."""
    entries, lives = clerk.entries, clerk.world.lives
    person, day = entries.person, entries.day
    father = lives.people["father"][person]
    owner = np.where(lives.is_alive(father, day), father, 0)
    return {
        "rate_made": clerk.year(day),
        "vestry_of": clerk.parish(entries.place),
        "shire": clerk.county(entries.place),
        "occupier": clerk.full_name(person, "occupier", day),
        "owner": clerk.full_name(owner, "owner", day, missing=0.6),
        "rateable": "£" + clerk.number(2, 60),
    }
