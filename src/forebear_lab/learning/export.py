"""How is a log of searches given to other tools?

Each format writes what a tool needs into a folder:

- `letor`: for each list that has an attachment `LIST.letor` (RankLib, SVMlight, scikit-learn's
  reader) and `LIST.features.tsv`, the clause of each feature number.  Queries are numbered from 1;
  the remark of a line names the record and the search.
- `npz`: the same as arrays `LIST.npz` (X, y, q), and `fusion.npz` (s, y, ptr, lists) with the
  scores of all lists in bits.
- `trec`: the scores of each list as `LIST.run`, the list that was shown as `shown.txt`, and
  `qrels.txt`.
- `qrels`: `qrels.txt` alone: 1 for an attached record, 0 for a rejected one.
- `jsonl`: `searches.jsonl`, one search a line with its query, lists, clauses and judgments.

Names in run and LETOR files are one word, so spaces, `#` and `%` in record keys are written as in
addresses (`%20`).  Searchers are not exported.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from forebear.errors import InputError
from forebear.interactions.events import JudgedSearch, LoggedList
from forebear.learning.calibrate import rescore, score_searches
from forebear.learning.dataset import RankingDataset
from forebear.learning.judged_lists import JudgedList, clause_dataset, lists_of_type
from forebear.search.model import UNITS_PER_BIT, Model
from forebear.trec import Qrels, Run, write_lines, write_qrels, write_run

TIE_STEP = 1e-9  # bits: keeps the order of records of equal score in a run file
_NOT_A_WORD = re.compile(r"[\s%#]")


def export_searches(
    judged: Sequence[JudgedSearch], model: Model, file_format: str, folder: Path
) -> list[Path]:
    """Write judged searches in a format, scored by a model; return the files."""
    attached = [search for search in judged if search.attached]
    if not attached:
        raise InputError(
            "nothing was attached yet, so there is nothing to export",
            hint="attach records to searches first: forebear attach SEARCH RECORD",
        )
    folder.mkdir(parents=True, exist_ok=True)
    return FORMATS[file_format](attached, model, folder)


def write_name(key: str) -> str:
    """Return a key as one word.

    >>> write_name("census:A 12#3")
    'census:A%2012%233'
    """
    return _NOT_A_WORD.sub(lambda match: "".join(f"%{b:02X}" for b in match[0].encode()), key)


def _write_letor(judged: Sequence[JudgedSearch], _: Model, folder: Path) -> list[Path]:
    paths = []
    for name, lists in _lists_by_name(judged).items():
        dataset = clause_dataset(lists[0].shown.record_type, lists)
        letor, features = folder / f"{name}.letor", folder / f"{name}.features.tsv"
        write_lines(letor, _letor_lines(dataset, lists))
        numbered = enumerate(dataset.feature_names, start=1)
        write_lines(features, (f"{number}\t{clause}" for number, clause in numbered))
        paths += [letor, features]
    return paths


def _letor_lines(dataset: RankingDataset, lists: Sequence[JudgedList]) -> Iterator[str]:
    last = len(dataset.feature_names)
    for number, one in enumerate(lists):
        first = int(dataset.offsets[number])
        for row, record in enumerate(one.shown.records, start=first):
            fired = np.flatnonzero(dataset.features[row]) + 1
            words = [f"{feature}:1" for feature in fired.tolist()]
            # The last feature is always written: it shows how many there are.
            words += [] if words and fired[-1] == last else [f"{last}:0"]
            remark = f"# docid = {write_name(record)} search = {write_name(one.search.search.id)}"
            label = int(dataset.labels[row])
            yield " ".join([str(label), f"qid:{number + 1}", *words, remark])


def _write_npz(judged: Sequence[JudgedSearch], model: Model, folder: Path) -> list[Path]:
    paths = []
    for name, lists in _lists_by_name(judged).items():
        dataset = clause_dataset(lists[0].shown.record_type, lists)
        paths.append(folder / f"{name}.npz")
        np.savez_compressed(
            paths[-1],
            X=dataset.features.astype(np.uint8),
            y=dataset.labels,
            q=np.repeat(np.arange(1, len(lists) + 1), np.diff(dataset.offsets)),
            feature_names=np.array(dataset.feature_names),
            query_ids=np.array([one.search.search.id for one in lists]),
            documents=np.array([record for one in lists for record in one.shown.records]),
        )
    return [*paths, _write_fusion_npz(judged, model, folder / "fusion.npz")]


def _write_fusion_npz(judged: Sequence[JudgedSearch], model: Model, path: Path) -> Path:
    dataset = score_searches(judged, model)
    np.savez_compressed(
        path,
        s=dataset.scores,
        y=dataset.labels,
        ptr=dataset.offsets,
        lists=np.array(len(dataset.list_names)),
        list_names=np.array(dataset.list_names),
        query_ids=np.array(dataset.query_ids),
    )
    return path


def _write_trec(judged: Sequence[JudgedSearch], model: Model, folder: Path) -> list[Path]:
    scores: dict[str, dict[str, dict[str, float]]] = {}
    for search in judged:
        for shown in search.search.lists:
            of_list = scores.setdefault(shown.name, {})
            of_list[_query(search)] = _scores(shown, model)
    paths = []
    for name, by_query in sorted(scores.items()):
        paths.append(folder / f"{_file_name(name)}.run")
        write_run(Run(scores=by_query, tag=_file_name(name)), paths[-1])
    paths.append(folder / "shown.txt")
    write_run(Run(scores={_query(search): _shown_scores(search) for search in judged}), paths[-1])
    return [*paths, *_write_qrels(judged, model, folder)]


def _write_qrels(judged: Sequence[JudgedSearch], _: Model, folder: Path) -> list[Path]:
    path = folder / "qrels.txt"
    grades = {
        _query(search): {
            **{write_name(key): 1 for key in sorted(search.attached)},
            **{write_name(key): 0 for key in sorted(search.rejected)},
        }
        for search in judged
    }
    write_qrels(Qrels(grades=grades), path)
    return [path]


def _write_jsonl(judged: Sequence[JudgedSearch], model: Model, folder: Path) -> list[Path]:
    path = folder / "searches.jsonl"
    write_lines(path, (json.dumps(_value(search, model), ensure_ascii=False) for search in judged))
    return [path]


def _value(search: JudgedSearch, model: Model) -> dict[str, Any]:
    logged = search.search
    return {
        "id": logged.id,
        "at": logged.at,
        "query": json.loads(logged.query),
        "model": model.name,
        "attached": sorted(search.attached),
        "rejected": sorted(search.rejected),
        "lists": [
            {
                "name": shown.name,
                "record_type": shown.record_type,
                "records": [
                    {
                        "record": record,
                        "score": score / UNITS_PER_BIT,
                        "clauses": [shown.clauses[column] for column in np.flatnonzero(bits)],
                    }
                    for record, score, bits in zip(
                        shown.records, rescore(shown, model).tolist(), shown.bits, strict=True
                    )
                ],
            }
            for shown in logged.lists
        ],
    }


def _lists_by_name(judged: Sequence[JudgedSearch]) -> dict[str, list[JudgedList]]:
    """Return the lists that have an attached record, by a name for their file."""
    by_name: dict[str, list[JudgedList]] = {}
    types = {shown.record_type for search in judged for shown in search.search.lists}
    for record_type in sorted(types):
        for one in lists_of_type(judged, record_type):
            if one.labels.any():
                by_name.setdefault(_file_name(one.shown.name), []).append(one)
    return by_name


def _query(search: JudgedSearch) -> str:
    return write_name(search.search.id)


def _scores(shown: LoggedList, model: Model) -> dict[str, float]:
    """Return the scores of a list in bits, in its order where they are equal."""
    return {
        write_name(record): score / UNITS_PER_BIT - rank * TIE_STEP
        for rank, (record, score) in enumerate(
            zip(shown.records, rescore(shown, model).tolist(), strict=True)
        )
    }


def _shown_scores(search: JudgedSearch) -> dict[str, float]:
    """Return falling numbers for the one list that was shown, which has no scores in the log."""
    shown = search.search.shown
    return {write_name(key): float(len(shown) - place) for place, key in enumerate(shown)}


def _file_name(list_name: str) -> str:
    """Return a list's name as that of a file.

    >>> _file_name("London 1851/61")
    'London_1851_61'
    """
    return re.sub(r"[^\w.-]", "_", list_name)


FORMATS: Mapping[str, Callable[[Sequence[JudgedSearch], Model, Path], list[Path]]] = {
    "letor": _write_letor,
    "npz": _write_npz,
    "trec": _write_trec,
    "jsonl": _write_jsonl,
    "qrels": _write_qrels,
}
