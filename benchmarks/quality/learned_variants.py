"""Which planted name variants does an archive learn from attachments, and what do they bring?

    python -m benchmarks.quality.learned_variants --folder FOLDER --seeds 61 62

An archive of ``make_records.py`` (simulated) gets a habit that no table knows: of ten given names
and five surnames, a stated share of all entries has an invented form instead.  One half of the
people is searched for, and of the right records among the first twenty, links are imported; a
stated share of links goes to a wrong record.  Then variants are learned, and the other half of the
people is searched for without and with them.  Printed are the planted pairs that were learned, the
others that were, and the paired difference of NDCG@100 with a 95 % bootstrap interval.
"""

import argparse
import csv
import random
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.quality.default_measures import CUTOFF, measure_ranking
from benchmarks.quality.london_measures import interval, shown
from benchmarks.quality.worlds_data import World, import_world, make_world
from forebear.archive import Archive, open_archive
from forebear.normalize.spelling import split_given
from forebear.search.expansion.learned_variants import pair_key
from forebear.search.query.person_query import PersonQuery

GIVEN = ("Zykel", "Quorba", "Fithen", "Ovrick", "Dwembo", "Hulbra", "Yostig", "Pernip", "Vachmel",
         "Brunka")  # fmt: skip
SURNAMES = ("Skovrin", "Thwelk", "Ombury", "Graddle", "Yaxmoor")
FIRST_RANK = 4  # of the names that get another form, by how common they are
LOOKED_AT = 20  # hits
NOT_RECORDS = frozenset({"people", "places", "query_people", "truth"})


def main() -> int:
    """Print the figures of each seed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="a folder for the archives")
    parser.add_argument("--personas", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[61])
    parser.add_argument("--share", type=float, default=0.35, help="of entries in the other form")
    parser.add_argument("--wrong", type=float, default=0.04, help="of links to a wrong record")
    options = parser.parse_args()
    for seed in options.seeds:
        home = options.folder / f"variants-{options.personas}-{seed}"
        world = make_world(home, personas=options.personas, seed=seed, queries=options.queries)
        planted = plant(home, share=options.share, seed=seed)
        with open_archive(import_world(world, home / "archive.db")) as archive:
            judge(archive, world, planted, wrong=options.wrong, seed=seed)
    return 0


def plant(folder: Path, *, share: float, seed: int) -> set[tuple[str, str, str]]:
    """Write other forms into the tables of a world, and return the pairs."""
    tables = [path for path in sorted(folder.glob("*.csv")) if path.stem not in NOT_RECORDS]
    rows = {path: list(csv.reader(path.open(encoding="utf-8", newline=""))) for path in tables}
    counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for table in rows.values():
        for column, is_given in _name_columns(table[0]):
            for row in table[1:]:
                if first := row[column].split(" ")[0]:
                    counts[is_given][first if is_given else row[column]] += 1
    pairs: set[tuple[str, str, str]] = set()
    forms: dict[bool, dict[str, str]] = {}
    for is_given, others in ((True, GIVEN), (False, SURNAMES)):
        names = [name for name, _ in counts[is_given].most_common() if len(name) > 2]
        chosen = islice(names, FIRST_RANK, FIRST_RANK + len(others))
        forms[is_given] = dict(zip(chosen, others, strict=True))
        kind = "given" if is_given else "surname"
        pairs |= {pair_key(kind, *pair) for pair in forms[is_given].items()}  # type: ignore[arg-type]
    chance = random.Random(seed)
    for path, table in rows.items():
        for column, is_given in _name_columns(table[0]):
            for row in table[1:]:
                first, space, rest = (
                    row[column].partition(" ") if is_given else (row[column], "", "")
                )
                if first in forms[is_given] and chance.random() < share:
                    row[column] = f"{forms[is_given][first]}{space}{rest}"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(table)
    return pairs


def judge(
    archive: Archive,
    world: World,
    planted: set[tuple[str, str, str]],
    *,
    wrong: float,
    seed: int,
) -> None:
    """Attach for one half of the people, learn, and search for the other half."""
    grades = world.qrels_of({list_.record_type for list_ in archive.lists()}).grades
    right = {
        query: {key for key, grade in judged.items() if grade > 0}
        for query, judged in grades.items()
    }
    queries = [query for query in world.queries if right.get(query.id)]
    chance = random.Random(seed)
    links = 0
    for query in queries[::2]:
        result = archive.search(query)
        hits = [hit.record_key for hit in result.search_result.fused[:LOOKED_AT]]
        others = [key for key in hits if key not in right[query.id]]
        chosen = [
            chance.choice(others) if others and chance.random() < wrong else key
            for key in hits
            if key in right[query.id]
        ]
        archive.record_actions([(result.id, key, "attach") for key in chosen], source="link")
        links += len(chosen)
    before = measure(archive, queries[1::2], right)
    report = archive.learn_name_variants()
    after = measure(archive, queries[1::2], right)
    keys = {one.key for one in report.learned}
    print(f"\nseed {seed} (simulated): {links:,} links of {len(queries[::2]):,} people")
    print(f"planted pairs learned: {len(keys & planted)} of {len(planted)}; other pairs learned:")
    print(f"  {sorted(keys - planted) or 'none'} (of {report.compared:,} pairs that links join)")
    names = {name for _, *pair in planted for name in pair}
    concerned = np.array([_has_name(query, names) for query in queries[1::2]])
    for title, chosen in (("all others", concerned | True), ("with a planted name", concerned)):
        old, new = before[chosen], after[chosen]
        gain = interval((new - old)[:, None])[0]
        print(
            f"{title}: {int(chosen.sum()):,} people, NDCG@{CUTOFF} {old.mean():.4f} -> "
            f"{new.mean():.4f}, {shown(gain, sign='+')}",
            flush=True,
        )


def measure(
    archive: Archive, queries: Sequence[PersonQuery], right: dict[str, set[str]]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return NDCG of each query."""
    values = []
    for query in queries:
        fused = archive.search(query, log=False).search_result.fused[:CUTOFF]
        relevant = right[query.id]
        hits = [hit.record_key in relevant for hit in fused]
        values.append(measure_ranking(hits, len(relevant))[2])
    return np.array(values)


def _has_name(query: PersonQuery, names: set[str]) -> bool:
    words = {word for name in query.names for word in split_given(f"{name.given} {name.surname}")}
    return not words.isdisjoint(names)


def _name_columns(headings: Sequence[str]) -> list[tuple[int, bool]]:
    """Return the columns of names, and whether they have given names."""
    columns = []
    for number, heading in enumerate(headings):
        words = heading.split("_")
        if {"forename", "forenames", "given", "christian"} & set(words):
            columns.append((number, True))
        elif words[-1] == "surname" or heading == "family_name":
            columns.append((number, False))
    return columns


if __name__ == "__main__":
    sys.exit(main())
