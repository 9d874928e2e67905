"""Who searches a simulated archive for whom, when, and knowing what?

A user is a descendant, born about 1900, who looks for ancestors, their brothers and sisters and
their husbands and wives: people of one family. A user returns after some days, mostly for another
relative, sometimes for the same one with more knowledge. A share of visits is for a person who left
no record: the right answer is then that no record fits.

Knowledge comes in four stages: ``name`` (a name and a rough year), ``life`` (birth, often death),
``family`` (spouse and parents too) and ``tree`` (most of a life). At every stage memory has its
errors: years are off by one or two, a neighboring parish is named, a surname is spelled as the
family spells it today, a married name passes for the birth name. Queries have the form that
``forebear search --batch`` reads; ``stage`` is carried through it and means nothing to the engine.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from forebear_lab.simulation.chance import Ints, cumulate
from forebear_lab.simulation.clerk import TRADES, World
from forebear_lab.simulation.damage import Damage, change_given, respell
from forebear_lab.simulation.lives import day_of, write_days, year_of
from forebear_lab.simulation.names import ENGLISH, FEMALE

Query = dict[str, Any]
LATEST = day_of(1941)
VISITS_PER_USER = 6
ABSENT = 0.06
SAME_PERSON_AGAIN = 0.2
GENERATIONS = 6
DAYS_BETWEEN_VISITS = 4.0
FIRST_DAYS = 60  # users arrive during two months


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """How likely each fact is known at a stage."""

    stage: str
    weight: float  # share of searches that begin at this stage
    sex: float
    birth: float
    birth_place: float
    whole_place: float  # parish and county, not the county alone
    whole_day: float
    death: float
    marriage: float
    residence: float
    married_name: float
    spouse: float
    parents: float
    children: float
    occupation: float


STAGES = (
    Knowledge(
        stage="name", weight=0.2, sex=0.8, birth=0.9, birth_place=0.4, whole_place=0.3,
        whole_day=0.0, death=0.1, marriage=0.0, residence=0.05, married_name=0.4, spouse=0.0,
        parents=0.0, children=0.0, occupation=0.02,
    ),
    Knowledge(
        stage="life", weight=0.32, sex=0.9, birth=0.95, birth_place=0.8, whole_place=0.7,
        whole_day=0.1, death=0.45, marriage=0.1, residence=0.1, married_name=0.6, spouse=0.2,
        parents=0.1, children=0.0, occupation=0.05,
    ),
    Knowledge(
        stage="family", weight=0.3, sex=0.95, birth=0.95, birth_place=0.85, whole_place=0.85,
        whole_day=0.3, death=0.7, marriage=0.4, residence=0.25, married_name=0.85, spouse=0.8,
        parents=0.7, children=0.2, occupation=0.1,
    ),
    Knowledge(
        stage="tree", weight=0.18, sex=0.97, birth=0.98, birth_place=0.95, whole_place=0.95,
        whole_day=0.6, death=0.9, marriage=0.8, residence=0.6, married_name=0.95, spouse=0.92,
        parents=0.9, children=0.8, occupation=0.25,
    ),
)  # fmt: skip
STAGE_NAMES = tuple(knowledge.stage for knowledge in STAGES)
# What is remembered wrongly.
YEAR_OFF, NEIGHBORING_PARISH, RESPELLED, MARRIED_FOR_BIRTH_NAME, MIDDLE_FOR_FIRST = (
    0.25, 0.06, 0.07, 0.08, 0.04,
)  # fmt: skip
REMEMBERED_GIVEN = Damage(abbreviated=0.0, nickname=0.05, variant=0.03, given_misread=0.0)


class Descendant:
    """Describes people of a world from memory."""

    def __init__(self, world: World, rng: np.random.Generator) -> None:
        self._world, self._rng = world, rng
        self._lives, self._people = world.lives, world.lives.people

    def describe(self, person: int, knowledge: Knowledge, *, query_id: str) -> Query:
        """Return the query for a person at a stage of knowledge."""
        query: Query = {
            "id": query_id,
            "stage": knowledge.stage,
            "names": self._names(person, knowledge),
        }
        is_woman = self._people["sex"][person] == FEMALE
        if self._knows(knowledge.sex):
            query["sex"] = "female" if is_woman else "male"
        if events := self._events(person, knowledge):
            query["events"] = events
        if relatives := self._relatives(person, knowledge):
            query["relatives"] = relatives
        if not is_woman and self._knows(knowledge.occupation):
            query["occupation"] = str(TRADES[0][self._people["trade"][person]])
        return query

    def _knows(self, share: float) -> bool:
        return bool(self._rng.random() < share)

    def _names(self, person: int, knowledge: Knowledge) -> list[dict[str, str]]:
        given, birth_name = self._given(person), self._surname(person)
        husband = self._spouse(person) if self._people["sex"][person] == FEMALE else 0
        if not husband or self._people["culture"][husband] != ENGLISH:
            return [{"given": given, "surname": birth_name, "kind": "birth"}]
        married_name = self._surname(husband)
        if self._knows(MARRIED_FOR_BIRTH_NAME):
            return [{"given": given, "surname": married_name, "kind": "birth"}]
        names = [{"given": given, "surname": birth_name, "kind": "birth"}]
        if self._knows(knowledge.married_name):
            names.append({"given": given, "surname": married_name, "kind": "married"})
        return names

    def _given(self, person: int) -> str:
        text = self._world.names.text
        first, middle = text[self._people["given"][person]], text[self._people["middle"][person]]
        if middle and self._knows(MIDDLE_FOR_FIRST):
            return str(middle)
        written = change_given(
            np.array([first], dtype=object),
            REMEMBERED_GIVEN,
            self._rng.random(1),
            self._rng.random(1),
        )
        return f"{written[0]} {middle}".strip() if self._knows(0.5) else str(written[0])

    def _surname(self, person: int) -> str:
        text = str(self._world.names.text[self._people["surname"][person]])
        forms = respell(text, "sound")
        return forms[int(self._rng.random() * len(forms))] if self._knows(RESPELLED) else text

    def _spouse(self, person: int) -> int:
        return int(self._lives.spouse_on(np.array([person]), np.array([LATEST]))[0])

    def _events(self, person: int, knowledge: Knowledge) -> list[dict[str, str]]:
        people, couples = self._people, self._lives.couples
        couple = int(people["couple1"][person])
        events = []
        if self._knows(knowledge.birth):
            place = int(people["birth_place"][person]) if self._knows(knowledge.birth_place) else -1
            events.append(self._event("birth", int(people["born"][person]), place, knowledge))
        if couple and self._knows(knowledge.marriage):
            place = int(couples["wed_place"][couple]) if self._knows(0.7) else -1
            events.append(self._event("marriage", int(couples["wed"][couple]), place, knowledge))
        if couple and self._knows(knowledge.residence):
            day = int(couples["wed"][couple] + self._rng.random() * 6000)
            place = int(self._lives.place_on(np.array([person]), np.array([day]))[0])
            events.append(self._event("residence", day, place, knowledge))
        if people["died"][person] < LATEST and self._knows(knowledge.death):
            day = int(people["died"][person])
            place = int(self._lives.place_on(np.array([person]), np.array([day]))[0])
            events.append(self._event("death", day, place if self._knows(0.5) else -1, knowledge))
        return events

    def _event(self, kind: str, day: int, place: int, knowledge: Knowledge) -> dict[str, str]:
        year = int(year_of(np.array([day]))[0])
        if self._knows(YEAR_OFF):
            year += int(self._rng.random() * 5) - 2
            date = f"abt {year}" if self._knows(0.6) else str(year)
        elif kind != "residence" and self._knows(knowledge.whole_day):
            date = str(write_days(np.array([day]), "day")[0])
        else:
            date = f"abt {year}" if self._knows(0.4) else str(year)
        event = {"kind": kind, "date": date}
        return event if place < 0 else event | {"place": self._place(place, knowledge)}

    def _place(self, place: int, knowledge: Knowledge) -> str:
        places = self._world.places
        if self._knows(NEIGHBORING_PARISH):
            place = int(places.neighbor(self._rng, np.array([place]))[0])
        area = f"{places.county_text[place]}, {places.country_text[place]}"
        return f"{places.name[place]}, {area}" if self._knows(knowledge.whole_place) else area

    def _relatives(self, person: int, knowledge: Knowledge) -> list[dict[str, str]]:
        people = self._people
        kin = [("spouse", self._spouse(person), knowledge.spouse)]
        kin += [
            (side, int(people[side][person]), knowledge.parents) for side in ("father", "mother")
        ]
        couple = self._lives.couple_on(np.array([person]), np.array([LATEST]))
        kin += [
            ("child", int(self._lives.child(couple, turn)[0]), knowledge.children)
            for turn in range(3)
        ]
        relatives = []
        for kind, relative, share in kin:
            if relative and self._knows(share):
                names = {"kind": kind, "given": self._given(relative)}
                has_surname = kind != "mother" or self._knows(0.6)
                relatives.append(
                    names | ({"surname": self._surname(relative)} if has_surname else {})
                )
        return relatives


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One search of one user."""

    day: int
    user: str
    family: str
    query_id: str
    person: int
    stage: int
    in_archive: bool


