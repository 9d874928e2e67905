"""The attacks, in their quick profile, come to nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from attack.outcome import Attack, Outcome, Tries
from attack.registry import ATTACKS

from conftest import skip_without

SECONDS = 600  # on a busy machine; alone it takes a minute


@pytest.mark.waits
def test_the_quick_attacks_come_to_nothing(repository: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "attack", "--quick", "--json", "--jobs", "2"],
        cwd=repository,
        env={**os.environ, "PYTHONPATH": str(repository)},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )

    outcomes = json.loads(ran.stdout)
    skipped = sorted({outcome["skipped"] for outcome in outcomes.values()} - {""})
    assert {name: outcome["failures"] for name, outcome in outcomes.items()} == {
        name: [] for name in outcomes
    }
    if skipped:
        skip_without(skipped[0])
    assert ran.returncode == 0


def test_every_attack_has_a_name_that_no_other_has() -> None:
    names = [attack.name for attack in ATTACKS]

    assert len(set(names)) == len(names)


def test_the_full_profile_has_parts_of_normal_size_with_seeds_of_their_own() -> None:
    attack = Attack(
        name="a",
        question="?",
        tries=Tries(quick=1, normal=10, full=25),
        run=lambda plan: Outcome(tries=plan.tries),
    )

    assert list(attack.parts("quick", 3)) == [(1, 3000)]
    assert list(attack.parts("full", 3)) == [(10, 3000), (10, 3001), (5, 3002)]
