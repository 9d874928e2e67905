"""Identifiers and prose use everyday words.

Two lists are banned: vague identifiers (``found``, ``each``), because a reader cannot tell what
they hold, and phrases that only insiders understand.  Modules of two packages still have some;
they are listed with their count in ``language_allowlist.txt``, and the sum may only fall.

``python tests/architecture/test_language.py`` rewrites the list, and with paths as arguments it
prints every place below them.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ALLOWLIST = Path(__file__).with_name("language_allowlist.txt")
# The packages whose modules are still to be rewritten.
UNFINISHED = ("src/forebear/search/", "src/forebear/storage/")

# As names of variables, parameters, attributes, functions or classes.
IDENTIFIERS = frozenset(
    [
        "found",
        "told",
        "asked",
        "said",
        "each",
        "some",
        "made",
        "given_up",
        "known",
        "ways",
        "shelf",
        "shelves",
        "drawn",
        "opened",
        "wanted",
        "unwanted",
        "believed",
        "looking",
        "talk",
        "tally",
        "nobody",
        "somebody",
        "kept",
        "own",
        "gone",
        "stands",
        "anew",
        "WaysIn",
        "Shelf",
        "ShelfRow",
        "Holdings",
        "Keeping",
        "OpenedArchive",
        "Tally",
        "FusedHit",
        "PageHit",
        "ShownSearch",
        "ShownList",
        "ListMove",
        "FollowedName",
        "Absence",
        "AskedClause",
        "AskedType",
        "KnownInFile",
        "KnownInCluster",
        "Remembered",
        "KeptBeside",
        "ClosedWay",
        "Draft",
        "LeftToLines",
        "Arrangement",
        "Fragment",
        "hold_trial",
        "rival",
        "search_again",
        "act_on_many",
        "leave_answers",
        "find_absence",
        "take_turns",
    ]
)
PHRASES = re.compile(
    r"\b((?:is|are) (?:told|looked at)|(?:was|were) told|tells? of|anew|likest|rubbish|"
    r"made worlds?|the very (?:day|month|year|tuple|place|same|words?)|(?:said|say) so|"
    r"says? whether|goes on|ways? in(?!\s+which)|asked of|told apart|worked out|put together|"
    r"thereof|whereof|for it is|hangs on it|so many|of its own|of their own|somebody|nobody)\b",
    re.IGNORECASE,
)


def names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield each identifier that the code introduces, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.ClassDef(name=name) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


def places(path: Path) -> list[str]:
    """Return every banned word of a file as ``LINE: word``."""
    text = path.read_text("utf-8")
    matches = [
        f"{number}: {match.group()}"
        for number, line in enumerate(text.splitlines(), start=1)
        for match in PHRASES.finditer(line)
    ]
    if path.suffix == ".py":
        matches += [
            f"{line}: {name}" for line, name in names(ast.parse(text)) if name in IDENTIFIERS
        ]
    return matches


def checked_files(root: Path) -> Iterator[Path]:
    """Yield the files that the rule holds for."""
    yield root / "README.md"
    yield from (root / "docs").rglob("*.md")
    for folder in ("src", "benchmarks"):
        for suffix in ("*.py", "*.md"):
            yield from (root / folder).rglob(suffix)


def counts(root: Path) -> dict[str, int]:
    """Return how many banned words each file has, without those that have none."""
    by_file = {path.relative_to(root).as_posix(): len(places(path)) for path in checked_files(root)}
    return {name: count for name, count in sorted(by_file.items()) if count}


def allowed() -> dict[str, int]:
    lines = ALLOWLIST.read_text("utf-8").splitlines()
    return {name: int(count) for name, count in (line.rsplit(" ", 1) for line in lines)}


def test_every_file_has_exactly_the_banned_words_it_is_allowed() -> None:
    assert counts(ROOT) == allowed(), "fewer: run this file; more: use another word"


def test_only_packages_that_are_rewritten_next_may_have_banned_words() -> None:
    assert [name for name in allowed() if not name.startswith(UNFINISHED)] == []


def test_the_scan_finds_what_it_bans(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text('"""It is told anew."""\n\ndef each(made: int) -> None:\n    found = made\n')

    assert len(places(path)) == 5


def rewrite_allowlist() -> None:
    """Write the counts as they are now, unless there are more banned words than before."""
    before, after = allowed(), counts(ROOT)
    if sum(after.values()) > sum(before.values()):
        sys.exit(f"{sum(after.values())} banned words, {sum(before.values())} before")
    text = "".join(f"{name} {count}\n" for name, count in after.items())
    ALLOWLIST.write_text(text, "utf-8")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        root = Path(argument)
        for path in [root] if root.is_file() else sorted(root.rglob("*.py")):
            for place in places(path):
                print(f"{path}:{place}")
    if not sys.argv[1:]:
        rewrite_allowlist()
