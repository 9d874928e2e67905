"""How similar are two spellings?  Jaro-Winkler similarity and optimal string alignment.

Optimal string alignment counts inserted, dropped, changed and exchanged neighboring letters; no
part of a word is edited twice.  Jaro-Winkler (Winkler 1990) is 1 for equal words, and trusts
the first four letters most, because clerks mishear the beginning of a name least.
"""

PREFIX_LETTERS = 4
PREFIX_BONUS = 0.1
BONUS_FROM = 0.7  # Winkler gives the bonus only to words that are similar already


def osa_distance(first: str, second: str, *, limit: int | None = None) -> int:
    """Return the edits from one word to the other, or ``limit + 1`` if there are more.

    >>> osa_distance("smith", "smiht"), osa_distance("knight", "night")
    (1, 1)
    >>> osa_distance("a", "bcd", limit=1)
    2
    """
    if limit is not None and abs(len(first) - len(second)) > limit:
        return limit + 1
    before: list[int] = []
    above = list(range(len(second) + 1))
    for row, letter in enumerate(first, 1):
        here = [row]
        for column, other in enumerate(second, 1):
            cost = min(above[column] + 1, here[-1] + 1, above[column - 1] + (letter != other))
            is_swap = row > 1 and column > 1 and letter == second[column - 2]
            if is_swap and first[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            here.append(cost)
        if limit is not None and min(here) > limit:
            return limit + 1
        before, above = above, here
    return above[-1] if limit is None else min(above[-1], limit + 1)


def jaro(first: str, second: str) -> float:
    """Return the Jaro similarity: letters in common, near their place, and in order."""
    if first == second:
        return 1.0
    reach = max(len(first), len(second)) // 2 - 1
    taken = [False] * len(second)
    common: list[str] = []
    for position, letter in enumerate(first):
        for other in range(max(position - reach, 0), min(position + reach + 1, len(second))):
            if not taken[other] and second[other] == letter:
                taken[other] = True
                common.append(letter)
                break
    if not common:
        return 0.0
    ordered = [letter for letter, is_taken in zip(second, taken, strict=True) if is_taken]
    swaps = sum(a != b for a, b in zip(common, ordered, strict=True)) // 2
    count = len(common)
    return (count / len(first) + count / len(second) + (count - swaps) / count) / 3


def jaro_winkler(first: str, second: str) -> float:
    """Return the Jaro similarity with Winkler's bonus for a common beginning.

    >>> round(jaro_winkler("martha", "marhta"), 3), round(jaro_winkler("dixon", "dicksonx"), 3)
    (0.961, 0.813)
    """
    similarity = jaro(first, second)
    if similarity <= BONUS_FROM:
        return similarity
    prefix = 0
    for a, b in zip(first[:PREFIX_LETTERS], second[:PREFIX_LETTERS], strict=False):
        if a != b:
            break
        prefix += 1
    return similarity + PREFIX_BONUS * prefix * (1 - similarity)
