"""Runs and judgments as arrays, by query."""

from dataclasses import dataclass
from pathlib import Path

from forebear.kernels.ndcg import Floats, Integers
from forebear.trec import QRELS_COLUMNS, RUN_COLUMNS
from forebear_lab.evaluation.large.grouped import GroupedDocuments, group_documents
from forebear_lab.evaluation.large.text_columns import read_columns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunColumns:
    """What a system found: documents by query, and the score of each."""

    found: GroupedDocuments
    scores: Floats  # by row of the file


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QrelsColumns:
    """What was judged: documents by query, and the grade of each."""

    judged: GroupedDocuments
    grades: Integers  # by row of the file


def read_run_columns(path: Path) -> RunColumns:
    """Read a TREC run."""
    columns = read_columns(path, columns=RUN_COLUMNS, keep=("query", "document", "score"))
    found = group_documents(columns["query"], columns["document"])
    return RunColumns(found=found, scores=columns["score"].numbers())


def read_qrels_columns(path: Path) -> QrelsColumns:
    """Read TREC judgments."""
    columns = read_columns(path, columns=QRELS_COLUMNS, keep=("query", "document", "grade"))
    judged = group_documents(columns["query"], columns["document"])
    return QrelsColumns(judged=judged, grades=columns["grade"].integers())