def plan_visits(world: World, mentions: Ints, *, count: int) -> list[Visit]:
    """Return visits in the order of days; ``mentions`` counts the records of every person."""
    rng = world.chance.stream("users")
    people = world.lives.people
    born = people["born"]
    is_descendant = (people["father"] > 0) & (born > day_of(1880))
    descendants = np.nonzero(is_descendant)[0]
    if not descendants.size or not count:
        return []
    order = np.argsort(rng.random(descendants.size), kind="stable")
    searches: list[tuple[int, str, str, int, int]] = []
    for number, place in enumerate(np.resize(order, count)):
        if len(searches) >= count:
            break
        descendant = int(descendants[place])
        family = f"f{_first_of_line(people['father'], descendant)}"
        visits = _plan_user(world, rng, mentions, descendant)
        searches += [
            (day, f"u{number + 1}", family, person, stage) for day, person, stage in visits
        ]
    searches = sorted(searches[:count])
    return [
        Visit(
            day=day, user=user, family=family, query_id=f"q{number}", person=person, stage=stage,
            in_archive=bool(mentions[person] > 0),
        )
        for number, (day, user, family, person, stage) in enumerate(searches, 1)
    ]  # fmt: skip


def _plan_user(
    world: World, rng: np.random.Generator, mentions: Ints, descendant: int
) -> Iterator[tuple[int, int, int]]:
    """Yield day, person and stage of the visits of one user."""
    kin = find_kin(world, descendant)
    kin = kin[np.argsort(rng.random(kin.size), kind="stable")]
    present = [int(person) for person in kin if mentions[person] >= 2]
    absent = [int(person) for person in kin if mentions[person] == 0]
    if not absent:
        unrecorded = np.nonzero(mentions[1:] == 0)[0] + 1
        absent = [int(unrecorded[int(rng.random() * unrecorded.size)])] if unrecorded.size else []
    visits = 1 + int(-(VISITS_PER_USER - 1) * np.log1p(-rng.random()))
    day = int(rng.random() * FIRST_DAYS)
    previous: tuple[int, int] | None = None
    weights = cumulate(np.array([knowledge.weight for knowledge in STAGES]))
    for _ in range(visits):
        stage = int(np.searchsorted(weights, rng.random(), side="right"))
        kind = rng.random()
        if previous and kind < SAME_PERSON_AGAIN:
            person, stage = previous[0], min(previous[1] + 1, len(STAGES) - 1)
        elif absent and kind > 1 - ABSENT:
            person = absent[0]
        elif present:
            person = present.pop()
        else:
            return
        yield day, person, stage
        previous = person, stage
        day += 1 + int(-DAYS_BETWEEN_VISITS * np.log1p(-rng.random()))


def find_kin(world: World, descendant: int) -> Ints:
    """Return ancestors, their brothers and sisters and their spouses, without the descendant."""
    lives, people = world.lives, world.lives.people
    generation = np.array([descendant])
    kin = [np.zeros(0, dtype=np.int64)]
    for _ in range(GENERATIONS):
        parents = np.concatenate([people["father"][generation], people["mother"][generation]])
        generation = np.unique(parents[parents > 0])
        couples = people["couple"][generation]
        siblings = [lives.child(couples, turn) for turn in range(8)]
        kin += [generation, *siblings]
    blood = np.concatenate(kin)
    blood = blood[blood > 0]
    spouses = lives.spouse_on(blood, np.full(blood.size, day_of(1941)))
    everybody = np.unique(np.concatenate([blood, spouses]))
    return np.asarray(everybody[(everybody > 0) & (everybody != descendant)], dtype=np.int64)


def _first_of_line(father: Ints, person: int) -> int:
    """Return the first ancestor in the male line."""
    while father[person]:
        person = int(father[person])
    return person
