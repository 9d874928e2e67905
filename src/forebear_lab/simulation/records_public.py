"""What do armies, ports and courts say?

Attestation papers and draft cards, passenger lists and naturalizations, and three kinds of court
record.  A settlement examination and the removal order that follows from it are about one case, a
pair that real archives have too (London Lives); in some cases the order names husband or wife of
the person examined.
"""

import numpy as np

from forebear_lab.simulation.chance import Ints, Texts
from forebear_lab.simulation.clerk import Clerk
from forebear_lab.simulation.names import FEMALE
from forebear_lab.simulation.records_church import Columns

SHIPS = tuple(
    f"{first} {second}"
    for first in ("Atlantic", "Caspian", "Helena", "Orient", "Royal", "Western", "Lady", "Star of")
    for second in ("Castle", "Maid", "Monarch", "Packet", "Hope", "Dee")
)
ORDER_NAMES_SPOUSE = 0.1


def write_attestations(clerk: Clerk) -> Columns:
    """Return the columns of soldiers' attestation papers."""
    entries, lives = clerk.entries, clerk.world.lives
    soldier, day, people = entries.person, entries.day, lives.people
    given, surname = clerk.name(soldier, "soldier", day)
    kin, words = _next_of_kin(clerk)
    written = clerk.full_name(kin, "next of kin", day, missing=0.2)
    return {
        "regimental_number": clerk.number(100, 60000),
        "soldier_surname": np.array([text.upper() for text in surname], dtype=object),
        "soldier_forenames": given,
        "grade": clerk.choose("Pte", "Pte", "Pte", "Cpl", "Sgt", "Gnr", "Drummer"),
        "corps": clerk.county(entries.place) + " Regiment",
        "attested": clerk.date(day),
        "apparent_age": clerk.age(soldier, day),
        "birthplace": clerk.birthplace(soldier),
        "former_trade": clerk.trade(soldier, day),
        "kin_name": written,
        "kin_is": np.where(written != "", words, ""),
        "kin_lives_at": np.where(written != "", clerk.place(people["birth_place"][soldier]), ""),
    }


def _next_of_kin(clerk: Clerk) -> tuple[Ints, Texts]:
    """Return wife, else mother, else father, of those who live, and what they are."""
    entries, lives = clerk.entries, clerk.world.lives
    people, soldier, day = lives.people, entries.person, entries.day
    relatives = (
        (lives.spouse_on(soldier, day), "wife"),
        (people["mother"][soldier], "mother"),
        (people["father"][soldier], "father"),
    )
    alive = [lives.is_alive(person, day) for person, _ in relatives]
    kin = np.select(alive, [person for person, _ in relatives], 0)
    words = [np.full(clerk.count, word, dtype=object) for _, word in relatives]
    return kin, np.select(alive, words, "")


def write_draft_cards(clerk: Clerk) -> Columns:
    """Return the columns of draft registration cards."""
    entries, lives = clerk.entries, clerk.world.lives
    man, day = entries.person, entries.day
    kin, words = _next_of_kin(clerk)
    written = clerk.full_name(kin, "nearest relative", day, missing=0.25)
    return {
        "registered_on": clerk.date(day),
        "registrant": clerk.full_name(man, "registrant", day),
        "registrant_born": clerk.maybe(clerk.date(lives.people["born"][man])),
        "home_address": clerk.place(entries.place),
        "employment": clerk.trade(man, day),
        "relative_name": written,
        "relative_is": np.where(written != "", words, ""),
        "build": clerk.choose("tall", "medium", "short", "slender"),
    }


def write_passengers(clerk: Clerk) -> Columns:
    """Return the columns of passenger lists; a family has one contact."""
    entries, lives = clerk.entries, clerk.world.lives
    person, day, people = entries.person, entries.day, lives.people
    given, surname = clerk.name(person, "passenger", day)
    spouse, father = lives.spouse_on(person, day), people["father"][person]
    contact = np.where(spouse > 0, spouse, father)
    words = np.where(
        spouse > 0, np.where(people["sex"][person] == FEMALE, "husband", "wife"), "father"
    ).astype(object)
    written = clerk.full_name(contact, "contact", day, missing=0.6)
    country = clerk.world.places.country_text
    sailed = day - (clerk.rng.random(clerk.count) * 40).astype(np.int64)
    return {
        "vessel": clerk.choose(*SHIPS),
        "sailed": clerk.date(sailed),
        "sailed_from": "Port of " + country[entries.before],
        "landed": clerk.date(day),
        "landed_in": "Port of " + country[entries.place],
        "passenger_surname": surname,
        "passenger_forename": given,
        "m_f": clerk.sex(person),
        "passenger_age": clerk.age(person, day),
        "profession": clerk.trade(person, day),
        "last_abode": clerk.maybe(clerk.place(entries.before, country=True), 0.25),
        "native_place": clerk.maybe(clerk.birthplace(person, country=True), 0.2),
        "bound_for": clerk.maybe(clerk.place(entries.place, country=True), 0.2),
        "contact": written,
        "contact_is": np.where(written != "", words, ""),
    }


