"""What do parish registers and church books say?

Baptisms, marriages, banns, burials, gravestones and lists of members, in the columns and words
usual in transcriptions: ``son of``, ``base child of``, double-dated years, mothers without a
surname, widows under the name of their husbands.

Church books of Norway and Peru have the headings and words of their country. Norwegians are
entered under their patronymic with a farm as their address; Peruvians under the first surnames of
both parents, with godparents and the word for a lawful or a natural child.
"""

import numpy as np

from forebear_lab.simulation.chance import Ints, Texts
from forebear_lab.simulation.clerk import Clerk
from forebear_lab.simulation.lives import year_of
from forebear_lab.simulation.names import FEMALE

Columns = dict[str, Texts]
FAITHS = ("Church of England", "Wesleyan", "Baptist", "Presbyterian", "Independent", "Quaker")
EVE = 1  # days before a wedding
FARMS = ("Bakken", "Haugen", "Nygård", "Moen", "Lien", "Solberg", "Strand", "Berget", "Li", "Hagen")


def write_baptisms(clerk: Clerk) -> Columns:
    """Return the columns of a register of baptisms."""
    entries, people = clerk.entries, clerk.world.lives.people
    child, day = entries.person, entries.day
    father, mother = people["father"][child], people["mother"][child]
    is_girl = people["sex"][child] == FEMALE
    given, surname = clerk.name(child, "child", day, surname="birth")
    lawful = np.where(is_girl, "dau of", "son of").astype(object)
    base = np.where(is_girl, "base dau of", "base son of").astype(object)
    return {
        "baptized": clerk.date(day, "double"),
        "when_born": clerk.maybe(clerk.date(people["born"][child], "double"), 0.65),
        "church": clerk.parish(entries.place),
        "shire": clerk.county(entries.place),
        "child": given,
        "family_name": surname,
        "child_sex": clerk.maybe(clerk.sex(child), 0.3),
        "filiation": clerk.maybe(np.where(father > 0, lawful, base), 0.1),
        "father": clerk.given_name(father, "father", day, missing=0.03),
        "mother": clerk.given_name(mother, "mother", day, missing=0.05),
        "abode": clerk.maybe(clerk.place(entries.place), 0.4),
        "fathers_quality": clerk.trade(father, day),
    }


def write_marriages(clerk: Clerk) -> Columns:
    """Return the columns of a register of marriages; ``person`` is the groom."""
    entries, lives = clerk.entries, clerk.world.lives
    groom, day = entries.person, entries.day
    couple = lives.couple_on(groom, day)
    bride, church = lives.couples["wife"][couple], lives.couples["wed_place"][couple]
    columns: Columns = {
        "wed_on": clerk.date(day),
        "church": clerk.parish(church),
        "shire": clerk.county(church),
    }
    for person, side, abode in ((groom, "groom", entries.before), (bride, "bride", church)):
        columns |= _describe_party(clerk, person, side, day, abode)
    parents = lives.people["couple"][groom]
    sibling = lives.child(parents, 0)
    witness = np.where((sibling != groom) & lives.is_alive(sibling, day), sibling, 0)
    columns["witness"] = clerk.full_name(witness, "witness", day, missing=0.5)
    columns["by"] = clerk.choose("banns", "banns", "banns", "licence", "certificate")
    return columns


def _describe_party(clerk: Clerk, person: Ints, side: str, day: Ints, abode: Ints) -> Columns:
    eve = day - EVE  # a widow is entered under the name of her late husband
    given, surname = clerk.name(person, side, eve)
    people, lives = clerk.world.lives.people, clerk.world.lives
    age = clerk.age(person, day)
    is_of_age = (lives.age_on(person, day) >= 21) & clerk.often(0.35) & (year_of(day) < 1870)
    father = people["father"][person]
    columns = {
        f"{side}_forename": given,
        f"{side}_family_name": surname,
        f"{side}_years": np.where(is_of_age, "full", age),
        f"{side}_status": clerk.condition(person, eve),
        f"{side}_rank": clerk.trade(person, day),
        f"{side}_of": clerk.maybe(clerk.place(abode)),
    }
    is_late = np.where(lives.is_alive(father, day), "", " (dec'd)").astype(object)
    fathers = clerk.full_name(father, f"{side}'s father", day, missing=0.15)
    columns[f"{side}_father"] = fathers + np.where((fathers != "") & clerk.often(0.5), is_late, "")
    return columns


