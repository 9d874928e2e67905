"""The type of each document, for measures of diversity: a document and its type a line."""

from pathlib import Path

from forebear.evaluation.lines import read_rows, refuse


def read_types(path: Path) -> dict[str, str]:
    """Read which type each document has; a document of two types is refused."""
    types: dict[str, str] = {}
    for number, (document, record_type) in read_rows(path, columns="document type"):
        if types.setdefault(document, record_type) != record_type:
            wanted = f"one type for {document!r}, which is {types[document]!r} above"
            refuse(path, number, found=record_type, wanted=wanted)
    return types
