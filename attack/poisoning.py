"""Can one visitor steer the ranking?

One address votes through a server that accepts anonymous votes: it attaches what fits worst and
rejects what fits best.  While the votes are held back, training must learn the same model as
without them.  Once they are released, the visitor may count for at most a twentieth of the weight.
"""

import json
import math
import random
import urllib.error
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from attack.kills import search_keys, vote
from attack.outcome import Attack, Outcome, Plan, Tries
from attack.running import CannotRun, Driver, Finished, missing_feature, serving
from attack.worlds import (
    GIVEN,
    SURNAMES,
    attach_some,
    copy_archive,
    make_rows,
    write_census,
)
from forebear.archive import create_archive, open_archive
from forebear.learning.train import MIN_USED

ROWS = 800
PEOPLE = sorted({(GIVEN[n % len(GIVEN)], SURNAMES[n % len(SURNAMES)]) for n in range(40)})
ATTACHED = 6  # records of each of them
CUTOFF = 100
SECONDS = 300
TRAIN = ("train", "--seed", "1", "--json", "--archive")
LARGEST_SHARE = 0.05
UNLIMITED = ("--max-requests", "1000000")  # so that the votes take seconds, not minutes


def run(plan: Plan) -> Outcome:
    """Vote again and again, then train."""
    rng = random.Random(plan.seed)
    clean, poisoned = plan.folder / "clean.forebear", plan.folder / "poisoned.forebear"
    file, mapping = write_census(plan.folder, make_rows(rng, ROWS))
    with create_archive(clean) as archive:
        archive.import_file(file, mapping=str(mapping))
    attach_some(clean, searches=len(PEOPLE), records=ATTACHED)
    truth = {person: keys[:ATTACHED] for person, keys in rank(clean, PEOPLE).items()}
    copy_archive(clean, poisoned)
    try:
        votes = poison(poisoned, rng, plan)
        with Driver(seconds=SECONDS) as driver:
            failures = [
                f"{problem} (seed {plan.seed})"
                for problem in train_both(driver, plan.folder, clean, poisoned)
            ]
            released = run_or_stop(driver, "votes", "release", "--all", "--archive", poisoned)
            trained = run_or_stop(driver, *TRAIN, poisoned)
        share = json.loads(trained.out)["largest_share"]
        before, after = (mean_ndcg(rank(path, PEOPLE), truth) for path in (clean, poisoned))
    except CannotRun as missing:
        return missing_feature(missing, plan.tries)
    if share > LARGEST_SHARE + 1e-9:
        failures.append(f"one searcher counts for {share:.1%} (seed {plan.seed})")
    return Outcome(
        tries=votes,
        failures=tuple(failures),
        worst=f"{released.out.strip()}: {share:.1%} of the weight,"
        f" NDCG@{CUTOFF} {before:.4f} without them, {after:.4f} with them",
    )


def rank(path: Path, people: Sequence[tuple[str, str]]) -> dict[tuple[str, str], list[str]]:
    """Return the records that an archive ranks for some people, with the model it uses now."""
    with open_archive(path) as archive:
        return {
            (given, surname): [
                hit.record for hit in archive.search(given=given, surname=surname, log=False)
            ]
            for given, surname in people
        }


def mean_ndcg(
    ranked: Mapping[tuple[str, str], Sequence[str]], truth: Mapping[tuple[str, str], Sequence[str]]
) -> float:
    """Return the mean NDCG by what was attached before anybody voted."""

    def dcg(ranks: Iterable[int]) -> float:
        return sum(1 / math.log2(rank + 2) for rank in ranks if rank < CUTOFF)

    values = [
        dcg(rank for rank, key in enumerate(ranked[person]) if key in true) / dcg(range(len(true)))
        for person, true in truth.items()
        if true
    ]
    return sum(values) / len(values)


def poison(path: Path, rng: random.Random, plan: Plan) -> int:
    """Vote from one address; return how many votes were accepted."""
    votes = 0
    with serving(path, "--allow-votes", *UNLIMITED) as server:
        pairs = ((given, surname) for given in GIVEN for surname in SURNAMES)
        # Votes teach from MIN_USED searches on, so as many get at least one attachment.
        searches = max(MIN_USED, 2 + plan.tries // 15)
        for given, surname in islice(pairs, searches):
            person = {"given": given, "surname": surname}
            keys = search_keys(server.url, person)
            choices = [
                *((key, "reject") for key in keys[:5]),
                *((key, "attach") for key in keys[-20:-1]),
            ]
            rng.shuffle(choices)
            choices = [(keys[-1], "attach"), *choices]
            for key, kind in choices[: max(1, plan.tries // searches)]:
                if votes >= plan.tries:
                    return votes
                try:
                    vote(server.url, person, key, kind)
                except urllib.error.HTTPError as refused:
                    raise CannotRun(f"POST /judge: HTTP {refused.code}") from None
                votes += 1
                plan.progress(votes)
    return votes


def train_both(driver: Driver, folder: Path, clean: Path, poisoned: Path) -> list[str]:
    """Train with and without the votes that are held back; return what differs."""
    models = []
    for path in (clean, poisoned):
        trained = run_or_stop(driver, *TRAIN, path)
        version = json.loads(trained.out)["version"]
        out = folder / f"{path.stem}.json"
        run_or_stop(driver, "models", "--export", version, "--out", str(out), "--archive", path)
        listed = run_or_stop(driver, "models", "--archive", path).out
        models.append((out.read_bytes(), json.loads(trained.out)["promoted"], listed.count("\n")))
    return [] if models[0] == models[1] else ["votes that are held back change the model"]


def run_or_stop(driver: Driver, *words: str | Path) -> Finished:
    """Run a command that must work."""
    finished = driver.run(*words)
    if finished.code:
        raise CannotRun(f"{finished.command}: {finished.error.strip()[-200:]}")
    return finished


ATTACK = Attack(
    name="poisoning",
    question="Can one visitor steer the ranking?",
    tries=Tries(quick=60, normal=1_200, full=1_200),
    run=run,
)
