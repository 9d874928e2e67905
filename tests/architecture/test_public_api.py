"""The public Python API is the pinned list of names, documented and quick to import."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import forebear

ROOT = Path(__file__).resolve().parents[2]
PINNED = Path(__file__).with_name("public_api.txt").read_text("utf-8").split()
PAGE = (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")
SOURCES = [
    path
    for package in ("forebear/cli", "forebear/server", "forebear_lab")
    for path in sorted((ROOT / "src" / package).rglob("*.py"))
]


def test_the_public_names_are_those_of_the_list() -> None:
    assert sorted(forebear.__all__) == PINNED
    assert all(getattr(forebear, name) for name in PINNED)
    assert set(PINNED) <= set(dir(forebear))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = forebear.nothing


def test_importing_the_package_loads_none_of_it() -> None:
    script = "import sys, forebear; print([n for n in sys.modules if n.startswith('forebear')])"
    ran = subprocess.run(
        [sys.executable, "-c", f"{script}; print('numpy' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert ran.stdout.splitlines() == ["['forebear']", "False"]


def test_every_public_name_has_a_heading() -> None:
    headings = set(re.findall(r"^## `forebear\.(\w+)", PAGE, flags=re.MULTILINE))

    assert headings == set(PINNED)


@pytest.mark.parametrize("name", ["Archive", "Result", "Hit", "SearchOptions"])
def test_the_table_of_a_class_has_every_public_member(name: str) -> None:
    section = PAGE.partition(f"## `forebear.{name}")[2].partition("\n## ")[0]
    documented = set(re.findall(r"^\| `(\w+)", section, flags=re.MULTILINE))

    assert documented == public_members(getattr(forebear, name))


def public_members(kind: type) -> set[str]:
    """Return the names of the methods, properties and attributes of a class."""
    kinds = [base for base in kind.__mro__ if base.__module__.startswith("forebear.")]
    members = {name for base in kinds for name in vars(base) if not name.startswith("_")}
    sources = "".join(map(inspect.getsource, kinds))
    assigned = set(re.findall(r"\bself\.([a-z]\w*) = ", sources))
    return members | assigned


def test_commands_pages_and_lab_use_no_private_attribute_of_an_archive() -> None:
    private = re.compile(r"\b(archive|opened|result|hit)\._[a-z]")

    places = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in SOURCES
        for line in path.read_text("utf-8").splitlines()
        if private.search(line)
    ]

    assert places == []