def write_naturalizations(clerk: Clerk) -> Columns:
    """Return the columns of a register of naturalizations."""
    entries, lives = clerk.entries, clerk.world.lives
    person, day, people = entries.person, entries.day, lives.people
    return {
        "sworn": clerk.date(day),
        "alien": clerk.listed_name(person, "applicant", day),
        "subject_of": clerk.world.places.country_text[people["birth_place"][person]],
        "alien_born": clerk.maybe(clerk.date(people["born"][person])),
        "resident_at": clerk.place(entries.place, country=True),
        "alien_trade": clerk.trade(person, day),
        "alien_spouse": clerk.full_name(lives.spouse_on(person, day), "spouse", day, missing=0.4),
    }


def write_examinations(clerk: Clerk) -> Columns:
    """Return the columns of settlement examinations; all who are examined share a cell."""
    entries, lives = clerk.entries, clerk.world.lives
    person, day = entries.person, entries.day
    first = clerk.full_name(person, "examinant", day)
    spouse = lives.spouse_on(person, day)
    spouse = np.where(lives.is_alive(spouse, day), spouse, 0)
    other = clerk.full_name(spouse, "examinant", day, missing=0.75)
    return {
        "sworn_on": clerk.date(day, "iso"),
        "before_parish": clerk.parish(entries.place),
        "shire": clerk.county(entries.place),
        "examined_names": first + np.where(other != "", ", ", "") + other,
        "settled_at": clerk.maybe(clerk.place(lives.people["birth_place"][person]), 0.4),
    }


def write_orders(clerk: Clerk) -> Columns:
    """Return the columns of removal orders."""
    entries, lives = clerk.entries, clerk.world.lives
    person, day, people = entries.person, entries.day, lives.people
    spouse = lives.spouse_on(person, day)
    has_spouse = lives.is_alive(spouse, day) & (people["recorded"][spouse] > 0)
    named = np.where(has_spouse & clerk.often(ORDER_NAMES_SPOUSE / 0.6), spouse, person)
    given, surname = clerk.name(named, "removed", day)
    child = lives.child(lives.couple_on(person, day), 0)
    child = np.where(lives.is_alive(child, day) & (lives.age_on(child, day) < 16), child, 0)
    return {
        "order_date": clerk.date(day, "iso"),
        "removed_forename": given,
        "removed_surname": surname,
        "with_child": clerk.given_name(child, "child", day, missing=0.6),
        "removed_from": clerk.place(entries.place),
        "removed_to": clerk.maybe(clerk.place(people["birth_place"][person]), 0.1),
    }


def write_sessions(clerk: Clerk) -> Columns:
    """Return the columns of quarter sessions; minors have a guardian appointed."""
    entries, lives = clerk.entries, clerk.world.lives
    person, day, people = entries.person, entries.day, lives.people
    is_minor = lives.age_on(person, day) < 17
    offence = clerk.choose("larceny", "assault", "debt", "vagrancy", "poaching", "drunkenness")
    spouse, mother = lives.spouse_on(person, day), people["mother"][person]
    other = np.where(is_minor, mother, spouse)
    other = np.where(lives.is_alive(other, day), other, 0)
    written = clerk.full_name(other, "other party", day, missing=0.5)
    spouse_is = np.where(people["sex"][person] == FEMALE, "husband", "wife")
    words = np.where(is_minor, "mother", spouse_is).astype(object)
    return {
        "session_month": clerk.date(day, "month"),
        "sessions_of": clerk.county(entries.place),
        "matter": np.where(is_minor, "guardianship", offence),
        "party": clerk.full_name(person, "party", day),
        "party_age": clerk.age(person, day),
        "party_trade": clerk.trade(person, day),
        "party_of": clerk.maybe(clerk.place(entries.place)),
        "other_name": written,
        "other_is": np.where(written != "", words, ""),
        "result": clerk.choose("convicted", "discharged", "bound over", "fined"),
    }
