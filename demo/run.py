"""The demo: import an archive, search it, explain and attach a result; then learn from links.

Every step is a command of the program, printed before it runs, so that you see what you would
type.  The archives are created again each time.  The first is invented (`records/`), the second,
large enough to learn from, is simulated (`loop.py`).
"""

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from loop import SEED, Loop

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
    parser.add_argument("--seed", type=int, default=SEED, help="of the simulated archive")
    arguments = parser.parse_args()
    demo = Demo(arguments.work)
    demo.import_archive()
    if arguments.serve:
        demo.run("serve", "--port", arguments.port)
    else:
        demo.search_and_explain()
        demo.say_what_next()
        demo.learn(arguments.seed)


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

    def learn(self, seed: int) -> None:
        def run(*words: str, quiet: bool = False, note: Sequence[str] = ()) -> str:
            if note:
                print(shorten(f"\n$ forebear {' '.join(note)}"), flush=True)
            return self.run(*words, archive=False, quiet=quiet or bool(note))

        Loop(folder=self.work / "simulated", run=run, say=say, seed=seed).show()

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
