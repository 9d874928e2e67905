"""Is the examination found that a historian linked?  Real records, real links, real peers.

    python -m benchmarks.quality.london --peers-python /tmp/bench_peers/bin/python

All record files of the shared data go into one archive; the queries are the first people of
London removal orders (see ``london_data``).  Three kinds: names alone, names and a year that
is up to two years off, names and the day.  The fused list and the court list hold nine
collections; only with ``collections`` set to the examinations is the search compared with the
peers, who see nothing else.  The orders of the judging half are searched: default weights are
fitted to links of the other half.  With ``--estimate`` weights are estimated from the archive alone
and measured too.

It ends with status 1 unless the default weights are ahead of every peer on each kind.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.quality.london_data import (
    EXAMINATIONS,
    KINDS,
    Order,
    our_query,
    peer_people,
    peer_query,
    read_orders,
    record_files,
)
from benchmarks.quality.london_measures import MEASURES, Ranked, interval, measure, shown
from benchmarks.quality.probability_data import london_half
from forebear.archive import Archive, create_archive, open_archive
from forebear.errors import InputError
from forebear.search.model import DEFAULT, SHIPPED
from forebear.search.search_result import SearchOptions
from forebear_lab.evaluation.tables import Table

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("FOREBEAR_SHARED", ROOT.parent / "shared")) / "data" / "records"
PEERS = {
    "tfidf": "character n-grams, TF-IDF",
    "jaro_winkler": "Jaro-Winkler",
    "bm25": "BM25, fuzzy and sound (tantivy)",
    "splink": "Splink, no labels",
}
OURS = "examinations"


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        path = options.archive or Path(folder) / "london.db"
        orders = [
            order for order in read_orders(SHARED) if options.half in ("all", london_half(order))
        ]
        orders = orders[:: max(1, len(orders) // options.queries)] if options.queries else orders
        if not path.exists():
            make_archive(path)
        is_ahead = True
        with open_archive(path) as archive:
            models = {name: name for name in SHIPPED}
            if options.estimate:
                estimate = archive.estimate_weights(seed=1, progress=_print_progress)
                models["estimated"] = estimate.version
            for kind in KINDS:
                lists = _our_lists(archive, orders, kind, models)
                if options.peers_python:
                    lists |= run_peers(
                        options.peers_python,
                        Path(folder),
                        people=peer_people(SHARED),
                        queries=(peer_query(order, kind) for order in orders),
                        peers=PEERS,
                    )
                is_ahead &= _report(kind, orders, lists)
    return 0 if is_ahead else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--peers-python", type=Path, help="a Python that has the peers")
    parser.add_argument("--archive", type=Path, help="keep the archive here, and use it again")
    parser.add_argument("--queries", type=int, help="about this many of the orders, evenly spaced")
    parser.add_argument(
        "--half", choices=("judge", "tune", "all"), default="judge", help="which of the orders"
    )
    parser.add_argument("--estimate", action="store_true", help="measure estimated weights too")
    return parser.parse_args()


def make_archive(path: Path) -> None:
    """Import all record files of the shared data into a new archive."""
    create_archive(path).close()
    with open_archive(path) as archive:
        for file in record_files(SHARED):
            try:
                report = archive.import_file(file)
            except InputError as error:  # a table that no built-in mapping fits
                _print_progress(f"skipped {error.message}")
                continue
            _print_progress(f"{file.name}: {report.accepted:,} records in {report.collection}")


def _our_lists(
    archive: Archive, orders: Sequence[Order], kind: str, models: dict[str, str]
) -> dict[str, Ranked]:
    lists: dict[str, dict[str, list[str]]] = {}
    for name, version in models.items():
        for order in orders:
            query = our_query(order, kind)
            options = SearchOptions(model=version)
            result = archive.search(query, options=options, log=False).search_result
            among = archive.search(
                {**query, "collections": [EXAMINATIONS]}, options=options, log=False
            ).search_result
            court = next((list_.hits for list_ in result.lists if list_.name == "court"), ())
            for which, keys in (
                ("fused list", (hit.record_key for hit in result.fused)),
                ("court list", (hit.record_key for hit in court)),
                (OURS, (hit.record_key for hit in among.fused)),
            ):
                lists.setdefault(f"{which}, {name}", {})[order.id] = _examinations(keys)
    return {**lists}


def _examinations(keys: Iterable[str]) -> list[str]:
    """Return ranked records, an examination by its own id; others keep their places."""
    return [key.removeprefix(f"{EXAMINATIONS}:") for key in keys]


def run_peers(
    python: Path,
    folder: Path,
    *,
    people: Iterable[Mapping[str, object]],
    queries: Iterable[Mapping[str, object]],
    peers: Mapping[str, str],
) -> dict[str, Ranked]:
    """Return the lists of peers, run by a Python that has them, by their titles."""
    for name, rows in (("people", people), ("queries", queries)):
        text = "".join(f"{json.dumps(row)}\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    script = Path(__file__).with_name("london_peers.py")
    subprocess.run([python, script, folder, *peers], check=True, stdout=subprocess.DEVNULL)
    return {
        title: json.loads((folder / f"{name}.json").read_text("utf-8"))
        for name, title in peers.items()
    }


def _report(kind: str, orders: Sequence[Order], lists: dict[str, Ranked]) -> bool:
    """Print a kind's tables; return whether the default weights are ahead of every peer."""
    right = {order.id: order.right for order in orders}
    values = {name: measure(ranked, right) for name, ranked in lists.items()}
    rows = [(name, *map(shown, interval(of_query))) for name, of_query in values.items()]
    print(f"\n{kind}: {len(orders):,} orders")
    print(Table(headings=("found by", *MEASURES), rows=rows).as_text(), flush=True)
    ours = values[f"{OURS}, {DEFAULT}"]
    differences = {
        title: interval(ours - values[title]) for title in PEERS.values() if title in values
    }
    rows = [
        (name, *(shown(one, sign="+") for one in triples)) for name, triples in differences.items()
    ]
    if rows:
        print(
            Table(headings=(f"ours ({DEFAULT}) minus", *MEASURES), rows=rows).as_text(), flush=True
        )
    return all(mean > 0 for triples in differences.values() for mean, _, _ in triples)


def _print_progress(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
