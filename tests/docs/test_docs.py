"""Every code block of the documentation runs, and what must be documented is."""

import os
import re
import runpy
import secrets
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from forebear import errors
from forebear.ingest.mapping import parse_mapping
from forebear.search.query.person_query import parse_query

SERVER = "http://127.0.0.1:8000"  # as the pages name it
ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# These run the whole test suite, set-up or checks, or serve until stopped; they must exist.
NOT_HERE = re.compile(
    r"^make (test|setup|check|wheel|serve-demo|bench|attack|opensearch|opensearch-stop)\b.*$",
    re.MULTILINE,
)


def blocks(page: Path, language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(page.read_text("utf-8")) if name == language]


def pages_with(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A folder that looks like the root of the repository, to be written in."""
    for name in ("demo", "Makefile", "src", "tests", "pyproject.toml", "requirements.lock"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parent.parent)
    return tmp_path


def with_server(script: str, request: pytest.FixtureRequest) -> str:
    """Return a script with the address of a running server, if it needs one."""
    if SERVER not in script:
        return script
    return script.replace(SERVER, request.getfixturevalue("server_url"))


@pytest.mark.parametrize("page", pages_with("sh"), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_run_in_their_order(
    page: Path, workplace: Path, request: pytest.FixtureRequest
) -> None:
    script = with_server("\n".join(blocks(page, "sh")), request)
    if "curl " in script:
        request.getfixturevalue("curl")
    if "--storage opensearch" in script:
        # The reader's node and archive name; a run that was broken off may have left its own there.
        script = script.replace("http://localhost:9200", request.getfixturevalue("opensearch_url"))
        script = script.replace("waveney-guide", f"waveney-guide-{secrets.token_hex(4)}")
    script = NOT_HERE.sub(lambda line: f"make -n {line[1]} > /dev/null", script)
    # The page that everybody starts with runs the demo; elsewhere the command must exist.
    demo = f"{sys.executable} demo/run.py --work {workplace / 'work'}"
    script = script.replace("demo/.work", "work")
    script = script.replace("make demo", demo if page.name == "README.md" else "make -n demo")

    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=workplace,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, f"{ran.stdout[-2000:]}\n{ran.stderr[-2000:]}"
    if page.name == "README.md":
        # The demo explains and attaches to the search that it printed.
        printed = re.search(r"^search (\w+),", ran.stdout, re.MULTILINE)
        assert printed
        assert f"$ forebear explain {printed[1]} 2" in ran.stdout
        assert f"$ forebear attach {printed[1]} 2" in ran.stdout
        # What learning came to is printed as it is shown here.
        figures = next(body for body in blocks(page, "text") if "simulated" in body)
        assert figures in ran.stdout


@pytest.mark.parametrize("page", pages_with("python"), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_of_a_page_runs_in_its_order(
    page: Path, workplace: Path, request: pytest.FixtureRequest
) -> None:
    script = with_server("\n".join(blocks(page, "python")), request)

    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=workplace,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, f"{ran.stdout[-2000:]}\n{ran.stderr[-2000:]}"


@pytest.mark.parametrize("page", pages_with("json"), ids=lambda page: page.name)
def test_every_query_shown_is_understood(page: Path) -> None:
    for block in blocks(page, "json"):
        assert parse_query(block).names


@pytest.mark.parametrize("page", pages_with("toml"), ids=lambda page: page.name)
def test_every_mapping_shown_is_understood(page: Path) -> None:
    for block in blocks(page, "toml"):
        assert tomllib.loads(block)
        assert parse_mapping(block).persona


def test_the_reference_of_commands_is_what_their_help_prints() -> None:
    script = ROOT / "scripts" / "cli_reference.py"
    page = (ROOT / "docs" / "reference" / "cli.md").read_text("utf-8")

    printed = runpy.run_path(str(script))["reference"]()

    assert printed == page, f"run {script.relative_to(ROOT)}"


def test_every_error_code_has_its_heading() -> None:
    page = (ROOT / "docs" / "reference" / "errors.md").read_text("utf-8")
    kinds = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.ForebearError)
    ]

    missing = [kind.code for kind in kinds if f"\n## {kind.code}\n" not in page]

    assert missing == []


def test_every_link_between_pages_leads_somewhere() -> None:
    link = re.compile(r"\]\((?!https?:)([^)#]+)")
    pages = [*PAGES, ROOT / "CHANGELOG.md", ROOT / "ARCHITECTURE.md"]

    dead = [
        f"{page.name}: {target}"
        for page in pages
        for target in link.findall(page.read_text("utf-8"))
        if not (page.parent / target).exists()
    ]

    assert dead == []
