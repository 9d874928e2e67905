"""What kind of word is this in a name: a title, suffix, particle, or the start of another name?

Titles, suffixes, particles and the words that announce another name ("née", "wife of") are rows
of ``tables/names/words.csv``.  A phrase of several words counts before a shorter one.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from forebear.normalize.spelling import lower_raised, words_of_kind

MAX_PHRASE = 4  # words
KINDS = ("title", "suffix", "particle", "relative", "other_name", "description", "placeholder")
_UNKNOWN_SIGNS = re.compile(r"[\s_?*.—–\-\[\]()]+")
_INITIALS = re.compile(r"(?:[^\W\d_]\.){1,4}|[^\W\d_]\.?")
_UNCERTAIN = re.compile(r"[_*]|[^\W_]\[[^\]]+\]|\[[^\]]+\][^\W_]|\{[0-9,]+\}")
_ELIDED = re.compile(
    r"(?:de\s)?(?:d'|l'|dell'|dall'|all'|al-|el-|ash-|at-|as-|ad-)(?=[^\W\d_])", re.I
)


class Marker(NamedTuple):
    """What the words after it are: another name of the person, or a relative's."""

    kind: str  # relative, born, previous, now, alias, dit, genannt
    relation: str = ""  # what the person is to the relative: wife, son
    alone: str = ""  # what a single word after it is: given, surname or either


class Marked(NamedTuple):
    """The words that follow a marker, up to the next."""

    marker: Marker
    words: list[str]


class _Phrases(NamedTuple):
    meanings: dict[str, str]
    first_words: frozenset[str]
    last_words: frozenset[str]


def key_of(words: list[str]) -> str:
    """Return words as the table has them: lower case, without points and commas."""
    return " ".join(filter(None, map(_key, words)))


@lru_cache(maxsize=1 << 16)
def _key(word: str) -> str:
    return " ".join(lower_raised(word).lower().replace(".", " ").replace(",", " ").split())


@cache
def _phrases(kind: str) -> _Phrases:
    meanings = {_key(phrase): meaning for phrase, meaning in words_of_kind(kind).items()}
    words = [phrase.split() for phrase in meanings]
    return _Phrases(
        meanings,
        frozenset(phrase[0] for phrase in words),
        frozenset(phrase[-1] for phrase in words),
    )


def _phrase_at_start(words: list[str], phrases: _Phrases) -> int:
    """Return how many of the words are the longest phrase that they begin with."""
    if not words or _key(words[0]).partition(" ")[0] not in phrases.first_words:
        return 0
    lengths = range(min(MAX_PHRASE, len(words)), 0, -1)
    return next((n for n in lengths if key_of(words[:n]) in phrases.meanings), 0)


def _phrase_at_end(words: list[str], phrases: _Phrases) -> int:
    if not words or _key(words[-1]).rpartition(" ")[2] not in phrases.last_words:
        return 0
    lengths = range(min(MAX_PHRASE, len(words)), 0, -1)
    return next((n for n in lengths if key_of(words[-n:]) in phrases.meanings), 0)


@cache
def special_words() -> frozenset[str]:
    """Return every word that may be something else than a given name or surname."""
    return frozenset(
        word for kind in KINDS for phrase in _phrases(kind).meanings for word in phrase.split()
    )


def count_titles(words: list[str]) -> int:
    """Return how many words in front are titles; at least one word remains for the name."""
    count = 0
    while length := _phrase_at_start(words[count:-1], _phrases("title")):
        count += length
    return count


def are_titles(words: list[str]) -> bool:
    """Return whether the words are titles and nothing else."""
    return bool(words) and count_titles([*words, ""]) == len(words)


def title_kinds(words: list[str]) -> set[str]:
    """Return the kinds of the titles.

    Kinds are plain, office (also an ordinary word), honor (before a given name), married,
    widow and widower.
    """
    kinds: set[str] = set()
    position = 0
    while length := _phrase_at_start(words[position:], _phrases("title")):
        kinds.add(_phrases("title").meanings[key_of(words[position : position + length])])
        position += length
    return kinds


def count_suffixes(words: list[str]) -> int:
    """Return how many words at the end are suffixes; at least one word remains."""
    count = 0
    while length := _phrase_at_end(words[1 : len(words) - count], _phrases("suffix")):
        count += length
    return count


def are_suffixes(words: list[str]) -> bool:
    """Return whether the words are suffixes and nothing else."""
    return bool(words) and count_suffixes(["", *words]) == len(words)


def description_flag(word: str) -> str | None:
    """Return the flag of a word that describes a person ("infant"), or None for other words.

    >>> description_flag("stillborn"), description_flag("boy"), description_flag("Smith")
    ('stillborn', '', None)
    """
    return _phrases("description").meanings.get(_key(word))


