"""Is the census row found that experts linked to a soldier?  Real records, real links, real peers.

    python -m benchmarks.quality.soldiers --peers-python /tmp/bench_peers/bin/python

The archive is the census of 1900 with 54,752 people (see ``soldiers_data``); every linked soldier
of one half is a query.  ``--half tune`` looks at the soldiers that weights may be fitted on; the
others judge.  With ``--models`` several models are compared with the first, query by query.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.quality.london import PEERS as LONDON_PEERS
from benchmarks.quality.london import SHARED, run_peers
from benchmarks.quality.london_measures import Ranked, interval, measure_ranks, shown
from benchmarks.quality.soldiers_data import (
    CENSUS,
    Soldier,
    our_query,
    peer_people,
    peer_query,
    read_soldiers,
    write_census,
)
from forebear.archive import Archive, create_archive, open_archive
from forebear.search.search_result import SearchOptions
from forebear_lab.evaluation.tables import Table

PEERS = {
    **{name: LONDON_PEERS[name] for name in ("jaro_winkler", "bm25", "splink")},
    "logistic": "logistic regression, cross-fitted on labels",
}
CUTOFFS = (1, 10, 100)


def main() -> int:
    options = _options()
    soldiers = [
        soldier
        for soldier in read_soldiers(SHARED)
        if soldier.right and soldier.half == options.half
    ][:: options.every]
    with tempfile.TemporaryDirectory() as folder:
        path = options.archive or Path(folder) / "soldiers.forebear"
        if not path.exists():
            make_archive(path)
        with open_archive(path) as archive:
            lists = {
                f"ours, {model}": search_soldiers(archive, soldiers, model)
                for model in options.models
            }
        if options.peers_python:
            lists |= run_peers(
                options.peers_python,
                Path(folder),
                people=peer_people(SHARED),
                queries=(peer_query(one) | {"right": sorted(one.right)} for one in soldiers),
                peers=PEERS,
            )
    _report(soldiers, lists)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--peers-python", type=Path, help="a Python that has the peers")
    parser.add_argument("--archive", type=Path, help="keep the archive here, and use it again")
    parser.add_argument("--half", choices=("tune", "judge"), default="judge")
    parser.add_argument("--every", type=int, default=1, help="take only every Nth soldier")
    parser.add_argument("--models", nargs="+", default=["default", "hand-set"])
    return parser.parse_args()


def make_archive(path: Path) -> None:
    """Import the census."""
    create_archive(path).close()
    with tempfile.TemporaryDirectory() as folder, open_archive(path) as archive:
        table, mapping = write_census(SHARED, Path(folder))
        report = archive.import_file(table, mapping=str(mapping))
    print(f"{report.accepted:,} records in {report.collection}", file=sys.stderr, flush=True)


def search_soldiers(archive: Archive, soldiers: Sequence[Soldier], model: str) -> Ranked:
    """Return the fused list of each soldier, as ids of census rows."""
    options = SearchOptions(model=model)
    lists = {}
    for soldier in soldiers:
        result = archive.search(our_query(soldier), options=options, log=False).search_result
        keys = (hit.record_key for hit in result.fused)
        lists[soldier.id] = [key.removeprefix(f"{CENSUS}:") for key in keys]
    return lists


def _report(soldiers: Sequence[Soldier], lists: dict[str, Ranked]) -> None:
    right = {soldier.id: soldier.right for soldier in soldiers}
    values = {name: measure_ranks(ranked, right, cutoffs=CUTOFFS) for name, ranked in lists.items()}
    headings = [f"success@{cutoff}" for cutoff in CUTOFFS]
    rows = [(name, *map(shown, interval(of_query))) for name, of_query in values.items()]
    print(f"{len(soldiers):,} soldiers")
    print(Table(headings=("found by", *headings), rows=rows).as_text(), flush=True)
    (first, ours), *others = values.items()
    rows = [
        (name, *(shown(one, sign="+") for one in interval(ours - theirs)))
        for name, theirs in others
    ]
    if rows:
        print(Table(headings=(f"{first} minus", *headings), rows=rows).as_text(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
