"""What do church books of Norway and Peru say?

Headings and words are those of the country.  Norwegians stand under their patronymic with a farm as
their address; Peruvians under the first surnames of both parents, beside godparents and the word
for a lawful or a natural child.
"""

import numpy as np

from forebear_lab.simulation.chance import Ints
from forebear_lab.simulation.clerk import Clerk
from forebear_lab.simulation.names import FEMALE
from forebear_lab.simulation.records_church import Columns

FARMS = ("Bakken", "Haugen", "Nygård", "Moen", "Lien", "Solberg", "Strand", "Berget", "Li", "Hagen")


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
