"""The second half of the demo: does learning from imported links rank better?

The archive is simulated, with customs that the model `default` was not fitted on
(`forebear experiment world --peculiar`).  Links of some families' searches are imported and learned
from; the searches of other families judge.  The last lines say what came of it.
"""

import csv
import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PERSONAS, QUERIES, LINKED, SEED = 20_000, 700, 300, 1
HELD_OUT = 2 / 5  # of the families
Run = Callable[..., str]


@dataclass(frozen=True)
class Loop:
    """A simulated archive in a folder; ``run`` runs a command on it."""

    folder: Path
    run: Run
    say: Callable[[str], None]
    seed: int = SEED

    @property
    def archive(self) -> str:
        return str(self.folder / "simulated.forebear")

    def show(self) -> None:
        """Simulate, import, search, import links, train, and judge."""
        self.simulate()
        training = self.train()
        figures = {model: self.measure(model) for model in ("default", training["version"])}
        self.conclude(training, figures)

    def simulate(self) -> None:
        self.say(
            f"A simulated archive of {PERSONAS:,} personas: its people never lived. Ages are "
            "badly stated,\n# parish registers give only years and Latin names, and some "
            "clerks reversed the names."
        )
        shutil.rmtree(self.folder, ignore_errors=True)
        world = str(self.folder / "world")
        size = ["--personas", str(PERSONAS), "--queries", str(QUERIES), "--seed", str(self.seed)]
        self.run("experiment", "world", *size, "--peculiar", "--out", world)
        self.run("init", self.archive)
        tables = sorted(map(str, (self.folder / "world" / "records").glob("*.csv")))
        on = ("--archive", self.archive)
        self.run("import", *tables, *on, note=("import", f"{world}/records/*.csv", *on))
        places = str(self.folder / "world" / "places.csv")
        self.run("places", "--import", places, "--depth", "1", "--archive", self.archive)
        self.divide()

    def divide(self) -> None:
        """Write the queries and links of some families to learn from, and of others to judge."""
        world = self.folder / "world"
        with (world / "truth" / "visits.csv").open(encoding="utf-8", newline="") as file:
            family = {row["query_id"]: row["family"] for row in csv.DictReader(file)}
        links: dict[str, list[str]] = {}
        for line in (world / "truth" / "qrels.txt").read_text("utf-8").splitlines():
            links.setdefault(line.split()[0], []).append(line)
        lines = (world / "queries.jsonl").read_text("utf-8").splitlines()
        queries = {name: line for line in lines if (name := json.loads(line)["id"]) in links}
        parts: dict[str, list[str]] = {"linked": [], "held_out": []}
        for name in queries:
            parts["held_out" if _is_held_out(family[name]) else "linked"].append(name)
        parts["linked"] = parts["linked"][:LINKED]
        for part, names in parts.items():
            self._write(f"{part}.jsonl", [queries[name] for name in names])
            self._write(f"{part}.qrels", [line for name in names for line in links[name]])

    def train(self) -> dict[str, Any]:
        self.say("Search for the people of some families, import the links, and learn from them.")
        on = ("--archive", self.archive)
        run = str(self.folder / "linked.trec")
        self.run("search", "--batch", self.path("linked.jsonl"), "--run", run, *on)
        self.run("attach", "--batch", self.path("linked.qrels"), *on)
        self.say("A model is promoted only if the links show by more than luck that it is better.")
        words = ("train", "--seed", "1", *on)
        training: dict[str, Any] = json.loads(self.run(*words, "--json", note=words))
        before, after = (training["comparison"][when]["ndcg@100"] for when in ("before", "after"))
        print(training["summary"])
        print(f"cross-fit on the linked searches: ndcg@100 {before:.4f} to {after:.4f}")
        print("promoted" if training["promoted"] else "not promoted")
        return training

    def measure(self, model: str) -> dict[str, float]:
        run, judged = str(self.folder / f"{model}.trec"), self.path("held_out.qrels")
        batch = ("--batch", self.path("held_out.jsonl"), "--run", run)
        self.run("search", *batch, "--model", model, "--no-log", "--archive", self.archive)
        measures = ("-m", "ndcg@100", "-m", "success@1", "-m", "success@10")
        words = ("evaluate", run, judged, *measures)
        output: dict[str, Any] = json.loads(self.run(*words, "--json", note=words))
        means: dict[str, float] = output["mean"]
        return means

    def conclude(self, training: dict[str, Any], figures: dict[str, dict[str, float]]) -> None:
        self.say("What came of it, on searches of families that were not learned from:")
        count = len(Path(self.path("held_out.jsonl")).read_text("utf-8").splitlines())
        headings = ("ndcg@100", "success@1", "success@10")
        title = f"{count} searches, simulated"
        print(f"\n{title:<26}" + "".join(f"{name:>12}" for name in headings))
        for model, means in figures.items():
            print(f"{model:<26}" + "".join(f"{means[name]:>12.4f}" for name in headings))
        print("\n" + conclusion(training, figures))

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def _write(self, name: str, lines: list[str]) -> None:
        Path(self.path(name)).write_text("".join(f"{line}\n" for line in lines), "utf-8")


def _is_held_out(family: str) -> bool:
    return int(hashlib.sha256(family.encode()).hexdigest()[:8], 16) / 2**32 < HELD_OUT


def conclusion(training: dict[str, Any], figures: dict[str, dict[str, float]]) -> str:
    """Return in words whether learning helped, and whether the rule promoted it."""
    before, after = (means["ndcg@100"] for means in figures.values())
    better = "improved" if after > before else "did not improve"
    lines = [
        f"Learning from the links of {training['searches']} searches {better} the ranking of other "
        f"families' searches: ndcg@100 {before:.3f} to {after:.3f}."
    ]
    missing = training["comparison"]["searches_missing"]
    if training["promoted"]:
        lines.append("The rule promoted the new model: the archive searches with it from now on.")
    elif training["refusals"]:
        lines.append(f"The rule refused the new model: {training['refusals'][0]}.")
    elif missing is None:
        lines.append("The rule did not promote it: the links show no gain.")
    else:
        lines.append(f"The rule did not promote it yet: about {missing} more searches are missing.")
    return "\n".join(lines)
