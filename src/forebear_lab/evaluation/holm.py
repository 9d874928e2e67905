"""Of many comparisons, which still stand when all are asked at once?

Twenty comparisons at the five-percent level find one difference where none is.  Holm's
step-down procedure keeps the chance of any false finding in the family at the level: the
smallest of m p-values counts m times, the next m - 1 times, and so on, never less than the
one before it (Holm 1979).
"""

from collections.abc import Sequence

from forebear.errors import InputError


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the adjusted p-value of each comparison of a family.

    >>> [round(value, 3) for value in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    for value in p_values:
        if not 0 <= value <= 1:
            raise InputError(f"a p-value lies between 0 and 1, and is not {value}")
    adjusted, least = [0.0] * len(p_values), 0.0
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for place, number in enumerate(order):
        least = max(least, min(1.0, (len(order) - place) * p_values[number]))
        adjusted[number] = least
    return adjusted
