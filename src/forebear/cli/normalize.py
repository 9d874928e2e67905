"""``forebear normalize``: how are dates, ages, names or places read?"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from forebear.cli.options import JsonOption, to_json
from forebear.errors import InputError
from forebear.normalize.row_answers import ANSWERERS, Answer

Kind = Literal["dates", "ages", "names", "name_pairs", "places"]


def normalize(
    kind: Annotated[Kind, typer.Argument(help="What the file holds.")],
    file: Annotated[Path, typer.Argument(help="A CSV file with column names in its first row.")],
    as_json: JsonOption = False,
) -> None:
    """Show how dates, ages, names or places of a file are read."""
    columns, answer_row = ANSWERERS[kind]
    for row in _rows(file, columns):
        answer = answer_row(row)
        print(to_json(answer) if as_json else _as_text(answer))


def _rows(file: Path, columns: tuple[str, ...]) -> Iterator[dict[str, str]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines)
            missing = [name for name in columns if name not in (reader.fieldnames or ())]
            if missing:
                raise InputError(
                    f"{file}: no column {missing[0]!r}", hint=f"expected {', '.join(columns)}"
                )
            for row in reader:
                yield {name: row[name] or "" for name in columns}
    except OSError as error:
        raise InputError(f"cannot read {str(file)!r}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{file}: cannot be read as CSV in UTF-8: {error}") from None


def _as_text(answer: Answer) -> str:
    return "\t".join(
        ";".join(value) if isinstance(value, list) else str(value) for value in answer.values()
    )
