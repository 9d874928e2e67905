"""Linked pairs of a simulated archive agree about as often as those of the Union Army."""

from pathlib import Path

import pytest
from benchmarks.quality.simulation_pairs import agreement_rates, simulated_cases, simulated_soldiers

from forebear_lab.simulation.archives import write_archive

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


def test_pairs_agree_about_as_often_as_real_ones(tmp_path: Path) -> None:
    world = write_archive(tmp_path / "world", personas=60_000, seed=4, queries=0).folder

    assert agreement_rates(simulated_soldiers(world)) == pytest.approx(
        UNION_ARMY, abs=SOLDIERS_TOLERANCE
    )
    cases = agreement_rates(simulated_cases(world))
    assert {name: cases[name] for name in LONDON} == pytest.approx(LONDON, abs=CASES_TOLERANCE)
