"""What do the published pages of a folder say together?  Its index, made from the pages.

The index lists the pages, those of previews apart, and has a row for each claim of the paper with
a column for each data set that judged it at full size, those of the longest page first.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from forebear_lab.evaluation.tables import Cell, Table
from forebear_lab.experiments.report.markdown import INDEX, PREVIEW, markdown_table
from forebear_lab.experiments.verdicts import SIMILAR

ANSWERS = ("holds", "does not hold", "undecided")
_TEXT = """\
# Results

The experiments of "Ranking in Genealogy: Search Results Fusion at Ancestry", calculated by
`forebear experiment`. The paper's data is not public; the data here is simulated unless a page says
otherwise. Simulated data shows that the methods work and what they cost, not how large effects are
in archives.

"""
_END = """
Each page ends with its command. To make it again, add `--publish` and the page's path, as in
`forebear experiment toy --publish docs/results/toy.md`. The command rewrites this index too.
"""
_TABLES_TEXT = """
## The paper's tables

Where each table of the paper is, beside ours. Pages of previews have them too.

"""
_TABLES = {  # by number
    "1": "toy training data",
    "2": "feature weights of the toy data",
    "3": "scores and ranks of the toy data",
    "4": "samples and features of record types",
    "5": "coordinate ascent: NDCG and time",
    "6": "measures of diversity",
    "7": "fusion: NDCG@100",
    "8": "fusion: NCE@100",
    "9": "fusion: training time",
}
_CLAIMS_TEXT = f"""
## The paper's claims

One row for each claim, one column for each data set, without previews. A claim **holds**, does not
hold (**no**), or is undecided (**?**); "holds on" counts the data sets. Differences are in the
measure, with 95 % intervals. An ordering holds if chance explains it with p at most .05, adjusted
for all claims of its page; alike means within {SIMILAR}. Ratios of costs have one figure for each
fold and hold if all of them are large enough. A star: one of the two learned from a sample of the
queries. A dagger: they were compared on some of the folds only, because the others are not
finished. The pages have p values and conditions.
"""
_GUIDE = "../guide/experiments.md"
_GROUPS = (
    ("Fusion: ranking", re.compile(r"(.+) \(NDCG@\d+\)")),
    ("Fusion: diversity", re.compile(r"(.+) \(NCE@\d+\)")),
    ("Fusion: training time", re.compile(r"(.+ trains .+)")),
    ("Record-specific ranking", re.compile(r"(customized .+)")),
    ("The toy data", re.compile(r"(.+)")),
)
_CLAIM = re.compile(rf"\| (?:(\w+): )?(.+?) \| ({'|'.join(ANSWERS)}) \| (.*?) \|")
_SHORT = {"holds": "**holds**", "does not hold": "**no**", "undecided": "**?**"}
_CONDITION = re.compile(r", (?:p [\d.]+|alike within [\d.]+)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedClaim:
    """A claim that a page judges on a data set."""

    claim: str
    data: str  # the page, and which data on it
    answer: str
    figures: str


def write_index(folder: Path) -> None:
    """Write the list of all pages of a folder, and what they say of the paper's claims."""
    pages = {
        path: path.read_text("utf-8") for path in sorted(folder.glob("*.md")) if path.name != INDEX
    }
    full = {path: text for path, text in pages.items() if PREVIEW not in text}
    previews = {path: text for path, text in pages.items() if PREVIEW in text}
    text = _TEXT
    if full:
        text += f"{_page_table(full)}\n{_END}"
    if (folder / _GUIDE).is_file():
        text += f"[The guide]({_GUIDE}) explains the experiments.\n"
    if places := _table_places(full):
        text += f"{_TABLES_TEXT}{markdown_table(_tables_table(places))}\n"
    by_page = [[*_judged_claims(path, page)] for path, page in full.items()]
    judged = [one for claims in sorted(by_page, key=len, reverse=True) for one in claims]
    text += "".join([_CLAIMS_TEXT, *_claim_tables(judged)] if judged else [])
    if previews:
        text += "\n## Previews\n\nSmall runs; their verdicts may change at the paper's size.\n\n"
        text += f"{_page_table(previews)}\n"
    (folder / INDEX).write_text(text, "utf-8")


