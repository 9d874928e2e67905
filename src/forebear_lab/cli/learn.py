"""``forebear learn``: weights from judged vectors, fusion from judged lists.

It works on files of other systems, LETOR and TREC, and does not need an archive.  The modules that
learn are imported when a command runs, because they take a second to load.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from forebear.cli.options import JsonOption, grouped, print_message, print_result, require_finite
from forebear.errors import InputError
from forebear_lab.cli.folds import folds
from forebear_lab.cli.options import LearningProgress, few_useful

if TYPE_CHECKING:
    from forebear.learning.calibrate import FactTable
    from forebear.learning.dataset import FusionDataset, RankingDataset
    from forebear_lab.learning.learn import FusionLearner, WeightLearner

Data = TypeVar("Data", "RankingDataset", "FusionDataset")

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


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightOptions:
    """How weights of features are learned."""

    method: Annotated[
        Literal["exact", "ranklib"],
        typer.Option(help="Exact line search, or RankLib's steps without its faults."),
    ] = "exact"
    start: Annotated[
        Literal["uniform", "random", "customized", "log_odds", "ridge", "softmax"],
        typer.Option(help="Where the ascent starts."),
    ] = "softmax"
    restarts: Annotated[int, typer.Option(min=1, help="Trainings, each with another seed.")] = 1
    seed: SeedOption = 1
    cutoff: CutoffOption = 100
    gain: Annotated[
        Literal["linear", "exponential"], typer.Option(help="The grade itself, or 2^grade - 1.")
    ] = "linear"

    def learner(self) -> "WeightLearner":
        """Return the learner with these options."""
        from forebear_lab.learning.learn import WeightLearner

        return WeightLearner(
            method=self.method,
            start=self.start,
            seeds=range(self.seed, self.seed + self.restarts),
            cutoff=self.cutoff,
        )


@app.command("weights")
@grouped
def weights(
    *,
    train: Annotated[
        Path, typer.Argument(help="LETOR, LightGBM with .query, or .npz with X, y and q.")
    ],
    out: OutOption,
    test: Annotated[Path | None, typer.Option(help="Queries to test on.")] = None,
    hold_out: HoldOutOption = None,
    groups: GroupsOption = None,
    validation: Annotated[
        Path | None, typer.Option(help="Queries that decide when to stop and which seed is best.")
    ] = None,
    options: WeightOptions,
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
    from forebear_lab.learning.files import read_ranking, with_gain, with_width

    learner, gain = options.learner(), options.gain
    with announce_compilation(print_message):
        data = with_gain(read_ranking(train), gain)
        names = data.feature_names
        others = {
            use: with_width(with_gain(read_ranking(path), gain), names) if path else None
            for use, path in (("test", test), ("validation", validation))
        }
        data, held = _split(data, hold_out, groups, options.seed, others["test"])
        print_message(f"learning from {len(data.query_ids)} queries, {len(names)} features")
        learner.fit(data.take(few_useful(data)))  # compiles, so that the seconds exclude it
        model, _ = learner.fit(data, validation=others["validation"], progress=LearningProgress())
    value = mean_ndcg(held, model.values(), cutoff=options.cutoff) if held else None
    model = model.with_notes(test=value)
    write_lines(out, [model.to_json()])
    if ranklib:
        write_ranklib_model(model.to_ranklib(), ranklib)
    print_message(f"the model is in {out}")
    _print_notes(model.notes, as_json)


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionOptions:
    """How a fusion of lists is learned."""

    method: Annotated[
        Literal["ss", "exact", "annealing", "calibrated"],
        typer.Option(help="Stochastic search, exact search, NDCG-Annealing, or probabilities."),
    ] = "exact"
    scale: Annotated[
        Literal["weights", "bits"],
        typer.Option(help="Positive scores that weights multiply, or bits that are shifted."),
    ] = "weights"
    normalize: Annotated[
        Literal["none", "min_max", "l2"],
        typer.Option(help="Normalize each list's scores first, as OpenSearch does."),
    ] = "none"
    slopes: Annotated[
        bool, typer.Option("--slopes/--no-slopes", help="A slope for each list too, for `exact`.")
    ] = True
    calibration: Annotated[
        Literal["logistic", "isotonic"], typer.Option(help="How to calibrate, for `calibrated`.")
    ] = "logistic"
    facts: Annotated[
        Path | None, typer.Option(help="A query and its facts a line, to learn conditions.")
    ] = None
    diversity: Annotated[
        float,
        typer.Option(
            min=0.0, help="The weight of NCE next to NDCG, such as 0.3.", callback=require_finite
        ),
    ] = 0.0
    seed: SeedOption = 1
    cutoff: CutoffOption = 100

    def learner(self) -> "FusionLearner":
        """Return the learner with these options."""
        from forebear_lab.learning.learn import FusionLearner

        return FusionLearner(
            method=self.method,
            seed=self.seed,
            scale=self.scale,
            norm=self.normalize,
            cutoff=self.cutoff,
            slopes=self.slopes,
            calibration=self.calibration,
            diversity=self.diversity,
        )


@app.command("fusion")
@grouped
def fusion(
    *,
    lists: Annotated[list[Path], typer.Argument(help="TREC runs, one a list, or one .npz.")],
    out: OutOption,
    qrels: Annotated[Path | None, typer.Option(help="TREC judgments of the runs.")] = None,
    hold_out: HoldOutOption = None,
    groups: GroupsOption = None,
    options: FusionOptions,
    opensearch: Annotated[
        Path | None, typer.Option(help="Also write an OpenSearch normalization pipeline.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Learn how to fuse lists into one, maximizing NDCG."""
    import json

    from forebear.kernels.compiled import announce_compilation
    from forebear.trec import write_lines
    from forebear_lab.learning.models import fusion_model_to_json, normalization_pipeline

    learner = options.learner()
    with announce_compilation(print_message):
        data, held = _read_lists(lists, qrels, hold_out, groups, options.seed)
        query_facts, held_facts = (_read_facts(options.facts, part) for part in (data, held))
        print_message(f"learning from {len(data.query_ids)} queries, {len(data.list_names)} lists")
        few = few_useful(data)
        learner.fit(data.take(few), query_facts.take(few) if query_facts else None)  # compiles
        model, _ = learner.fit(data, query_facts, progress=LearningProgress())
        value = model.value(held, held_facts, cutoff=options.cutoff) if held else None
    model = model.with_notes(test=value)
    pipeline = normalization_pipeline(model) if opensearch else None
    write_lines(out, [fusion_model_to_json(model)])
    if opensearch:
        write_lines(opensearch, [json.dumps(pipeline, indent=1)])
    print_message(f"the model is in {out}")
    _print_notes(model.notes, as_json)


