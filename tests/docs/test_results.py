"""The published results can be made again, and their index is complete.

Seconds, dates and machines differ from run to run, so their sections are not compared.  Other
numbers may differ in the last digit between processors.
"""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from forebear.cli.app import app
from forebear_lab.experiments.report.index import write_index

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "results"
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def comparable(page: str) -> str:
    """Return a page without the sections about time and origin."""
    sections = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    differing = re.compile(r"## (How this page was made|.*\btime\b)")
    return "".join(section for section in sections if not differing.match(section))


def differences(before: str, after: str) -> list[str]:
    """Return the lines whose words differ, or whose numbers differ by more than rounding."""
    lines = zip(comparable(before).splitlines(), comparable(after).splitlines(), strict=True)
    return [
        f"{old}\n{new}"
        for old, new in lines
        if NUMBER.sub("#", old) != NUMBER.sub("#", new)
        or [float(number) for number in NUMBER.findall(old)]
        != pytest.approx([float(number) for number in NUMBER.findall(new)], abs=0.002, rel=0.01)
    ]


@pytest.mark.parametrize("name", ["toy.md", "fusion-small.md"])
def test_a_published_page_is_made_again_by_its_command(name: str, tmp_path: Path) -> None:
    before = (RESULTS / name).read_text("utf-8")
    command = re.search(r"^\| command \| `(.*)` \|$", before, re.MULTILINE)
    assert command
    _, *words = shlex.split(command[1])

    ran = CliRunner().invoke(app, [*words, "--publish", str(tmp_path / name)])

    assert ran.exit_code == 0, ran.output
    assert differences(before, (tmp_path / name).read_text("utf-8")) == []
    plots = [sorted(path.name for path in folder.glob("*/*.svg")) for folder in (tmp_path, RESULTS)]
    assert set(plots[0]) <= set(plots[1])


def test_another_number_or_word_is_a_difference() -> None:
    page = (RESULTS / "fusion-small.md").read_text("utf-8")
    claim = next(line for line in page.splitlines() if "| holds |" in line)

    assert differences(page, page) == []
    assert differences(page, page.replace(claim, claim.replace("| holds |", "| undecided |")))
    assert differences(page, page.replace("0.6072", "0.6272"))
    assert "How this page was made" not in comparable(page)
    assert "CPU s" in page
    assert "CPU s" not in comparable(page)


def test_the_index_has_all_pages_and_their_claims() -> None:
    index = (RESULTS / "README.md").read_text("utf-8")
    pages = sorted(path for path in RESULTS.glob("*.md") if path.name != "README.md")

    assert len(pages) >= 4
    for page in pages:
        text = page.read_text("utf-8")
        title = text.partition("\n")[0].removeprefix("# ")
        assert f"| [{title}]({page.name}) |" in index
        assert "> **Simulated.**" in text or page.name == "toy.md"


def test_the_index_is_what_the_pages_make_it(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "results"
    guide = tmp_path / "docs" / "guide" / "experiments.md"
    folder.mkdir(parents=True)
    guide.parent.mkdir()
    guide.touch()
    for page in RESULTS.glob("*.md"):
        (folder / page.name).write_bytes(page.read_bytes())

    write_index(folder)

    assert (folder / "README.md").read_text("utf-8") == (RESULTS / "README.md").read_text("utf-8")


def test_every_plot_is_shown_on_its_page() -> None:
    unused = [
        path.relative_to(RESULTS).as_posix()
        for path in RESULTS.glob("*/*.svg")
        if f"({path.relative_to(RESULTS).as_posix()})"
        not in (RESULTS / f"{path.parent.name}.md").read_text("utf-8")
    ]

    assert unused == []


def test_pages_name_no_machine_and_no_absolute_path() -> None:
    for page in RESULTS.glob("*.md"):
        assert not re.search(r"[(`\s]/(?:home|tmp|var|work|Users)\b", page.read_text("utf-8"))
