"""``forebear learn folds``: learn and test by folds, on vectors or on lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from forebear.cli.options import JsonOption, grouped, print_message, print_result
from forebear.errors import InputError
from forebear_lab.cli.options import LearningProgress, few_useful

if TYPE_CHECKING:
    from forebear_lab.learning.folds import CombinationFold, FoldOutcome, ListFold, VectorFold

    AnyFold = VectorFold | ListFold | CombinationFold

VECTOR_METHODS = ("exact", "ranklib")
LIST_METHODS = ("exact", "ss", "annealing", "calibrated", "combination")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldLearning:
    """How the queries of each fold are learned from and ranked."""

    method: Annotated[
        Literal["exact", "ranklib", "ss", "annealing", "calibrated", "combination"],
        typer.Option(help="As in `learn weights` and `learn fusion`; or combination."),
    ] = "exact"
    scale: Annotated[
        Literal["weights", "bits"],
        typer.Option(help="Of the scores of runs, as in `learn fusion`."),
    ] = "weights"
    gain: Annotated[
        Literal["linear", "exponential"], typer.Option(help="The grade itself, or 2^grade - 1.")
    ] = "linear"
    seed: Annotated[int, typer.Option(help="Of folds and learners.")] = 1
    cutoff: Annotated[int, typer.Option(min=1, help="Maximize NDCG at this rank.")] = 100
    top: Annotated[int, typer.Option(min=1, help="Documents of each query in the run.")] = 100


@grouped
def folds(
    *,
    data: Annotated[
        list[Path],
        typer.Argument(help="A file of vectors, a folder with Fold1 ..., TREC runs, or .npz."),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the models and the run.")],
    qrels: Annotated[Path | None, typer.Option(help="TREC judgments of the runs.")] = None,
    count: Annotated[
        int, typer.Option("--folds", min=2, help="How many, if they are not given.")
    ] = 5,
    groups: Annotated[
        Path | None, typer.Option(help="A query and its group a line: groups stay in one fold.")
    ] = None,
    learning: FoldLearning,
    as_json: JsonOption = False,
) -> None:
    """Learn and test by folds, on vectors or on lists.

    Each query is ranked by a model that has not seen it. Writes a model for each fold, the run of
    all queries (test.run) and, for vectors, their judgments (qrels.txt).
    """
    from forebear.kernels.compiled import announce_compilation
    from forebear.trec import write_lines, write_qrels, write_run
    from forebear_lab.evaluation.files import read_groups
    from forebear_lab.learning.apply import model_to_json
    from forebear_lab.learning.folds import join_outcomes, mean_test

    group_of = read_groups(groups) if groups else {}
    with announce_compilation(print_message):
        parts = _read_folds(data, qrels, learning.method, count, group_of, learning.seed)
        outcomes = [_learn(part, learning, f"{part.name} of {len(parts)}") for part in parts]
    run, judged = join_outcomes(outcomes)
    _make_folder(out)
    for fold in outcomes:
        write_lines(out / f"{fold.name}.json", [model_to_json(fold.model)])
    write_run(run, out / "test.run")
    if judged:
        write_qrels(judged, out / "qrels.txt")
    print_message(f"the models and the run are in {out}")
    rows: list[dict[str, Any]] = [
        {key: getattr(fold, key) for key in ("name", "learned", "tested", "train", "test")}
        for fold in outcomes
    ]
    value = {"measure": f"ndcg@{learning.cutoff}", "folds": rows, "test": mean_test(outcomes)}
    print_result(value, as_json, lambda: _text(rows, mean_test(outcomes)))


def _read_folds(
    data: Sequence[Path],
    qrels: Path | None,
    method: str,
    count: int,
    groups: Mapping[str, str],
    seed: int,
) -> "Sequence[AnyFold]":
    from forebear_lab.learning.files import LIST_ARRAYS, has_arrays
    from forebear_lab.learning.folds import read_letor_folds, split_vectors

    has_lists = qrels is not None or has_arrays(data[0], LIST_ARRAYS)
    methods = LIST_METHODS if has_lists else VECTOR_METHODS
    if method not in methods:
        kind = "lists" if has_lists else "vectors"
        remedy = "" if has_lists else "; runs need --qrels FILE"
        raise InputError(
            f"{method} does not learn from {kind}", hint=f"--method {', '.join(methods)}{remedy}"
        )
    if has_lists:
        return _read_list_folds(data, qrels, method, count, groups, seed)
    if len(data) != 1:
        raise InputError(
            f"{len(data)} files and no judgments",
            hint="give one file of vectors or a folder of folds, or runs with --qrels FILE",
        )
    if data[0].is_dir():
        if groups:
            raise InputError("the folds of a folder are given, so groups cannot change them")
        return read_letor_folds(data[0])
    return split_vectors(data[0], count, groups, seed)


def _read_list_folds(
    data: Sequence[Path],
    qrels: Path | None,
    method: str,
    count: int,
    groups: Mapping[str, str],
    seed: int,
) -> "Sequence[AnyFold]":
    from forebear.trec import read_qrels
    from forebear_lab.evaluation.files import read_lists
    from forebear_lab.learning.apply import runs_of_arrays
    from forebear_lab.learning.combining import combination_dataset
    from forebear_lab.learning.files import read_all_fusion_npz, read_fusion_runs
    from forebear_lab.learning.folds import split_combination, split_lists

    if qrels is None:
        arrays = read_all_fusion_npz(data[0])
        runs, judged = runs_of_arrays(arrays)
    else:
        runs, judged = read_lists(data), read_qrels(qrels)
    if method == "combination":
        dataset = combination_dataset(runs, judged, "min_max")
        return split_combination(dataset, runs, "min_max", count, groups, seed)
    lists = read_fusion_runs(data, qrels) if qrels else arrays
    return split_lists(lists, runs, count, groups, seed)


def _learn(fold: "AnyFold", learning: FoldLearning, name: str) -> "FoldOutcome":
    from forebear_lab.learning.folds import ListFold, VectorFold
    from forebear_lab.learning.learn import FusionLearner, WeightLearner

    few_useful(fold.train)  # refuses a fold in which nothing is relevant
    print_message(f"{name}: learning from {len(fold.train.query_ids)} queries")
    progress = LearningProgress(name)
    seed, cutoff, top = learning.seed, learning.cutoff, learning.top
    if isinstance(fold, ListFold):
        fusion = FusionLearner(
            method=learning.method,  # type: ignore[arg-type]
            seed=seed,
            scale=learning.scale,
            cutoff=cutoff,
        )
        return fold.learn(fusion, top=top, progress=progress)
    ascent: Literal["ranklib", "exact"] = "ranklib" if learning.method == "ranklib" else "exact"
    weights = WeightLearner(method=ascent, seeds=(seed,), cutoff=cutoff)
    if isinstance(fold, VectorFold):
        return fold.learn(weights, gain=learning.gain, top=top, progress=progress)
    return fold.learn(weights, top=top, progress=progress)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {str(path)!r}: {error.strerror}") from None


def _text(rows: Sequence[Mapping[str, Any]], mean: float) -> str:
    lines = [f"{'fold':<8} {'learned':>8} {'tested':>8} {'train':>8} {'test':>8}"]
    lines += [
        f"{row['name']:<8} {row['learned']:>8,} {row['tested']:>8,} "
        f"{row['train']:>8.4f} {row['test']:>8.4f}"
        for row in rows
    ]
    tested = sum(row["tested"] for row in rows)
    return "\n".join([*lines, f"{'all':<8} {'':>8} {tested:>8,} {'':>8} {mean:>8.4f}"])
