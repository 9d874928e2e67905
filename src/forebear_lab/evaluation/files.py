"""Which files is a run judged by, and which list is in a run file?

Besides TREC runs and judgments (`forebear.trec`), measures of diversity need the type of each
document, or judgments by subtopic, and comparisons may need groups of queries:

- types: a file with a document and its type a line, or a folder of runs, one for each type,
  named after their types (`census.trec`, `burial.run.gz`).  Such runs also give the supply: how
  many documents of each type a query could have been shown.
- judgments by subtopic: the form of TREC's diversity tasks, `query subtopic document grade` a
  line.  A document may be judged for any number of subtopics; where a measure needs one grade,
  it is the document's best.
- groups: a query and its group a line.  Searches of one family are not independent, so an
  interval that treats them as independent is too narrow; a group is sampled as a whole.

Lists to be fused are TREC runs, one a list: `lists/census.trec.gz` has the list `census`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from forebear.errors import InputError
from forebear.trec import Qrels, Run, parse_grade, read_rows, read_run, refuse, write_lines

TYPE_COLUMNS = "document type"
SUBTOPIC_COLUMNS = "query subtopic document grade"
RUN_SUFFIXES = (".trec", ".run")
LARGE_BYTES = 8_000_000  # where reading by line and compiled loops take about the same time
_GZIP_RATIO = 4  # roughly, for such files
_SUFFIXES = (".gz", ".run", ".trec", ".txt", ".res")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgmentFiles:
    """What a run is judged by: judgments, and the types of documents if measures need them.

    Judgments are read by subtopic if requested, or if a measure looks at what documents cover
    and there are no types.
    """

    qrels: Path
    types: Path | None = None  # a document and its type a line
    type_runs: Path | None = None  # or a folder of runs, one a type
    by_subtopic: bool = False

    def __post_init__(self) -> None:
        if self.types and self.type_runs:
            raise InputError("the types come from a file or from runs, one a type, not from both")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTypes:
    """Which type each document has, and how many of each a query could have been shown."""

    types: Mapping[str, str]
    names: tuple[str, ...]  # every type, also one without documents
    supply: Mapping[str, Mapping[str, int]] | None = None  # by query and type; None: not given

    @classmethod
    def of(cls, types: Mapping[str, str]) -> "DocumentTypes":
        """Return the types of documents without a supply."""
        return cls(types=types, names=tuple(sorted(set(types.values()))))


@dataclass(frozen=True, slots=True, kw_only=True)
class DiversityQrels:
    """What was judged, by query, document and subtopic."""

    grades: Mapping[str, Mapping[str, Mapping[str, int]]]

    def overall(self) -> Qrels:
        """Return the best grade of each document."""
        return Qrels(
            grades={
                query: {document: max(by_topic.values()) for document, by_topic in judged.items()}
                for query, judged in self.grades.items()
            }
        )


def read_types(path: Path) -> dict[str, str]:
    """Read which type each document has; a document of two types is refused."""
    return _read_pairs(path, columns=TYPE_COLUMNS, relation="which is")


def read_groups(path: Path) -> dict[str, str]:
    """Read the group of each query; a query of two groups is refused."""
    return _read_pairs(path, columns="query group", relation="which is in")


def read_type_runs(folder: Path) -> DocumentTypes:
    """Read the runs of a folder, one a type; a document in two of them is refused."""
    types: dict[str, str] = {}
    supply: dict[str, dict[str, int]] = {}
    files = type_run_files(folder)
    for name, path in files.items():
        for query, documents in read_run(path).scores.items():
            supply.setdefault(query, {})[name] = len(documents)
            for document in documents:
                if types.setdefault(document, name) != name:
                    raise InputError(
                        f"{path}: document {document!r} has type {name!r} here, "
                        f"but is in {files[types[document]].name} too"
                    )
    return DocumentTypes(types=types, names=tuple(files), supply=supply)


def type_run_files(folder: Path) -> dict[str, Path]:
    """Return the runs of a folder by the type in their names."""
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


def read_diversity_qrels(path: Path) -> DiversityQrels:
    """Read judgments by subtopic; a document judged twice for a subtopic is refused."""
    grades: dict[str, dict[str, dict[str, int]]] = {}
    for number, (query, subtopic, document, grade) in read_rows(path, columns=SUBTOPIC_COLUMNS):
        judged = grades.setdefault(query, {}).setdefault(document, {})
        if subtopic in judged:
            expected = f"each document judged once for subtopic {subtopic!r} of query {query!r}"
            refuse(path, number, actual=document, expected=expected)
        judged[subtopic] = parse_grade(grade, path, number)
    return DiversityQrels(grades=grades)


def write_diversity_qrels(qrels: DiversityQrels, path: Path) -> None:
    """Write judgments by subtopic."""
    rows = [
        (query, subtopic, document, grade)
        for query, judged in qrels.grades.items()
        for document, by_topic in judged.items()
        for subtopic, grade in by_topic.items()
    ]
    for word in {word for row in rows for word in row[:3]}:
        if len(word.split()) != 1:
            raise InputError(f"{word!r} cannot be in a qrels file: a name there is one word")
    write_lines(path, (" ".join(map(str, row)) for row in rows))


def is_large(*paths: Path) -> bool:
    """Return whether compiled loops read these files sooner, though they take time to load.

    A file that does not exist counts as empty.
    """
    return sum(_size(path) for path in paths) >= LARGE_BYTES


def _size(path: Path) -> int:
    try:
        size = path.stat().st_size
    except OSError:
        return 0
    return size * _GZIP_RATIO if path.suffix == ".gz" else size


def _read_pairs(path: Path, *, columns: str, relation: str) -> dict[str, str]:
    """Read two columns as a mapping; ``relation`` joins them in the error for a second value."""
    value_name = columns.split()[1]
    pairs: dict[str, str] = {}
    for number, (name, value) in read_rows(path, columns=columns):
        if pairs.setdefault(name, value) != value:
            expected = f"one {value_name} for {name!r}, {relation} {pairs[name]!r} above"
            refuse(path, number, actual=value, expected=expected)
    return pairs


def list_name(path: Path) -> str:
    """Return the name of the list in a file.

    >>> list_name(Path("lists/census.trec.gz"))
    'census'
    """
    name = path.name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def read_lists(paths: Sequence[Path]) -> dict[str, Run]:
    """Read TREC runs, one a list, each named by its file."""
    names = [list_name(path) for path in paths]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            f"two lists have one name: {twice!r}",
            hint="a list is named by its file without .trec, .run, .txt, .res and .gz",
        )
    return {name: read_run(path) for name, path in zip(names, paths, strict=True)}
