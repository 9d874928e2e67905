"""A plain table of places gives coordinates to those that an archive knows."""

from pathlib import Path

from forebear.normalize.place_table import is_place_table, match_place_table
from forebear.normalize.places import parse_place, place_id

TABLE = """name,county,country,lat,lon,also
Layham,Suffolk,England,52.03,0.96,Leyham; Lelham
Layham,Norfolk,England,52.60,1.20,
Hadleigh,Suffolk,England,far,away,
"""


def ids(*texts: str) -> list[str]:
    return [place_id(place.levels) for text in texts if (place := parse_place(text))]


def test_a_place_is_found_by_all_that_it_lies_in(tmp_path: Path) -> None:
    path = tmp_path / "places.csv"
    path.write_text(TABLE, "utf-8")
    wanted = ids("Layham, Suffolk, England", "Hadleigh, Suffolk, England")

    entries, report = match_place_table(path, wanted)

    assert [entry.place_id for entry in entries] == wanted[:1]
    assert entries[0].coordinates == (52.03, 0.96)
    assert [name.name for name in entries[0].names] == ["leyham", "lelham"]
    assert (report.lines, report.refused, report.matched, report.places) == (3, 1, 1, 2)


def test_a_table_is_known_by_its_headings(tmp_path: Path) -> None:
    path = tmp_path / "places.csv"
    path.write_text(TABLE, "utf-8")
    assert is_place_table(path)
    path.write_text("1\tLayham\tLayham\t\t52.0\t0.9\n", "utf-8")
    assert not is_place_table(path)
