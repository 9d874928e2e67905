"""Which names does an archive have, and which of them are forms of a name?

Everything that a key cannot say (spelled nearly alike, the same without a particle, a part
of a compound, cut short, a pattern) is looked up here at expansion and becomes a set of
terms.  So records hold each name once, and every storage matches the same terms.

With the names come the variants that this archive learned, as far as the viewer may use them.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from forebear.normalize.neighbors import Neighborhood
from forebear.normalize.spelling import ascii_forms
from forebear.normalize.surnames import without_particle
from forebear.search.expansion.learned_variants import Pairs, partners_by_form
from forebear.search.terms.values import surname_parts

MAX_TERMS = 256  # of one set of names, the nearest first
SIMILARITY = 0.9  # of `similar`, Jaro-Winkler
WIDE_SIMILARITY = 0.8  # of `wide`
WIDE_EDITS = 2
SHORTEST_EDITED = 4  # letters; two edits make anything of a shorter name
MAX_WIDE_TERMS = 1024
SHORTEST_BEGINNING = 3  # letters that one name must share to be the beginning of another
CORE_ENDING = 2  # letters by which names that may share a core are found
# Names that may have a core besides themselves; computing it for the others is idle.
_FUSED_PARTICLES = ("mac", "mc", "van", "von", "del")
_SEPARATED = re.compile(r"[ '-]")
_WILD = re.compile(r"[?*]")
_LAST = "\U0010ffff"  # sorts behind every letter


class NameVocabulary:
    """The distinct names of one kind, sorted, and indexes over them that are built when first used.

    ``pairs`` are the learned variants.  With ``needs_both`` a pair counts only if both of its names
    are among the names: the public learns nothing of a name that only hidden records have.
    """

    def __init__(
        self, names: Iterable[str], pairs: Pairs = frozenset(), *, needs_both: bool = False
    ) -> None:
        # Most come in order already, which a set would lose; sorting them is quick.
        self.names = tuple(sorted(dict.fromkeys(names)))
        self._pairs = pairs
        self._needs_both = needs_both
        # Sets of names that expansion computed of these alone.
        self.remembered: dict[tuple[str, str, str | None], frozenset[str]] = {}

    def folding_to(self, fold: str) -> tuple[str, ...]:
        """Return the names that have this folded form."""
        itself = (fold,) if self.has(fold) else ()
        return (*itself, *self._by_fold.get(fold, ()))

    @cached_property
    def learned_pairs(self) -> Pairs:
        """Return the learned variants that may be used, by ASCII forms."""
        if not self._needs_both:
            return self._pairs
        return frozenset(pair for pair in self._pairs if all(map(self.folding_to, pair)))

    def learned(self, name: str) -> tuple[str, ...]:
        """Return the names that this archive learned to be forms of a name."""
        if not self._pairs:
            return ()
        forms = {
            other for form in ascii_forms(name) for other in self._partners.get(form, frozenset())
        }
        return tuple(name for form in sorted(forms) for name in self.folding_to(form))

    def near(self, name: str, edits: int) -> tuple[str, ...]:
        """Return the names at most this many edits away, the nearest first."""
        return self._neighborhood.neighbors(name, edits=edits)[:MAX_TERMS]

    def similar(self, name: str, *, least: float = SIMILARITY) -> tuple[str, ...]:
        """Return the names at least this similar (Jaro-Winkler), the most similar first."""
        return self._neighborhood.alike(name, least=least)[:MAX_TERMS]

    def wide(self, name: str) -> tuple[str, ...]:
        """Return the names that the name may be misread as, the most similar first."""
        alike = self._neighborhood.alike(name, least=WIDE_SIMILARITY)
        edited = (
            self._neighborhood.neighbors(name, edits=WIDE_EDITS)
            if len(name) >= SHORTEST_EDITED
            else ()
        )
        return tuple(dict.fromkeys((*alike, *edited)))[:MAX_WIDE_TERMS]

    def sharing_core(self, name: str) -> tuple[str, ...]:
        """Return the names that are the same without a particle."""
        keys = without_particle(name)
        names = [other for key in sorted(keys) for other in self.folding_to(key)]
        names += [other for key in sorted(keys) for other in self._having_core(key)]
        return tuple(dict.fromkeys(names))[:MAX_TERMS]

    def sharing_part(self, name: str) -> tuple[str, ...]:
        """Return the compounds this name is a part of, and the parts of it that stand alone."""
        parts = [part for part in surname_parts(name) if self.has(part)]
        return tuple(dict.fromkeys([*parts, *self._by_part.get(name, ())]))[:MAX_TERMS]

    def sharing_beginning(self, name: str) -> tuple[str, ...]:
        """Return the names that this one begins, and those that begin this one."""
        if len(name) < SHORTEST_BEGINNING:
            return ()
        shorter = (name[:end] for end in range(SHORTEST_BEGINNING, len(name)))
        beginnings = [start for start in shorter if self.has(start)]
        longer = [other for other in self._from(name) if other != name]
        return (*beginnings, *longer)[:MAX_TERMS]

    def matching(self, pattern: str) -> tuple[str, ...]:
        """Return the names that a pattern with ``?`` (one letter) and ``*`` (any) fits."""
        start = _WILD.split(pattern)[0]
        regex = re.escape(pattern).replace(r"\?", ".").replace(r"\*", ".*")
        fits = re.compile(regex).fullmatch
        return tuple(name for name in self._from(start) if fits(name))[:MAX_TERMS]

    def has(self, name: str) -> bool:
        """Return whether anyone in the archive bears the name."""
        at = bisect_left(self.names, name)
        return at < len(self.names) and self.names[at] == name

    def _from(self, start: str) -> list[str]:
        """Return the names that begin with these letters."""
        first = bisect_left(self.names, start)
        beyond = bisect_left(self.names, start + _LAST, lo=first)
        return list(self.names[first:beyond])

    @cached_property
    def _partners(self) -> Mapping[str, frozenset[str]]:
        return partners_by_form(self.learned_pairs)

    @cached_property
    def _neighborhood(self) -> Neighborhood:
        return Neighborhood(self.names)

    @cached_property
    def _of_more_than_letters(self) -> list[str]:
        """Return the names that have an accent, a space or a sign: the others index as they are."""
        return [name for name in self.names if not (name.isascii() and name.isalnum())]

    @cached_property
    def _by_fold(self) -> dict[str, list[str]]:
        """Return the names that do not fold to themselves alone, by their folds."""
        return _index(self._of_more_than_letters, ascii_forms)

    def _having_core(self, core: str) -> list[str]:
        """Return the names that have this core and perhaps a particle before it."""
        alike = self._by_ending.get(core[-CORE_ENDING:], ())
        return [name for name in alike if core in without_particle(name)]

    @cached_property
    def _by_ending(self) -> dict[str, list[str]]:
        """Return the names that may have a core besides themselves, by how they end.

        Particles stand in front, so a core ends as its name does.  To compute the core of all names
        would take a fresh search longer than to look at the few that end alike.
        """
        fused = (name for start in _FUSED_PARTICLES for name in self._from(start))
        separated = filter(_SEPARATED.search, self._of_more_than_letters)
        return _index(
            sorted({*fused, *separated}),
            lambda name: {fold[-CORE_ENDING:] for fold in ascii_forms(name)},
        )

    @cached_property
    def _by_part(self) -> dict[str, list[str]]:
        return _index(self._of_more_than_letters, surname_parts)


def _index(names: Iterable[str], keys: Callable[[str], Iterable[str]]) -> dict[str, list[str]]:
    index: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        for key in keys(name):
            index[key].append(name)
    return dict(index)
