"""What do civil registers, courts' offices and schools say?

Certificates and indexes of births and deaths, calendars of probate, school admissions and
apprenticeship indentures.
"""

import numpy as np

from forebear_lab.simulation.chance import Ints, Texts
from forebear_lab.simulation.clerk import Clerk, join_words
from forebear_lab.simulation.days import month_of, year_of
from forebear_lab.simulation.names import FEMALE
from forebear_lab.simulation.records_church import Columns

QUARTERS = np.array(["Mar", "Jun", "Sep", "Dec"], dtype=object)
MOTHERS_IN_INDEX = 1911  # first year of the mother's maiden name in the English index


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
    heirs = clerk.blanks()
    couple = lives.couple_on(person, died)
    for turn in range(4):
        child = lives.child(couple, turn)
        child = np.where(lives.is_alive(child, grant), child, 0)
        heir = clerk.full_name(child, "beneficiary", grant, missing=0.4)
        heirs = heirs + np.where((heirs != "") & (heir != ""), "; ", "") + heir
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
