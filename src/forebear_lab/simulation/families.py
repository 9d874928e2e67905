"""How do simulated families live from 1735 to 1940, and who marries whom?

Time passes in decades. In each the people who are ready to marry are paired; their children are
scheduled, and those due in the decade are born, named, given a life span and a day on which they
leave home. Widows and widowers may marry again, some single women have a child, people move and
emigrate. Founders, whose parents are not known, enter until 1900, so that new surnames keep
arriving.

People who become willing in the same season of four years are paired at random, first within a
parish, then a county, a country, and wherever their language is spoken, at last within twelve
years; in each round some do not look, so that not everybody marries next door. Brothers and
sisters are not paired.

All of a decade is done at once with arrays. The rates are those of textbooks on the population of
England in these centuries (Wrigley and Schofield 1981), rounded: first marriages at about 24 and
26, nine in ten marry, a birth every thirty months, one child in seven dies as an infant.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from forebear_lab.simulation.chance import Bools, Chance, Floats, Ints
from forebear_lab.simulation.lives import DAYS_PER_YEAR, NEVER, Lives, day_of, to_days, year_of
from forebear_lab.simulation.names import ENGLISH, FEMALE, MALE, NORWEGIAN, SPANISH, Names, Places

FIRST_DECADE, LAST_DECADE = 173, 194
LAST_BIRTH = day_of(1931)
FOUNDERS_FROM, FOUNDERS_SPAN = 1735, 165
# Ages in years, and the share of people who reach them, about 1800 and about 1920.
SURVIVAL_AGES = np.array([0, 0.1, 1, 5, 15, 25, 45, 60, 70, 80, 90, 102])
SURVIVAL_EARLY = np.array([1, 0.93, 0.84, 0.75, 0.71, 0.66, 0.53, 0.40, 0.26, 0.10, 0.015, 0])
SURVIVAL_LATE = np.array([1, 0.97, 0.92, 0.89, 0.87, 0.84, 0.75, 0.62, 0.45, 0.22, 0.04, 0])
MARRY = 0.9
REMARRY = np.array([0.55, 0.35])  # of widowed men and women under 50
SINGLE_MOTHERS = 0.07
NAMED_AFTER_KIN = 0.42
UNRECORDED = 0.03  # people who left no record at all
TRADES_INHERITED = 0.35
LOOKING = (0.55, 0.75, 0.9, 1.0, 1.0)  # share of those left that looks in each round
WIDE = 3  # seasons in one of the last round
MANY = 10**9


class Families:
    """The lives of a simulation while they are simulated."""

    def __init__(self, chance: Chance, names: Names, places: Places, *, trades: int) -> None:
        self.lives = Lives()
        self._rng = chance.stream("families")
        self._names, self._places, self._trades = names, places, trades
        self._willing: dict[int, list[tuple[Ints, Ints]]] = defaultdict(list)
        self._births: dict[int, list[tuple[Ints, Ints, Ints]]] = defaultdict(list)
        self._same_sex = np.zeros((2, 1), dtype=np.int64)  # sons and daughters of each couple

    def run(self, *, founders: int, progress: Callable[[str], None]) -> Lives:
        """Simulate all decades."""
        self._schedule_founders(founders)
        for decade in range(FIRST_DECADE, LAST_DECADE):
            self._marry(decade)
            self._bear(decade)
            if decade % 4 == 3:
                progress(f"{decade * 10}s: {len(self.lives.people) - 1:,} people")
        return self.lives

    def _random(self, count: int) -> Floats:
        return self._rng.random(count)

    def _waiting_days(self, mean: float, count: int) -> Ints:
        """Return exponential waiting times."""
        return (-mean * np.log1p(-self._random(count))).astype(np.int64)

    # Births

    def _schedule_founders(self, count: int) -> None:
        years = FOUNDERS_FROM + FOUNDERS_SPAN * self._random(count) ** 0.9
        unknown = np.zeros(count, dtype=np.int64)
        self._schedule_births(unknown, unknown, to_days(years - 1970))

    def _schedule_births(self, couple: Ints, mother: Ints, day: Ints) -> None:
        decade = year_of(day) // 10
        for value in np.unique(decade):
            due = decade == value
            self._births[int(value)].append((couple[due], mother[due], day[due]))

    def _bear(self, decade: int) -> None:
        """Add everybody who is born in a decade."""
        batches = self._births.pop(decade, [])
        if not batches:
            return
        couple, mother, day = (np.concatenate(column) for column in zip(*batches, strict=True))
        people = self.lives.people
        is_possible = (mother == 0) | (
            self.lives.is_alive(mother, day)
            & ((couple > 0) | (self.lives.couple_on(mother, day) == 0))
        )
        order = np.argsort(day[is_possible], kind="stable")
        couple, mother, day = (column[is_possible][order] for column in (couple, mother, day))
        newborn = people.append(self._describe_newborn(couple, mother, day))
        np.add.at(self._same_sex, (people["sex"][newborn], people["couple"][newborn]), 1)
        self._leave_home(newborn)
        self._plan_marriage(newborn)
        self._plan_single_births(newborn)

    def _describe_newborn(self, couple: Ints, mother: Ints, day: Ints) -> dict[str, Ints]:
        people, count, places = self.lives.people, day.size, self._places
        father = self.lives.couples["husband"][couple]
        sex = (self._random(count) < 0.488).astype(np.int64)
        parent = np.where(father > 0, father, mother)
        home = np.where(
            couple > 0, self.lives.home_on(couple, day), self.lives.place_on(mother, day)
        )
        place = np.where(mother > 0, home, places.draw_home(self._rng, count))
        culture = np.where(parent > 0, people["culture"][parent], places.culture[place])
        adapts = (places.culture[place] == ENGLISH) & (self._random(count) < 0.4)
        culture = np.where(adapts, ENGLISH, culture)
        year = year_of(day)
        surname, second = self._name_family(culture, sex, father, mother, place)
        given = self._name_child(culture, sex, year, couple, father, mother, day)
        middle = self._names.draw_middle(self._rng, culture, sex, year, people["surname"][mother])
        own_trade = (self._random(count) ** 1.4 * self._trades).astype(np.int64)
        inherits = (father > 0) & (self._random(count) < TRADES_INHERITED)
        own_faith = (self._random(count) ** 2.5 * 6).astype(np.int64)
        return {
            "sex": sex,
            "culture": culture,
            "given": given,
            "middle": np.where(middle == given, 0, middle),
            "surname": surname,
            "second_surname": second,
            "born": day,
            "died": day + self._draw_life_span(year, is_founder=mother == 0),
            "father": father,
            "mother": mother,
            "couple": couple,
            "birth_place": place,
            "trade": np.where(inherits, people["trade"][father], own_trade),
            "faith": np.where(parent > 0, people["faith"][parent], own_faith),
            "recorded": (self._random(count) >= UNRECORDED).astype(np.int64),
        }

    def _name_family(
        self, culture: Ints, sex: Ints, father: Ints, mother: Ints, place: Ints
    ) -> tuple[Ints, Ints]:
        """Return surname and second surname: the father's, a patronymic, or of both parents."""
        people, rng = self.lives.people, self._rng
        new = self._names.draw_surnames(rng, culture)
        of_mother = people["surname"][mother]
        surname = np.where(father > 0, people["surname"][father], of_mother)
        surname = np.where(mother > 0, surname, new)
        in_norway = (culture == NORWEGIAN) & (self._places.culture[place] == NORWEGIAN)
        unknown_father = self._names.draw_given(
            rng, culture, np.zeros_like(sex), np.full(sex.size, 1780)
        )
        fathers_name = np.where(father > 0, people["given"][father], unknown_father)
        patronymic = self._names.patronymics(fathers_name, sex)
        surname = np.where(in_norway & (patronymic > 0), patronymic, surname)
        other = np.where(mother > 0, of_mother, self._names.draw_surnames(rng, culture))
        return surname, np.where((culture == SPANISH) & ((mother == 0) | (father > 0)), other, 0)

    def _name_child(
        self, culture: Ints, sex: Ints, year: Ints, couple: Ints, father: Ints, mother: Ints,
        day: Ints,
    ) -> Ints:  # fmt: skip
        """Return given names: after grandparents and parents in turn, or in fashion."""
        people, rng = self.lives.people, self._rng
        fashion = self._names.draw_given(rng, culture, sex, year)
        kin = np.stack([
            people["father"][father], people["father"][mother], father,
            people["mother"][mother], people["mother"][father], mother,
        ])  # fmt: skip
        turn = self._same_sex[sex, couple] + _rank_within(couple * 2 + sex)
        namesake = kin[np.minimum(turn, 2) + 3 * sex, np.arange(sex.size)]
        has_namesake = (namesake > 0) & (turn < 3) & (people["culture"][namesake] == culture)
        has_namesake &= (couple > 0) & (self._random(sex.size) < NAMED_AFTER_KIN)
        given = np.where(has_namesake, people["given"][namesake], fashion)
        repeated = self._has_living_namesake(couple, sex, given, day)
        other = self._names.draw_given(rng, culture, sex, year)
        return np.where(repeated, other, given)

    def _has_living_namesake(self, couple: Ints, sex: Ints, given: Ints, day: Ints) -> Bools:
        """Return whose name a living brother or sister bears; names of the dead were reused."""
        people = self.lives.people
        elder = np.isin(people["couple"], couple[couple > 0]) & (people["died"] > day.min())
        living = _sibling_key(people["couple"][elder], people["sex"][elder], people["given"][elder])
        keys = _sibling_key(couple, sex, given)
        return (couple > 0) & (np.isin(keys, living) | (_rank_within(keys) > 0))

    def _draw_life_span(self, year: Ints, *, is_founder: Bools) -> Ints:
        """Return spans of life in days; founders are grown up when they arrive."""
        uniform = self._random(year.size)
        late = np.clip((year - 1830) / 90, 0, 1)
        spans = []
        for survival in (SURVIVAL_EARLY, SURVIVAL_LATE):
            share = np.where(is_founder, uniform * survival[4], uniform)
            spans.append(np.interp(share, survival[::-1], SURVIVAL_AGES[::-1]))
        return to_days((1 - late) * spans[0] + late * spans[1]) + 1

    # Homes and marriages

    def _leave_home(self, newborn: Ints) -> None:
        people, count = self.lives.people, newborn.size
        day = people["born"][newborn] + to_days(14 + 10 * self._random(count))
        home = self.lives.place_on(newborn, day)
        is_founder = people["mother"][newborn] == 0
        settled = self._places.move(self._rng, home, stay=0.5, abroad=0.08)
        arriving = self._places.move(self._rng, home, stay=0.4, abroad=0.15)
        place = np.where(is_founder, arriving, settled)
        stays = (place == home) & ~is_founder & (self._random(count) < 0.6)
        people["leaves_home"][newborn] = np.where(stays, NEVER, day)
        people["adult_place"][newborn] = place

    def _plan_marriage(self, newborn: Ints) -> None:
        """Note when people become willing to marry."""
        people, count = self.lives.people, newborn.size
        willing = self._random(count) < MARRY
        spread = self._random(count) + self._random(count) + self._random(count)
        age = 18.5 + 4.2 * spread + 2.0 * (people["sex"][newborn] == MALE)
        self._add_willing(newborn[willing], (people["born"][newborn] + to_days(age))[willing])

    def _add_willing(self, person: Ints, ready: Ints) -> None:
        alive = self.lives.people["died"][person] > ready
        person, ready = person[alive], ready[alive]
        decade = year_of(ready) // 10
        for value in np.unique(decade):
            due = decade == value
            self._willing[int(value)].append((person[due], ready[due]))

    def _plan_single_births(self, newborn: Ints) -> None:
        people = self.lives.people
        women = newborn[people["sex"][newborn] == FEMALE]
        women = women[self._random(women.size) < SINGLE_MOTHERS]
        day = people["born"][women] + to_days(17 + 9 * self._random(women.size))
        possible = (day < people["died"][women]) & (day < LAST_BIRTH)
        women, day = women[possible], day[possible]
        self._schedule_births(np.zeros_like(women), women, day)

    def _marry(self, decade: int) -> None:
        """Pair the willing of a decade; those left over try once more in the next."""
        batches = self._willing.pop(decade, [])
        if not batches:
            return
        person, ready = (np.concatenate(column) for column in zip(*batches, strict=True))
        people, places = self.lives.people, self._places
        home = people["adult_place"][person]
        areas = (home, places.county[home], places.country[home], places.culture[home])
        sex, parents = people["sex"][person], people["mother"][person]
        man, woman = pair_up(
            self._rng, sex=sex, season=year_of(ready) // 4, areas=areas, siblings=parents
        )
        day = np.maximum(ready[man], ready[woman]) + self._waiting_days(150, man.size)
        groom, bride = person[man], person[woman]
        lives = day < np.minimum(people["died"][groom], people["died"][bride])
        lives &= day < day_of(1940)
        self._add_couples(groom[lives], bride[lives], day[lives])
        left = np.ones(person.size, dtype=bool)
        left[man[lives]] = left[woman[lives]] = False
        left &= self.lives.age_on(person, ready) < 38
        self._add_willing(person[left], np.maximum(ready[left] + 900, day_of(decade * 10 + 10.2)))

    def _add_couples(self, groom: Ints, bride: Ints, day: Ints) -> None:
        lives, rng, count = self.lives, self._rng, groom.size
        home, brides_home = lives.place_on(groom, day - 1), lives.place_on(bride, day - 1)
        new = lives.couples.append({
            "husband": groom,
            "wife": bride,
            "wed": day,
            "wed_place": np.where(rng.random(count) < 0.8, brides_home, home),
            "home1": home,
            "moves": day + to_days(1 + 19 * rng.random(count)),
            "home2": self._places.move(rng, home, stay=0.45, abroad=0.13),
        })  # fmt: skip
        for person in (groom, bride):
            is_second = lives.people["couple1"][person] > 0
            lives.people["couple2"][person[is_second]] = new[is_second]
            lives.people["couple1"][person[~is_second]] = new[~is_second]
        self._same_sex = np.pad(self._same_sex, ((0, 0), (0, count)))
        self._plan_children(new)
        self._plan_remarriages(new)

    def _plan_children(self, couple: Ints) -> None:
        """Schedule births about thirty months apart while both live; fewer after 1870."""
        people, couples = self.lives.people, self.lives.couples
        mother, father = couples["wife"][couple], couples["husband"][couple]
        end = np.minimum(people["born"][mother] + to_days(np.array([43.5]))[0], LAST_BIRTH)
        end = np.minimum(np.minimum(end, people["died"][mother]), people["died"][father] + 250)
        day = couples["wed"][couple] + 150 + self._waiting_days(330, couple.size)
        for _ in range(13):
            year = day / DAYS_PER_YEAR + 1970
            another = 0.93 - 0.0045 * np.clip(year - 1870, 0, 60)
            continues = (day < end) & (self._random(couple.size) < another)
            couple, mother, day, end = (column[continues] for column in (couple, mother, day, end))
            self._schedule_births(couple, mother, day)
            day = day + 400 + self._waiting_days(480, day.size)

    def _plan_remarriages(self, couple: Ints) -> None:
        people, couples = self.lives.people, self.lives.couples
        for survivor, spouse in (("husband", "wife"), ("wife", "husband")):
            person, ended = couples[survivor][couple], people["died"][couples[spouse][couple]]
            again = (people["couple2"][person] == 0) & (ended < people["died"][person])
            again &= self.lives.age_on(person, ended) < 50
            again &= self._random(couple.size) < REMARRY[people["sex"][person]]
            wait = 250 + self._waiting_days(700, int(again.sum()))
            decade_end = to_days(np.array([10.0]))[0]
            ready = np.maximum(ended[again] + wait, couples["wed"][couple[again]] + decade_end)
            self._add_willing(person[again], ready)


