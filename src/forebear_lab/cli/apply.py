"""``forebear rank`` and ``fuse``: what was learned, applied to files."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from forebear.cli.options import JsonOption, grouped, print_message, print_result, require_finite
from forebear.errors import InputError

if TYPE_CHECKING:
    from forebear.trec import Run
    from forebear_lab.learning.combining import Combination

RunOption = Annotated[Path, typer.Option(help="Where to write the TREC run.")]
FactsOption = Annotated[
    Path | None, typer.Option(help="A query and its facts a line, if the model needs them.")
]
TopOption = Annotated[int, typer.Option(min=1, help="Documents of each query.")]


def rank(
    model: Annotated[Path, typer.Argument(help="A file of `forebear learn`, or of RankLib.")],
    data: Annotated[
        list[Path], typer.Argument(help="LETOR, LightGBM with .query, .npz, or TREC runs.")
    ],
    run: RunOption,
    qrels: Annotated[
        Path | None, typer.Option(help="Also write the labels of the data as TREC judgments.")
    ] = None,
    facts: FactsOption = None,
    top: TopOption = 100,
    as_json: JsonOption = False,
) -> None:
    """Rank data with a learned model, of features or of lists."""
    from forebear.learning.calibrate import read_facts
    from forebear.trec import write_qrels, write_run
    from forebear_lab.learning.apply import rank_files, read_model

    ranking = rank_files(
        read_model(model), data, facts=read_facts(facts) if facts else None, top=top
    )
    if qrels and ranking.qrels is None:
        raise InputError("runs have no labels to write", hint="omit --qrels")
    if ranking.ignored_features:
        print_message(f"{ranking.ignored_features} features of the data are not in the model")
    write_run(ranking.run, run)
    if qrels and ranking.qrels:
        write_qrels(ranking.qrels, qrels)
    _print_counts(ranking.run, run, as_json)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaOptions:
    """How lists are combined without a model."""

    method: Annotated[
        Literal["rrf", "comb_sum", "comb_mnz"] | None,
        typer.Option(help="Without a model: reciprocal ranks, or sums of scores."),
    ] = None
    normalize: Annotated[
        Literal["none", "min_max", "max", "sum", "z", "rank"] | None,
        typer.Option(
            help="How comb_sum and comb_mnz normalize each list's scores; min_max if omitted."
        ),
    ] = None
    weight: Annotated[
        list[str] | None, typer.Option(help="LIST=NUMBER, the weight of a list, for a method.")
    ] = None
    k: Annotated[
        int | None, typer.Option("--k", min=0, help="The constant of rrf; 60 if omitted.")
    ] = None

    def combination(self) -> "Combination":
        """Return the combination by the method, which is given."""
        from forebear_lab.learning.combining import RRF_CONSTANT, Combination

        if self.method == "rrf" and self.normalize:
            raise InputError("rrf uses ranks, so there is nothing to normalize", hint="omit it")
        if self.method != "rrf" and self.k is not None:
            raise InputError(f"{self.method} has no constant k", hint="omit --k")
        return Combination(
            method=self.method or "rrf",
            norm=self.normalize or "min_max",
            weights=dict(map(_parse_weight, self.weight or [])),
            k=RRF_CONSTANT if self.k is None else self.k,
        )


@grouped
def fuse(
    *,
    lists: Annotated[list[Path], typer.Argument(help="TREC runs, one a list.")],
    run: RunOption,
    model: Annotated[
        Path | None, typer.Option(help="What `forebear learn fusion` or `combination` wrote.")
    ] = None,
    formula: FormulaOptions,
    facts: FactsOption = None,
    top: TopOption = 100,
    decay: Annotated[
        float,
        typer.Option(
            min=0.0,
            help="Bits that a document loses for each one above it in its list, with a model.",
            callback=require_finite,
        ),
    ] = 0.0,
    as_json: JsonOption = False,
) -> None:
    """Fuse lists into one run, by a learned model or a formula.

    A learned fusion needs lists without common documents; the methods and a learned combination
    do not.
    """
    from forebear.trec import write_run
    from forebear_lab.evaluation.files import read_lists

    if model and formula.method is None:
        if formula.normalize or formula.weight or formula.k is not None:
            raise InputError("--normalize, --weight and --k go with --method; a model has its own")
        fused = _fuse_by_model(model, read_lists(lists), facts, top, decay)
    elif formula.method and model is None:
        if facts or decay:
            raise InputError("--facts and --decay go with --model")
        fused = formula.combination().fuse(read_lists(lists), top=top)
    else:
        raise InputError(
            "fuse by a learned model or by a method, one of them",
            hint="give --model FILE, or --method rrf, comb_sum or comb_mnz",
        )
    write_run(fused, run)
    _print_counts(fused, run, as_json)


def _fuse_by_model(
    model: Path, runs: "Mapping[str, Run]", facts: Path | None, top: int, decay: float
) -> "Run":
    # Loaded late: a method that learns nothing needs none of the learning libraries.
    from forebear.learning.calibrate import read_facts
    from forebear_lab.learning.apply import fuse_lists, read_model

    by_query = read_facts(facts) if facts else None
    return fuse_lists(read_model(model), runs, facts=by_query, top=top, decay=decay)


def _parse_weight(text: str) -> tuple[str, float]:
    name, _, number = text.rpartition("=")
    try:
        weight = require_finite(float(number))
    except (ValueError, typer.BadParameter):
        weight = None
    if not name or weight is None:
        raise InputError(f"--weight {text!r} is not LIST=NUMBER", hint="such as census=0.5")
    return name, weight


def _print_counts(run: "Run", path: Path, as_json: bool) -> None:
    documents = sum(len(scores) for scores in run.scores.values())
    print_message(f"{len(run.scores)} queries, {documents} documents in {path}")
    value = {"queries": len(run.scores), "documents": documents, "run": str(path)}
    print_result(value, as_json, lambda: f"queries\t{len(run.scores)}\ndocuments\t{documents}")
