"""Which words around an age say how to take it, in any language?"""

import re
from functools import cache

from forebear.tables import read_table


@cache
def age_word(meaning: str) -> str:
    """Return the pattern of a word or sign with this meaning: over, under, or, old ...

    >>> bool(re.fullmatch(age_word("under"), "moins de")), bool(re.match(age_word("over"), "overt"))
    (True, False)
    """
    words = {row["meaning"]: row["words"].split("|") for row in read_table("normalize/age_words")}[
        meaning
    ]
    longest_first = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(w) + r"\b" * w[-1].isalpha() for w in longest_first) + ")"
