"""How are attacks run, and how does a later run resume?

Each attack has one or more parts, and each part runs in a process of a pool.  Attacks that measure
times run last, one after the other.
"""

import json
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

from attack.outcome import Attack, Outcome, Plan, Profile
from attack.registry import ATTACKS

ROOT = Path(__file__).resolve().parent.parent
Part = tuple[str, int, int]  # the attack's name, tries and seed


def run_attacks(
    attacks: list[Attack], profile: Profile, *, seed: int, jobs: int, state: Path | None
) -> dict[str, Outcome]:
    """Run the parts of all attacks that were not finished before, and sum them up."""
    parts: list[Part] = [
        (attack.name, tries, part_seed)
        for attack in attacks
        for tries, part_seed in attack.parts(profile, seed)
    ]
    finished = load_state(state, profile, seed)
    alone = {attack.name for attack in attacks if attack.alone}
    for is_alone in (False, True):
        waiting = [
            part
            for part in parts
            if (part[0] in alone) == is_alone and key_of(part) not in finished
        ]
        with tempfile.TemporaryDirectory(prefix="forebear-attack-") as shared:
            for part, outcome in run_parts(waiting, 1 if is_alone else jobs, Path(shared)):
                finished[key_of(part)] = outcome
                save_state(state, profile, seed, finished)
    return {
        attack.name: sum_up([finished[key_of(part)] for part in parts if part[0] == attack.name])
        for attack in attacks
        if any(part[0] == attack.name for part in parts)
    }


def run_parts(parts: list[Part], jobs: int, shared: Path) -> Iterator[tuple[Part, Outcome]]:
    """Yield each part with its outcome, as they finish."""
    started = time.monotonic()
    with ProcessPoolExecutor(
        max_workers=max(1, min(jobs, len(parts))), mp_context=get_context("spawn")
    ) as pool:
        running: dict[Future[Outcome], Part] = {
            pool.submit(run_part, part, shared): part for part in parts
        }
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                part = running.pop(future)
                outcome = future.result()
                seconds = time.monotonic() - started
                print(
                    f"{seconds:6.0f} s  {part[0]:<18} {outcome.tries:>6,} tries  "
                    f"{len(outcome.failures)} failures",
                    file=sys.stderr,
                    flush=True,
                )
                yield part, outcome


def run_part(part: Part, shared: Path) -> Outcome:
    """Run one part of an attack in a folder that is deleted afterwards."""
    name, tries, seed = part
    attack = next(attack for attack in ATTACKS if attack.name == name)
    with tempfile.TemporaryDirectory(prefix="forebear-attack-") as folder:
        plan = Plan(
            tries=tries,
            seed=seed,
            folder=Path(folder),
            shared=shared,
            progress=lambda done: print_progress(name, done, tries),
        )
        try:
            return attack.run(plan)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            return Outcome(
                tries=tries,
                failures=(
                    f"the attack broke (seed {seed}): {type(error).__name__}: {error} "
                    f"at {Path(where.filename).name}:{where.lineno}".replace("\n", " "),
                ),
            )


def print_progress(name: str, done: int, tries: int) -> None:
    """Print how far an attack is, at every tenth part."""
    if done * 10 // tries != (done - 1) * 10 // tries and sys.stderr.isatty():
        print(f"          {name:<18} {done:>6,} of {tries:,}", file=sys.stderr, flush=True)


def sum_up(outcomes: list[Outcome]) -> Outcome:
    """Return the outcome of an attack from those of its parts."""
    worst = [outcome.worst for outcome in outcomes if outcome.worst]
    return Outcome(
        tries=sum(outcome.tries for outcome in outcomes),
        failures=tuple(failure for outcome in outcomes for failure in outcome.failures),
        worst=max(worst, key=lambda text: (numbers(text), text)) if worst else "",
        skipped=next((outcome.skipped for outcome in outcomes if outcome.skipped), ""),
    )


def numbers(text: str) -> list[float]:
    """Return the numbers of a text: the worst case of parts has the largest."""
    words = (word.strip(",;:()%").replace(",", "") for word in text.split())
    return [float(word) for word in words if word.replace(".", "", 1).isdigit()]


def key_of(part: Part) -> str:
    """Return what a finished part is called in the state file."""
    return "/".join(map(str, part))


def load_state(path: Path | None, profile: Profile, seed: int) -> dict[str, Outcome]:
    """Return the parts that a run of the same profile, seed and commit finished."""
    if path is None or not path.exists():
        return {}
    state = json.loads(path.read_text("utf-8"))
    if state["run"] != run_name(profile, seed):
        return {}
    return {
        key: Outcome(**{**value, "failures": tuple(value["failures"])})
        for key, value in state["finished"].items()
    }


def save_state(
    path: Path | None, profile: Profile, seed: int, finished: dict[str, Outcome]
) -> None:
    """Write the finished parts."""
    if path is None:
        return
    state = {
        "run": run_name(profile, seed),
        "finished": {key: asdict(outcome) for key, outcome in finished.items()},
    }
    beside = path.with_suffix(".writing")
    beside.write_text(json.dumps(state, indent=1), "utf-8")
    beside.replace(path)


def run_name(profile: Profile, seed: int) -> str:
    """Return what a run is called: another commit is another run."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{profile}, seed {seed}, commit {described.stdout.strip() or 'unknown'}"
