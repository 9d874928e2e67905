"""What do civil registers, schools, directories and newspapers say?

Certificates and indexes of births and deaths, calendars of probate, school admissions and
apprenticeship indentures; then what is listed or printed: directories, lists of voters, rate books
and notices. Directories put widows next to their late husbands and lag behind by a year; notices
are prose that a machine has read, with the names of relatives in it.
"""

import numpy as np

from forebear_lab.simulation.chance import Ints, Texts
from forebear_lab.simulation.clerk import Clerk, join_words
from forebear_lab.simulation.damage import read_by_machine
from forebear_lab.simulation.lives import month_of, write_days, year_of
from forebear_lab.simulation.names import FEMALE
from forebear_lab.simulation.records_church import Columns

QUARTERS = np.array(["Mar", "Jun", "Sep", "Dec"], dtype=object)
MOTHERS_IN_INDEX = 1911  # first year of the mother's maiden name in the English index
STREETS = (
    "Mill", "Church", "High", "Station", "Chapel", "Bridge", "King", "Queen", "Castle", "Albert",
    "Victoria", "Nelson", "Park", "School", "Water", "Spring", "Grove", "London", "York", "New",
)  # fmt: skip
WIVES_LISTED_FROM = 1880


def write_quarter(day: Ints) -> Texts:
    """Return quarters as indexes name them, by their last month: ``Jun 1877``."""
    year = year_of(day).astype(str).astype(object)
    return np.asarray(QUARTERS[month_of(day) // 3] + " " + year, dtype=object)


def write_birth_certificates(clerk: Clerk) -> Columns:
    """Return the columns of certificates of birth."""
    entries, people = clerk.entries, clerk.world.lives.people
    child, day = entries.person, entries.day
    father, mother = people["father"][child], people["mother"][child]
    given, surname = clerk.name(child, "child", day, surname="birth")
    mother_given, mother_surname = clerk.name(mother, "mother", day, missing=0.02, surname="birth")
    return {
        "when_and_where_born": clerk.date(people["born"][child], "long"),
        "sub_district": clerk.parish(entries.place),
        "shire": clerk.county(entries.place),
        "child_forenames": given,
        "child_surname": surname,
        "sex": clerk.sex(child),
        "name_of_father": clerk.full_name(father, "father", day, missing=0.02),
        "mother_forename": mother_given,
        "mother_formerly": clerk.maybe(mother_surname, 0.12),
        "rank_of_father": clerk.trade(father, day),
        "date_registered": clerk.date(day + (clerk.rng.random(clerk.count) * 40).astype(np.int64)),
    }


def write_birth_index(clerk: Clerk) -> Columns:
    """Return the columns of a quarterly index of births."""
    entries, people = clerk.entries, clerk.world.lives.people
    child, day = entries.person, entries.day
    given, surname = clerk.name(child, "child", day, surname="birth")
    has_mother = year_of(day) >= MOTHERS_IN_INDEX
    mother = np.where(has_mother, people["mother"][child], 0)
    _, mothers_name = clerk.name(mother, "mother", day, surname="birth")
    lag = (clerk.rng.random(clerk.count) * 42).astype(np.int64)
    return {
        "birth_quarter": write_quarter(day + lag),
        "birth_district": clerk.parish(entries.place),
        "shire": clerk.county(entries.place),
        "index_surname": surname,
        "index_forenames": given,
        "mother_maiden_name": mothers_name,
        "volume_page": clerk.number(1, 27) + " " + clerk.number(1, 900),
    }


def write_death_certificates(clerk: Clerk) -> Columns:
    """Return the columns of certificates of death."""
    entries, lives = clerk.entries, clerk.world.lives
    person, people = entries.person, lives.people
    died = people["died"][person]
    is_minor = lives.age_on(person, died) < 18
    condition = clerk.maybe(clerk.condition(person, died, "single single married"))
    columns = {
        "deceased_name": clerk.listed_name(person, "deceased", died),
        "deceased_sex": clerk.sex(person),
        "died": clerk.date(died, "long"),
        "died_at": clerk.place(entries.place),
        "age_last_birthday": clerk.age(person, died),
        "born_year": clerk.maybe(clerk.year(people["born"][person]), 0.55),
        "native_of": clerk.maybe(clerk.birthplace(person), 0.4),
        "marital_condition": np.where(is_minor, "", condition),
        "calling": clerk.trade(person, died),
        "husband_or_wife": clerk.full_name(
            lives.spouse_on(person, died), "spouse", died, missing=0.3
        ),
    }
    for side in ("father", "mother"):
        shown = np.where(is_minor | clerk.often(0.55), people[side][person], 0)
        columns[f"{side}_of_deceased"] = clerk.full_name(shown, side, died, missing=0.1)
    return columns


def write_death_index(clerk: Clerk) -> Columns:
    """Return the columns of a quarterly index of deaths."""
    entries = clerk.entries
    died = clerk.world.lives.people["died"][entries.person]
    given, surname = clerk.name(entries.person, "deceased", died)
    return {
        "death_quarter": write_quarter(died),
        "death_district": clerk.parish(entries.place),
        "shire": clerk.county(entries.place),
        "index_surname": surname,
        "index_forenames": given,
        "age_at_death": np.where(year_of(died) >= 1866, clerk.age(entries.person, died), ""),
        "volume_page": clerk.number(1, 27) + " " + clerk.number(1, 900),
    }


def write_probate(clerk: Clerk) -> Columns:
    """Return the columns of a calendar of probate, with executors and heirs."""
    entries, lives = clerk.entries, clerk.world.lives
    person, people, grant = entries.person, lives.people, entries.day
    died = people["died"][person]
    given, surname = clerk.name(person, "deceased", died)
    is_woman = people["sex"][person] == FEMALE
    described = np.where(is_woman, clerk.condition(person, died), clerk.trade(person, died))
    spouse = lives.spouse_on(person, died)
    executor = np.where(lives.is_alive(spouse, grant), spouse, 0)
    heirs = _name_children(clerk, "beneficiary", grant, most=4, missing=0.4)
    return {
        "testator_surname": np.array([text.upper() for text in surname], dtype=object),
        "testator_forenames": given,
        "description": described,
        "formerly_of": clerk.maybe(clerk.place(entries.place)),
        "who_died": clerk.date(died, "long"),
        "granted": clerk.date(grant, "long"),
        "registry": clerk.county(entries.place),
        "proved_by": clerk.full_name(executor, "executor", grant, missing=0.25),
        "legatees": heirs,
        "effects": "£" + clerk.number(20, 4000),
    }


def write_school(clerk: Clerk) -> Columns:
    """Return the columns of a school's admission register."""
    entries, lives = clerk.entries, clerk.world.lives
    pupil, day, people = entries.person, entries.day, lives.people
    father, mother = people["father"][pupil], people["mother"][pupil]
    parent = np.where(lives.is_alive(father, day), father, mother)
    left = day + (clerk.rng.random(clerk.count) * 1800).astype(np.int64)
    return {
        "admitted": clerk.date(day),
        "school": clerk.parish(entries.place) + " School",
        "shire": clerk.county(entries.place),
        "pupil": clerk.listed_name(pupil, "pupil", day),
        "pupil_born": clerk.maybe(clerk.date(people["born"][pupil])),
        "parent": clerk.full_name(parent, "parent", day, missing=0.05),
        "home": clerk.maybe(clerk.place(entries.place)),
        "left_school": clerk.maybe(clerk.date(left), 0.3),
    }


def write_apprentices(clerk: Clerk) -> Columns:
    """Return the columns of a register of indentures: ``person`` is the apprentice."""
    entries, lives = clerk.entries, clerk.world.lives
    apprentice, day, people = entries.person, entries.day, lives.people
    master = lives.couples["husband"][people["couple"][people["mother"][apprentice]]]
    master = np.where(lives.is_alive(master, day), master, 0)
    father = people["father"][apprentice]
    late = np.where(lives.is_alive(father, day), "", " deceased").astype(object)
    written = clerk.full_name(father, "father", day, missing=0.15)
    return {
        "bound": clerk.date(day),
        "apprentice": clerk.full_name(apprentice, "apprentice", day),
        "apprentice_age": clerk.age(apprentice, day),
        "of_parish": clerk.place(entries.place),
        "son_or_daughter_of": join_words(written + np.where(written != "", late, "")),
        "master": clerk.full_name(master, "master", day, missing=0.3),
        "trade_learned": clerk.trade(apprentice, day + 4000),
    }


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
    children = _name_children(clerk, "child", died, most=5, missing=0.45)
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


def _name_children(clerk: Clerk, role: str, day: Ints, *, most: int, missing: float) -> Texts:
    """Return the children of the deceased who are alive on a day."""
    person, lives = clerk.entries.person, clerk.world.lives
    couple, children = lives.couple_on(person, lives.people["died"][person]), clerk.blanks()
    for turn in range(most):
        child = lives.child(couple, turn)
        child = np.where(lives.is_alive(child, day), child, 0)
        written = clerk.full_name(child, role, day, missing=missing)
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
