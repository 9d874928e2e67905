"""Tests for `forebear_lab.learning.files`."""

from pathlib import Path

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.stochastic_search import FusedScores
from forebear.trec import Qrels
from forebear_lab.learning.files import (
    list_name,
    read_arrays,
    read_fusion_npz,
    read_fusion_runs,
    read_large_list,
    read_ranking,
    with_width,
)

X = np.array([[1, 0], [0, 1], [1, 1]], np.uint8)
LETOR = "1 qid:7 1:1 2:0\n0 qid:7 1:0 2:1\n2 qid:9 1:1 2:1\n"


def write(path: Path, **arrays: np.ndarray) -> Path:  # type: ignore[type-arg]
    np.savez(path, **arrays)  # type: ignore[arg-type]
    return path


def test_arrays_and_letor_text_say_the_same(tmp_path: Path) -> None:
    arrays = write(tmp_path / "a.npz", X=X, y=np.array([1, 0, 2]), q=np.array([7, 7, 9]))
    text = tmp_path / "a.letor"
    text.write_text(LETOR)

    one, other = read_ranking(arrays), read_ranking(text)

    assert one.features.tolist() == other.features.tolist() == X.astype(bool).tolist()
    assert one.labels.tolist() == other.labels.tolist() == [1, 0, 2]
    assert one.offsets.tolist() == other.offsets.tolist() == [0, 2, 3]
    assert one.query_ids == other.query_ids == ("7", "9")
    assert one.feature_names == other.feature_names == ("1", "2")
    assert one.binary
    assert other.binary


def test_values_beside_0_and_1_are_numbers(tmp_path: Path) -> None:
    text = tmp_path / "a.letor"
    text.write_text("1 qid:7 1:0.5\n")

    assert not read_ranking(text).binary


def test_a_dataset_takes_the_features_that_were_learned(tmp_path: Path) -> None:
    text = tmp_path / "a.letor"
    text.write_text(LETOR)
    data = read_ranking(text)

    assert with_width(data, ("1", "2", "3")).features[2].tolist() == [True, True, False]
    assert with_width(data, ("1",)).features.tolist() == [[True], [False], [True]]


def test_a_query_in_two_places_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz", X=X, y=np.zeros(3), q=np.array([7, 9, 7]))

    with pytest.raises(InputError, match="not adjacent in q"):
        read_ranking(path)


def test_arrays_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz", X=X, y=np.zeros(2), q=np.zeros(3))

    with pytest.raises(InputError, match=r"X of shape \(3, 2\), y of \(2,\)"):
        read_ranking(path)


def test_missing_arrays_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz", X=X)

    with pytest.raises(InputError, match="expected the arrays X, y, q; found X"):
        read_ranking(path)


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 broken"])
def test_what_is_no_npz_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(content)

    with pytest.raises(InputError, match=r"a\.npz"):
        read_arrays(path, ["X"])


def test_pickled_objects_are_never_loaded(tmp_path: Path) -> None:
    path = write(tmp_path / "a.npz", X=np.array([{}], dtype=object))

    with pytest.raises(InputError, match="plain arrays"):
        read_arrays(path, ["X"])


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_ranking(tmp_path / "none.npz")


CENSUS = "q1 Q0 c2 1 3.0 x\nq1 Q0 c1 2 4.0 x\nq9 Q0 c9 1 1.0 x\nq3 Q0 c3 1 2.5 x\n"
BURIAL = "q1 Q0 b1 1 1.0 x\n"
QRELS = "q1 0 c2 2\nq1 0 lost 1\nq1 0 b1 0\nq2 0 gone 1\nq3 0 c3 1\nq4 0 c1 0\n"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    files = {}
    for name, text in (("census.trec", CENSUS), ("burial.run", BURIAL), ("qrels.txt", QRELS)):
        files[name.split(".")[0]] = tmp_path / name
        (tmp_path / name).write_text(text)
    return files


