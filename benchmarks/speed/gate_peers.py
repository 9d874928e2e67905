"""How fast do other engines find the same candidates?  Runs in the environment of the peers.

    python gate_peers.py fts5|tantivy|postgres FOLDER

FOLDER holds ``personas.npz`` (offsets and the numbers of each persona's terms) and
``gates.json``: how many personas any query finds at most, and for each query its gates, a gate
being a list of branches, a branch a list of conditions that must all hold, a condition the
numbers of terms of which one is enough.  Every engine indexes the term numbers as they are,
answers in one thread, and says for each query the CPU and wall milliseconds and how many
personas it found, with the sum of their numbers.  Where a query can be written in several forms,
all are tried on the first queries and the fastest is measured.  It imports nothing of ours.
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

Forms = dict[str, Find]  # of the same query, by name

WARM = 20  # queries that run before anything is timed


def main(engine: str, folder: Path) -> None:
    with np.load(folder / "personas.npz") as data:
        offsets, terms = data["offsets"], data["terms"]
    gates_file = json.loads((folder / "gates.json").read_text())
    queries = gates_file["queries"]
    with tempfile.TemporaryDirectory() as room:
        began = time.perf_counter()
        people = personas(offsets, terms)
        forms, cpu, size = ENGINES[engine](Path(room), people, gates_file["most"])
        built = time.perf_counter() - began
        form = quickest(forms, cpu, queries[:WARM])
        answers = [measure(forms[form], cpu, gates) for gates in queries]
        report = {"built": built, "bytes": size(), "form": form, "queries": answers}
        print(json.dumps(report))
        if engine == "postgres":
            stop_postgres(Path(room))


def personas(offsets: Any, terms: Any) -> Iterator[tuple[int, list[int]]]:
    """Yield the number and the terms of each persona, from 1."""
    for number in range(offsets.size - 1):
        yield number + 1, terms[offsets[number] : offsets[number + 1]].tolist()


def quickest(forms: Forms, cpu: Cpu, queries: list[list[Gate]]) -> str:
    """Return the form that takes the least CPU on these queries, when warm."""
    used = {}
    for name, find in forms.items():
        for _ in range(2):
            used[name] = sum(measure(find, cpu, gates)["cpu_ms"] for gates in queries)
    print({name: round(spent / len(queries), 2) for name, spent in used.items()}, file=sys.stderr)
    return min(used, key=lambda name: used[name])


def measure(find: Find, cpu: Cpu, gates: list[Gate]) -> dict[str, float]:
    wall, began = time.perf_counter(), cpu()
    matches = [find(gate) for gate in gates]
    used, passed = cpu() - began, time.perf_counter() - wall
    return {
        "cpu_ms": 1000 * used,
        "wall_ms": 1000 * passed,
        "found": int(sum(len(match) for match in matches)),
        "sum": int(sum(int(match.sum()) for match in matches)),
    }


def build_fts5(
    room: Path, people: Iterator[tuple[int, list[int]]], most: int
) -> tuple[Forms, Cpu, Any]:
    """SQLite's full text search, without positions and without a copy of the text."""
    del most
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
            "(" + " AND ".join(f"({' OR '.join(map(str, terms))})" for terms in branch) + ")"
            for branch in gate
        )
        rows = database.execute("SELECT rowid FROM p WHERE p MATCH ?", (words,)).fetchall()
        return np.array(rows, dtype=np.int64)

    return {"MATCH": find}, time.process_time, lambda: path.stat().st_size


def build_tantivy(
    room: Path, people: Iterator[tuple[int, list[int]]], most: int
) -> tuple[Forms, Cpu, Any]:
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

    def term(number: int) -> Any:
        return tantivy.Query.term_query(schema, "t", number, "basic")

    def of_terms(numbers: list[int]) -> Any:
        if len(numbers) == 1:
            return term(numbers[0])
        return tantivy.Query.boolean_query([(should, term(number)) for number in numbers])

    def of_set(numbers: list[int]) -> Any:
        return (
            term(numbers[0])
            if len(numbers) == 1
            else tantivy.Query.term_set_query(schema, "t", numbers)
        )

    def gate_query(gate: Gate, either: Callable[[list[int]], Any]) -> Any:
        branches = [
            either(branch[0])
            if len(branch) == 1
            else tantivy.Query.boolean_query([(must, either(terms)) for terms in branch])
            for branch in gate
        ]
        if len(branches) == 1:
            return branches[0]
        return tantivy.Query.boolean_query([(should, branch) for branch in branches])

    def by_field(either: Callable[[list[int]], Any]) -> Find:
        """Collect by the fast field: nothing is scored, and its values are the answer."""

        def find(gate: Gate) -> Any:
            query = gate_query(gate, either)
            hits = searcher.search(query, limit=most + 1, count=False, order_by_field="id").hits
            return np.array([number for number, _ in hits], dtype=np.int64)

        return find

    def by_score(either: Callable[[list[int]], Any]) -> Find:
        """Collect by a score that is always the same, then read the fast field."""

        def find(gate: Gate) -> Any:
            query = tantivy.Query.const_score_query(gate_query(gate, either), 1.0)
            hits = searcher.search(query, limit=most + 1, count=False).hits
            addresses = [address for _, address in hits]
            return np.array(searcher.fast_field_values("id", addresses), dtype=np.int64)

        return find

    forms = {
        "boolean queries of terms, by fast field": by_field(of_terms),
        "boolean queries of terms, constant score": by_score(of_terms),
        "term sets, by fast field": by_field(of_set),
        "term sets, constant score": by_score(of_set),
    }
    return forms, time.process_time, lambda: _folder_bytes(room)


