"""Tests for `forebear_lab.learning.read_ranking` and `forebear_lab.learning.npz_files`."""

from pathlib import Path

import numpy as np
import pytest

from forebear.errors import InputError
from forebear_lab.learning.npz_files import read_arrays
from forebear_lab.learning.read_ranking import read_ranking, with_width

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

    with pytest.raises(InputError, match="do not stand together in q"):
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
