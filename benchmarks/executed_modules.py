"""How many modules must a reader know to follow one search, or one import of a small table?

Counted are the modules of ``forebear`` of which at least one function runs, not those that are only
imported.  The commands are the public ones, each in a fresh interpreter: a search from a line of
text, shown and logged, and an import of a small table of ``demo/records``.

``--source FOLDER`` counts the ``src`` of another checkout with this program, for a comparison:

    git worktree add ../before COMMIT
    python -m benchmarks.executed_modules --source ../before/src
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "demo" / "records"
SEARCH_TABLES = ("baptisms", "marriages", "burials", "census")  # what the search finds records in
TEXT = "Thomas Thurlow b. 1812 Waveney, husband of Mary Brown"

# Runs one command and writes every function of the package that was called to a file.  Module
# bodies and class bodies have no CO_OPTIMIZED; a comprehension belongs to the code around it.
# The command may end the process by `os._exit`, which skips `finally`.
PROGRAM = """
import inspect, json, os, sys, threading
from pathlib import Path
import forebear
from forebear.cli.app import main

output, sys.argv = Path(sys.argv[1]), ["forebear", *sys.argv[2:]]
root = str(Path(forebear.__file__).parent) + os.sep
comprehensions = {"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"}
called = set()
imports = 0  # modules whose body is running: what they call belongs to importing

def count(frame, event, argument):
    global imports
    code = frame.f_code
    if code.co_name == "<module>":
        imports += (event == "call") - (event == "return")
    elif event == "call" and not imports and code.co_flags & inspect.CO_OPTIMIZED:
        if code.co_filename.startswith(root) and code.co_name not in comprehensions:
            called.add((code.co_filename[len(root):], code.co_qualname, code.co_firstlineno))

def write():
    sys.setprofile(None)
    output.write_text(json.dumps(sorted(called)))

def write_and_exit(status, exit_now=os._exit):
    write()
    exit_now(status)

os._exit = write_and_exit
threading.setprofile(count)
sys.setprofile(count)
try:
    main()
finally:
    write()
"""


def count_functions(words: list[str], source: Path, folder: Path) -> Counter[str]:
    """Return how many functions of each module a command calls, by the module's name."""
    calls = folder / "calls.json"
    ran = _run([sys.executable, "-c", PROGRAM, str(calls), *words], source)
    if ran.returncode:
        raise SystemExit(f"forebear {' '.join(words)} failed:\n{ran.stderr}")
    modules = (file.removesuffix(".py") for file, *_ in json.loads(calls.read_text()))
    return Counter("forebear." + module.replace(os.sep, ".") for module in modules)


def measure(source: Path) -> dict[str, Counter[str]]:
    """Count for a search and for an import, in an archive of the demonstration records."""
    with tempfile.TemporaryDirectory(prefix="forebear-modules-") as name:
        folder = Path(name)
        for archive, tables in (("search", SEARCH_TABLES), ("import", ())):
            path = str(folder / f"{archive}.forebear")
            _forebear(["init", path], source)
            for table in tables:
                _forebear(_import_words(table, path), source)
        search = ["search", TEXT, "--archive", str(folder / "search.forebear")]
        _forebear(search, source)  # the second search is the usual one: statistics are cached
        return {
            "search": count_functions(search, source, folder),
            "import": count_functions(
                _import_words("marriages", str(folder / "import.forebear")), source, folder
            ),
        }


def _import_words(table: str, archive: str) -> list[str]:
    file, mapping = RECORDS / f"{table}.csv", RECORDS / f"{table}.toml"
    return ["import", str(file), "--mapping", str(mapping), "--archive", archive]


def _forebear(words: list[str], source: Path) -> None:
    ran = _run([sys.executable, "-c", "from forebear.cli.app import main; main()", *words], source)
    if ran.returncode:
        raise SystemExit(f"forebear {' '.join(words)} failed:\n{ran.stderr}")


def _run(command: list[str], source: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(source)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.executed_modules", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--list", action="store_true", help="name the modules")
    parser.add_argument("--source", type=Path, default=ROOT / "src", help="of another checkout")
    arguments = parser.parse_args()
    if not (arguments.source / "forebear").is_dir():
        parser.error(f"{arguments.source} has no package forebear; name the src of a checkout")
    for name, functions in measure(arguments.source.resolve()).items():
        print(f"{name}: {len(functions)} modules, {functions.total()} functions", flush=True)
        for module in sorted(functions) if arguments.list else ():
            print(f"  {functions[module]:4} {module}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
