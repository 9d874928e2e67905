"""Who marries whom?

People who become willing in the same season of four years are paired at random, first within a
parish, then a county, a country, and wherever their language is spoken, at last within twelve
years; in each round some do not look, so that not everybody marries next door. Brothers and
sisters are not paired.
"""

from collections.abc import Sequence

import numpy as np

from forebear_lab.simulation.chance import Ints
from forebear_lab.simulation.names import FEMALE, MALE

LOOKING = (0.55, 0.75, 0.9, 1.0, 1.0)  # share of those left that looks in each round
WIDE = 3  # seasons in one of the last round
MANY = 10**9


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
