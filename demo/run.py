"""The demo: an archive imported, searched, explained, attached to, trained and judged.

Every step is a command of the program, printed before it runs, so that what you see is
what you would type.  The archive is made anew each time.
"""

import argparse
import json
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

DEMO = Path(__file__).resolve().parent
FOREBEAR = Path(sys.executable).parent / "forebear"
COLLECTIONS = ("baptisms", "marriages", "burials", "census")
EXPLAINED = "t09"  # Thomas Thurlow, asked as Thirlow, with a birth year that is one off


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", action="store_true", help="leave the page running")
    parser.add_argument("--port", default="8000", help="where the page is served")
    parser.add_argument("--work", type=Path, default=DEMO / ".work", help="where files are put")
    arguments = parser.parse_args()
    demo = Demo(arguments.work)
    demo.import_archive()
    if arguments.serve:
        demo.run("serve", "--port", arguments.port)
    else:
        demo.search_and_explain()
        demo.learn()
        demo.judge()


@dataclass(frozen=True)
class Demo:
    work: Path

    def import_archive(self) -> None:
        say("An archive is one file. Four shelves of transcriptions go in.")
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.run("init", self.archive, archive=False)
        for name in COLLECTIONS:
            shelf = str(DEMO / "records" / name)
            self.run("import", f"{shelf}.csv", "--mapping", f"{shelf}.toml")

    def search_and_explain(self) -> None:
        say("A family historian looks for Thomas Thurlow, misspelling him, a year off.")
        lines = (DEMO / "queries_training.jsonl").read_text("utf-8").splitlines()
        asked = self.work / "query.json"
        asked.write_text(next(line for line in lines if json.loads(line)["id"] == EXPLAINED))
        self.run("search", "--query", str(asked), "--size", "8", "--trace")
        found = json.loads(self.run("search", "--query", str(asked), "--json", quiet=True))
        say("Why is the second result there? Every clause that fired, in bits that add up.")
        self.run("explain", found["search"], "2")
        say("It is the right man: the record is attached, and the log knows.")
        self.run("attach", found["search"], "2", "--reason", "the age and the parish fit")

    def learn(self) -> None:
        say("52 more searches and what was attached to them; then the ranking learns.")
        queries = str(DEMO / "queries_training.jsonl")
        self.run("search", "--batch", queries, "--run", str(self.work / "training.trec"))
        self.run("attach", "--batch", str(DEMO / "attachments_training.qrels"))
        self.run("train", "--seed", "1")
        self.run("models")

    def judge(self) -> None:
        say("Families that nothing was learned from: weights set by hand, weights learned.")
        figures = {model: self.measure(model) for model in ("hand-set", "v1")}
        print(f"\n{'held out, invented data':<26}{'ndcg@100':>10}{'nce@100':>10}")
        for model, means in figures.items():
            print(f"{model:<26}{means['ndcg@100']:>10.4f}{means['nce@100']:>10.4f}")

    def measure(self, model: str) -> dict[str, float]:
        trec = str(self.work / f"{model}.trec")
        queries = str(DEMO / "queries_held_out.jsonl")
        self.run("search", "--batch", queries, "--run", trec, "--model", model, "--no-log")
        judged = [
            trec,
            str(DEMO / "attachments_held_out.qrels"),
            "--types",
            str(DEMO / "types.txt"),
        ]
        asked = ["-m", "ndcg@100", "-m", "nce@100"]
        self.run("evaluate", *judged, *asked, archive=False)
        answer = self.run("evaluate", *judged, *asked, "--json", archive=False, quiet=True)
        means: dict[str, float] = json.loads(answer)["mean"]
        return means

    @property
    def archive(self) -> str:
        return str(self.work / "archive.forebear")

    def run(self, *words: str, archive: bool = True, quiet: bool = False) -> str:
        """Run a command of the program and return what it answered, or show both."""
        line = [*words, "--archive", self.archive] if archive else list(words)
        if quiet:
            done = subprocess.run([FOREBEAR, *line], check=True, capture_output=True, text=True)
            return done.stdout
        print(f"\n$ forebear {shlex.join(line)}".replace(f"{DEMO.parent}/", ""), flush=True)
        subprocess.run([FOREBEAR, *line], check=True)
        return ""


def say(text: str) -> None:
    print(f"\n# {text}", flush=True)


if __name__ == "__main__":
    main()
