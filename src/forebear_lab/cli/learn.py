"""``forebear learn`` and ``fuse``: weights from judged vectors, fusion from judged lists.

They work on files of other systems, LETOR and TREC, and do not need an archive.  The modules that
learn are imported when a command runs, because they take a second to load.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from forebear.cli.options import JsonOption, print_message, print_result, require_finite
from forebear.errors import InputError

if TYPE_CHECKING:
    from forebear.learning.calibrate import FactTable
    from forebear.learning.dataset import FusionDataset, RankingDataset
    from forebear.learning.history import TrainingStep

Data = TypeVar("Data", "RankingDataset", "FusionDataset")

SECONDS_BETWEEN_MESSAGES = 2.0
QUERIES_TO_COMPILE = 20  # enough for every loop to be compiled

app = typer.Typer(
    help="Learn weights or fusion from LETOR and TREC files.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

OutOption = Annotated[Path, typer.Option("--out", help="Where to write the model, as JSON.")]
SeedOption = Annotated[int, typer.Option(help="Of every random choice.")]
CutoffOption = Annotated[int, typer.Option(min=1, help="Maximize NDCG at this rank.")]
HoldOutOption = Annotated[
    float | None,
    typer.Option(
        min=0.0, max=1.0, help="Share of the queries to test on instead.", callback=require_finite
    ),
]
GroupsOption = Annotated[
    Path | None,
    typer.Option(help="A query and its group a line: groups are held out as a whole."),
]


@app.command("weights")
def weights(
    train: Annotated[Path, typer.Argument(help="LETOR, or .npz with X, y and q.")],
    out: OutOption,
    test: Annotated[Path | None, typer.Option(help="Queries to test on.")] = None,
    hold_out: HoldOutOption = None,
    groups: GroupsOption = None,
    validation: Annotated[
        Path | None, typer.Option(help="Queries that decide when to stop and which seed is best.")
    ] = None,
    method: Annotated[
        Literal["exact", "ranklib"],
        typer.Option(help="Exact line search, or RankLib's steps without its faults."),
    ] = "exact",
    start: Annotated[
        Literal["uniform", "random", "customized", "log_odds", "ridge", "softmax"],
        typer.Option(help="Where the ascent starts."),
    ] = "softmax",
    restarts: Annotated[int, typer.Option(min=1, help="Trainings, each with another seed.")] = 1,
    seed: SeedOption = 1,
    cutoff: CutoffOption = 100,
    gain: Annotated[
        Literal["linear", "exponential"], typer.Option(help="The grade itself, or 2^grade - 1.")
    ] = "linear",
    ranklib: Annotated[
        Path | None,
        typer.Option(help="Also write a RankLib model, which learning-to-rank plugins load."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Learn weights of features that maximize NDCG: coordinate ascent."""
    from forebear.kernels.compiled import announce_compilation
    from forebear.learning.coordinate_ascent import mean_ndcg
    from forebear.trec import write_lines
    from forebear_lab.evaluation.letor import write_ranklib_model
    from forebear_lab.learning.files import read_ranking, with_width
    from forebear_lab.learning.learn import WeightLearner

    learner = WeightLearner(
        method=method, start=start, seeds=range(seed, seed + restarts), cutoff=cutoff
    )
    with announce_compilation(_report):
        data = _graded(read_ranking(train), gain)
        names = data.feature_names
        others = {
            use: with_width(_graded(read_ranking(path), gain), names) if path else None
            for use, path in (("test", test), ("validation", validation))
        }
        data, held = _split(data, hold_out, groups, seed, others["test"])
        _report(f"learning from {len(data.query_ids)} queries, {len(names)} features")
        learner.fit(data.take(_few_useful(data)))  # compiles, so that the seconds exclude it
        model, _ = learner.fit(data, validation=others["validation"], progress=_Progress())
    value = mean_ndcg(held, model.values(), cutoff=cutoff) if held else None
    model = model.with_notes(test=value)
    write_lines(out, [model.to_json()])
    if ranklib:
        write_ranklib_model(model.to_ranklib(), ranklib)
    _report(f"the model is in {out}")
    _print_notes(model.notes, as_json)