@lru_cache(maxsize=1 << 16)
def is_unknown(word: str) -> bool:
    """Return whether a word is in the place of a name and is none."""
    meaning = _phrases("placeholder").meanings.get(_key(word.strip(".,[]()?")))
    is_remark = meaning == "bracketed" and word[0] in "[("  # [blank], while Blank is a surname
    return meaning in ("any", "word") or is_remark or bool(_UNKNOWN_SIGNS.fullmatch(word))


def is_initials(word: str) -> bool:
    """Return whether a given name is only its initial, or several: "J.", "J.W."."""
    return bool(_INITIALS.fullmatch(word))


def is_uncertain(word: str) -> bool:
    """Return whether letters of a word could not be read, in the notation of transcribers."""
    return bool(_UNCERTAIN.search(word))


@lru_cache(maxsize=1 << 16)
def particle_kind(word: str) -> str:
    """Return the kind of a particle (plain, joint, patronymic, inner), or "" for other words."""
    particles = _phrases("particle").meanings
    lower = word.lower().rstrip(".") if len(word) > 2 else word.lower()
    return particles.get(lower) or particles.get(_key(word), "")


def particle_at_end(words: list[str]) -> int:
    """Return how many words at the end are one particle: "in 't", "v. d.", "von und zu"."""
    several = _phrase_at_end(words, _phrases("particle"))
    if several > 1:
        return several
    return int(bool(words) and particle_kind(words[-1]) not in ("", "joint"))


def particle_at_start(words: list[str]) -> int:
    """Return how many words in front are one particle; at least one word remains."""
    several = _phrase_at_start(words[:-1], _phrases("particle"))
    if several > 1:
        return several
    return int(bool(words) and particle_kind(words[0]) not in ("", "joint"))


def count_names(words: list[str]) -> int:
    """Return how many of the words are names, and not particles."""
    return sum(not particle_kind(word) for word in words)


def split_particle(words: list[str]) -> tuple[str, str]:
    """Return the particle and the rest of a surname's words.

    >>> split_particle(["van", "der", "Berg"]), split_particle(["d'Artagnan"])
    (('van der', 'Berg'), ("d'", 'Artagnan'))
    """
    count = 0
    while count < len(words) - 1 and particle_kind(words[count]) != "prefix":
        length = particle_at_start(words[count : count + MAX_PHRASE + 1])
        if not length or count + length >= len(words):
            break
        count += length
    rest = " ".join(words[count:])
    elided = _ELIDED.match(rest)
    length = elided.end() if elided else 0
    return " ".join([*words[:count], rest[:length]]).strip(), rest[length:]


def split_at_markers(words: list[str]) -> tuple[list[str], list[Marked]]:
    """Return the words before the first marker, and those after each.

    >>> head, marked = split_at_markers("Mary Smith formerly Jones".split())
    >>> head, marked[0].marker.kind, marked[0].words
    (['Mary', 'Smith'], 'born', ['Jones'])
    """
    head: list[str] = []
    marked: list[Marked] = []
    position = 0
    titles = range(1, count_titles(words))  # "Maj. Gen." is no "genannt"
    while position < len(words):
        length, marker = (0, None) if position in titles else _marker_at(words, position)
        if marker:
            marked.append(Marked(marker, []))
            position += length
        else:
            (marked[-1].words if marked else head).append(words[position])
            position += 1
    return head, marked


def is_marked(words: list[str]) -> bool:
    """Return whether the words begin with a marker."""
    phrases = (key_of(words[:n]) for n in range(1, MAX_PHRASE + 1))
    return any(phrase in _markers() for phrase in phrases)


def _marker_at(words: list[str], position: int) -> tuple[int, Marker | None]:
    if _key(words[position]).partition(" ")[0] not in _marker_starts():
        return 0, None
    for length in range(min(MAX_PHRASE, len(words) - position), 0, -1):
        phrase = words[position : position + length]
        marker = _markers().get(key_of(phrase))
        if marker and position and words[position - 1].lower() == "the":
            return 0, None  # "relict of the late John Smith"
        if marker and _is_meant(marker, phrase, position, len(words)):
            return length, marker
    return 0, None


def _is_meant(marker: Marker, phrase: list[str], position: int, count: int) -> bool:
    """Return whether the words are the marker here, and not a name: "f." is née, F an initial."""
    if position == 0:  # "Wife of John Smith"; a title otherwise
        return marker.kind == "relative" and (len(phrase) > 1 or phrase[0].lower() == "uxor")
    if len(phrase) == 1 and phrase[0] in ("f", "F", "F."):
        return False
    is_last = position + len(phrase) == count
    return not is_last or marker.relation == "widow"


@cache
def _markers() -> dict[str, Marker]:
    markers = {}
    for phrase, meaning in _phrases("relative").meanings.items():
        relation, _, alone = meaning.partition(" ")
        markers[phrase] = Marker("relative", relation, alone or "given")
    for phrase, meaning in _phrases("other_name").meanings.items():
        markers[phrase] = Marker(meaning)
    return markers


@cache
def _marker_starts() -> frozenset[str]:
    return frozenset(phrase.partition(" ")[0] for phrase in _markers())