def test_runs_become_lists_of_judged_queries(files: dict[str, Path]) -> None:
    lists = read_fusion_runs([files["census"], files["burial"]], files["qrels"])

    assert lists.list_names == ("census", "burial")
    assert lists.query_ids == ("q1", "q2", "q3")  # q4 has nothing relevant, q9 no judgment
    assert lists.scores.tolist() == [4.0, 3.0, 1.0, 2.5]
    assert lists.labels.tolist() == [0, 2, 0, 1]
    assert lists.offsets.tolist() == [0, 2, 3, 3, 3, 4, 4]


def test_relevant_documents_that_no_list_found_stay_in_the_ideal(files: dict[str, Path]) -> None:
    lists = read_fusion_runs([files["census"], files["burial"]], files["qrels"])

    assert lists.unfound == {0: (1,), 1: (1,)}
    values = FusedScores(lists).by_query(np.zeros(2))
    ideal = 2 + 1 / np.log2(3)
    np.testing.assert_allclose(values, [2 / np.log2(3) / ideal, 0.0, 1.0])


def test_the_reader_of_large_files_reads_the_same(files: dict[str, Path]) -> None:
    judged = Qrels(grades={"q1": {"c2": 2, "lost": 1}, "q2": {"gone": 1}, "q3": {"c3": 1}})

    list_ = read_large_list(files["census"], files["qrels"], judged)

    assert list_ is not None
    assert list_.sizes.tolist() == [2, 0, 1]
    assert list_.scores.tolist() == [4.0, 3.0, 2.5]
    assert list_.labels.tolist() == [0, 2, 1]
    assert list_.relevant == {("q1", "c2"), ("q3", "c3")}


def test_what_the_large_reader_does_not_know_it_leaves_to_the_other(
    files: dict[str, Path],
) -> None:
    files["census"].write_text("q1 Q0 c2 1\n")

    assert read_large_list(files["census"], files["qrels"], Qrels(grades={})) is None


def test_a_relevant_document_in_two_lists_is_refused(files: dict[str, Path]) -> None:
    files["burial"].write_text("q1 Q0 c2 1 1.0 x\n")

    with pytest.raises(InputError, match="'c2' of query 'q1' is in the lists 'census' and"):
        read_fusion_runs([files["census"], files["burial"]], files["qrels"])


def test_judgments_without_a_relevant_document_are_refused(files: dict[str, Path]) -> None:
    files["qrels"].write_text("q1 0 c2 0\n")

    with pytest.raises(InputError, match="no document is relevant"):
        read_fusion_runs([files["census"]], files["qrels"])


def test_two_lists_of_one_name_are_refused(files: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="list 'burial' is named twice"):
        read_fusion_runs([files["burial"], files["burial"]], files["qrels"])


@pytest.mark.parametrize("name", ["census", "census.trec", "census.run.gz", "census.txt"])
def test_a_list_is_named_by_its_file(name: str) -> None:
    assert list_name(Path("lists") / name) == "census"


def test_arrays_are_split_after_two_thirds_of_the_queries(tmp_path: Path) -> None:
    path = tmp_path / "fusion.npz"
    np.savez(
        path,
        s=np.array([3, 1, 2, 5, 4], np.float32),
        y=np.array([0, 1, 0, 1, 0], np.int8),
        ptr=np.array([0, 2, 3, 3, 4, 4, 5]),
        lists=2,
    )

    train, test = read_fusion_npz(path)

    assert train.query_ids == ("q0", "q1")
    assert test.query_ids == ("q2",)
    assert train.scores.tolist() == [3, 1, 2, 5]
    assert test.offsets.tolist() == [0, 0, 1]
    assert train.list_names == ("list00", "list01")


def test_bounds_that_are_no_multiple_of_the_lists_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "fusion.npz"
    np.savez(path, s=np.zeros(1), y=np.zeros(1), ptr=np.array([0, 1]), lists=2)

    with pytest.raises(InputError, match="no multiple of 2"):
        read_fusion_npz(path)
