"""Importing again and keeping order, from end to end: commands as typed."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forebear.archive import open_archive
from forebear.ingest.store import Journal, SourceFile
from making import BURIALS

Run = Callable[..., Any]
HEAD = "id,date,parish,county,given,surname"
ROWS = ("1,1851,Layham,SFK,Ann,Green", "2,1852,Layham,SFK,Job,Green", "3,1853,Eye,SFK,,")


@pytest.fixture
def run(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Return the program with an archive to work on, and the mapping beside it."""
    monkeypatch.setenv("FOREBEAR_ARCHIVE", str(tmp_path / "archive.forebear"))
    (tmp_path / "burials.toml").write_text(BURIALS, "utf-8")
    assert run("init", tmp_path / "archive.forebear").status == 0
    return run


@pytest.fixture
def bring_in(run: Run, tmp_path: Path) -> Run:
    def import_rows(*words: object, rows: tuple[str, ...] = ROWS) -> Any:
        (tmp_path / "burials.csv").write_text("\n".join([HEAD, *rows]) + "\n", "utf-8")
        mapping = tmp_path / "burials.toml"
        return run("import", tmp_path / "burials.csv", "--mapping", mapping, *words)

    return import_rows


def test_a_corrected_file_reports_what_it_changes(bring_in: Run) -> None:
    bring_in()
    rows = ("1,1851,Layham,SFK,Anna,Green", ROWS[1], "4,1853,Eye,SFK,Ida,Wood")

    ran = bring_in("--dry-run", rows=rows)
    (report,) = json.loads(bring_in("--json", rows=rows).out)

    assert "1 added, 1 changed, 1 unchanged, 0 gone" in ran.out
    assert {key: report[key] for key in ("added", "changed", "unchanged", "gone")} == {
        "added": 1,
        "changed": 1,
        "unchanged": 1,
        "gone": 0,
    }
    assert report["kept_because_attached"] == []


def test_another_file_of_the_same_name_needs_a_word(bring_in: Run) -> None:
    bring_in()
    rows = ("7,1901,Eye,SFK,Amy,Wood",)

    refused = bring_in(rows=rows)

    assert refused.status == 2
    assert "--replace" in refused.err
    assert "2 gone" in bring_in("--replace", rows=rows).out


def test_refused_rows_go_to_a_file(bring_in: Run, tmp_path: Path) -> None:
    refused = tmp_path / "refused.csv"

    bring_in("--refused", refused)

    with refused.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows == [
        {
            **dict(zip(HEAD.split(","), ROWS[2].split(","), strict=True)),
            "line": "4",
            "reason": "no name at all",
        }
    ]


def test_refused_rows_of_several_files_name_their_file(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"{HEAD}\n9,1851,Eye,SFK,,\n", "utf-8")
    refused = tmp_path / "refused.csv"

    run(
        *("import", tmp_path / "a.csv", tmp_path / "b.csv"),
        *("--mapping", tmp_path / "burials.toml", "--refused", refused),
    )

    with refused.open(encoding="utf-8", newline="") as file:
        assert [row["file"] for row in csv.DictReader(file)] == ["a.csv", "b.csv"]


def test_collections_tell_what_they_cover_and_what_was_interrupted(
    bring_in: Run, run: Run, tmp_path: Path
) -> None:
    bring_in()
    with open_archive(tmp_path / "archive.forebear") as archive:
        file = SourceFile(collection="burials", name="burials.csv")
        archive.storage.begin(Journal(file=file, content="", mapping=""))

    (collection,) = json.loads(run("collections", "--json").out)

    assert collection["places"] == ["Layham, Suffolk, England"]
    assert (collection["first_year"], collection["last_year"]) == (1851, 1852)
    assert collection["fields"]["self.surname"] == 1.0
    assert "burials.csv to burials was interrupted" in run("collections").err


def test_the_digest_is_of_what_the_archive_says(bring_in: Run, run: Run) -> None:
    def digest() -> str:
        return str(json.loads(run("check", "--digest", "--json").out)["digest"])

    bring_in()
    first = digest()
    bring_in(rows=("1,1851,Layham,SFK,Anna,Green", ROWS[1]))
    changed = digest()
    run("collections", "--delete", "burials")
    bring_in()

    assert digest() != changed
    assert changed != first


def test_lists_are_made_and_reset(bring_in: Run, run: Run) -> None:
    bring_in()

    value = json.loads(run("lists", "--set", "mine=burials", "--json").out)
    reset = json.loads(run("lists", "--reset", "--json").out)

    assert value == [{"name": "mine", "record_type": "burial", "collections": ["burials"]}]
    assert [collection["name"] for collection in reset] == ["burial"]
    assert run("lists", "--set", "mine").status == 2


def test_a_search_ranks_the_lists_that_were_made(bring_in: Run, run: Run) -> None:
    bring_in()
    run("lists", "--set", "mine=burials")

    value = json.loads(run("search", "--given", "Ann", "--surname", "Green", "--json").out)

    assert [collection["name"] for collection in value["lists"]] == ["mine"]
    assert value["results"][0]["record"] == "burials:1"


def test_places_are_shown_and_a_gazetteer_is_read(bring_in: Run, run: Run, tmp_path: Path) -> None:
    bring_in()
    cells = ["1", "Layham", "Layham", "Leyham", "52.03", "0.96", "P", "PPL", "GB", "", "ENG", ""]
    county = ["2", "England", "England", "", "52", "1", "A", "ADM1", "GB", "", "ENG", ""]
    rest = ["", "", "500", "", "", "zone", "2020-01-01"]
    dump = tmp_path / "made.txt"
    dump.write_text("".join("\t".join([*row, *rest]) + "\n" for row in (county, cells)), "utf-8")

    assert "Layham" in run("places", "--depth", 3).out
    assert run("places", "nowhere").status == 1
    ran = run("places", "--import", dump, "england", "--json")
    assert "2 lines read, 0 refused; 1 of 3 places" in ran.err
    assert json.loads(ran.out)[0]["personas"] == 2
