"""What peers take and say; run by a Python that has them, told by `speed.evaluation`.

    evaluation_peers.py speed FOLDER     seconds to evaluate, structures built, and the value
    evaluation_peers.py ranx FOLDER      ranx from the files, as a program would use it
    evaluation_peers.py values FOLDER M  every query's value of ir_measures' measures M ...

It prints JSON and knows nothing of forebear.
"""

import json
import sys
import time
from pathlib import Path

MEASURE = "nDCG@100"
REPEATS = 3


def read_dicts(folder: Path) -> tuple[dict, dict]:
    run: dict[str, dict[str, float]] = {}
    for line in (folder / "a.run").open():
        query, _, document, _, score, _ = line.split()
        run.setdefault(query, {})[document] = float(score)
    qrels: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.txt").open():
        query, _, document, grade = line.split()
        qrels.setdefault(query, {})[document] = int(grade)
    return run, qrels


def timed(work) -> tuple[float, float]:
    """Return the least CPU seconds of some repetitions, after one that does not count."""
    value = float(work())
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds), value


def speed(folder: Path) -> dict[str, dict[str, float]]:
    import ir_measures
    import pytrec_eval
    import ranx

    run, qrels = read_dicts(folder)
    measure = ir_measures.parse_measure(MEASURE)
    theirs = ir_measures.evaluator([measure], qrels)
    trec = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.100"})
    ranx_qrels, ranx_run = ranx.Qrels(qrels), ranx.Run(run)
    typed = ranx_qrels.to_typed_list(), ranx_run.to_typed_list()
    works = {
        "ir_measures": lambda: theirs.calc_aggregate(run)[measure],
        "pytrec_eval-terrier": lambda: mean_ndcg(trec.evaluate(run)),
        "ranx": lambda: ranx.evaluate(ranx_qrels, ranx_run, "ndcg@100"),
        "ranx, its inner lists": lambda: ranx.evaluate(*typed, "ndcg@100"),
    }
    return {
        name: dict(zip(("seconds", "value"), timed(work), strict=True))
        for name, work in works.items()
    }


def mean_ndcg(by_query: dict) -> float:
    return sum(values["ndcg_cut_100"] for values in by_query.values()) / len(by_query)


def ranx_from_files(folder: Path) -> dict[str, float]:
    """Return the value and the CPU seconds of the process without those of compilation."""
    import ranx

    imported = time.process_time()
    ranx.evaluate(ranx.Qrels({"q": {"d": 1}}), ranx.Run({"q": {"d": 1.0}}), "ndcg@100")
    compiled = time.process_time()
    qrels = ranx.Qrels.from_file(str(folder / "qrels.txt"), kind="trec")
    run = ranx.Run.from_file(str(folder / "a.run"), kind="trec")
    value = float(ranx.evaluate(qrels, run, "ndcg@100"))
    return {"value": value, "seconds": imported + time.process_time() - compiled}


def values(folder: Path, measures: list[str]) -> dict[str, dict[str, float]]:
    import ir_measures

    parsed = [ir_measures.parse_measure(text) for text in measures]
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels.txt")))
    run = list(ir_measures.read_trec_run(str(folder / "a.run")))
    # one measure at a time: several of ndeval's with other settings would share one exhausted run
    return {
        text: {metric.query_id: metric.value for metric in ir_measures.iter_calc([one], qrels, run)}
        for text, one in zip(measures, parsed, strict=True)
    }


def main() -> None:
    kind, folder, *measures = sys.argv[1:]
    if kind == "speed":
        answer = speed(Path(folder))
    elif kind == "ranx":
        answer = ranx_from_files(Path(folder))
    else:
        answer = values(Path(folder), measures)
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