def _sibling_key(couple: Ints, sex: Ints, given: Ints) -> Ints:
    return (couple * 2 + sex) * 2**20 + given


def _rank_within(group: Ints) -> Ints:
    """Return the position of each entry among the equal ones, from 0.

    >>> _rank_within(np.array([5, 3, 5, 5])).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    first = np.searchsorted(ordered, ordered)
    rank = np.empty(group.size, dtype=np.int64)
    rank[order] = np.arange(group.size) - first
    return rank


def pair_up(
    rng: np.random.Generator, *, sex: Ints, season: Ints, areas: Sequence[Ints], siblings: Ints
) -> tuple[Ints, Ints]:
    """Return the positions of men and of the women they marry.

    ``areas`` are the numbers of smaller to larger areas; people with the same number above 0 in
    ``siblings`` are not paired.
    """
    men, women = [], []
    left = np.arange(sex.size)
    rounds = [*((area, season) for area in areas), (areas[-1], season // WIDE)]
    for (area, time), share in zip(rounds, LOOKING, strict=True):
        seekers = left[rng.random(left.size) < share]
        seekers = seekers[np.argsort(rng.random(seekers.size), kind="stable")]
        key = area[seekers] * 1000 + time[seekers]
        man, woman = _match_keys(seekers, key, sex[seekers])
        fits = (siblings[man] != siblings[woman]) | (siblings[man] == 0)
        men.append(man[fits])
        women.append(woman[fits])
        is_left = np.ones(sex.size, dtype=bool)
        is_left[np.concatenate([*men, *women])] = False
        left = np.nonzero(is_left)[0]
    return np.concatenate(men), np.concatenate(women)


def _match_keys(person: Ints, key: Ints, sex: Ints) -> tuple[Ints, Ints]:
    """Pair the n-th man with the n-th woman of every key."""
    numbered, members = [], []
    for value in (MALE, FEMALE):
        of_sex = np.nonzero(sex == value)[0]
        order = of_sex[np.argsort(key[of_sex], kind="stable")]
        ordered = key[order]
        rank = np.arange(order.size) - np.searchsorted(ordered, ordered)
        numbered.append(ordered * MANY + rank)
        members.append(person[order])
    _, man, woman = np.intersect1d(
        numbered[0], numbered[1], assume_unique=True, return_indices=True
    )
    return members[0][man], members[1][woman]
