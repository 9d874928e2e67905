"""Tests for `large_measures` and `large_files`: the values and errors of the reader by line."""

import gzip
import random
from pathlib import Path

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.trec import RUN_COLUMNS
from forebear_lab.evaluation import files, large_measures
from forebear_lab.evaluation.evaluate import Conventions, Evaluation, evaluate_files
from forebear_lab.evaluation.files import JudgmentFiles
from forebear_lab.evaluation.large_files import UnsupportedFormat, read_columns
from forebear_lab.evaluation.measures.measure import MEASURES, parse_measure

TEXTS = [
    *(f"{name}{cutoff}" for name in MEASURES for cutoff in ("", "@1", "@3", "@1000")),
    *("ndcg@3(gain=exponential)", "dcg(gain=exponential)", "precision@3(rel=2)", "ap@3(rel=2)"),
    *("mrr(rel=2)", "success@2(rel=2)", "recall@4(rel=2)", "nce@4(types=9)"),
    *("nce@4(ideal=hits)", "nce@4(ideal=supply)", "nce(ideal=supply)"),
    *("alpha_ndcg@5(ideal=declared)", "map_ia(positions=sublist)"),
]
ALL = [parse_measure(text) for text in TEXTS]
CONVENTIONS = [
    Conventions(ties="docno"),
    Conventions(ties="average", without_relevant="skip"),
    Conventions(ties="pessimistic", without_relevant="one"),
    Conventions(ties="given"),
]


@pytest.fixture
def large_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGE_BYTES", 0)


