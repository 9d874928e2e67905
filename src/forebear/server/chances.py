"""How is a chance said, in words and in figures that do not claim too much?"""

# From each chance upward, the words for it.
WORDS = (
    (0.99, "almost certain"),
    (0.90, "very likely"),
    (0.60, "likely"),
    (0.30, "possible"),
    (0.05, "unlikely"),
    (0.0, "very unlikely"),
)


MAX_BITS = 1_000.0  # 2**1024 overflows


def chance_words(chance: float) -> str:
    """Return a chance in words.

    >>> chance_words(0.931), chance_words(0.04)
    ('very likely', 'very unlikely')
    """
    return next(words for least, words in WORDS if chance >= least)


def chance_percent(chance: float) -> str:
    """Return a chance in percent; neither end of the scale is ever reached.

    >>> chance_percent(0.931), chance_percent(0.9999), chance_percent(0.001)
    ('93%', '>99%', '<1%')
    """
    if chance > 0.99:
        return ">99%"
    return "<1%" if chance < 0.01 else f"{chance:.0%}"


def chance_odds(bits: float) -> str:
    """Return the odds that this many bits give: each bit doubles them.

    >>> chance_odds(10), chance_odds(-2), chance_odds(0.5), chance_odds(0), chance_odds(5000)
    ('1,024 to 1 for', '4 to 1 against', '1.4 to 1 for', 'even', 'over 1e300 to 1 for')
    """
    odds = 2.0 ** min(abs(bits), MAX_BITS)
    if odds < 1.05:
        return "even"
    if abs(bits) > MAX_BITS:
        return f"over 1e300 to 1 {'for' if bits > 0 else 'against'}"
    figure = f"{odds:,.0f}" if odds >= 9.95 else f"{odds:.1f}".removesuffix(".0")
    return f"{figure} to 1 {'for' if bits > 0 else 'against'}"
