"""Write docs/reference/cli.md from the help of every command.

    python scripts/cli_reference.py

A test compares the file with what this prints, so it cannot fall behind the program.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from forebear.cli.app import make_app

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "cli.md"
WIDTH = 100
HEAD = """# Commands

What `forebear COMMAND --help` prints, for every command. `--json` writes the result as JSON to
standard output; messages and progress go to standard error. Exit status: 0 done, 1 the answer is no
(no results, faults in a check), 2 wrong input, 3 failure.

`forebear --install-completion` lets your shell complete commands and options. `-h` is short
for `--help`.
"""


def reference() -> str:
    """Return the page."""
    program = typer.main.get_command(make_app())
    return "\n".join([HEAD, *_sections(program, "forebear")])


def _sections(command: Any, name: str) -> Iterator[str]:
    context = typer.Context(command, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
    text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    yield f"## {name}\n\n```text\n{text.strip()}\n```\n"
    for child in getattr(command, "commands", {}).values():  # of a group
        yield from _sections(child, f"{name} {child.name}")


if __name__ == "__main__":
    PAGE.write_text(reference(), "utf-8")
