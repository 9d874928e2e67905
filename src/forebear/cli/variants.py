"""``forebear variants``: which names have attachments joined in this archive?"""

from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from forebear.cli.options import (
    ArchiveOption,
    JsonOption,
    open_archive,
    print_message,
    print_result,
)
from forebear.search.expansion.learned_variants import NameField

if TYPE_CHECKING:
    from forebear.learning.name_variants import VariantReport
    from forebear.search.expansion.learned_variants import LearnedVariant

app = typer.Typer(help="Manage name variants learned from attachments.", no_args_is_help=True)


class Kind(StrEnum):
    """What the two names are."""

    GIVEN = "given"
    SURNAME = "surname"


FirstArgument = Annotated[str, typer.Argument(help="One of the two names.")]
SecondArgument = Annotated[str, typer.Argument(help="The other name.")]
KindOption = Annotated[Kind, typer.Option(help="What the two names are.")]


@app.command()
def learn(
    path: ArchiveOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print the pairs.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Learn pairs of names that attachments join for three people, against chance.

    Each person must be attached by another searcher, or by links that you imported.
    """
    with open_archive(path) as archive:
        report = archive.learn_name_variants(dry_run=dry_run, progress=print_message)
    print_result(asdict(report), as_json, lambda: _report_text(report))


@app.command("list")
def list_variants(path: ArchiveOption = None, as_json: JsonOption = False) -> None:
    """List the learned pairs, also those that were revoked."""
    with open_archive(path) as archive:
        variants = archive.name_variants()
    print_result([asdict(one) for one in variants], as_json, lambda: _text(variants))
    if not variants:
        print_message("no name variants were learned; `forebear variants learn` looks for some")


@app.command()
def revoke(
    first: FirstArgument,
    second: SecondArgument,
    path: ArchiveOption = None,
    kind: KindOption = Kind.GIVEN,
) -> None:
    """Stop using a learned pair; it is not learned again."""
    with open_archive(path) as archive:
        archive.revoke_name_variant(first, second, kind=_field(kind))
    print_message(f"revoked {first} and {second}")


@app.command()
def restore(
    first: FirstArgument,
    second: SecondArgument,
    path: ArchiveOption = None,
    kind: KindOption = Kind.GIVEN,
) -> None:
    """Use a revoked pair again."""
    with open_archive(path) as archive:
        archive.restore_name_variant(first, second, kind=_field(kind))
    print_message(f"{first} and {second} are variants again")


def _field(kind: Kind) -> NameField:
    return "given" if kind is Kind.GIVEN else "surname"


def _report_text(report: "VariantReport") -> str:
    learned = len(report.learned)
    skipped = f", {report.skipped:,} could not be repeated" if report.skipped else ""
    summary = (
        f"learned {learned:,} of {report.compared:,} pairs that the attachments of "
        f"{report.searches:,} searches join{skipped}"
    )
    return "\n".join(filter(None, (_text(report.learned), summary)))


def _text(variants: "tuple[LearnedVariant, ...]") -> str:
    return "\n".join(
        f"{one.kind:<8} {one.first:<14} {one.second:<14} {one.persons:>3} persons "
        f"({one.expected:.2g} by chance), {one.searchers} searchers, {_state(one)}"
        for one in variants
    )


def _state(variant: "LearnedVariant") -> str:
    if variant.revoked_at:
        return f"revoked {variant.revoked_at[:10]}"
    return f"learned {variant.learned_at[:10]}"