def _page_table(pages: dict[Path, str]) -> str:
    """Return the pages with the number of claims by verdict."""
    rows: list[tuple[Cell, ...]] = []
    for path, text in pages.items():
        title = text.partition("\n")[0].removeprefix("# ")
        date = re.search(r"^\| date \| (.*) \|$", text, re.MULTILINE)
        counts = [text.count(f"| {answer} |") for answer in ANSWERS]
        rows.append((f"[{title}]({path.name})", date[1] if date else "", *counts))
    return markdown_table(Table(headings=("page", "date", *ANSWERS), rows=rows))


def _table_places(pages: dict[Path, str]) -> dict[str, list[str]]:
    """Return the links to each table of the paper, by its number."""
    places: dict[str, list[str]] = {}
    for path, text in pages.items():
        for heading, number in re.findall(r"^## (.*\btable (\d))$", text, re.MULTILINE):
            data, colon, rest = heading.partition(": ")
            of = data.lower() if colon and data != "Records" else ""
            if number == "5":
                of = (rest if colon else data).partition(",")[0].lower()
            anchor = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
            shown = f"{path.stem}{f', {of}' if of else ''}"
            places.setdefault(number, []).append(f"[{shown}]({path.name}#{anchor})")
    return places


def _tables_table(places: dict[str, list[str]]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (f"table {number}: {title}", "; ".join(places[number]))
        for number, title in _TABLES.items()
        if number in places
    ]
    return Table(headings=("the paper's", "here"), rows=rows)


def _judged_claims(path: Path, text: str) -> Iterator[JudgedClaim]:
    """Yield the claims that a page judges."""
    section = ""
    for line in text.splitlines():
        if line.startswith("## "):
            data, colon, _ = line.removeprefix("## ").partition(": ")
            section = data.lower() if colon else ""
        elif match := _CLAIM.fullmatch(line):
            shape, claim, answer, figures = match.groups()
            data = shape or section
            yield JudgedClaim(
                claim=claim.replace("\\|", "|"),
                data=f"[{path.stem}]({path.name}){f', {data}' if data else ''}",
                answer=answer,
                figures=figures.replace("\\|", "|"),
            )


def _claim_tables(judged: Sequence[JudgedClaim]) -> Iterator[str]:
    """Yield a table for each group of claims, with a column for each data set."""
    remaining = [*judged]
    for heading, pattern in _GROUPS:
        rows: dict[str, dict[str, JudgedClaim]] = {}
        for one in [one for one in remaining if pattern.fullmatch(one.claim)]:
            remaining.remove(one)
            rows.setdefault(pattern.sub(r"\1", one.claim), {})[one.data] = one
        if rows:
            table = markdown_table(_claim_table(rows))
            yield f"\n### {heading}\n\n{table}\n"


def _claim_table(rows: dict[str, dict[str, JudgedClaim]]) -> Table:
    columns = [*dict.fromkeys(data for cells in rows.values() for data in cells)]
    lines: list[tuple[Cell, ...]] = []
    for claim, cells in rows.items():
        holds = sum(one.answer == "holds" for one in cells.values())
        shown = (_verdict(cells[data]) if data in cells else "" for data in columns)
        lines.append((claim, f"{holds} of {len(cells)}", *shown))
    return Table(headings=("the paper's claim", "holds on", *columns), rows=lines)


def _verdict(one: JudgedClaim) -> str:
    """Return a verdict and its figures, without what all of a table have in common."""
    kind, _, values = one.figures.partition(" ")
    if kind not in {"difference", "ratio"}:
        return f"{_SHORT[one.answer]} {one.figures}"
    values, _, conditions = values.partition("; ")
    mark = r"\*" if " saw " in conditions else ""
    mark += "†" if "on fold" in conditions else ""
    return f"{_SHORT[one.answer]}{mark} {_CONDITION.sub('', values)}"
