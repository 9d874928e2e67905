"""The demo: an archive imported, searched, explained, attached to, trained and judged.

Every step is a command of the program, printed before it runs, so that what you see is
what you would type.  The archive is made anew in ``demo/.work``.
"""

import argparse
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).resolve().parent
WORK = DEMO / ".work"
FOREBEAR = Path(sys.executable).parent / "forebear"
COLLECTIONS = ("baptisms", "marriages", "burials", "census")
EXPLAINED = "t09"  # Thomas Thurlow, asked as Thirlow, with a birth year that is one off


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", action="store_true", help="leave the page running")
    parser.add_argument("--port", default="8000")
    arguments = parser.parse_args()
    import_archive()
    if arguments.serve:
        run("serve", "--port", arguments.port)
        return
    search_and_explain()
    learn()
    judge()


def import_archive() -> None:
    say("An archive is one file. Four shelves of transcriptions go in.")
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir()
    run("init", str(WORK / "archive.forebear"), archive=False)
    for name in COLLECTIONS:
        records = DEMO / "records"
        run("import", f"{records / name}.csv", "--mapping", f"{records / name}.toml")


def search_and_explain() -> None:
    say("A family historian looks for Thomas Thurlow, misspelling him, a year off.")
    query = next(
        line
        for line in (DEMO / "queries_training.jsonl").read_text("utf-8").splitlines()
        if json.loads(line)["id"] == EXPLAINED
    )
    asked = WORK / "query.json"
    asked.write_text(query, "utf-8")
    run("search", "--query", str(asked), "--size", "8", "--trace")
    found = json.loads(run("search", "--query", str(asked), "--json", quiet=True))
    say("Why is the second result there? Every clause that fired, in bits that add up.")
    run("explain", found["search"], "2")
    say("It is the right man: the record is attached, and the log knows.")
    run("attach", found["search"], "2", "--reason", "same wife, same parish")


def learn() -> None:
    say("52 more searches and what was attached to them, then the ranking learns.")
    queries = str(DEMO / "queries_training.jsonl")
    run("search", "--batch", queries, "--run", str(WORK / "training.trec"))
    run("attach", "--batch", str(DEMO / "attachments_training.qrels"))
    run("train", "--seed", "1")
    run("models")


def judge() -> None:
    say("Families that were never trained on: hand-set weights before, learned weights after.")
    figures = {}
    for model in ("hand-set", "v1"):
        trec = str(WORK / f"{model}.trec")
        queries = str(DEMO / "queries_held_out.jsonl")
        run("search", "--batch", queries, "--run", trec, "--model", model, "--no-log")
        answer = run(
            "evaluate",
            trec,
            str(DEMO / "attachments_held_out.qrels"),
            *("-m", "ndcg@100", "-m", "nce@100", "--types", str(DEMO / "types.txt"), "--json"),
            archive=False,
            quiet=True,
        )
        figures[model] = json.loads(answer)["mean"]
    print(f"{'held out, invented data':<26}{'ndcg@100':>10}{'nce@100':>10}")
    for model, means in figures.items():
        print(f"{model:<26}{means['ndcg@100']:>10.4f}{means['nce@100']:>10.4f}")


def run(command: str, *words: str, archive: bool = True, quiet: bool = False) -> str:
    """Run a command of the program, show it, and return what it answered."""
    line = [command, *words]
    if archive:
        line += ["--archive", str(WORK / "archive.forebear")]
    if quiet:
        return subprocess.run(
            [FOREBEAR, *line], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    print(f"\n$ forebear {shlex.join(line)}".replace(f"{DEMO.parent}/", ""), flush=True)
    subprocess.run([FOREBEAR, *line], check=True)
    return ""


def say(text: str) -> None:
    print(f"\n# {text}", flush=True)


if __name__ == "__main__":
    main()
