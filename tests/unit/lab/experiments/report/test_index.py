"""Tests for `forebear_lab.experiments.report.index`."""

from dataclasses import replace
from pathlib import Path

from forebear_lab.evaluation.tables import Table
from forebear_lab.experiments.report.index import write_index
from forebear_lab.experiments.report.markdown import Origin, publish_page
from forebear_lab.experiments.report.page import Page, Section

ORIGIN = Origin(command="forebear experiment x", date="2026-01-02", machine="a machine")
HEADINGS = ("the paper's claim", "here", "figures")


def publish(path: Path, *claims: tuple[str, str, str], preview: str = "", of: str = "") -> str:
    """Publish a page that judges claims, and return the index."""
    title = f"{of}What the paper claims"
    section = Section(title=title, table=Table(headings=HEADINGS, rows=claims))
    page = Page(
        title=f"Page {path.stem}", simulated=True, sections=[section], seed=1, preview=preview
    )
    publish_page(page, path, ORIGIN)
    write_index(path.parent)
    return (path.parent / "README.md").read_text("utf-8")


def test_a_claim_has_one_row_and_a_column_for_each_data_set(tmp_path: Path) -> None:
    claim = "SS is above CA (NDCG@100)"
    publish(tmp_path / "one.md", (claim, "holds", "difference +0.1 [+0.0, +0.2], p 0.01"))
    index = publish(
        tmp_path / "two.md",
        (claim, "does not hold", "difference -0.1 [-0.2, -0.0], p 0.01"),
        ("SS is above raw scores (NDCG@100)", "undecided", "difference +0.0 [-0.1, +0.1], p 0.9"),
        of="8 lists: ",
    )

    _, claims = index.split("### Fusion: ranking\n\n")
    assert claims.splitlines() == [
        "| the paper's claim | holds on | [two](two.md), 8 lists | [one](one.md) |",
        "|---|---|---|---|",
        "| SS is above CA | 1 of 2 | **no** -0.1 [-0.2, -0.0] | **holds** +0.1 [+0.0, +0.2] |",
        "| SS is above raw scores | 0 of 1 | **?** +0.0 [-0.1, +0.1] |  |",
    ]


def test_claims_of_ranking_diversity_time_records_and_the_toy_have_tables(tmp_path: Path) -> None:
    index = publish(
        tmp_path / "page.md",
        ("SS improves diversity (NCE@100)", "holds", "difference +0.1 [+0.0, +0.2], p 0.01"),
        ("SS trains faster than CA", "holds", "ratio 3.0, 4.0; needs at least 2"),
        ("birth: customized CA ranks like default CA", "holds", "difference +0.0 [-0.0, +0.0]"),
        ("NCE puts list 2 | first", "does not hold", "1.0; 0.7"),
    )

    for row in (
        "### Fusion: diversity\n\n| the paper's claim | holds on | [page](page.md) |",
        "| SS trains faster than CA | 1 of 1 | **holds** 3.0, 4.0 |",
        "| customized CA ranks like default CA | 1 of 1 | **holds** +0.0 [-0.0, +0.0] |",
        "### Record-specific ranking\n\n| the paper's claim | holds on | [page](page.md), birth |",
        "| NCE puts list 2 \\| first | 0 of 1 | **no** 1.0; 0.7 |",
    ):
        assert row in index
    assert "Fusion: ranking" not in index


def test_a_star_marks_a_learner_that_saw_a_sample(tmp_path: Path) -> None:
    figures = "difference +0.1 [+0.0, +0.2], p 0.01; the lower one: saw 3 of 4 training queries"
    similar = "difference +0.0 [-0.0, +0.0], alike within 0.01; Exact saw 3 of 4 training queries"
    index = publish(
        tmp_path / "page.md",
        ("SS is above MART (NDCG@100)", "holds", figures),
        ("customized CA ranks like default CA", "undecided", similar),
    )

    assert r"| **holds**\* +0.1 [+0.0, +0.2] |" in index
    assert r"| **?**\* +0.0 [-0.0, +0.0] |" in index


def test_a_dagger_marks_a_comparison_on_some_folds(tmp_path: Path) -> None:
    figures = "difference +0.1 [+0.0, +0.2], p 0.01; on fold 1 of 3"

    index = publish(tmp_path / "page.md", ("SS is above MART (NDCG@100)", "holds", figures))

    assert "| **holds**† +0.1 [+0.0, +0.2] |" in index


def test_each_table_of_the_paper_is_linked_at_its_heading(tmp_path: Path) -> None:
    titles = (
        "14 lists: NDCG@100, beside the paper's table 7",
        "Marriage, beside the paper's table 5",
        "Records: Residence, beside the paper's table 5",
    )
    page = Page(title="x", simulated=True, sections=[Section(title=title) for title in titles])
    publish_page(page, tmp_path / "full.md", ORIGIN)
    publish_page(replace(page, preview="Small."), tmp_path / "small.md", ORIGIN)

    write_index(tmp_path)

    _, tables = (tmp_path / "README.md").read_text("utf-8").split("## The paper's tables")
    assert [line for line in tables.splitlines() if line.startswith("| table")] == [
        "| table 5: coordinate ascent: NDCG and time | "
        "[full, marriage](full.md#marriage-beside-the-papers-table-5); "
        "[full, residence](full.md#records-residence-beside-the-papers-table-5) |",
        "| table 7: fusion: NDCG@100 | "
        "[full, 14 lists](full.md#14-lists-ndcg100-beside-the-papers-table-7) |",
    ]


def test_previews_are_counted_apart_and_judge_nothing(tmp_path: Path) -> None:
    claim = ("SS is above CA (NDCG@100)", "holds", "difference +0.1 [+0.0, +0.2], p 0.01")
    publish(tmp_path / "full.md", claim, ("other", "undecided", "1"))
    index = publish(tmp_path / "small.md", claim, preview="Small.")

    before, previews = index.split("\n## Previews\n")
    assert "| [Page full](full.md) | 2026-01-02 | 1 | 0 | 1 |" in before
    assert "small" not in before
    assert "| [Page small](small.md) | 2026-01-02 | 1 | 0 | 0 |" in previews
    assert "../guide" not in index


def test_an_index_of_previews_has_no_table_of_claims(tmp_path: Path) -> None:
    claim = ("SS is above CA (NDCG@100)", "holds", "difference +0.1 [+0.0, +0.2], p 0.01")
    index = publish(tmp_path / "small.md", claim, preview="Small.")

    assert "## The paper's claims" not in index
    assert "(small.md)" in index
