"""Tests for `forebear_lab.simulation.families`: what must be true of every life."""

import numpy as np
import pytest

from forebear_lab.simulation.archives import simulate_world
from forebear_lab.simulation.clerk import World
from forebear_lab.simulation.lives import day_of
from forebear_lab.simulation.names import ENGLISH, FEMALE, MALE, NORWEGIAN, SPANISH
from forebear_lab.simulation.records_census import HEAD, SPOUSE, form_households


@pytest.fixture(scope="module")
def world() -> World:
    return simulate_world(personas=20_000, seed=2)


def test_parents_live_when_children_are_born(world: World) -> None:
    people, lives = world.lives.people, world.lives
    child = np.nonzero(people["mother"])[0]
    mother, father = people["mother"][child], people["father"][child]
    born = people["born"][child]

    assert lives.is_alive(mother, born).all()
    assert (lives.age_on(mother, born) > 15).all()
    assert (lives.age_on(mother, born) < 45).all()
    has_father = father > 0
    assert (born[has_father] < people["died"][father[has_father]] + 280).all()
    assert (people["sex"][mother] == FEMALE).all()
    assert (people["sex"][father[has_father]] == MALE).all()


def test_weddings_join_living_adults_who_are_not_married(world: World) -> None:
    people, couples = world.lives.people, world.lives.couples
    wed = couples["wed"][1:]
    for side in ("husband", "wife"):
        person = couples[side][1:]
        assert world.lives.is_alive(person, wed).all()
        assert (world.lives.age_on(person, wed) > 17).all()
    second = np.nonzero(people["couple2"])[0]
    first_spouse = world.lives.spouse_on(second, couples["wed"][people["couple1"][second]])
    assert (people["died"][first_spouse] < couples["wed"][people["couple2"][second]]).all()
    assert second.size > 20


def test_brothers_and_sisters_do_not_marry(world: World) -> None:
    people, couples = world.lives.people, world.lives.couples
    mothers = [people["mother"][couples[side][1:]] for side in ("husband", "wife")]

    assert not ((mothers[0] == mothers[1]) & (mothers[0] > 0)).any()


def test_surnames_follow_the_custom_of_a_culture(world: World) -> None:
    people, names = world.lives.people, world.names.text
    child = np.nonzero(people["father"])[0]
    father, mother = people["father"][child], people["mother"][child]
    culture, place = people["culture"][child], world.places.culture[people["birth_place"][child]]
    english = culture == ENGLISH
    norwegian = (culture == NORWEGIAN) & (place == NORWEGIAN)
    spanish = (culture == SPANISH) & (people["culture"][father] == SPANISH)

    assert (people["surname"][child] == people["surname"][father])[english].all()
    assert all(
        text.endswith(("sen", "datter")) for text in names[people["surname"][child]][norwegian]
    )
    assert (people["second_surname"][child] == people["surname"][mother])[spanish].all()
    assert min(norwegian.sum(), spanish.sum()) > 10


def test_wives_take_the_surname_of_english_husbands(world: World) -> None:
    lives = world.lives
    wife, husband = lives.couples["wife"][1:], lives.couples["husband"][1:]
    day = lives.couples["wed"][1:]
    is_first = lives.people["couple2"][wife] == 0

    before, _ = lives.surname_on(wife, day - 1)
    after, _ = lives.surname_on(wife, day)

    english = lives.people["culture"][husband] == ENGLISH
    assert (after == lives.people["surname"][husband])[english].all()
    assert (before == lives.people["surname"][wife])[is_first].all()


def test_surnames_have_a_long_tail_also_in_a_small_world(world: World) -> None:
    counts = np.bincount(world.lives.people["surname"][1:])
    counts = np.sort(counts[counts > 0])[::-1]

    assert counts.size > 250
    assert counts[0] / counts.sum() < 0.06


def test_a_house_has_one_head_and_everybody_has_one_house(world: World) -> None:
    night = form_households(world, day_of(1881.25))

    assert np.unique(night.person).size == night.person.size
    heads = night.house[night.relation == HEAD]
    assert np.unique(heads).size == heads.size
    spouses = night.relation == SPOUSE
    assert world.lives.is_alive(night.person, night.day).all()
    ages = world.lives.age_on(night.person, night.day)
    assert (ages[night.relation == HEAD] < 13).mean() < 0.02
    assert (world.lives.couple_on(night.person, night.day) > 0)[spouses].all()
