"""Which names may a transcriber's uncertain reading be: ``BUCKL[Y_]``, ``HOL_DSWORTH``?

Transcribers of registers mark doubt in a notation (UCF): letters in brackets are alternatives,
an underscore is one unreadable letter, a star several, braces a count.  A few alternatives are
written out; what could be any letter is left as a pattern to match against the names an archive
has.
"""

import re
from itertools import islice, product

MAX_READINGS = 16
_EDITORIAL = re.compile(r"\[(?:sic|blank|illegible|torn|missing|faded|damaged|\?)\]", re.IGNORECASE)
_PART = re.compile(r"\[([^\[\]]+)\]|_\{([0-9]+)(?:,([0-9]*))?\}|(_)|(\*)|([^\[_*]|\[)")
_MOST_UNREADABLE = 20  # letters; no name has more


def uncertain_readings(name: str) -> tuple[str, ...]:
    """Return the alternatives written out, at most 16; none for a name with unreadable letters.

    >>> uncertain_readings("SM[IY]TH"), uncertain_readings("Hall"), uncertain_readings("B_LL")
    (('SMITH', 'SMYTH'), ('Hall',), ())
    """
    choices: list[str] = []
    for part in _PART.finditer(_EDITORIAL.sub("", name)):
        if part[1]:
            choices.append(part[1].replace("_", ""))
        elif part[6]:
            choices.append(part[6])
        else:
            return ()
    if not all(choices):
        return ()
    readings = ("".join(letters) for letters in product(*choices))
    return tuple(dict.fromkeys(islice(readings, MAX_READINGS)))


def uncertain_pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of the names that an uncertain reading may be, case ignored.

    >>> bool(uncertain_pattern("HOL_DSWORTH").fullmatch("holidsworth"))
    True
    """
    pattern = ""
    for part in _PART.finditer(_EDITORIAL.sub("", name)):
        if part[1]:
            is_open = "_" in part[1]
            pattern += r"\w" if is_open else f"[{re.escape(part[1])}]"
        elif part[2]:
            low = min(int(part[2][:2]), _MOST_UNREADABLE)
            high = min(int((part[3] or part[2])[:2]), _MOST_UNREADABLE)
            pattern += rf"\w{{{low},{max(low, high)}}}"
        else:
            pattern += r"\w" if part[4] else r"\w*" if part[5] else re.escape(part[6])
    return re.compile(re.sub(r"(?:\\w\*)+", r"\\w*", pattern), re.IGNORECASE)
