"""How well are people found in simulated worlds?  By stage, and compared with peers.

    python -m benchmarks.quality.worlds --seeds 1 2 3 --peers-python /tmp/bench_peers/bin/python

Worlds of ``make_records.py`` are imported and searched with the default weights.  NDCG@100,
success@10 and NCE@100 over all queries and by stage of knowledge, with intervals for NDCG; and
how many of the right records pass the gate (aim .985), by record type.  Peers see every person on
every record with names, years and places, and rank all types in one list.  Rates of damage in
these worlds are invented: this finds regressions and gross faults, not the truth about archives.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.quality.london import PEERS
from benchmarks.quality.london_measures import interval, shown
from benchmarks.quality.worlds_data import (
    World,
    import_world,
    make_world,
    peer_people,
    peer_query,
)
from forebear.archive import Archive, open_archive
from forebear.search.model import DEFAULT, SHIPPED
from forebear.search.search_result import SearchOptions
from forebear.trec import Qrels, Run
from forebear_lab.evaluation.evaluate import Evaluation, evaluate
from forebear_lab.evaluation.measures.measure import parse_measure
from forebear_lab.evaluation.tables import Cell, Table

MEASURES = tuple(map(parse_measure, ("ndcg@100", "success@10", "nce@100")))
AIM = 0.985  # of right records that pass the gate
TOP = 100
EVERYTHING = 100_000  # of a list: more than a gate lets in
ALL = "all types"


def main() -> int:
    options = _options()
    reached = True
    for seed in options.seeds:
        with tempfile.TemporaryDirectory() as passing:
            folder = options.keep / f"{options.personas}-{seed}" if options.keep else Path(passing)
            path = folder / "world.db"
            if path.exists():
                world = World(folder)
            else:
                world = make_world(
                    folder, personas=options.personas, seed=seed, queries=options.queries
                )
                import_world(world, path)
            print(f"\nseed {seed}: {options.personas:,} personas, {len(world.queries):,} queries")
            with open_archive(path) as archive:
                reached &= _judge(archive, world, options)
    return 0 if reached else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--personas", type=int, default=100_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--queries", type=int, default=400)
    parser.add_argument("--peers-python", type=Path, help="a Python that has the peers")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the worlds for the next run")
    parser.add_argument("--estimate", action="store_true", help="judge estimated weights too")
    return parser.parse_args()


def _judge(archive: Archive, world: World, options: argparse.Namespace) -> bool:
    """Print a world's tables; return whether the gate lets enough through."""
    searched = {list_.record_type for list_ in archive.lists()}
    qrels = world.qrels_of(searched)
    versions = {name: name for name in SHIPPED}
    if options.estimate:
        versions["estimated"] = archive.estimate_weights(seed=1).version
    results = {name: _search(archive, world, version) for name, version in versions.items()}
    runs = {name: _run(keys) for name, keys in results.items()}
    if options.peers_python:
        runs |= _peer_runs(options.peers_python, archive, world, searched)
    judged = {name: evaluate(run, qrels, MEASURES, world.types(runs)) for name, run in runs.items()}
    _print_measures(world, qrels, judged)
    return _print_gate(results[DEFAULT], qrels)


def _search(archive: Archive, world: World, version: str) -> dict[str, list[str]]:
    """Return everything that passes the gate for each query, the best first."""
    options = SearchOptions(model=version, top=EVERYTHING)
    return {
        query.id: [hit.record for hit in archive.search(query, options=options, log=False)]
        for query in world.queries
    }


def _run(results: Mapping[str, Sequence[str]]) -> Run:
    return Run(scores={query: _by_place(keys[:TOP]) for query, keys in results.items()})


def _by_place(keys: Sequence[str]) -> dict[str, float]:
    """Return falling scores, so that a run keeps the order it is given in."""
    return {key: float(len(keys) - place) for place, key in enumerate(keys)}


def _peer_runs(python: Path, archive: Archive, world: World, searched: set[str]) -> dict[str, Run]:
    _write(world.folder / "people.jsonl", peer_people(archive, searched))
    _write(world.folder / "queries.jsonl", map(peer_query, world.queries))
    script = Path(__file__).with_name("london_peers.py")
    subprocess.run([python, script, world.folder, *PEERS], check=True, stdout=subprocess.DEVNULL)
    return {
        title: _run(json.loads((world.folder / f"{name}.json").read_text("utf-8")))
        for name, title in PEERS.items()
    }


def _write(path: Path, rows: Iterable[object]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


def _print_measures(world: World, qrels: Qrels, judged: dict[str, Evaluation]) -> None:
    rows: list[tuple[Cell, ...]] = []
    for name, evaluation in judged.items():
        for stage, ids in _stages(world, qrels):
            values = [
                [evaluation.per_query(measure).get(q, 0.0) for measure in MEASURES] for q in ids
            ]
            ndcg, success, nce = interval(np.array(values))
            rows.append(
                (name, stage, len(ids), shown(ndcg), round(success[0], 3), round(nce[0], 3))
            )
    headings = ("found by", "stage", "queries", *map(str, MEASURES))
    print(Table(headings=headings, rows=rows).as_text(), flush=True)


def _stages(world: World, qrels: Qrels) -> Iterator[tuple[str, list[str]]]:
    """Yield all queries that have a right record, then those of each stage."""
    judged = [query for query in world.queries if any(qrels.grades.get(query.id, {}).values())]
    yield "all", [query.id for query in judged]
    for stage in sorted({query.stage for query in judged}):
        yield stage, [query.id for query in judged if query.stage == stage]


def _print_gate(results: Mapping[str, Sequence[str]], qrels: Qrels) -> bool:
    """Print which share of the right records passes; return whether it is enough."""
    right, passed = Counter[str](), Counter[str]()
    for query, grades in qrels.grades.items():
        candidates = set(results.get(query, ()))
        for key in (key for key, grade in grades.items() if grade > 0):
            for name in (key.partition(":")[0], ALL):
                right[name] += 1
                passed[name] += key in candidates
    rows: list[tuple[Cell, ...]] = [
        (name, passed[name], right[name], passed[name] / right[name]) for name in sorted(right)
    ]
    print(Table(headings=("right records", "pass", "of", "share"), rows=rows).as_text(), flush=True)
    return passed[ALL] / right[ALL] >= AIM


if __name__ == "__main__":
    sys.exit(main())
