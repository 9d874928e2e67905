"""Which words in a name say that another name follows: née, alias, wife of?"""

from functools import cache
from typing import NamedTuple

from forebear.normalize.name_forms.words import LONGEST_PHRASE, key_of, leading_title
from forebear.tables import read_table


class Marker(NamedTuple):
    """What the words after it are: another name of the person, or a relative's."""

    kind: str  # relation, born, previous, now, alias, dit, genannt
    relation: str = ""
    alone: str = ""  # what a single word after it is: given, surname or either
    phrase: str = ""


class Marked(NamedTuple):
    """The words that follow a marker, up to the next."""

    marker: Marker
    words: list[str]


def split_at_markers(words: list[str]) -> tuple[list[str], list[Marked]]:
    """Return the words before the first marker, and those after each.

    >>> head, marked = split_at_markers("Mary Smith formerly Jones".split())
    >>> head, marked[0].marker.kind, marked[0].words
    (['Mary', 'Smith'], 'born', ['Jones'])
    """
    head: list[str] = []
    marked: list[Marked] = []
    position = 0
    titles = range(1, leading_title(words))  # "Maj. Gen." is no "genannt"
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
    """Say whether the words begin with a marker."""
    return any(key_of(words[:n]) in _markers() for n in range(1, LONGEST_PHRASE + 1) if words[:n])


def _marker_at(words: list[str], position: int) -> tuple[int, Marker | None]:
    for length in range(min(LONGEST_PHRASE, len(words) - position), 0, -1):
        phrase = words[position : position + length]
        marker = _markers().get(key_of(phrase))
        if words[position - 1].lower() == "the" and position and marker:
            return 0, None  # "relict of the late John Smith"
        if marker and _is_meant(marker, phrase, position, len(words)):
            return length, marker
    return 0, None


def _is_meant(marker: Marker, phrase: list[str], position: int, count: int) -> bool:
    """Say whether the words are the marker here, and not a name: "F." is née, F an initial."""
    if position == 0:  # "Wife of John Smith"; a title otherwise
        return marker.kind == "relation" and (len(phrase) > 1 or phrase[0].lower() == "uxor")
    if phrase == ["f"] or phrase == ["F"] or phrase == ["F."]:
        return False
    is_last = position + len(phrase) == count
    return not is_last or marker.relation == "widow"


@cache
def _markers() -> dict[str, Marker]:
    return {
        key_of(row["phrase"].replace("/", "/")): Marker(
            row["kind"], row["relation"], row["alone"], row["phrase"]
        )
        for row in read_table("normalize/name_markers")
    }