def build_postgres(
    room: Path, people: Iterator[tuple[int, list[int]]], most: int
) -> tuple[Forms, Cpu, Any]:
    """PostgreSQL: an array of numbers with GIN indexes, in a separate cluster."""
    import psycopg

    del most
    start_postgres(room)
    database = psycopg.connect(host=str(room), user="bench", dbname="postgres", autocommit=True)
    database.execute("CREATE TABLE p (id int, t int[])")
    with database.cursor().copy("COPY p FROM STDIN") as copy:
        for number, terms in people:
            copy.write_row((number, terms))
    database.execute("SET maintenance_work_mem = '1GB'")
    database.execute("CREATE EXTENSION intarray")
    database.execute("CREATE INDEX ON p USING gin (t array_ops) WITH (fastupdate = off)")
    database.execute("CREATE INDEX ON p USING gin (t gin__int_ops) WITH (fastupdate = off)")
    database.execute("VACUUM ANALYZE p")
    database.execute("SET max_parallel_workers_per_gather = 0")
    database.execute("SET jit = off")
    database.execute("SET random_page_cost = 1.1")  # all is in memory
    database.execute("SET enable_seqscan = off")
    schedule = Path(f"/proc/{database.info.backend_pid}/schedstat")

    def cpu() -> float:
        return time.process_time() + int(schedule.read_text().split()[0]) / 1e9

    def by_sql(sql: Callable[[Gate], str]) -> Find:
        check_plan(database, sql([[[1, 2], [3]], [[4]]]))

        def find(gate: Gate) -> Any:
            return np.array(database.execute(sql(gate)).fetchall(), dtype=np.int64)

        return find

    def together(operator: str) -> Callable[[list[list[int]]], str]:
        """Return how a branch is written with one of the two operators for overlap."""
        return lambda branch: " AND ".join(
            f"t OPERATOR({operator}) ARRAY[{','.join(map(str, terms))}]" for terms in branch
        )

    def either(operator: str) -> Callable[[Gate], str]:
        branch_of = together(operator)
        return lambda gate: (
            "SELECT id FROM p WHERE " + " OR ".join(f"({branch_of(branch)})" for branch in gate)
        )

    def union(operator: str) -> Callable[[Gate], str]:
        """Keep the planner from factoring out what branches share, which is the least selective."""
        branch_of = together(operator)
        return lambda gate: " UNION ".join(
            f"SELECT id FROM p WHERE {branch_of(branch)}" for branch in gate
        )

    def tree(gate: Gate) -> str:
        words = "|".join(
            "(" + "&".join(f"({'|'.join(map(str, terms))})" for terms in branch) + ")"
            for branch in gate
        )
        return f"SELECT id FROM p WHERE t @@ '{words}'::query_int"

    forms = {
        "arrays that overlap, OR of branches (array_ops)": by_sql(either("pg_catalog.&&")),
        "arrays that overlap, OR of branches (intarray)": by_sql(either("public.&&")),
        "arrays that overlap, UNION of branches (array_ops)": by_sql(union("pg_catalog.&&")),
        "arrays that overlap, UNION of branches (intarray)": by_sql(union("public.&&")),
        "one query of intarray": by_sql(tree),
    }

    def size() -> int:
        row = database.execute("SELECT pg_total_relation_size('p')").fetchone()
        return int(row[0]) if row else 0

    return forms, cpu, size


def check_plan(database: Any, sql: str) -> None:
    """Refuse to measure a plan that reads the table instead of the index."""
    rows = database.execute(f"EXPLAIN {sql}").fetchall()
    plan = "\n".join(line for (line,) in rows)
    if "Bitmap Index Scan" not in plan:
        sys.exit(f"PostgreSQL does not use the index:\n{plan}")


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
