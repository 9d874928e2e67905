"""``forebear experiment loop``: what do searches and attachments teach?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forebear.cli.options import JsonOption, print_message, print_result
from forebear.errors import InputError
from forebear_lab.cli.experiment_options import SeedOption, announce_compilation, split_numbers
from forebear_lab.cli.experiment_output import OutOption, Output, PublishOption

if TYPE_CHECKING:
    from forebear_lab.experiments.loop import LoopPlan
    from forebear_lab.experiments.loop_searches import LoopSearches
    from forebear_lab.experiments.report.loop import LoopReport

MOST_QUERIES, LEAST_QUERIES, POOL_FACTOR = 4_500, 1_500, 5


def loop(
    context: typer.Context,
    world: Annotated[
        str,
        typer.Option(
            metavar="DIR|N:SEED",
            help="A simulated archive: a folder, or a number of personas and a seed.",
        ),
    ],
    searches: Annotated[
        str, typer.Option(help="Numbers of searches to learn from, with commas.")
    ] = "20,50,100,200,500,1000,3000",
    draws: Annotated[
        int, typer.Option(min=1, help="Random choices of up to 200 searches; fewer of more.")
    ] = 10,
    queries: Annotated[
        int | None,
        typer.Option(min=1, help="Of the world to search, at most; a third of them is the test."),
    ] = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="Also other learners, daily training, drift, promotion and trials."
        ),
    ] = False,
    seed: SeedOption = 1,
    out: OutOption = None,
    publish: PublishOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn from simulated users: NDCG, NCE and success by number of searches."""
    from forebear_lab.experiments.loop import LoopPlan

    output = Output(context=context, out=out, publish=publish, as_json=as_json)
    plan = LoopPlan(sizes=tuple(sorted({*_sizes(searches)})), draws=draws, seed=seed)
    needed = min(MOST_QUERIES, max(LEAST_QUERIES, POOL_FACTOR * plan.sizes[-1]))
    with output.work_folder() as folder, announce_compilation():
        logged = _search(world, folder, needed if queries is None else queries, seed)
        report = _run(plan, logged, folder, full=full)
    output.write(report)
    output.publish_page(report.page())
    print_result(report.value(), as_json, lambda: "\n\n".join(report.texts()))


def _sizes(text: str) -> tuple[int, ...]:
    sizes = split_numbers(text)
    if 0 in sizes:
        raise InputError(
            "0 searches teach nothing", hint="the row of the model default has the figures for 0"
        )
    return sizes


def _search(name: str, folder: Path, queries: int, seed: int) -> "LoopSearches":
    """Import a world, search it once, and divide the searches."""
    from forebear_lab.experiments.loop_searches import divide_searches, log_searches
    from forebear_lab.experiments.worlds import World, import_world, parse_world, simulate_world

    data = folder / "data"
    home = parse_world(name)
    if not isinstance(home, Path):
        home = simulate_world(home, data, queries=queries, progress=print_message)
    world = World(folder=home)
    with import_world(world, data, progress=print_message) as archive:
        logged = log_searches(archive, world, count=queries, progress=print_message)
    label = f"simulated: archive {home.name} ({world.digest})"
    return divide_searches(logged, seed=seed, label=label)


def _run(plan: "LoopPlan", searches: "LoopSearches", folder: Path, *, full: bool) -> "LoopReport":
    from forebear_lab.experiments.loop import LoopRun, run_curves
    from forebear_lab.experiments.loop_differences import estimate_all
    from forebear_lab.experiments.loop_interleaving import simulate_interleaving
    from forebear_lab.experiments.loop_promotion import simulate_promotion
    from forebear_lab.experiments.loop_time import train_daily, train_on_the_past
    from forebear_lab.experiments.report.loop import LoopReport

    if plan.sizes[0] > len(searches.pool):
        raise InputError(
            f"there are {len(searches.pool):,} searches to learn from, but {plan.sizes[0]:,} are "
            "wanted",
            hint="give smaller --searches, or a world with more queries",
        )
    run = LoopRun(plan, searches, folder, progress=print_message)
    return LoopReport(
        label=searches.label,
        seed=plan.seed,
        pool=len(searches.pool),
        test=len(searches.test),
        default=estimate_all([run.default], run.persons, seed=plan.seed),
        hand_set=estimate_all([run.hand_set], run.persons, seed=plan.seed),
        curves=run_curves(run, learners=("paper", "lambdamart") if full else ()),
        daily=train_daily(run) if full else None,
        drift=train_on_the_past(run) if full else (),
        promotion=simulate_promotion(run) if full else (),
        interleaving=simulate_interleaving(run) if full else (),
    )
