"""Tests for `forebear_lab.simulation.damage`, and that linked pairs agree as often as real ones."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.quality.simulation_pairs import agreement_rates, simulated_cases, simulated_soldiers

from forebear_lab.simulation.archives import write_archive
from forebear_lab.simulation.damage import (
    ENUMERATED,
    OCR_SHARE,
    Damage,
    change_ages,
    change_given,
    change_surnames,
    read_by_machine,
    respell,
)

COUNT = 20_000
# Of 5,000 soldiers linked to the census of 1900, and 2,477 London orders with examinations.
UNION_ARMY = {
    "given name": 0.795,
    "its initial": 0.952,
    "surname": 0.731,
    "surname, Jaro-Winkler .9": 0.900,
    "birth year": 0.378,
    "birth year within 2": 0.827,
    "sex": 0.998,
    "birthplace (state, county)": 0.892,
}
LONDON = {"given name": 0.584, "surname": 0.855}
# The benchmark compares 300,000 personas and allows .05; so few pairs vary more.
SOLDIERS_TOLERANCE, CASES_TOLERANCE = 0.06, 0.12


def test_surnames_change_at_the_stated_rates() -> None:
    random = np.random.default_rng(1)
    names = np.full(COUNT, "Thornbury", dtype=object)

    changed = change_surnames(names, ENUMERATED, random.random(COUNT), random.random(COUNT))

    stated = ENUMERATED.surname_respelled + ENUMERATED.surname_misread + ENUMERATED.surname_garbled
    assert abs((changed != names).mean() - stated) < 0.01


def test_given_names_have_their_usual_forms() -> None:
    damage = Damage(abbreviated=0.5, nickname=0.5, variant=0.0, given_misread=0.0)
    names = np.array(["William", "Zebulon"], dtype=object)

    first = change_given(names, damage, np.array([0.1, 0.1]), np.array([0.0, 0.0]))
    second = change_given(names, damage, np.array([0.6, 0.6]), np.array([0.0, 0.0]))

    assert first.tolist() == ["Wm", "Zebulon"]  # no form: written in full
    assert second.tolist() == ["Will", "Zebulon"]


def test_ages_are_off_at_the_stated_rates() -> None:
    damage = Damage(age_off=0.3, age_rounded=0.0, age_far_off=0.0)

    stated = change_ages(np.random.default_rng(2), np.full(COUNT, 41.5), damage)

    assert abs((stated != 41).mean() - 0.3) < 0.02
    assert np.abs(stated - 41).max() == 2
    assert change_ages(np.random.default_rng(2), np.full(9, 0.5), damage).tolist() == [0] * 9


def test_a_machine_misreads_the_stated_share_of_letters() -> None:
    texts = np.full(2000, "o" * 50, dtype=object)

    read = read_by_machine(np.random.default_rng(3), texts)

    errors = sum(text.count("0") for text in read)
    assert abs(errors / 100_000 - OCR_SHARE) < 0.001


def test_respelling_changes_one_place_and_keeps_a_name_a_name() -> None:
    for kind in ("sound", "handwriting"):
        for form in respell("Whittaker", kind):
            assert form != "Whittaker"
            assert form[0].isupper()
            assert abs(len(form) - len("Whittaker")) <= 2


def test_pairs_agree_about_as_often_as_real_ones(tmp_path: Path) -> None:
    world = write_archive(tmp_path / "world", personas=60_000, seed=4, queries=0).folder

    assert agreement_rates(simulated_soldiers(world)) == pytest.approx(
        UNION_ARMY, abs=SOLDIERS_TOLERANCE
    )
    cases = agreement_rates(simulated_cases(world))
    assert {name: cases[name] for name in LONDON} == pytest.approx(LONDON, abs=CASES_TOLERANCE)
