"""How is a simulated archive written?

Families live (``families.py``), registers note part of it (``registers.py``), descendants search
for some of the people (``users.py``). A folder then holds

- ``records/``, a CSV file for each register, which ``forebear import`` recognizes by its headings;
- ``places.csv``, a gazetteer for ``forebear places --import``;
- ``queries.jsonl`` for ``forebear search --batch``, and ``manifest.json``;
- ``truth/``, which is never imported: ``people.csv``, ``links.csv`` (who is named in which
  record), ``cases.csv`` (records about one event), ``visits.csv`` (who searches when) and
  ``qrels.txt``.

Everything is simulated; the manifest and the titles of the collections say that. A seed and a size
give the same bytes everywhere: tables are written row by row in the dialect of Python's ``csv``
module with a line feed at the end of lines.
"""

import csv
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear_lab.simulation.chance import Chance, Ints, Texts
from forebear_lab.simulation.clerk import TRADES, World
from forebear_lab.simulation.families import Families
from forebear_lab.simulation.lives import write_days
from forebear_lab.simulation.names import Names, Places
from forebear_lab.simulation.registers import (
    REGISTERS,
    WrittenRegister,
    write_censuses,
    write_register,
)
from forebear_lab.simulation.users import STAGE_NAMES, STAGES, Descendant, Visit, plan_visits

PERSONAS_PER_PERSON = 6.0
PEOPLE_PER_FOUNDER = 7.0
PEOPLE_PER_PARISH = 12
MIN_PERSONAS = 1000
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedArchive:
    """A folder with a simulated archive."""

    folder: Path
    tables: tuple[Path, ...]  # to import
    places: Path
    queries: Path
    qrels: Path
    personas: int
    records_by_type: dict[str, int]


def write_archive(
    folder: Path,
    *,
    personas: int,
    seed: int,
    queries: int = 1000,
    progress: Progress = lambda _message: None,
) -> SimulatedArchive:
    """Simulate an archive of about this many personas and write it into an empty folder."""
    _check(folder, personas=personas, seed=seed, queries=queries)
    world = simulate_world(personas=personas, seed=seed, progress=progress)
    truth, records = folder / "truth", folder / "records"
    for part in (truth, records):
        part.mkdir(parents=True)
    written = _write_registers(world, records, personas=personas, progress=progress)
    _write_places(world.places, folder / "places.csv")
    _write_links(written, truth / "links.csv")
    _write_cases(written, truth / "cases.csv")
    _write_people(world, truth / "people.csv")
    mentions = _count_mentions(written, len(world.lives.people))
    visits = plan_visits(world, mentions, count=queries)
    _write_queries(world, visits, folder / "queries.jsonl")
    _write_visits(visits, truth / "visits.csv")
    _write_qrels(written, visits, truth / "qrels.txt")
    _write_manifest(world, written, visits, folder / "manifest.json")
    archive = read_archive(folder)
    progress(f"simulated {archive.personas:,} personas in {folder}")
    return archive


def read_archive(folder: Path) -> SimulatedArchive:
    """Return a simulated archive that was written earlier."""
    try:
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
        tables = tuple(folder / "records" / f"{name}.csv" for name in manifest["collections"])
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"{folder}: no simulated archive ({error})",
            hint="write one: forebear experiment world --personas 20000 --out FOLDER",
        ) from error
    return SimulatedArchive(
        folder=folder,
        tables=tables,
        places=folder / "places.csv",
        queries=folder / "queries.jsonl",
        qrels=folder / "truth" / "qrels.txt",
        personas=manifest["personas"],
        records_by_type=manifest["records_by_type"],
    )


def read_visits(folder: Path) -> list[Visit]:
    """Return the visits of a simulated archive that was written earlier."""
    return [
        Visit(
            day=int(row["day"]),
            user=row["user"],
            family=row["family"],
            query_id=row["query_id"],
            person=int(row["person_id"]),
            stage=int(row["stage"]),
            in_archive=row["in_archive"] == "yes",
        )
        for row in read_rows(folder / "truth" / "visits.csv")
    ]


def simulate_world(
    *, personas: int, seed: int, progress: Progress = lambda _message: None
) -> World:
    """Return the people, names and places of an archive of this size."""
    chance, names = Chance(seed=seed), Names()
    people = personas / PERSONAS_PER_PERSON
    places = Places(chance, parishes=max(300, round(people / PEOPLE_PER_PARISH)))
    families = Families(chance, names, places, trades=TRADES[0].size)
    lives = families.run(founders=60 + round(people / PEOPLE_PER_FOUNDER), progress=progress)
    return World(chance=chance, names=names, places=places, lives=lives)


def _check(folder: Path, *, personas: int, seed: int, queries: int) -> None:
    if personas < MIN_PERSONAS:
        raise InputError(
            f"an archive of {personas:,} personas is too small",
            hint=f"simulate at least {MIN_PERSONAS:,}",
        )
    if seed < 0 or queries < 0:
        raise InputError("seed and number of queries must not be negative")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not an empty folder", hint="name a new one")


def _write_registers(
    world: World, folder: Path, *, personas: int, progress: Progress
) -> list[WrittenRegister]:
    """Write every register, the censuses last with the personas that are left."""
    written = []
    for register in REGISTERS:
        written.append(write_register(world, register, personas=personas))
        progress(f"{register.name}: {written[-1].records:,} records")
    rest = personas - sum(register.personas for register in written)
    for census in write_censuses(world, personas=rest):
        written.append(census)
        progress(f"{census.name}: {census.records:,} records")
    for table in written:
        if table.records:
            columns = {"ref": record_ids(table), **table.columns}
            write_table(folder / f"{table.name}.csv", columns)
    return written