@app.command("fusion")
def fusion(
    lists: Annotated[list[Path], typer.Argument(help="TREC runs, one a list, or one .npz.")],
    out: OutOption,
    qrels: Annotated[Path | None, typer.Option(help="TREC judgments of the runs.")] = None,
    hold_out: HoldOutOption = None,
    groups: GroupsOption = None,
    method: Annotated[
        Literal["ss", "exact", "annealing", "calibrated"],
        typer.Option(help="Stochastic search, exact search, NDCG-Annealing, or probabilities."),
    ] = "exact",
    scale: Annotated[
        Literal["weights", "bits"],
        typer.Option(help="Positive scores that weights multiply, or bits that are shifted."),
    ] = "weights",
    normalize: Annotated[
        Literal["none", "min_max", "l2"],
        typer.Option(help="Normalize each list's scores first, as OpenSearch does."),
    ] = "none",
    slopes: Annotated[
        bool, typer.Option("--slopes/--no-slopes", help="A slope for each list too, for `exact`.")
    ] = True,
    calibration: Annotated[
        Literal["logistic", "isotonic"], typer.Option(help="How to calibrate, for `calibrated`.")
    ] = "logistic",
    facts: Annotated[
        Path | None, typer.Option(help="A query and its facts a line, to learn conditions.")
    ] = None,
    diversity: Annotated[
        float,
        typer.Option(
            min=0.0, help="The weight of NCE next to NDCG, such as 0.3.", callback=require_finite
        ),
    ] = 0.0,
    seed: SeedOption = 1,
    cutoff: CutoffOption = 100,
    opensearch: Annotated[
        Path | None, typer.Option(help="Also write an OpenSearch normalization pipeline.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Learn how to fuse lists into one, maximizing NDCG."""
    import json

    from forebear.kernels.compiled import announce_compilation
    from forebear.trec import write_lines
    from forebear_lab.learning.learn import FusionLearner
    from forebear_lab.learning.models import fusion_model_to_json, normalization_pipeline

    learner = FusionLearner(
        method=method,
        seed=seed,
        scale=scale,
        norm=normalize,
        cutoff=cutoff,
        slopes=slopes,
        calibration=calibration,
        diversity=diversity,
    )
    with announce_compilation(_report):
        data, held = _read_lists(lists, qrels, hold_out, groups, seed)
        query_facts, held_facts = _read_facts(facts, data), _read_facts(facts, held)
        _report(f"learning from {len(data.query_ids)} queries, {len(data.list_names)} lists")
        few = _few_useful(data)
        learner.fit(data.take(few), query_facts.take(few) if query_facts else None)  # compiles
        model, _ = learner.fit(data, query_facts, progress=_Progress())
        value = model.value(held, held_facts, cutoff=cutoff) if held else None
    model = model.with_notes(test=value)
    pipeline = normalization_pipeline(model) if opensearch else None
    write_lines(out, [fusion_model_to_json(model)])
    if opensearch:
        write_lines(opensearch, [json.dumps(pipeline, indent=1)])
    _report(f"the model is in {out}")
    _print_notes(model.notes, as_json)


def fuse(
    lists: Annotated[list[Path], typer.Argument(help="TREC runs, one a list.")],
    model: Annotated[Path, typer.Option(help="What `forebear learn fusion` wrote.")],
    run: Annotated[Path, typer.Option(help="Where to write the fused TREC run.")],
    facts: Annotated[
        Path | None, typer.Option(help="A query and its facts a line, if the model needs them.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Documents of each query.")] = 100,
    decay: Annotated[
        float,
        typer.Option(
            min=0.0,
            help="Bits that a document loses for each one above it in its list.",
            callback=require_finite,
        ),
    ] = 0.0,
    as_json: JsonOption = False,
) -> None:
    """Fuse lists into one run, each shifted as the model says."""
    from forebear.learning.calibrate import read_facts
    from forebear.trec import read_run, write_run
    from forebear_lab.learning.files import list_name
    from forebear_lab.learning.models import fuse_runs, fusion_model_from_json

    names = [list_name(path) for path in lists]
    if len(set(names)) != len(names):
        raise InputError(f"two lists have one name: {', '.join(sorted(names))}")
    if not model.is_file():
        raise InputError(f"there is no model {str(model)!r}")
    learned = fusion_model_from_json(model.read_text("utf-8"), where=str(model))
    fused = fuse_runs(
        {name: read_run(path) for name, path in zip(names, lists, strict=True)},
        learned,
        facts=read_facts(facts) if facts else None,
        top=top,
        decay=decay,
    )
    write_run(fused, run)
    documents = sum(len(scores) for scores in fused.scores.values())
    _report(f"{len(fused.scores)} queries, {documents} documents in {run}")
    value = {"queries": len(fused.scores), "documents": documents, "run": str(run)}
    print_result(value, as_json, lambda: f"queries\t{len(fused.scores)}\ndocuments\t{documents}")


def _read_lists(
    paths: Sequence[Path],
    qrels: Path | None,
    hold_out: float | None,
    groups: Path | None,
    seed: int,
) -> "tuple[FusionDataset, FusionDataset | None]":
    from forebear_lab.learning.files import read_fusion_npz, read_fusion_runs

    if paths[0].suffix == ".npz":
        if len(paths) > 1 or qrels or hold_out is not None:
            raise InputError("a .npz has its judgments and its test queries in it; give it alone")
        return read_fusion_npz(paths[0])
    if qrels is None:
        raise InputError("runs without judgments teach nothing", hint="give --qrels FILE")
    return _split(read_fusion_runs(paths, qrels), hold_out, groups, seed)


def _split(
    data: Data,
    hold_out: float | None,
    groups: Path | None,
    seed: int,
    test: Data | None = None,
) -> tuple[Data, Data | None]:
    """Return what to learn from and what to test on."""
    from forebear.learning.trial import split_groups
    from forebear_lab.evaluation.files import read_groups

    if not hold_out:
        return data, test
    if test is not None:
        raise InputError("test on a file or on a share of the queries, not on both")
    group_of = read_groups(groups) if groups else {}
    keys = [group_of.get(query, f"query {query}") for query in data.query_ids]
    learned, held = split_groups(keys, hold_out, seed)
    return data.take(learned), data.take(held)


def _few_useful(data: "RankingDataset | FusionDataset") -> list[int]:
    """Return a few queries that have a relevant document."""
    import numpy as np

    step = (data.offsets.size - 1) // max(1, len(data.query_ids))  # lists a query
    places = np.flatnonzero(data.labels)
    queries = np.unique((np.searchsorted(data.offsets, places, side="right") - 1) // max(1, step))
    if not queries.size:
        raise InputError("nothing is relevant in any query, so there is nothing to learn from")
    return [int(query) for query in queries[:QUERIES_TO_COMPILE]]


def _read_facts(path: Path | None, data: "FusionDataset | None") -> "FactTable | None":
    from forebear.learning.calibrate import FactTable, read_facts

    return FactTable.of(data.query_ids, read_facts(path)) if path and data else None


def _graded(data: "RankingDataset", gain: str) -> "RankingDataset":
    from dataclasses import replace

    return replace(data, labels=2**data.labels - 1) if gain == "exponential" else data


def _report(message: str) -> None:
    print_message(message)


class _Progress:
    """Reports the progress of learning every few seconds."""

    def __init__(self) -> None:
        self._reported = monotonic()

    def __call__(self, step: "TrainingStep") -> None:
        if monotonic() - self._reported >= SECONDS_BETWEEN_MESSAGES:
            self._reported = monotonic()
            _report(f"{step.move}: {step.train:.5f} after {step.evaluations:,} evaluations")


def _print_notes(notes: Mapping[str, Any], as_json: bool) -> None:
    def line(name: str) -> str:
        value = notes[name]
        if value is None:
            return f"{name}\t-"
        return f"{name}\t{value:.5f}" if isinstance(value, float) else f"{name}\t{value:,}"

    shown = ("train", "test", "evaluations", "seconds", "grid_cost")
    print_result(dict(notes), as_json, lambda: "\n".join(line(name) for name in shown))
