"""Decimal numbers from text, exactly or not at all.

Digits of at most 2^53, times or over a power of ten up to 10^22, make one rounding of two
exact doubles, so the result is what `float` makes of the text (Clinger 1990).  Up to 19
digits fit in two doubles, and so does their product or quotient; it is rounded if moving
the smaller one a little makes no difference (Ziv 1991).  All else is left to `float`.
"""

import numpy as np
from numpy.typing import NDArray

from forebear.kernels.compiled import compiled

_POWERS = 10.0 ** np.arange(23)
_MOST_DIGITS = 19  # any number of so many digits fits in 64 bits
_EXACT = np.uint64(1 << 53)  # up to here every whole number is a double
_SPLITTER = float((1 << 27) + 1)  # parts a double in two halves whose products are exact
_DOUBT = 2.0**-40  # far more than the rounding errors of the smaller double


@compiled
def parse_decimal(data: NDArray[np.uint8], start: int, end: int) -> tuple[float, bool]:
    """Return the number that the bytes from ``start`` to ``end`` mean, and whether it is known."""
    place = start
    if place < end and (data[place] == ord("-") or data[place] == ord("+")):
        place += 1
    written, digits, value, power, point = 0, 0, np.uint64(0), np.int64(0), False
    while place < end:
        byte = data[place]
        if ord("0") <= byte <= ord("9"):
            value = value * np.uint64(10) + np.uint64(byte - ord("0"))
            written += 1
            if value > 0:  # zeros in front do not count
                digits += 1
            power -= point
        elif byte == ord(".") and not point:
            point = True
        else:
            break
        place += 1
    known = written > 0 and digits <= _MOST_DIGITS
    if known and place < end:
        shift, known = _exponent(data, place, end)
        power += shift
    if not known or abs(power) >= _POWERS.size:
        return 0.0, False
    number, known = _scaled(value, power)
    return (-number if data[start] == ord("-") else number), known


@compiled
def _scaled(value: np.uint64, power: np.int64) -> tuple[float, bool]:
    """Return value * 10^power, and whether it is rounded right."""
    scale = _POWERS[abs(power)]
    high = float(value)
    if value <= _EXACT:
        return (high * scale if power >= 0 else high / scale), True
    # float(2^64 - 1) is 2^64, which is no uint64; digits end at 10^19 - 1, well below
    low = float(np.int64(value - np.uint64(high)))
    if power >= 0:
        first = high * scale
        rest = _product_error(high, scale, first) + low * scale
    else:
        first = high / scale
        product = first * scale
        rest = ((high - product) - _product_error(first, scale, product) + low) / scale
    number = first + rest * (1 + _DOUBT)
    return number, number == first + rest * (1 - _DOUBT)


@compiled
def _product_error(left: float, right: float, product: float) -> float:
    """Return left * right - product, exactly (Dekker 1971)."""
    left_high = left * _SPLITTER - (left * _SPLITTER - left)
    right_high = right * _SPLITTER - (right * _SPLITTER - right)
    left_low, right_low = left - left_high, right - right_high
    return (
        (left_high * right_high - product) + left_high * right_low + left_low * right_high
    ) + left_low * right_low


@compiled
def _exponent(data: NDArray[np.uint8], start: int, end: int) -> tuple[np.int64, bool]:
    place = start + 1
    if data[start] != ord("e") and data[start] != ord("E"):
        return np.int64(0), False
    negative = place < end and data[place] == ord("-")
    if place < end and (data[place] == ord("-") or data[place] == ord("+")):
        place += 1
    if place == end or end - place > 3:
        return np.int64(0), False
    value = np.int64(0)
    while place < end:
        if not ord("0") <= data[place] <= ord("9"):
            return np.int64(0), False
        value = value * 10 + np.int64(data[place]) - ord("0")
        place += 1
    return (-value if negative else value), True
