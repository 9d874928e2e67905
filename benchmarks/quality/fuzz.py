"""Does any input make a parser fail, hang or swell?

    python -m benchmarks.quality.fuzz --seconds 30

Atheris (coverage-guided fuzzing, a development extra) makes up input for each parser and
watches which of it reaches new code.  A parser passes if nothing but our own errors comes out
of it, no single input takes longer than two seconds, and memory stays below a gigabyte.  Each
parser is fuzzed in a separate process, and an input that fails is saved in ``--findings``.
Without atheris the program says so and ends with 0: the same parsers are fuzzed with hypothesis
in every run of the tests.
"""

import argparse
import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from forebear.errors import ForebearError
from forebear.ingest.find_mapping import load_mapping
from forebear.ingest.formats import open_source
from forebear.ingest.mapping import Mapping, parse_mapping
from forebear.ingest.pipeline import FileReader
from forebear.normalize.ages import read_age
from forebear.normalize.dates import read_date
from forebear.normalize.names import read_name
from forebear.normalize.places import read_place

MAX_SECONDS = 2
MAX_MEGABYTES = 1024
TABLE = """
[collection]
name = "fuzz"
title = "Fuzz"
record_type = "census"
[record]
id = "id"
group = "household"
date = "date"
place = ["place"]
[[persona]]
role = "person"
name = "name"
split = ";"
age = "age"
sex_column = "sex"
"""
HEADING = b"id,household,name,date,place,age,sex\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=int, default=20, help="for each parser")
    parser.add_argument("--findings", type=Path, default=Path("fuzz_findings"))
    parser.add_argument("--only", choices=TARGETS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if importlib.util.find_spec("atheris") is None:
        print("atheris is not installed (`pip install atheris`); the tests fuzz with hypothesis")
        return 0
    if options.only:
        return fuzz(options.only, options.seconds, options.findings)
    failed = [name for name in TARGETS if not passes(name, options)]
    print(f"failed: {', '.join(failed) or 'none'}")
    return int(bool(failed))


def passes(name: str, options: argparse.Namespace) -> bool:
    """Fuzz one parser in a separate process and return whether it passed."""
    command = [sys.executable, "-m", "benchmarks.quality.fuzz", "--only", name]
    settings = ["--seconds", str(options.seconds), "--findings", str(options.findings)]
    done = subprocess.run([*command, *settings], check=False, capture_output=True, text=True)
    runs = [line for line in done.stderr.splitlines() if line.startswith("Done ")]
    print(f"{name:10} {'passed' if done.returncode == 0 else 'FAILED'}  {''.join(runs[-1:])}")
    if done.returncode:
        print("\n".join(done.stderr.splitlines()[-15:]))
    return done.returncode == 0


def fuzz(name: str, seconds: int, findings: Path) -> int:
    """Fuzz one parser here; atheris ends the process itself."""
    atheris: Any = importlib.import_module("atheris")
    findings.mkdir(parents=True, exist_ok=True)
    atheris.instrument_all()
    limits = [f"-timeout={MAX_SECONDS}", f"-rss_limit_mb={MAX_MEGABYTES}", "-max_len=2000"]
    where = [f"-artifact_prefix={findings}/{name}_", f"-max_total_time={seconds}"]
    atheris.Setup([sys.argv[0], *limits, *where], TARGETS[name])
    atheris.Fuzz()
    return 0


def on_text(parse: Callable[[str], object]) -> Callable[[bytes], None]:
    """Return a parser of text as one of bytes."""

    def run(data: bytes) -> None:
        parse(data.decode("utf-8", "replace"))

    return run


def on_file(mapping: Callable[[], Mapping], start: bytes = b"") -> Callable[[bytes], None]:
    """Return a reader of files as one of bytes; ``start`` stands before them."""

    def run(data: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "input"
            path.write_bytes(start + data)
            try:
                for _ in FileReader(open_source(path, mapping())).batches():
                    pass
            except ForebearError:
                pass  # refused, and said why

    return run


TARGETS: dict[str, Callable[[bytes], None]] = {
    "dates": on_text(read_date),
    "ages": on_text(lambda text: read_age(text, at=read_date("1881"), source="census")),
    "names": on_text(read_name),
    "places": on_text(read_place),
    "csv": on_file(lambda: parse_mapping(TABLE), HEADING),
    "gedcom": on_file(lambda: load_mapping("gedcom"), b"0 HEAD\n"),
    "gramps": on_file(lambda: load_mapping("gramps"), b"<?xml version='1.0'?><database>"),
    "a2a": on_file(lambda: load_mapping("a2a"), b"<?xml version='1.0'?><A2A>"),
}


if __name__ == "__main__":
    sys.exit(main())
