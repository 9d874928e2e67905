"""``forebear learn``: weights from judged feature vectors, fusion from judged lists.

Both work on files of other systems, LETOR and TREC, and know nothing of records.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from forebear.cli.options import JsonOption, answer, talk
from forebear.errors import InputError

if TYPE_CHECKING:  # what learns is loaded when a command runs: it takes a second
    from forebear.learning.dataset import FusionDataset, RankingDataset
    from forebear.learning.history import TrainingStep
    from forebear.learning.query_facts import QueryFacts

Data = TypeVar("Data", "RankingDataset", "FusionDataset")

SECONDS_BETWEEN_WORDS = 2.0
FEW = 20  # queries that are enough to compile with

app = typer.Typer(
    help="Learn from LETOR and TREC files: weights of features, or the fusion of lists.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

OutOption = Annotated[Path, typer.Option("--out", help="Where to write the model, as JSON.")]
SeedOption = Annotated[int, typer.Option(help="Decides every choice left to chance.")]
CutoffOption = Annotated[int, typer.Option(min=1, help="Maximize NDCG at this rank.")]
HoldOutOption = Annotated[
    float | None, typer.Option(min=0.0, max=1.0, help="Share of the queries to test on instead.")
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
        Path | None, typer.Option(help="Queries that say when to stop and which seed is best.")
    ] = None,
    method: Annotated[
        Literal["exact", "ranklib"],
        typer.Option(help="Exact line search, or RankLib's stepping without its faults."),
    ] = "exact",
    start: Annotated[
        Literal["uniform", "random", "customized", "log_odds", "ridge", "softmax"],
        typer.Option(help="Where the ascent starts."),
    ] = "softmax",
    restarts: Annotated[int, typer.Option(min=1, help="Trainings, each with its seed.")] = 1,
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
    from forebear.kernels.announce import compilation_told
    from forebear.learning.linear_scores import mean_ndcg
    from forebear.trec import write_lines
    from forebear_lab.evaluation.ranklib_model import write_ranklib_model
    from forebear_lab.learning.learn_weights import WeightLearner
    from forebear_lab.learning.read_ranking import read_ranking, with_width

    learner = WeightLearner(
        method=method, start=start, seeds=range(seed, seed + restarts), cutoff=cutoff
    )
    with compilation_told(_tell):
        data = _graded(read_ranking(train), gain)
        names = data.feature_names
        others = {
            what: with_width(_graded(read_ranking(path), gain), names) if path else None
            for what, path in (("test", test), ("validation", validation))
        }
        data, held = _split(data, hold_out, groups, seed, others["test"])
        _tell(f"learning from {len(data.query_ids)} queries, {len(names)} features")
        learner.fit(data.take(_few_useful(data)))  # compiles: the seconds are those of learning
        model, _ = learner.fit(data, validation=others["validation"], progress=_Teller())
    value = mean_ndcg(held, model.values(), cutoff=cutoff) if held else None
    model = model.with_notes(test=value)
    write_lines(out, [model.to_json()])
    if ranklib:
        write_ranklib_model(model.to_ranklib(), ranklib)
    _tell(f"the model is in {out}")
    _answer(model.notes, as_json)


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
        bool, typer.Option("--slopes/--no-slopes", help="Exact: a slope for each list, too.")
    ] = True,
    calibration: Annotated[
        Literal["logistic", "isotonic"], typer.Option(help="Calibrated: by what.")
    ] = "logistic",
    facts: Annotated[
        Path | None, typer.Option(help="A query and its facts a line: learn conditions.")
    ] = None,
    diversity: Annotated[
        float, typer.Option(min=0.0, help="What NCE counts beside NDCG, such as 0.3.")
    ] = 0.0,
    seed: SeedOption = 1,
    cutoff: CutoffOption = 100,
    opensearch: Annotated[
        Path | None, typer.Option(help="Also write an OpenSearch normalization pipeline.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Learn how lists are fused into one, maximizing NDCG."""
    import json

    from forebear.kernels.announce import compilation_told
    from forebear.trec import write_lines
    from forebear_lab.learning.fusion_model_json import fusion_model_to_json
    from forebear_lab.learning.learn_fusion import FusionLearner
    from forebear_lab.learning.opensearch_pipeline import normalization_pipeline

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
    with compilation_told(_tell):
        data, held = _read_lists(lists, qrels, hold_out, groups, seed)
        known, held_facts = _read_facts(facts, data), _read_facts(facts, held)
        _tell(f"learning from {len(data.query_ids)} queries, {len(data.list_names)} lists")
        few = _few_useful(data)
        learner.fit(data.take(few), known.take(few) if known else None)  # compiles
        model, _ = learner.fit(data, known, progress=_Teller())
        value = model.value(held, held_facts, cutoff=cutoff) if held else None
    model = model.with_notes(test=value)
    pipeline = normalization_pipeline(model) if opensearch else None
    write_lines(out, [fusion_model_to_json(model)])
    if opensearch:
        write_lines(opensearch, [json.dumps(pipeline, indent=1)])
    _tell(f"the model is in {out}")
    _answer(model.notes, as_json)