def write_banns(clerk: Clerk) -> Columns:
    """Return the columns of a banns book; ``person`` is the man."""
    entries, lives = clerk.entries, clerk.world.lives
    man = entries.person
    wedding = entries.day + 30
    couple = lives.couple_on(man, wedding)
    woman, church = lives.couples["wife"][couple], lives.couples["wed_place"][couple]
    return {
        "first_asked": clerk.date(entries.day),
        "read_at": clerk.parish(church),
        "shire": clerk.county(church),
        "man": clerk.full_name(man, "groom", entries.day),
        "man_of_parish": clerk.maybe(clerk.parish(entries.place), 0.1),
        "woman": clerk.full_name(woman, "bride", entries.day),
        "woman_of_parish": clerk.maybe(clerk.parish(church), 0.1),
        "woman_status": clerk.condition(woman, entries.day),
    }


def write_burials(clerk: Clerk) -> Columns:
    """Return the columns of a register of burials; children and wives beside a relative."""
    entries, lives = clerk.entries, clerk.world.lives
    person, day, people = entries.person, entries.day, lives.people
    given, surname = clerk.name(person, "deceased", day)
    is_woman = people["sex"][person] == FEMALE
    is_child = lives.age_on(person, day) < 16
    spouse = lives.spouse_on(person, day)
    father, mother = people["father"][person], people["mother"][person]
    parent = np.where(father > 0, father, mother)
    relative = np.where(is_child, parent, np.where(is_woman, spouse, 0))
    written = clerk.given_name(relative, "relative", day, missing=0.35)
    child_words = np.where(is_woman, "daughter of", "son of").astype(object)
    spouse_words = np.where(lives.is_alive(spouse, day), "wife of", "widow of").astype(object)
    words = np.where(is_child, child_words, spouse_words)
    return {
        "buried": clerk.date(day, "double"),
        "ground": clerk.parish(entries.place) + " churchyard",
        "shire": clerk.county(entries.place),
        "buried_forename": given,
        "buried_surname": surname,
        "years_old": clerk.age(person, day),
        "late_of": clerk.maybe(clerk.place(entries.place), 0.35),
        "relation_words": np.where(written != "", words, ""),
        "relation_name": written,
    }


def write_gravestones(clerk: Clerk) -> Columns:
    """Return the columns of transcribed gravestones, with husband or wife on the same stone."""
    entries, lives = clerk.entries, clerk.world.lives
    person, people = entries.person, lives.people
    died = people["died"][person]
    spouse = lives.spouse_on(person, died)
    name = clerk.full_name(person, "deceased", died)
    beside = clerk.full_name(spouse, "spouse", died, missing=0.35)
    is_woman = people["sex"][person] == FEMALE
    words = np.where(is_woman, "husband of the above", "wife of the above").astype(object)
    return {
        "cemetery": clerk.parish(entries.place) + " cemetery",
        "shire": clerk.county(entries.place),
        "stone_name": name,
        "stone_died": clerk.date(died),
        "stone_aged": clerk.age(person, died),
        "stone_born": clerk.maybe(clerk.year(people["born"][person]), 0.6),
        "also_name": beside,
        "also_words": np.where(beside != "", words, ""),
    }


