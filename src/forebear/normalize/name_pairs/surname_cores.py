"""What is left of a surname without its particles?

"van der Berg", "Vandenberg" and "Berg" are one name to many clerks; so are O'Connor and Connor,
MacDonald, McDonald and M'Donald, ap Rhys and Rhys.
"""

import re
from functools import lru_cache

from forebear.normalize.name_forms.split import split_particle
from forebear.normalize.spelling import ascii_forms

SHORTEST_CORE = 3  # letters
_IRISH = re.compile(r"^o(?:'\s*|\s+)(?=\w{3})")
_SCOTTISH = re.compile(r"^(?:mac\s+|mac|mc\s*|m'\s*)(?=\w{3})")
_FUSED = re.compile(r"^(?:vanden|vander|vande|van|vonder|von|dela|della|delos)(?=\w{4})")


def share_core(first: str, second: str) -> bool:
    """Say whether two spelled surnames differ only in particles.

    >>> share_core("van der berg", "vandenberg"), share_core("macdonald", "mcdonald")
    (True, True)
    """
    return not cores(first).isdisjoint(cores(second))


@lru_cache(maxsize=65_536)
def cores(name: str) -> frozenset[str]:
    """Return the folded surname as written, and without its particles, separate or fused."""
    bare = _IRISH.sub("", name)
    forms = {name, split_particle(bare.split()).surname, bare}
    forms |= {_SCOTTISH.sub("mc", name)} if _SCOTTISH.match(name) else set()
    folded = {fold for form in forms for fold in ascii_forms(form)}
    folded |= {_FUSED.sub("", fold) for fold in ascii_forms(name)}
    return frozenset(
        fold for fold in folded if len(fold) >= SHORTEST_CORE or fold in ascii_forms(name)
    )
