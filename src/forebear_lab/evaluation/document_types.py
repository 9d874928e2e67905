"""The type of each document, for measures of diversity.

They come from a file with a document and its type a line, or from runs, one for each type,
whose files are named after their types (`census.trec`, `burial.run.gz`).  Such runs also
tell the supply: how many documents of each type there were for a query, shown or not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from forebear.errors import InputError
from forebear.trec import read_rows, read_run, refuse

COLUMNS = "document type"
RUN_SUFFIXES = (".trec", ".run")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTypes:
    """Which type each document has, and how many of each a query could have been shown."""

    types: Mapping[str, str]
    names: tuple[str, ...]  # every type there is, also one without documents
    supply: Mapping[str, Mapping[str, int]] | None = None  # by query and type; None: not known

    @classmethod
    def of(cls, types: Mapping[str, str]) -> "DocumentTypes":
        """Return the types of documents of which no more is known."""
        return cls(types=types, names=tuple(sorted(set(types.values()))))


def read_types(path: Path) -> dict[str, str]:
    """Read which type each document has; a document of two types is refused."""
    types: dict[str, str] = {}
    for number, (document, record_type) in read_rows(path, columns=COLUMNS):
        if types.setdefault(document, record_type) != record_type:
            wanted = f"one type for {document!r}, which is {types[document]!r} above"
            refuse(path, number, found=record_type, wanted=wanted)
    return types


def read_type_runs(folder: Path) -> DocumentTypes:
    """Read the runs of a folder, one a type; a document in two of them is refused."""
    types: dict[str, str] = {}
    supply: dict[str, dict[str, int]] = {}
    files = type_run_files(folder)
    for name, path in files.items():
        for query, found in read_run(path).scores.items():
            supply.setdefault(query, {})[name] = len(found)
            for document in found:
                if types.setdefault(document, name) != name:
                    raise InputError(
                        f"{path}: document {document!r} has type {name!r} here, "
                        f"but is in {files[types[document]].name} too"
                    )
    return DocumentTypes(types=types, names=tuple(files), supply=supply)


def type_run_files(folder: Path) -> dict[str, Path]:
    """Return the runs of a folder by the type that each is named after."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {str(folder)!r} of runs, one a type")
    files: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        plain = path.name.removesuffix(".gz")
        suffix = next((suffix for suffix in RUN_SUFFIXES if plain.endswith(suffix)), None)
        if suffix is None or not path.is_file():
            continue
        name = plain.removesuffix(suffix)
        if name in files:
            raise InputError(f"{path} and {files[name].name} are both the run of type {name!r}")
        files[name] = path
    if not files:
        raise InputError(f"{folder} holds no run: expected files TYPE.trec or TYPE.run")
    return files
