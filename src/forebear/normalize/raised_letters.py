"""What does a raised letter of an abbreviation stand for: Wᵐ, Thoˢ, 3ʳᵈ, Mª?"""

import unicodedata
from itertools import chain

_RAISED = str.maketrans(
    {
        code: unicodedata.normalize("NFKC", chr(code))
        for code in chain(
            range(0x2B0, 0x2B9), range(0x2E0, 0x2E4), range(0x1D2C, 0x1D63), (0x2071, 0x207F)
        )
    }
)


def lower_raised(text: str) -> str:
    """Return the text with raised letters on the line.

    >>> lower_raised("Wᵐ"), lower_raised("3ʳᵈ"), lower_raised("½")
    ('Wm', '3rd', '½')
    """
    return text if text.isascii() else text.translate(_RAISED)
