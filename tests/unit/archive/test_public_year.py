"""The public's year: limited by the release and the last import, whatever the clock says."""

import re
from datetime import datetime, tzinfo
from pathlib import Path

import pytest

import forebear.archive.archive
import forebear.archive.records
from forebear.archive import create_archive
from forebear.records.privacy import BUILD_YEAR, limit_year
from making import BURIALS

TABLE = "id,date,parish,county,given,surname\n7,1 May 1801,Layham,Suffolk,Ann,Green\n"


class FarClock(datetime):
    """A clock that is wrong."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return datetime(2090, 1, 1, tzinfo=tz)


@pytest.mark.parametrize(
    ("clock", "imported", "year"),
    [
        (BUILD_YEAR - 5, 0, BUILD_YEAR - 5),
        (BUILD_YEAR, 0, BUILD_YEAR),
        (BUILD_YEAR + 9, 0, BUILD_YEAR + 1),
        (BUILD_YEAR + 9, BUILD_YEAR - 3, BUILD_YEAR + 1),
        (BUILD_YEAR + 9, BUILD_YEAR + 4, BUILD_YEAR + 5),
    ],
)
def test_the_year_is_limited(clock: int, imported: int, year: int) -> None:
    assert limit_year(clock, imported) == year


def test_a_clock_far_ahead_opens_nothing_however_often_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, mapping = tmp_path / "burials.csv", tmp_path / "burials.toml"
    mapping.write_text(BURIALS, encoding="utf-8")
    for module in (forebear.archive.archive, forebear.archive.records):
        monkeypatch.setattr(module, "datetime", FarClock)
    with create_archive(tmp_path / "archive.forebear") as archive:
        years = [archive.viewer("public").year]
        for number in range(5):
            table.write_text(TABLE + f"{number},1801,,,Eve,Reed\n", encoding="utf-8")
            archive.import_file(table, mapping=str(mapping))
            years.append(archive.viewer("public").year)

    assert years == [BUILD_YEAR + 1] + [BUILD_YEAR + 2] * 5


def test_the_year_of_the_release_is_that_of_the_newest_entry_of_the_changelog(
    repository: Path,
) -> None:
    text = (repository / "CHANGELOG.md").read_text("utf-8")
    year = re.search(r"^## .*\b(20\d\d)\b", text, re.MULTILINE)

    assert year
    assert int(year[1]) == BUILD_YEAR
