"""What is a grade worth?

Linear: the grade itself (trec_eval, scikit-learn).  Exponential: 2^grade - 1 (RankLib,
LightGBM), which tells high grades further apart.  For judgments of yes and no they agree.
"""

from collections.abc import Sequence
from typing import Literal

Gain = Literal["linear", "exponential"]


def gains_of(grades: Sequence[float], gain: Gain) -> list[float]:
    """Return what each grade is worth; a negative grade is worth nothing.

    >>> gains_of([0, 1, 3, -1], "exponential")
    [0, 1, 7, 0]
    """
    counted = [max(0, grade) for grade in grades]
    return counted if gain == "linear" else [2**grade - 1 for grade in counted]
