"""Who was who, married to whom, and where, on a given day?

People and couples are columns of numbers; row 0 of both stands for an unknown one, so a father of
0 is not known. Days count as in ``days.py``. Every method takes arrays and answers for all at once.
"""

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from forebear_lab.simulation.chance import Bools, Floats, Ints
from forebear_lab.simulation.days import DAYS_PER_YEAR, NEVER
from forebear_lab.simulation.names import ENGLISH, FEMALE

PEOPLE = (
    "sex", "culture", "given", "middle", "surname", "second_surname", "born", "died", "father",
    "mother", "couple", "birth_place", "leaves_home", "adult_place", "trade", "faith", "couple1",
    "couple2", "recorded",
)  # fmt: skip
COUPLES = ("husband", "wife", "wed", "wed_place", "home1", "moves", "home2")
LATE = ("leaves_home", "wed", "moves")  # 0 would mean the year 1970; row 0 never does


class Columns:
    """Columns of equal length that grow."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._columns = {
            name: np.array([NEVER if name in LATE else 0], dtype=np.int64) for name in names
        }

    def __getitem__(self, name: str) -> Ints:
        return self._columns[name]

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def append(self, rows: Mapping[str, Ints]) -> Ints:
        """Add rows, with the value of row 0 in columns not given, and return their numbers."""
        first, count = len(self), len(next(iter(rows.values())))
        for name, column in self._columns.items():
            added = np.broadcast_to(rows.get(name, column[:1]), count)
            self._columns[name] = np.concatenate([column, added])
        return np.arange(first, first + count)


class Lives:
    """Everybody who ever lived in a simulation."""

    def __init__(self) -> None:
        self.people = Columns(PEOPLE)
        self.couples = Columns(COUPLES)

    def couple_on(self, person: Ints, day: Ints) -> Ints:
        """Return the latest marriage until the day, ended or not; 0 of single people."""
        first, second = self.people["couple1"][person], self.people["couple2"][person]
        wed = self.couples["wed"]
        is_first = (first > 0) & (wed[first] <= day)
        return np.where((second > 0) & (wed[second] <= day), second, np.where(is_first, first, 0))

    def spouse_on(self, person: Ints, day: Ints) -> Ints:
        """Return the last husband or wife, living or dead; 0 of single people."""
        couple = self.couple_on(person, day)
        is_wife = self.people["sex"][person] == FEMALE
        return np.where(is_wife, self.couples["husband"][couple], self.couples["wife"][couple])

    def is_alive(self, person: Ints, day: Ints) -> Bools:
        """Return who lives on the day."""
        people = self.people
        return (person > 0) & (people["born"][person] <= day) & (day < people["died"][person])

    def has_arrived(self, person: Ints, day: Ints) -> Bools:
        """Return who is in the simulated world by then: founders come when they leave home."""
        people = self.people
        return (people["mother"][person] > 0) | (people["leaves_home"][person] <= day)

    def surname_on(self, person: Ints, day: Ints) -> tuple[Ints, Ints]:
        """Return the surname in use on the day, and the second one where the culture has two."""
        people = self.people
        husband = self.couples["husband"][self.couple_on(person, day)]
        takes = (people["sex"][person] == FEMALE) & (husband > 0)
        takes &= people["culture"][husband] == ENGLISH
        bearer = np.where(takes, husband, person)
        second = np.where(takes, 0, people["second_surname"][person])
        return people["surname"][bearer], second

    def home_on(self, couple: Ints, day: Ints) -> Ints:
        """Return where couples live."""
        has_moved = self.couples["moves"][couple] <= day
        return np.where(has_moved, self.couples["home2"][couple], self.couples["home1"][couple])

    def place_on(self, person: Ints, day: Ints) -> Ints:
        """Return where people live: with parents, alone, or with husband or wife."""
        people, couple = self.people, self.couple_on(person, day)
        parents = people["couple"][person]
        childhood = np.where(parents > 0, self.home_on(parents, day), people["birth_place"][person])
        has_left = people["leaves_home"][person] <= day
        single = np.where(has_left, people["adult_place"][person], childhood)
        return np.where(couple > 0, self.home_on(couple, day), single)

    def age_on(self, person: Ints, day: Ints) -> Floats:
        """Return ages in years."""
        return (day - self.people["born"][person]) / DAYS_PER_YEAR

    def child(self, couple: Ints, turn: int) -> Ints:
        """Return the child of couples that was born as number ``turn``, from 0; else 0."""
        order, first, end = self._children
        place = first[couple] + turn
        has_child = (couple > 0) & (place < end[couple])
        return np.where(has_child, order[np.minimum(place, order.size - 1)], 0)

    @cached_property
    def _children(self) -> tuple[Ints, Ints, Ints]:
        """Return children in the order of couples, and where those of each begin and end."""
        couple = self.people["couple"]
        order = np.argsort(couple, kind="stable")
        numbers = np.arange(len(self.couples))
        first = np.searchsorted(couple[order], numbers)
        return order, first, np.searchsorted(couple[order], numbers, side="right")
