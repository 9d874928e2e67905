"""Arrays by name from a NumPy file, with errors that name it."""

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError


def read_arrays(path: Path, names: Sequence[str]) -> list[NDArray[Any]]:
    """Return the arrays of these names; pickled objects are never loaded."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            missing = [name for name in names if name not in file]
            if missing:
                wanted, found = ", ".join(names), ", ".join(file) or "nothing"
                raise InputError(f"{path}: expected the arrays {wanted}; found {found}")
            return [file[name] for name in names]
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is not a NumPy .npz file of plain arrays") from error
