"""Who searches a simulated archive for whom, and on which day?

A user is a descendant, born about 1900, who looks for ancestors, their brothers and sisters and
their husbands and wives: people of one family.  A user returns after some days, mostly for another
relative, sometimes for the same one with more knowledge (the next stage of ``queries.py``).  A
share of visits is for a person who left no record: the right answer is then that no record fits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forebear_lab.simulation.chance import Ints, cumulate
from forebear_lab.simulation.clerk import World
from forebear_lab.simulation.days import day_of
from forebear_lab.simulation.files import read_rows
from forebear_lab.simulation.queries import STAGES

VISITS_PER_USER = 6
ABSENT = 0.06
SAME_PERSON_AGAIN = 0.2
GENERATIONS = 6
DAYS_BETWEEN_VISITS = 4.0
FIRST_DAYS = 60  # users arrive during two months


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


def read_visits(folder: Path) -> list[Visit]:
    """Return the visits of a simulated archive that was written earlier."""
    return [
        Visit(
            day=int(row["day"]),
            user=row["user"],
            family=row["family"],
            query_id=row["query_id"],
            person=int(row["person_id"]),
            stage=int(row["stage"]),
            in_archive=row["in_archive"] == "yes",
        )
        for row in read_rows(folder / "truth" / "visits.csv")
    ]
