"""How fast do other engines find the same candidates?  Runs in the environment of the peers.

    python gate_peers.py fts5|tantivy|postgres FOLDER

FOLDER holds ``personas.npz`` (offsets and the numbers of each persona's terms) and
``gates.json``: for each query its gates, a gate being a list of branches, a branch a list of
conditions that must all hold, a condition the numbers of terms of which one is enough.  Every
engine indexes the term numbers as they are, answers the gates one by one in one thread, and
says for each query the CPU and wall milliseconds and how many personas it found, with the sum
of their numbers.  It imports nothing of ours.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

Gate = list[list[list[int]]]
Find = Callable[[Gate], "np.ndarray[Any, Any]"]
Cpu = Callable[[], float]  # seconds

MOST = 20_000  # personas that a gate lets in, else it is narrowed and not compared


def main(engine: str, folder: Path) -> None:
    with np.load(folder / "personas.npz") as data:
        offsets, terms = data["offsets"], data["terms"]
    queries = json.loads((folder / "gates.json").read_text())
    with tempfile.TemporaryDirectory() as room:
        began = time.perf_counter()
        find, cpu, size = ENGINES[engine](Path(room), personas(offsets, terms))
        built = time.perf_counter() - began
        for gates in queries[:20]:
            for gate in gates:
                find(gate)  # warm
        answers = [measure(find, cpu, gates) for gates in queries]
        print(json.dumps({"built": built, "bytes": size(), "queries": answers}))
        if engine == "postgres":
            stop_postgres(Path(room))


def personas(offsets: Any, terms: Any) -> Iterator[tuple[int, list[int]]]:
    """Yield the number and the terms of each persona, from 1."""
    for number in range(offsets.size - 1):
        yield number + 1, terms[offsets[number] : offsets[number + 1]].tolist()


def measure(find: Find, cpu: Cpu, gates: list[Gate]) -> dict[str, float]:
    wall, began = time.perf_counter(), cpu()
    found = [find(gate) for gate in gates]
    used, passed = cpu() - began, time.perf_counter() - wall
    return {
        "cpu_ms": 1000 * used,
        "wall_ms": 1000 * passed,
        "found": int(sum(len(each) for each in found)),
        "sum": int(sum(int(each.sum()) for each in found)),
    }


def build_fts5(room: Path, people: Iterator[tuple[int, list[int]]]) -> tuple[Find, Cpu, Any]:
    """SQLite's full text search, without positions and without a copy of the text."""
    path = room / "fts.db"
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = OFF")
    database.execute(
        "CREATE VIRTUAL TABLE p USING fts5(t, content='', detail=none, tokenize='ascii')"
    )
    rows = ((number, " ".join(map(str, terms))) for number, terms in people)
    database.executemany("INSERT INTO p (rowid, t) VALUES (?, ?)", rows)
    database.execute("INSERT INTO p (p) VALUES ('optimize')")
    database.commit()

    def find(gate: Gate) -> Any:
        words = " OR ".join(
            "(" + " AND ".join(f"({' OR '.join(map(str, way))})" for way in branch) + ")"
            for branch in gate
        )
        rows = database.execute("SELECT rowid FROM p WHERE p MATCH ?", (words,)).fetchall()
        return np.array(rows, dtype=np.int64)

    return find, time.process_time, lambda: path.stat().st_size


def build_tantivy(room: Path, people: Iterator[tuple[int, list[int]]]) -> tuple[Find, Cpu, Any]:
    """Tantivy: numbers in an indexed field, the persona's own as a fast field."""
    import tantivy

    schema = (
        tantivy.SchemaBuilder()
        .add_unsigned_field("t", indexed=True)
        .add_unsigned_field("id", stored=True, fast=True)
        .build()
    )
    index = tantivy.Index(schema, path=str(room))
    writer = index.writer(heap_size=500_000_000, num_threads=1)
    for number, terms in people:
        document = tantivy.Document()
        document.add_unsigned("id", number)
        for term in terms:
            document.add_unsigned("t", term)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    should, must = tantivy.Occur.Should, tantivy.Occur.Must

    def either(way: list[int]) -> Any:
        if len(way) == 1:
            return tantivy.Query.term_query(schema, "t", way[0], "basic")
        return tantivy.Query.term_set_query(schema, "t", way)

    def find(gate: Gate) -> Any:
        branches = [
            tantivy.Query.boolean_query([(must, either(way)) for way in branch]) for branch in gate
        ]
        query = tantivy.Query.boolean_query([(should, branch) for branch in branches])
        query = tantivy.Query.const_score_query(query, 1.0)
        found = searcher.search(query, limit=MOST, count=False).hits
        addresses = [address for _, address in found]
        return np.array(searcher.fast_field_values("id", addresses), dtype=np.int64)

    return find, time.process_time, lambda: _folder_bytes(room)


def build_postgres(room: Path, people: Iterator[tuple[int, list[int]]]) -> tuple[Find, Cpu, Any]:
    """PostgreSQL: an array of numbers with a GIN index, in a cluster of its own."""
    import psycopg

    start_postgres(room)
    database = psycopg.connect(host=str(room), user="bench", dbname="postgres", autocommit=True)
    database.execute("CREATE TABLE p (id int, t int[])")
    with database.cursor().copy("COPY p FROM STDIN") as copy:
        for number, terms in people:
            copy.write_row((number, terms))
    database.execute("SET maintenance_work_mem = '1GB'")
    database.execute("CREATE INDEX ON p USING gin (t) WITH (fastupdate = off)")
    database.execute("VACUUM ANALYZE p")
    database.execute("SET max_parallel_workers_per_gather = 0")
    database.execute("SET jit = off")
    database.execute("SET enable_seqscan = off")
    schedule = Path(f"/proc/{database.info.backend_pid}/schedstat")

    def cpu() -> float:
        return time.process_time() + int(schedule.read_text().split()[0]) / 1e9

    def find(gate: Gate) -> Any:
        where = " OR ".join(
            "(" + " AND ".join(f"t && ARRAY[{','.join(map(str, way))}]" for way in branch) + ")"
            for branch in gate
        )
        rows = database.execute(f"SELECT id FROM p WHERE {where}").fetchall()
        return np.array(rows, dtype=np.int64)

    def size() -> int:
        row = database.execute("SELECT pg_total_relation_size('p')").fetchone()
        return int(row[0]) if row else 0

    return find, cpu, size


def start_postgres(room: Path) -> None:
    """Start a server that only this program sees; it refuses to be root, so it is ``postgres``."""
    shutil.chown(room, "postgres")
    run_as_postgres(f"initdb -D {room}/data -U bench -A trust")
    settings = "-c listen_addresses= -c shared_buffers=1GB -c fsync=off -c work_mem=256MB"
    run_as_postgres(f"pg_ctl -D {room}/data -w -l {room}/log -o '-k {room} {settings}' start")


def stop_postgres(room: Path) -> None:
    run_as_postgres(f"pg_ctl -D {room}/data -m immediate stop")


def run_as_postgres(command: str) -> None:
    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not tools:
        sys.exit("PostgreSQL is not installed (Debian: apt install postgresql)")
    line = f"PATH={tools[-1]}:$PATH {command} > /dev/null"
    who = ["su", "postgres", "-s", "/bin/sh", "-c"] if os.geteuid() == 0 else ["sh", "-c"]
    subprocess.run([*who, line], check=True)


def _folder_bytes(room: Path) -> int:
    return sum(path.stat().st_size for path in room.rglob("*") if path.is_file())


ENGINES = {"fts5": build_fts5, "tantivy": build_tantivy, "postgres": build_postgres}

if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