@app.command("combination")
def combination(
    lists: Annotated[list[Path], typer.Argument(help="TREC runs, one a list.")],
    qrels: Annotated[Path, typer.Option(help="TREC judgments of the runs.")],
    out: OutOption,
    hold_out: HoldOutOption = None,
    groups: GroupsOption = None,
    normalize: Annotated[
        Literal["none", "min_max", "max", "sum", "z", "rank"],
        typer.Option(help="Normalize each list's scores first."),
    ] = "min_max",
    restarts: Annotated[int, typer.Option(min=1, help="Trainings, each with another seed.")] = 1,
    seed: SeedOption = 1,
    cutoff: CutoffOption = 100,
    as_json: JsonOption = False,
) -> None:
    """Learn weights of lists that share documents.

    They maximize NDCG of the weighted sum of the normalized scores.
    """
    import numpy as np

    from forebear.kernels.compiled import announce_compilation
    from forebear.learning.coordinate_ascent import mean_ndcg
    from forebear.trec import read_qrels, write_lines
    from forebear_lab.evaluation.files import read_lists
    from forebear_lab.learning.combining import combination_dataset
    from forebear_lab.learning.folds import learn_combination
    from forebear_lab.learning.learn import WeightLearner

    learner = WeightLearner(seeds=range(seed, seed + restarts), cutoff=cutoff)
    with announce_compilation(print_message):
        whole = combination_dataset(read_lists(lists), read_qrels(qrels), normalize)
        data, held = _split(whole, hold_out, groups, seed)
        print_message(f"learning from {len(data.query_ids)} queries, {len(lists)} lists")
        learner.fit(data.take(few_useful(data)))  # compiles, so that the seconds exclude it
        model = learn_combination(data, learner, normalize, progress=LearningProgress())
    weights = np.array([*model.weights.values()])
    model = model.with_notes(test=mean_ndcg(held, weights, cutoff=cutoff) if held else None)
    write_lines(out, [model.to_json()])
    print_message(f"the model is in {out}")
    _print_notes(model.notes, as_json)


app.command("folds")(folds)


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
    from forebear.learning.measures import split_groups
    from forebear_lab.evaluation.files import read_groups

    if not hold_out:
        return data, test
    if test is not None:
        raise InputError("test on a file or on a share of the queries, not on both")
    group_of = read_groups(groups) if groups else {}
    keys = [group_of.get(query, f"query {query}") for query in data.query_ids]
    learned, held = split_groups(keys, hold_out, seed)
    return data.take(learned), data.take(held)


def _read_facts(path: Path | None, data: "FusionDataset | None") -> "FactTable | None":
    from forebear.learning.calibrate import FactTable, read_facts

    return FactTable.of(data.query_ids, read_facts(path)) if path and data else None


def _print_notes(notes: Mapping[str, Any], as_json: bool) -> None:
    def line(name: str) -> str:
        value = notes[name]
        if value is None:
            return f"{name}\t-"
        return f"{name}\t{value:.5f}" if isinstance(value, float) else f"{name}\t{value:,}"

    shown = ("train", "test", "evaluations", "seconds", "grid_cost")
    print_result(dict(notes), as_json, lambda: "\n".join(line(name) for name in shown))