def record_ids(register: WrittenRegister) -> Texts:
    """Return the ids of the records of a register."""
    letters = "".join(word[0] for word in register.name.split("_")).upper()
    return np.array([f"{letters}{number:07d}" for number in range(1, register.records + 1)], object)


def _write_places(places: Places, path: Path) -> None:
    """Write the gazetteer, a table that ``forebear places --import`` reads."""
    latitude, longitude = (np.char.mod("%.4f", column) for column in places.coordinates.T)
    columns = {
        "name": places.name,
        "county": places.county_text,
        "country": places.country_text,
        "lat": latitude,
        "lon": longitude,
    }
    write_table(path, columns)


def _count_mentions(written: Sequence[WrittenRegister], people: int) -> Ints:
    counts = np.zeros(people, dtype=np.int64)
    for register in written:
        for mentions in register.mentions:
            counts += np.bincount(mentions.person, minlength=people)
    return counts


def _write_links(written: Sequence[WrittenRegister], path: Path) -> None:
    """Write who is named in which record."""
    columns: dict[str, list[Texts]] = {
        name: [] for name in ("collection", "ref", "role", "person_id")
    }
    for register in written:
        ids = record_ids(register)
        for mentions in register.mentions:
            count = mentions.row.size
            columns["collection"].append(np.full(count, register.name, dtype=object))
            columns["ref"].append(ids[mentions.row])
            columns["role"].append(np.full(count, mentions.role, dtype=object))
            columns["person_id"].append(mentions.person.astype(object))
    write_table(path, {name: np.concatenate(parts) for name, parts in columns.items()})


def _write_cases(written: Sequence[WrittenRegister], path: Path) -> None:
    """Write which removal order follows from which examination."""
    examinations, orders = (
        next(register for register in written if register.name == name)
        for name in ("settlement_examinations", "removal_orders")
    )
    _, first, second = np.intersect1d(examinations.person, orders.person, return_indices=True)
    pairs = {
        "examination": record_ids(examinations)[first],
        "order": record_ids(orders)[second],
    }
    write_table(path, pairs)


def _write_people(world: World, path: Path) -> None:
    people, text = world.lives.people, world.names.text
    rows = np.arange(1, len(people))
    place = people["birth_place"][rows]
    columns = {
        "person_id": rows,
        "sex": np.array(["male", "female"], dtype=object)[people["sex"][rows]],
        "given": text[people["given"][rows]],
        "middle": text[people["middle"][rows]],
        "surname": text[people["surname"][rows]],
        "second_surname": text[people["second_surname"][rows]],
        "born": write_days(people["born"][rows], "iso"),
        "died": write_days(people["died"][rows], "iso"),
        "parish": world.places.name[place],
        "county": world.places.county_text[place],
        "country": world.places.country_text[place],
        "father": people["father"][rows],
        "mother": people["mother"][rows],
        "recorded": np.array(["no", "yes"], dtype=object)[people["recorded"][rows]],
    }
    write_table(path, columns)


def _write_queries(world: World, visits: Sequence[Visit], path: Path) -> None:
    descendant = Descendant(world, world.chance.stream("queries"))
    with path.open("w", encoding="utf-8", newline="") as file:
        for visit in visits:
            query = descendant.describe(visit.person, STAGES[visit.stage], query_id=visit.query_id)
            file.write(json.dumps(query, ensure_ascii=False) + "\n")


def _write_visits(visits: Sequence[Visit], path: Path) -> None:
    rows = [
        (visit.query_id, visit.day, visit.user, visit.family, visit.person, visit.stage,
         STAGE_NAMES[visit.stage], "yes" if visit.in_archive else "no")
        for visit in visits
    ]  # fmt: skip
    names = ("query_id", "day", "user", "family", "person_id", "stage", "stage_name", "in_archive")
    table = np.array(rows, dtype=object).reshape(len(rows), len(names))
    write_table(path, {name: table[:, place] for place, name in enumerate(names)})


def _write_qrels(written: Sequence[WrittenRegister], visits: Sequence[Visit], path: Path) -> None:
    """Write the right records of every query as TREC judgments."""
    sought = np.unique([visit.person for visit in visits])
    keys: dict[int, dict[str, None]] = {int(person): {} for person in sought}
    for register in written:
        ids = record_ids(register)
        for mentions in register.mentions:
            for place in np.nonzero(np.isin(mentions.person, sought))[0]:
                key = f"{register.name}:{ids[mentions.row[place]]}"
                keys[int(mentions.person[place])][key] = None
    with path.open("w", encoding="utf-8", newline="") as file:
        for visit in visits:
            file.writelines(f"{visit.query_id} 0 {key} 1\n" for key in keys[visit.person])


def _write_manifest(
    world: World, written: Sequence[WrittenRegister], visits: Sequence[Visit], path: Path
) -> None:
    by_type: Counter[str] = Counter()
    for register in written:
        by_type[register.record_type] += register.records
    manifest = {
        "label": "simulated: the people of this archive never lived",
        "seed": world.chance.seed,
        "personas": sum(register.personas for register in written),
        "records": sum(register.records for register in written),
        "people": len(world.lives.people) - 1,
        "queries": len(visits),
        "records_by_type": dict(by_type),
        "collections": {table.name: table.records for table in written if table.records},
    }
    path.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def write_table(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    """Write columns of equal length as a CSV file with a heading row."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
