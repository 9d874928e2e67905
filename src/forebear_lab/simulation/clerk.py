"""What does a clerk write down about people?

A ``Clerk`` writes the columns of one register: names, ages, dates, places, with the damage usual in
it, for all rows at once.  Whoever is named is noted as a mention, which becomes the truth about the
record and is written elsewhere.  People who left no record are never named.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from forebear.tables import read_table
from forebear_lab.simulation.chance import Bools, Chance, Ints, Texts
from forebear_lab.simulation.damage import (
    PACKAGE,
    Damage,
    change_ages,
    change_given,
    change_surnames,
)
from forebear_lab.simulation.lives import DateForm, Lives, write_days, year_of
from forebear_lab.simulation.names import FEMALE, Names, Places

SurnameChoice = Literal["used", "birth"]
SECOND_SURNAME_WRITTEN = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Everything that is true in a simulation."""

    chance: Chance
    names: Names
    places: Places
    lives: Lives


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """The rows of a register before they are written."""

    person: Ints  # whom the row is about
    day: Ints
    place: Ints
    before: Ints  # where the person lived a day earlier
    entry: Ints  # rows of one entry (a household) are written by one hand

    def take(self, rows: Ints) -> "Entries":
        """Return some of the rows."""
        return Entries(
            person=self.person[rows],
            day=self.day[rows],
            place=self.place[rows],
            before=self.before[rows],
            entry=self.entry[rows],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """Who is named in which rows, in which role."""

    row: Ints
    person: Ints
    role: str


class Clerk:
    """Writes one register."""

    def __init__(self, world: World, register: str, damage: Damage, entries: Entries) -> None:
        self.world, self.entries, self.damage = world, entries, damage
        self.count = entries.person.size
        self.rng = world.chance.stream(f"register/{register}")
        self.mentions: list[Mentions] = []
        self._register = register
        self._rows = np.arange(self.count)

    # Names

    def name(
        self,
        person: Ints,
        role: str,
        day: Ints,
        *,
        missing: float = 0.0,
        surname: SurnameChoice = "used",
    ) -> tuple[Texts, Texts]:
        """Return given names and surnames, empty where no one is named, and note mentions."""
        is_named = (person > 0) & (self.world.lives.people["recorded"][person] > 0)
        is_named &= self.rng.random(self.count) >= missing
        rows = self._rows[is_named]
        self.mentions.append(Mentions(row=rows, person=person[rows], role=role))
        given, family = self.blanks(), self.blanks()
        given[rows] = self._write_given(person[rows])
        family[rows] = self._write_surname(person[rows], day[rows], rows, surname)
        return given, family

    def full_name(
        self, person: Ints, role: str, day: Ints, *, missing: float = 0.0,
        surname: SurnameChoice = "used",
    ) -> Texts:  # fmt: skip
        """Return whole names: ``Thomas Green``."""
        return join_words(*self.name(person, role, day, missing=missing, surname=surname))

    def listed_name(self, person: Ints, role: str, day: Ints) -> Texts:
        """Return names with the surname first: ``Green, Thomas``."""
        given, family = self.name(person, role, day)
        return np.asarray(family + np.where(given != "", ", ", "") + given, dtype=object)

    def given_name(self, person: Ints, role: str, day: Ints, *, missing: float = 0.0) -> Texts:
        """Return given names alone."""
        return self.name(person, role, day, missing=missing)[0]

    def _write_given(self, person: Ints) -> Texts:
        people, text, damage = self.world.lives.people, self.world.names.text, self.damage
        first, middle = text[people["given"][person]], text[people["middle"][person]]
        chance, count = self.rng.random(person.size), person.size
        is_other = chance < damage.other_given
        other = self.world.names.draw_given(
            self.rng,
            people["culture"][person],
            people["sex"][person],
            year_of(people["born"][person]),
        )
        first = np.where(is_other, np.where(middle != "", middle, text[other]), first)
        kind = self.rng.random(count)
        shown = np.select(
            [kind < damage.middle_dropped, kind < damage.middle_dropped + damage.middle_initial],
            [np.full(count, "", dtype=object), first_letters(middle)],
            middle,
        )
        shown = np.where(is_other, "", shown)
        is_initial = (chance >= damage.other_given) & (chance < damage.other_given + damage.initial)
        first = change_given(first, damage, self.rng.random(count), self.rng.random(count))
        return join_words(np.where(is_initial, first_letters(first), first), shown)

    def _write_surname(self, person: Ints, day: Ints, rows: Ints, choice: SurnameChoice) -> Texts:
        """Return surnames; one entry has one spelling of a surname."""
        people, names = self.world.lives.people, self.world.names
        surname, second = self.world.lives.surname_on(person, day)
        if choice == "birth":
            surname, second = people["surname"][person], people["second_surname"][person]
        is_other = self.rng.random(person.size) < self.damage.other_surname
        other = names.draw_surnames(self.rng, people["culture"][person])
        surname = np.where(is_other, other, surname)
        entry = self.entries.entry[rows]
        kind, form = (
            self.world.chance.uniform(f"{self._register}/{part}", entry, surname)
            for part in ("kind", "form")
        )
        written = change_surnames(names.text[surname], self.damage, kind, form)
        shows_second = self.rng.random(person.size) < SECOND_SURNAME_WRITTEN
        return join_words(written, np.where(shows_second, names.text[second], ""))

    # Facts

    def blanks(self) -> Texts:
        """Return a column of empty cells."""
        return np.full(self.count, "", dtype=object)

    def often(self, share: float) -> Bools:
        """Return a random share of the rows."""
        return np.asarray(self.rng.random(self.count) < share, dtype=np.bool_)

    def maybe(self, texts: Texts, missing: float | None = None) -> Texts:
        """Return cells of which a share was left blank."""
        share = self.damage.blank if missing is None else missing
        return np.where(self.often(share), "", texts)

    def choose(self, *texts: str) -> Texts:
        """Return one of the texts in every row."""
        places = (self.rng.random(self.count) * len(texts)).astype(np.int64)
        return np.array(texts, dtype=object)[places]

    def number(self, low: int, high: int) -> Texts:
        """Return numbers as text."""
        numbers = low + (self.rng.random(self.count) * (high - low)).astype(np.int64)
        return numbers.astype(str).astype(object)

    def date(self, day: Ints, form: DateForm = "day") -> Texts:
        """Return dates; some have a year alone, a few a wrong one."""
        chance = self.rng.random(self.count)
        slip = np.where(self.often(0.5), -1, 1) * np.where(self.often(0.3), 10, 1)
        limit = self.damage.wrong_year
        wrong = write_days(day + np.rint(slip * 365.2425).astype(np.int64), form)
        year = year_of(day).astype(str).astype(object)
        return np.select(
            [chance < limit, chance < limit + self.damage.year_only],
            [wrong, year],
            write_days(day, form),
        )

    def year(self, day: Ints) -> Texts:
        """Return years as text."""
        return year_of(day).astype(str).astype(object)

    def age(self, person: Ints, day: Ints) -> Texts:
        """Return ages as stated: years, and months of infants."""
        exact = self.world.lives.age_on(person, day)
        stated = change_ages(self.rng, exact, self.damage)
        months = np.floor(exact * 12).astype(np.int64)
        infant = np.where(self.often(0.15), "infant", months.astype(str).astype(object) + " m")
        return self.maybe(np.where(exact < 1, infant, stated.astype(str).astype(object)))

    def sex(self, person: Ints, letters: str = "MF") -> Texts:
        """Return letters of sex; a few are wrong."""
        is_wrong = self.rng.random(self.count) < self.damage.wrong_sex
        sex = self.world.lives.people["sex"][person] ^ is_wrong
        return self.maybe(np.array(list(letters), dtype=object)[sex], 0.015)

    def condition(self, person: Ints, day: Ints, words: str = "bachelor spinster married") -> Texts:
        """Return single, married or widowed in the words of a register."""
        bachelor, spinster, married = words.split()
        spouse = self.world.lives.spouse_on(person, day)
        is_woman = self.world.lives.people["sex"][person] == FEMALE
        single = np.where(is_woman, spinster, bachelor).astype(object)
        widowed = np.where(is_woman, "widow", "widower").astype(object)
        is_married = self.world.lives.is_alive(spouse, day)
        return np.select(
            [spouse == 0, is_married], [single, np.full(self.count, married, dtype=object)], widowed
        )

    def trade(self, person: Ints, day: Ints) -> Texts:
        """Return occupations; of children none, of wives few."""
        people = self.world.lives.people
        is_woman = people["sex"][person] == FEMALE
        men, women = TRADES
        trade = np.where(
            is_woman, women[people["trade"][person] % women.size], men[people["trade"][person]]
        )
        is_married = self.world.lives.couple_on(person, day) > 0
        works = ~is_woman | self.often(0.65) & ~is_married | self.often(0.08)
        works &= (self.world.lives.age_on(person, day) >= 14) & (person > 0)
        return self.maybe(np.where(works, trade, ""))

    def parish(self, place: Ints) -> Texts:
        """Return the names of parishes."""
        return self.world.places.name[place]

    def county(self, place: Ints) -> Texts:
        """Return the names of counties."""
        return self.world.places.county_text[place]

    def place(self, place: Ints, *, country: bool = False) -> Texts:
        """Return places: parish and county, some only the county."""
        places = self.world.places
        whole = places.name[place] + ", " + places.county_text[place]
        text = np.where(self.often(self.damage.county_only), places.county_text[place], whole)
        return text + ", " + places.country_text[place] if country else text

    def birthplace(self, person: Ints, *, country: bool = False) -> Texts:
        """Return birthplaces as stated, some of them wrong."""
        people = self.world.lives.people
        true = people["birth_place"][person]
        mothers = people["birth_place"][people["mother"][person]]
        elsewhere = np.where(
            self.often(0.5), mothers, self.world.places.move(self.rng, true, stay=0.0, abroad=0.2)
        )
        stated = np.where(self.often(self.damage.wrong_place), elsewhere, true)
        return self.maybe(self.place(stated, country=country))


def read_trades() -> tuple[Texts, Texts]:
    """Return occupations of men and of women, repeated by their frequency."""
    rows = read_table("simulation/occupations", package=PACKAGE)
    men, women = (
        [row["title"] for row in rows if row["sex"] == sex for _ in range(int(row["weight"]))]
        for sex in "mf"
    )
    return np.array(men, dtype=object), np.array(women, dtype=object)


TRADES = read_trades()


def join_words(*columns: Texts) -> Texts:
    """Return columns joined by blanks where both have a value.

    >>> given, surname = np.array(["Ann", ""], object), np.array(["Lee", "Fox"], object)
    >>> join_words(given, surname).tolist()
    ['Ann Lee', 'Fox']
    """
    joined, *others = columns
    for other in others:
        joined = joined + np.where((joined != "") & (other != ""), " ", "").astype(object) + other
    return joined


def first_letters(texts: Texts) -> Texts:
    """Return the initials of words."""
    return np.array([text[:1] for text in texts], dtype=object)
