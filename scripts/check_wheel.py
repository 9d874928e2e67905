"""Build the wheel and try it as users install it: without extras, and with all of them.

    python scripts/check_wheel.py

Each time a new environment gets nothing but the wheel and the versions of requirements.lock.  In
it, the commands of the README and the first Python example of docs/reference/python.md run on the
demo's records; without extras, commands that need one must name it.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Without the extra, each of these commands fails with a message that names it.
NEEDS_EXTRA = {
    "server": ["serve", "--port", "0"],
    "opensearch": [
        "init",
        "c.forebear",
        "--storage",
        "opensearch",
        "--hosts",
        "http://127.0.0.1:9",
    ],
}


def main() -> None:
    """Build once, then try both kinds of installation."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        wheel = build_wheel(work / "wheel")
        constraints = write_constraints(work / "constraints.txt")
        for extras in ("", "[all]"):
            environment = install(wheel, extras, constraints, work / f"venv{len(extras)}")
            place = work / f"try{len(extras)}"
            shutil.copytree(ROOT / "demo" / "records", place / "demo" / "records")
            try_installation(environment, place, has_extras=bool(extras))
            print(f"{wheel.name}{extras}: ok", flush=True)


def build_wheel(folder: Path) -> Path:
    """Build the wheel with the build backend of the running environment."""
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(ROOT)], check=True)
    (wheel,) = folder.glob("forebear-*.whl")
    return wheel


def write_constraints(path: Path) -> Path:
    """Write the locked versions without their hashes, which pip would demand of the wheel too."""
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    pins = [line.rstrip(" \\") for line in lines if re.match(r"[\w.-]+==", line)]
    path.write_text("\n".join(pins) + "\n", "utf-8")
    return path


def install(wheel: Path, extras: str, constraints: Path, folder: Path) -> Path:
    """Install the wheel into a new environment and return its folder of programs."""
    venv.create(folder, with_pip=True)
    command = [folder / "bin" / "pip", "install", "--quiet", "-c", constraints, f"{wheel}{extras}"]
    subprocess.run(command, check=True)
    return folder / "bin"


def try_installation(programs: Path, place: Path, *, has_extras: bool) -> None:
    """Import, search and explain by command and by Python, far from the working tree."""
    environment = {**os.environ, "FOREBEAR_ARCHIVE": "trial.forebear"}
    environment.pop("PYTHONPATH", None)

    def run(*command: str | Path, status: int = 0) -> str:
        ran = subprocess.run(
            command, cwd=place, env=environment, capture_output=True, text=True, check=False
        )
        if ran.returncode != status:
            sys.exit(f"{command} ended with {ran.returncode}:\n{ran.stdout}\n{ran.stderr}")
        return ran.stdout + ran.stderr

    forebear = programs / "forebear"
    run(forebear, "--version")
    run(forebear, "init", "trial.forebear")
    table = "demo/records/marriages"
    run(forebear, "import", f"{table}.csv", "--mapping", f"{table}.toml")
    hits = run(forebear, "search", "--given", "Thomas", "--surname", "Thurlow")
    if "marriages:MAR-" not in hits:
        sys.exit(f"the search found no marriage:\n{hits}")
    page = (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")
    example = PYTHON_BLOCK.findall(page)[0]
    run(programs / "python", "-W", "error", "-c", example)
    run(programs / "python", "-c", "import forebear_lab.evaluation")
    if has_extras:
        run(programs / "python", "-c", "import forebear.server.app, forebear_lab.baselines")
        return
    for extra, command in NEEDS_EXTRA.items():
        message = run(forebear, *command, status=2 if extra == "opensearch" else 3)
        if f"forebear[{extra}]" not in message:
            sys.exit(f"without the extra {extra!r} the message does not name it:\n{message}")


if __name__ == "__main__":
    main()
