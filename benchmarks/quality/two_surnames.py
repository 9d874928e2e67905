"""Are people with two surnames found?  Simulated people, real surnames; nothing is tuned on them.

    python -m benchmarks.quality.two_surnames

Some 3,000 people of Spanish and Catalan families: surnames are drawn as often as they occur in the
registers of Sondondo (``FOREBEAR_SHARED``), children have the father's and the mother's, and
brothers and sisters differ in given name and year only.  Everybody has two records, one in the
archive and one that is the query, each with its own slips: a given name in the other language or
cut short, a second surname left out or written first, a letter changed, a birth year off.
A Jaro-Winkler likeness of the whole names with the year stands beside.
"""

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.london_measures import Ranked, interval, measure_ranks, shown
from forebear.archive import create_archive, open_archive
from forebear.search.search_result import SearchOptions
from forebear_lab.evaluation.tables import Table

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "data" / "records"
REGISTERS = ("bautismos_clean", "entierros_clean", "matrimonios_clean")
FAMILIES = 1_000
MOST_CHILDREN = 5
SEED = 2_000
CUTOFFS = (1, 10, 100)
OTHER_LANGUAGE, CUT_SHORT = 0.35, 0.08
LEFT_OUT, OTHER_ORDER, WITH_JOINT, LETTER = 0.15, 0.03, 0.1, 0.1
MOST_YEARS_OFF = 3
CENSUS = "padron"
MAPPING = """
[collection]
name = "padron"
title = "Simulated census"
record_type = "census"
country = "Spain"
first_year = 1880
last_year = 1880

[record]
id = "id"
date = "date"

[joined.surnames]
columns = ["first_surname", "second_surname"]
separator = " "

[[persona]]
role = "person"
kin = "self"
principal = true
given = "given"
surname = "surnames"
sex_column = "sex"
events.birth = { date = "birth" }
"""
# Castilian, Catalan, cut short.
MEN = (
    *("Juan Joan Jn", "José Josep Jph", "Antonio Antoni Antº", "Francisco Francesc Franco"),
    *("Pedro Pere Po", "Miguel Miquel Migl", "Jaime Jaume Jme", "Pablo Pau Pblo"),
    *("Ramón Ramon Ramn", "Luis Lluís Ls", "Jorge Jordi Jge", "Diego Dídac Dgo"),
    *("Ignacio Ignasi Ygº", "Javier Xavier Xavr", "Carlos Carles Cars", "Andrés Andreu Andr"),
    *("Bartolomé Bartomeu Barme", "Mateo Mateu Matº", "Esteban Esteve Estn"),
    *("Guillermo Guillem Guillº", "Vicente Vicenç Victe", "Salvador Salvador Salvr"),
    *("Tomás Tomàs Thos", "Felipe Felip Phe", "Enrique Enric Enrqe"),
)
WOMEN = (
    *("María Maria Ma", "Juana Joana Jna", "Teresa Teresa Tera", "Josefa Josepa Jpha"),
    *("Francisca Francesca Franca", "Antonia Antònia Antª", "Margarita Margarida Margta"),
    *("Catalina Caterina Catna", "Isabel Elisabet Ysabl", "Rosa Rosa Rª", "Ana Anna Ana"),
    *("Magdalena Magdalena Magdna", "Mariana Marianna Marna", "Dolores Dolors Dols"),
    *("Mercedes Mercè Mercds", "Engracia Engràcia Engª", "Inés Agnès Ygs"),
    *("Lucía Llúcia Luca", "Eulalia Eulàlia Eula", "Montserrat Montserrat Montt"),
)
LETTERS = "abcdefghilmnoprstuvz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A person as one record has them."""

    id: str
    given: str
    surnames: tuple[str, str]
    sex: str
    birth: int


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--model", default="default")
    options = parser.parse_args()
    pairs = list(_people(random.Random(options.seed)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archived, queries = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        lists = {
            f"ours, {options.model}": _search(folder, archived, queries, options.model),
            "Jaro-Winkler": _jaro_winkler(folder, archived, queries),
        }
    right = {query.id: {query.id} for query in queries}
    values = {name: measure_ranks(ranked, right, cutoffs=CUTOFFS) for name, ranked in lists.items()}
    headings = ("found by", *(f"success@{cutoff}" for cutoff in CUTOFFS))
    rows = [(name, *map(shown, interval(of_query))) for name, of_query in values.items()]
    print(f"simulated: {len(queries):,} people with two surnames, seed {options.seed}")
    print(Table(headings=headings, rows=rows).as_text())
    return 0


def _people(chance: random.Random) -> Iterator[tuple[Written, Written]]:
    """Yield everybody as the archive has them, and as the query does."""
    counts = _surname_counts()
    surnames, weights = list(counts), list(counts.values())
    number = 0
    for _ in range(FAMILIES):
        father, mother = chance.choices(surnames, weights, k=2)
        first_birth = chance.randrange(1800, 1870)
        for child in range(chance.randint(1, MOST_CHILDREN)):
            number += 1
            sex = chance.choice("mf")
            names = chance.choice(MEN if sex == "m" else WOMEN).split()
            birth = first_birth + 2 * child + chance.randrange(2)
            archived, query = (
                _write(chance, f"p{number}", names, (father, mother), sex, birth) for _ in "aq"
            )
            yield archived, query


def _surname_counts() -> Counter[str]:
    """Return how often each surname of one word occurs in the registers."""
    counts: Counter[str] = Counter()
    for register in REGISTERS:
        path = SHARED / "parish_sondondo" / f"{register}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                names = [value for column, value in row.items() if column.endswith("lastname")]
                counts.update(name.strip().title() for name in names if name.strip().isalpha())
    return Counter({name: count for name, count in counts.items() if count > 1 and len(name) > 2})


def _write(
    chance: random.Random,
    id_: str,
    names: Sequence[str],
    surnames: tuple[str, str],
    sex: str,
    birth: int,
) -> Written:
    """Return a person as a clerk may write them."""
    castilian, catalan, short = names
    draw = chance.random()
    given = short if draw < CUT_SHORT else castilian
    given = catalan if CUT_SHORT <= draw < CUT_SHORT + OTHER_LANGUAGE else given
    first, second = (_slip(chance, name) for name in surnames)
    if chance.random() < OTHER_ORDER:
        first, second = second, first
    if chance.random() < LEFT_OUT:
        second = ""
    elif chance.random() < WITH_JOINT:
        second = f"{chance.choice('yi')} {second}"
    off = chance.choice((0, 0, 0, *range(-MOST_YEARS_OFF, MOST_YEARS_OFF + 1)))
    return Written(id=id_, given=given, surnames=(first, second), sex=sex, birth=birth + off)


def _slip(chance: random.Random, name: str) -> str:
    """Return a surname with a letter changed, left out or doubled now and then."""
    if chance.random() >= LETTER:
        return name
    at = chance.randrange(1, len(name))
    letter = chance.choice((chance.choice(LETTERS), "", 2 * name[at]))
    return name[:at] + letter + name[at + 1 :]


def _search(
    folder: Path, archived: Sequence[Written], queries: Sequence[Written], model: str
) -> Ranked:
    table, mapping, path = folder / "padron.csv", folder / "padron.toml", folder / "a.forebear"
    mapping.write_text(MAPPING, "utf-8")
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("id", "given", "first_surname", "second_surname", "sex", "birth", "date"))
        for one in archived:
            writer.writerow((one.id, one.given, *one.surnames, one.sex, one.birth, 1880))
    create_archive(path).close()
    options = SearchOptions(model=model)
    lists = {}
    with open_archive(path) as archive:
        archive.import_file(table, mapping=str(mapping))
        for one in queries:
            query = {
                "given": one.given,
                "surname": " ".join(one.surnames).strip(),
                "sex": "male" if one.sex == "m" else "female",
                "events": [{"kind": "birth", "date": str(one.birth)}],
            }
            result = archive.search(query, options=options, log=False).search_result
            keys = (hit.record_key for hit in result.fused)
            lists[one.id] = [key.removeprefix(f"{CENSUS}:") for key in keys]
    return lists


def _jaro_winkler(folder: Path, archived: Sequence[Written], queries: Sequence[Written]) -> Ranked:
    for name, key, people in (("people", "record", archived), ("queries", "id", queries)):
        rows = [
            {
                key: one.id,
                "given": _without_marks(one.given),
                "surname": _without_marks(" ".join(one.surnames)),
                "birth": one.birth,
            }
            for one in people
        ]
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    script = Path(__file__).with_name("london_peers.py")
    command = [sys.executable, str(script), str(folder), "jaro_winkler"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    ranked: Ranked = json.loads((folder / "jaro_winkler.json").read_text("utf-8"))
    return ranked


def _without_marks(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


if __name__ == "__main__":
    sys.exit(main())