def write_members(clerk: Clerk) -> Columns:
    """Return the columns of church books: the confirmed with parents, members with a spouse."""
    entries, lives = clerk.entries, clerk.world.lives
    person, day, people = entries.person, entries.day, lives.people
    is_young = lives.age_on(person, day) < 19
    parents = [
        clerk.full_name(np.where(is_young, people[side][person], 0), "parent", day, missing=0.2)
        for side in ("father", "mother")
    ]
    spouse = np.where(is_young, 0, lives.spouse_on(person, day))
    both = parents[0] + np.where((parents[0] != "") & (parents[1] != ""), " and ", "") + parents[1]
    return {
        "book": np.where(is_young, "confirmations", "members").astype(object),
        "faith": np.array(FAITHS, dtype=object)[people["faith"][person]],
        "chapel": clerk.parish(entries.place),
        "shire": clerk.county(entries.place),
        "entered": clerk.date(day),
        "member_name": clerk.full_name(person, "member", day),
        "member_born": clerk.maybe(clerk.year(people["born"][person]), 0.5),
        "child_of": both,
        "married_to": clerk.full_name(spouse, "spouse", day, missing=0.4),
        "remark": clerk.maybe("from " + clerk.place(people["birth_place"][person]), 0.7),
    }


def write_norwegian_baptisms(clerk: Clerk) -> Columns:
    """Return the columns of baptisms in a Norwegian church book."""
    entries, people = clerk.entries, clerk.world.lives.people
    child, day = entries.person, entries.day
    given, surname = clerk.name(child, "child", day, surname="birth")
    return {
        "dåpsdato": clerk.date(day, "iso"),
        "fødselsdato": clerk.maybe(clerk.date(people["born"][child], "iso"), 0.3),
        "prestegjeld": clerk.parish(entries.place),
        "fylke": clerk.county(entries.place),
        "barn": given,
        "barnets_navn": clerk.maybe(surname, 0.3),
        "kjønn": clerk.sex(child, "mk"),
        "far": clerk.full_name(people["father"][child], "father", day, missing=0.03),
        "mor": clerk.full_name(
            people["mother"][child], "mother", day, missing=0.05, surname="birth"
        ),
        "gård": clerk.maybe(clerk.choose(*FARMS), 0.2),
        "fadder": clerk.full_name(_sponsor(clerk), "sponsor", day, missing=0.4),
    }


def write_peruvian_baptisms(clerk: Clerk) -> Columns:
    """Return the columns of baptisms in a Peruvian parish book."""
    entries, people = clerk.entries, clerk.world.lives.people
    child, day = entries.person, entries.day
    father, mother = people["father"][child], people["mother"][child]
    given, surname = clerk.name(child, "child", day, surname="birth")
    father_given, father_surname = clerk.name(father, "father", day, missing=0.03)
    mother_given, mother_surname = clerk.name(mother, "mother", day, missing=0.03, surname="birth")
    is_girl = people["sex"][child] == FEMALE
    lawful = np.where(is_girl, "hija legítima", "hijo legítimo").astype(object)
    natural = np.where(is_girl, "hija natural", "hijo natural").astype(object)
    return {
        "fecha_bautismo": clerk.date(day, "iso"),
        "fecha_nacimiento": clerk.maybe(clerk.date(people["born"][child], "iso"), 0.25),
        "parroquia": clerk.parish(entries.place),
        "departamento": clerk.county(entries.place),
        "bautizado": given,
        "apellidos": clerk.maybe(surname, 0.1),
        "legitimidad": np.where(father > 0, lawful, natural),
        "padre_nombre": father_given,
        "padre_apellidos": father_surname,
        "madre_nombre": mother_given,
        "madre_apellidos": mother_surname,
        "padrino": clerk.full_name(_sponsor(clerk), "sponsor", day, missing=0.3),
    }


def _sponsor(clerk: Clerk) -> Ints:
    """Return the eldest brother or sister of the mother, if alive and not the mother."""
    lives, child = clerk.world.lives, clerk.entries.person
    mother = lives.people["mother"][child]
    eldest = lives.child(lives.people["couple"][mother], 0)
    fits = (eldest != mother) & lives.is_alive(eldest, clerk.entries.day)
    return np.where(fits, eldest, 0)
