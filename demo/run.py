"""The demo: import an archive, search it, explain and attach a result, train and evaluate.

Every step is a command of the program, printed before it runs, so that you see what you would
type.  The archive is created again each time.
"""

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

DEMO = Path(__file__).resolve().parent
FOREBEAR = Path(sys.executable).parent / "forebear"
COLLECTIONS = ("baptisms", "marriages", "burials", "census")
QUERY_ID = "t09"  # Thomas Thurlow, misspelled as Thirlow, with a birth year that is one off
SEARCH_ID = re.compile(r"^search (\w+),", re.MULTILINE)


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
        demo.evaluate()
        demo.say_what_next()


@dataclass(frozen=True)
class Demo:
    work: Path

    def import_archive(self) -> None:
        say("An archive is one file. Import four collections of transcriptions.")
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.run("init", self.archive, archive=False)
        for name in COLLECTIONS:
            table = str(DEMO / "records" / name)
            self.run("import", f"{table}.csv", "--mapping", f"{table}.toml")

    def search_and_explain(self) -> None:
        say("Search for Thomas Thurlow, with his name misspelled and his birth a year off.")
        lines = (DEMO / "queries_training.jsonl").read_text("utf-8").splitlines()
        query = self.work / "query.json"
        query.write_text(next(line for line in lines if json.loads(line)["id"] == QUERY_ID))
        page = self.run("search", "--query", str(query), "--size", "8", "--trace")
        search_id = SEARCH_ID.findall(page)[0]
        say("Why is the second result there? One row per fact, in bits that add up.")
        self.run("explain", search_id, "2")
        say("It is the right man: attach the record to the search.")
        self.run("attach", search_id, "2", "--reason", "the age and the parish fit")

    def learn(self) -> None:
        say("52 more searches with their attachments; then train on them.")
        queries = str(DEMO / "queries_training.jsonl")
        self.run("search", "--batch", queries, "--run", str(self.work / "training.trec"))
        self.run("attach", "--batch", str(DEMO / "attachments_training.qrels"))
        self.run("train", "--seed", "1")
        self.run("models")

    def evaluate(self) -> None:
        say("Evaluate on families that were not used for training: default and trained weights.")
        figures = {model: self.measure(model) for model in ("default", "v1")}
        print(f"\n{'held out, invented data':<26}{'ndcg@100':>10}{'nce@100':>10}")
        for model, means in figures.items():
            print(f"{model:<26}{means['ndcg@100']:>10.4f}{means['nce@100']:>10.4f}")

    def measure(self, model: str) -> dict[str, float]:
        trec = str(self.work / f"{model}.trec")
        queries = str(DEMO / "queries_held_out.jsonl")
        self.run("search", "--batch", queries, "--run", trec, "--model", model, "--no-log")
        files = [trec, str(DEMO / "attachments_held_out.qrels"), "--types", str(DEMO / "types.txt")]
        measures = ["-m", "ndcg@100", "-m", "nce@100"]
        self.run("evaluate", *files, *measures, archive=False)
        output = self.run("evaluate", *files, *measures, "--json", archive=False, quiet=True)
        means: dict[str, float] = json.loads(output)["mean"]
        return means

    def say_what_next(self) -> None:
        say("Search the archive yourself:")
        line = f'{FOREBEAR} search "Maria Aldous, wife of Thomas Thurlow" --archive {self.archive}'
        print(shorten(line))

    @property
    def archive(self) -> str:
        return str(self.work / "archive.forebear")

    def run(self, *words: str, archive: bool = True, quiet: bool = False) -> str:
        """Run a command of the program, print it with its output, and return the output."""
        line = [*words, "--archive", self.archive] if archive else list(words)
        if not quiet:
            print(shorten(f"\n$ forebear {shlex.join(line)}"), flush=True)
        done = subprocess.run([FOREBEAR, *line], check=True, stdout=subprocess.PIPE, text=True)
        if not quiet:
            print(done.stdout, end="", flush=True)
        return done.stdout


def shorten(line: str) -> str:
    """Return a command line with its paths relative to the repository, where it is typed."""
    return line.replace(f"{DEMO.parent}/", "")


def say(text: str) -> None:
    print(f"\n# {text}", flush=True)


if __name__ == "__main__":
    main()
