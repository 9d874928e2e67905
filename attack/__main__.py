"""Attack the program and print what came of it: test, tries, failures, worst case.

Exits with 1 on any failure.  With ``--resume FILE`` each finished part is written to the file, and
a later run with the same profile, seed and commit skips it.

    python -m attack [--quick | --full] [--only NAME ...] [--seed N] [--resume FILE]
"""

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from attack.outcome import Outcome, Profile
from attack.registry import ATTACKS
from attack.run import run_attacks

MAX_FAILURES = 20  # printed of each attack


def main() -> int:
    """Run the attacks and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m attack", description=__doc__.split("\n")[0])
    profile = parser.add_mutually_exclusive_group()
    profile.add_argument("--quick", action="store_true", help="at most 60 s")
    profile.add_argument("--full", action="store_true", help="ten times as much")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="of the names in --list")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at the same time")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="skip the parts in this file")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--list", action="store_true", help="print the names and questions")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(f"{attack.name:<18} {attack.question}" for attack in ATTACKS))
        return 0
    names = arguments.only or [attack.name for attack in ATTACKS]
    if unknown := set(names) - {attack.name for attack in ATTACKS}:
        parser.error(f"no attack is called {sorted(unknown)[0]!r}; --list prints the names")
    chosen: Profile = "quick" if arguments.quick else "full" if arguments.full else "normal"
    outcomes = run_attacks(
        [attack for attack in ATTACKS if attack.name in names],
        chosen,
        seed=arguments.seed,
        jobs=arguments.jobs,
        state=arguments.resume,
    )
    print(as_json(outcomes) if arguments.json else as_table(outcomes))
    return 1 if any(is_failed(outcome) for outcome in outcomes.values()) else 0


def is_failed(outcome: Outcome) -> bool:
    """Return whether an attack failed; under CI nothing may be skipped."""
    return bool(outcome.failures) or bool(outcome.skipped and os.environ.get("CI") == "true")


def as_table(outcomes: dict[str, Outcome]) -> str:
    """Return the table, and the failures below it."""
    rows = [("test", "tries", "failures", "worst case")]
    for name, outcome in outcomes.items():
        worst = f"skipped: {outcome.skipped}" if outcome.skipped else outcome.worst
        rows.append((name, f"{outcome.tries:,}", f"{len(outcome.failures):,}", worst))
    lines = [
        f"{name:<18}  {tries:>7}  {failed:>8}  {worst}".rstrip()
        for name, tries, failed, worst in rows
    ]
    for name, outcome in outcomes.items():
        lines += ["", *(f"{name}: {text}" for text in outcome.failures[:MAX_FAILURES])][
            0 if outcome.failures else 1 :
        ]
        if len(outcome.failures) > MAX_FAILURES:
            lines.append(f"{name}: and {len(outcome.failures) - MAX_FAILURES} more")
    return "\n".join(lines)


def as_json(outcomes: dict[str, Outcome]) -> str:
    """Return the outcomes as JSON."""
    return json.dumps({name: asdict(outcome) for name, outcome in outcomes.items()}, indent=2)


if __name__ == "__main__":
    sys.exit(main())