def _read_lists(
    paths: Sequence[Path],
    qrels: Path | None,
    hold_out: float | None,
    groups: Path | None,
    seed: int,
) -> "tuple[FusionDataset, FusionDataset | None]":
    from forebear_lab.learning.read_fusion import read_fusion_npz, read_fusion_runs

    if paths[0].suffix == ".npz":
        if len(paths) > 1 or qrels or hold_out is not None:
            raise InputError("a .npz has its judgments and its test queries in it; give it alone")
        return read_fusion_npz(paths[0])
    if qrels is None:
        raise InputError("runs teach nothing without judgments", hint="give --qrels FILE")
    return _split(read_fusion_runs(paths, qrels), hold_out, groups, seed)


def _split(
    data: Data,
    hold_out: float | None,
    groups: Path | None,
    seed: int,
    test: Data | None = None,
) -> tuple[Data, Data | None]:
    """Return what to learn from and what to test on."""
    from forebear.learning.split import split_groups
    from forebear_lab.evaluation.document_types import read_types

    if not hold_out:
        return data, test
    if test is not None:
        raise InputError("test on a file or on a share of the queries, not on both")
    named = read_types(groups) if groups else {}
    keys = [named.get(query, f"query {query}") for query in data.query_ids]
    kept, held = split_groups(keys, hold_out, seed)
    return data.take(kept), data.take(held)


def _few_useful(data: "RankingDataset | FusionDataset") -> list[int]:
    """Return a few queries that have something relevant."""
    import numpy as np

    step = (data.offsets.size - 1) // max(1, len(data.query_ids))  # lists a query
    places = np.flatnonzero(data.labels)
    queries = np.unique((np.searchsorted(data.offsets, places, side="right") - 1) // max(1, step))
    if not queries.size:
        raise InputError("nothing is relevant in any query, so there is nothing to learn from")
    return [int(query) for query in queries[:FEW]]


def _read_facts(path: Path | None, data: "FusionDataset | None") -> "QueryFacts | None":
    from forebear.learning.query_facts import QueryFacts, read_facts

    return QueryFacts.of(data.query_ids, read_facts(path)) if path and data else None


def _graded(data: "RankingDataset", gain: str) -> "RankingDataset":
    from dataclasses import replace

    return replace(data, labels=2**data.labels - 1) if gain == "exponential" else data


def _tell(message: str) -> None:
    talk.print(message)


class _Teller:
    """Tells how learning goes, now and then."""

    def __init__(self) -> None:
        self._told = monotonic()

    def __call__(self, step: "TrainingStep") -> None:
        if monotonic() - self._told >= SECONDS_BETWEEN_WORDS:
            self._told = monotonic()
            _tell(f"{step.move}: {step.train:.5f} after {step.evaluations:,} evaluations")


def _answer(notes: Mapping[str, Any], as_json: bool) -> None:
    def line(name: str) -> str:
        value = notes[name]
        told = (
            "-" if value is None else f"{value:.5f}" if isinstance(value, float) else f"{value:,}"
        )
        return f"{name}\t{told}"

    shown = ("train", "test", "evaluations", "seconds", "grid_cost")
    answer(dict(notes), as_json, lambda: "\n".join(line(name) for name in shown))
