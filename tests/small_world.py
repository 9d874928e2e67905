"""A simulated archive in miniature: three tables, queries, and the right records of each."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

GIVEN = ("Thomas", "Mary", "George", "Alice", "Samuel", "Harriet")
SURNAMES = ("Thurlow", "Cornell", "Whymark", "Pettit")
HEADINGS = {
    "birth": "record_id registered district county date_of_birth forenames surname sex father"
    " mother_forenames mother_formerly father_occupation",
    "census": "record_id year parish county household_id surname forenames relation_to_head"
    " condition sex age occupation where_born",
    "residence": "record_id directory_year surname given_names spouse_note trade address town"
    " county",
}


def people() -> Iterator[tuple[int, str, str, int]]:
    """Yield the number, the names and the year of birth of every person."""
    for number in range(24):
        given, surname = GIVEN[number % 6], SURNAMES[number // 6]
        yield number, given, surname, 1810 + 3 * (number % 7)


def rows() -> dict[str, list[list[str]]]:
    """Return the rows of every table."""
    tables: dict[str, list[list[str]]] = {name: [] for name in HEADINGS}
    for n, given, surname, year in people():
        sex, parents = "MF"[n % 2], f"John {surname}|Ann|Hale|farmer"
        born = f"{year} Q2|Layham|Suffolk|07 Mar {year}|{given}|{surname}|{sex}"
        tables["birth"].append(f"B{n}|{born}|{parents}".split("|"))
        for census in (1841, 1851):
            household = f"{census}|Layham|Suffolk|{census}-{n}|{surname}|{given}|head"
            line = f"C{census}.{n}|{household}||{sex}|{census - year}||Layham, Suffolk"
            tables["census"].append(line.split("|"))
        line = f"R{n}|1855|{surname}|{given}||baker|3 Hill Street|Layham|Suffolk"
        tables["residence"].append(line.split("|"))
    return tables


def write_small_world(folder: Path) -> None:
    """Write a folder as the lab's simulation does: the judgments are in `truth/`."""
    for name, lines in rows().items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([HEADINGS[name].split(), *lines])
    queries, judged = [], []
    for number, given, surname, year in people():
        names = [{"given": given, "surname": surname, "kind": "birth"}]
        events = [{"kind": "birth", "date": str(year + number % 2), "place": "Layham, Suffolk"}]
        queries.append(json.dumps({"id": f"q{number}", "names": names, "events": events}))
        right = [f"birth:B{number}", f"census:C1841.{number}", f"census:C1851.{number}"]
        right += [f"residence:R{number}"] if number % 3 else ["residence:lost"]
        judged += [f"q{number} 0 {key} 1" for key in right]
    queries.append(json.dumps({"id": "absent", "names": [{"given": "Ann", "surname": "Nobody"}]}))
    (folder / "queries.jsonl").write_text("\n".join(queries) + "\n")
    (folder / "truth").mkdir()
    (folder / "truth" / "qrels.txt").write_text("\n".join(judged) + "\n")
    (folder / "people.csv").write_text("record_id,surname\n1,Answer\n")