class World:
    """Files of a few random queries: ties, unjudged and unanswered queries, any order."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.random = folder, random.Random(seed)
        self.types = {f"d{n}": self.random.choice("abcd") for n in range(30)}
        rows = [row for number in range(6) for row in self._found(f"q{number}")]
        judged = [row for number in range(5) for row in self._judged(f"q{number}")]
        judged.append("unanswered 0 d1 1")
        if seed % 2:
            self.random.shuffle(rows)
            self.random.shuffle(judged)
        self.run = self._write("a.run", rows)
        self.qrels = self._write("qrels.txt", judged)
        types = self._write("types.txt", [f"{d} {t}" for d, t in self.types.items()])
        self.by_type_file = JudgmentFiles(qrels=self.qrels, types=types)
        self.by_type_runs = JudgmentFiles(qrels=self.qrels, type_runs=self._split(rows))

    def _found(self, query: str) -> list[str]:
        return [
            f"{query} Q0 {document} 1 {self.random.choice([0.5, 1, -2.25, 1e-3])} t"
            for document in self.random.sample(sorted(self.types), self.random.randint(1, 12))
        ]

    def _judged(self, query: str) -> list[str]:
        documents = self.random.sample(sorted(self.types), self.random.randint(1, 8))
        return [f"{query} 0 {d} {self.random.choice([-1, 0, 0, 1, 2])}" for d in documents]

    def _split(self, rows: list[str]) -> Path:
        folder = self.folder / "by_type"
        folder.mkdir()
        for name in "abcd":
            of_type = [row for row in rows if self.types[row.split()[2]] == name]
            of_type += [f"q{number} Q0 not-shown-{name}{number} 1 0 t" for number in range(3)]
            (folder / f"{name}.trec").write_text("\n".join(of_type))
        (folder / "qrels.txt").write_text("this is no run")
        return folder

    def _write(self, name: str, rows: list[str]) -> Path:
        path = self.folder / name
        path.write_text("\n".join(rows) + "\n")
        return path


def by_columns(world: World, judgments: JudgmentFiles, conventions: Conventions) -> Evaluation:
    scores = large_measures.evaluate_large(
        world.run, judgments, ALL, conventions, need_types=True, announce=lambda _: None
    )
    assert scores is not None
    return scores


@pytest.mark.parametrize("conventions", CONVENTIONS, ids=lambda c: c.ties)
@pytest.mark.parametrize("seed", range(6))
def test_every_measure_has_the_same_value_by_columns_and_by_line(
    tmp_path: Path, seed: int, conventions: Conventions
) -> None:
    world = World(tmp_path, seed)
    for judgments in (world.by_type_file, world.by_type_runs):
        expected = evaluate_files(world.run, judgments, ALL, conventions=conventions)

        scores = by_columns(world, judgments, conventions)

        for measure in ALL:
            theirs, ours = expected.per_query(measure), scores.per_query(measure)
            assert list(ours) == list(theirs)
            np.testing.assert_allclose(
                list(ours.values()), list(theirs.values()), atol=1e-12, err_msg=str(measure)
            )


@pytest.mark.usefixtures("large_files")
def test_large_files_are_read_by_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path, 0)
    read = []
    monkeypatch.setattr(
        large_measures, "read_run_columns", lambda path: read.append(path) or _refuse()
    )

    evaluate_files(world.run, world.by_type_file, ALL[:1])

    assert read == [world.run]


def _refuse() -> None:
    raise UnsupportedFormat


RUN = "q Q0 a 1 2.0 t\nq Q0 b 2 1.0 t\n"
QRELS = "q 0 a 1\n"
TYPES = "a census\nb will\n"
BROKEN = [
    ({"run": RUN + "q Q0 c 3\n"}, "run, line 3: expected 6 columns"),
    ({"run": RUN + "q Q0 c 3 1 t more\n"}, "run, line 3: expected 6 columns"),
    ({"run": RUN + "q Q0 c 3 high t\n"}, "run, line 3: expected a finite number as the score"),
    ({"run": RUN + "q Q0 c 3 1e999 t\n"}, "run, line 3: expected a finite number as the score"),
    ({"run": RUN + "q Q0 a 3 0.5 t\n"}, "run, line 3: expected each document once for query 'q'"),
    ({"run": RUN + "x Q0 a 1 1 t\nq Q0 b 1 1 t"}, "line 4: expected each document once"),
    ({"run": RUN + "unjudged Q0 z 1 1 t\nunjudged Q0 z 1 1 t"}, "line 4: expected each document"),
    ({"run": b"q Q0 a 1 2.0 t\nq Q0 \xff 2 1.0 t\n"}, "run, line 2: not UTF-8"),
    ({"run": gzip.compress(RUN.encode())[:-6]}, "run is a damaged gzip file"),
    ({"qrels": QRELS + "q 0 b\n"}, "qrels, line 2: expected 4 columns"),
    ({"qrels": QRELS + "q 0 b 1.0\n"}, "qrels, line 2: expected a whole number as the grade"),
    ({"qrels": QRELS + "q 0 a 0\n"}, "qrels, line 2: expected each document judged once"),
    ({"qrels": ""}, "no query was judged"),
    ({"types": TYPES + "a will\n"}, "types, line 3: expected one type for 'a'"),
    ({"types": "a census\n"}, "document 'b' of the run has no type"),
]


@pytest.mark.usefixtures("large_files")
@pytest.mark.parametrize(("broken", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_a_large_file_is_refused_with_the_message_for_a_small_one(
    tmp_path: Path, broken: dict[str, str | bytes], message: str
) -> None:
    for name, text in {"run": RUN, "qrels": QRELS, "types": TYPES, **broken}.items():
        content = text.encode() if isinstance(text, str) else text
        (tmp_path / name).write_bytes(content)
    judgments = JudgmentFiles(qrels=tmp_path / "qrels", types=tmp_path / "types")

    with pytest.raises(InputError, match=message):
        evaluate_files(tmp_path / "run", judgments, [parse_measure("nce")])


@pytest.mark.usefixtures("large_files")
@pytest.mark.parametrize(
    "run",
    [
        RUN.replace("\n", "\r\n"),
        f"\n\n{RUN}\n  \n",
        RUN.replace(" ", "\t "),
        RUN.rstrip("\n"),
        RUN.replace("2.0", "0.30000000000000004").replace("1.0", "1_0e-2"),
        RUN.replace("Q0", "Q\u00e9"),
        RUN.replace(" t\n", "\u00a0t\n"),
    ],
    ids=["crlf", "blank lines", "tabs", "no last end", "odd numbers", "accents", "odd spaces"],
)
def test_unusual_files_mean_the_same_by_columns(tmp_path: Path, run: str) -> None:
    (tmp_path / "run").write_text(run, newline="")
    (tmp_path / "qrels").write_text(QRELS)
    measure = parse_measure("ndcg@10")

    scores = evaluate_files(tmp_path / "run", JudgmentFiles(qrels=tmp_path / "qrels"), [measure])

    assert scores.per_query(measure) == {"q": 1.0}


def test_a_line_of_other_columns_is_left_to_the_reader_by_line(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_text("q Q0 a 1 2.0\n")

    with pytest.raises(UnsupportedFormat):
        read_columns(path, columns=RUN_COLUMNS, keep=("query",))
