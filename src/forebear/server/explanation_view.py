"""What a page shows of an explanation: figures that add up, and bars to see them by.

Bits are whole 64ths, so each has an exact decimal form; the figures of one explanation are
all written to the place that the finest of them needs, and add up as they stand.  Reasons
are gathered by what they are about, because forty lines in a row are no explanation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from forebear.search.model import UNITS_PER_BIT
from forebear.search.results.explain import Explanation, OddsKind, Reason, StepKind, Verdict
from forebear.search.results.probability import probability_words
from forebear.tables import read_table

FEWEST_PLACES = 2
OTHER_TOPIC = "Person and record"
SHORTEST_SCALE = 2 * UNITS_PER_BIT  # a lone half bit shall not look like much
MAX_BITS = 1_000.0  # 2**1024 overflows


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonView:
    """One line: a clause that fired, and what it is worth."""

    words: str
    clause: str
    verdict: Verdict
    rules: str  # that shaped the clause, for people
    bits: str
    is_for: bool
    bar: int  # in percent of the longest bar


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """One step of fusion, and what it adds."""

    kind: StepKind
    words: str
    bits: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsView:
    """One step from the reasons to the probability; rounded, so it adds up only nearly."""

    kind: OddsKind
    words: str
    bits: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicView:
    """The reasons about one thing, and what they come to."""

    title: str
    bits: str
    is_for: bool
    reasons: tuple[ReasonView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationView:
    """An explanation in figures and bars."""

    topics: tuple[TopicView, ...]  # the weightiest first
    weightless: int  # reasons that weigh nothing and are not listed
    steps: tuple[StepView, ...]
    score: str
    odds_steps: tuple[OddsView, ...]
    log_odds: str
    odds: str
    words: str  # for the probability

    @property
    def reasons(self) -> list[ReasonView]:
        """Return the reasons of all topics."""
        return [reason for topic in self.topics for reason in topic.reasons]


def view_explanation(explanation: Explanation) -> ExplanationView:
    """Return what a page shows of an explanation."""
    weighty = [reason for reason in explanation.reasons if reason.weight]
    weights = [reason.weight for reason in weighty]
    places = places_needed([*weights, *(step.weight for step in explanation.steps)])
    longest = max([SHORTEST_SCALE, *map(abs, weights)])
    by_topic: dict[str, list[Reason]] = {}
    for reason in weighty:
        by_topic.setdefault(topic_of(reason.clause), []).append(reason)
    heaviest = sorted(by_topic.items(), key=lambda item: -abs(_total(item[1])))
    return ExplanationView(
        topics=tuple(_view_topic(title, about, places, longest) for title, about in heaviest),
        weightless=len(explanation.reasons) - len(weighty),
        steps=tuple(
            StepView(kind=step.kind, words=step.words, bits=exact_bits(step.weight, places))
            for step in explanation.steps
        ),
        score=exact_bits(explanation.score, places),
        odds_steps=tuple(
            OddsView(kind=step.kind, words=step.words, bits=rounded_bits(step.bits))
            for step in explanation.odds
        ),
        log_odds=rounded_bits(explanation.log_odds),
        odds=chance_odds(explanation.log_odds),
        words=probability_words(explanation.probability),
    )


def topic_of(clause: str) -> str:
    """Return what a clause is about.

    >>> topic_of("self.surname.exact"), topic_of("spouse.given.variant")
    ('Name', 'Husband or wife')
    """
    first, second, *_ = clause.split(".")
    return _topics().get(second if first == "self" else first, OTHER_TOPIC)


def places_needed(weights: Sequence[int]) -> int:
    """Return how many decimal places write all these 64ths exactly.

    >>> places_needed([64, 96]), places_needed([64, 8]), places_needed([1])
    (2, 3, 6)
    """
    places = FEWEST_PLACES
    while any(weight * 10**places % UNITS_PER_BIT for weight in weights):
        places += 1
    return places


def exact_bits(weight: int, places: int) -> str:
    """Return 64ths of a bit as a signed decimal.

    >>> exact_bits(96, 2), exact_bits(-9, 6)
    ('+1.50', '−0.140625')
    """
    return f"{weight / UNITS_PER_BIT:+.{places}f}".replace("-", "−")


def rounded_bits(bits: float) -> str:
    """Return bits as a signed decimal with two places.

    >>> rounded_bits(1.504), rounded_bits(-9)
    ('+1.50', '−9.00')
    """
    return f"{bits:+.{FEWEST_PLACES}f}".replace("-", "−")


def _view_topic(title: str, about: list[Reason], places: int, longest: int) -> TopicView:
    return TopicView(
        title=title,
        bits=exact_bits(_total(about), places),
        is_for=_total(about) >= 0,
        reasons=tuple(_view_reason(reason, places, longest) for reason in about),
    )


def _view_reason(reason: Reason, places: int, longest: int) -> ReasonView:
    return ReasonView(
        words=f"{reason.words} ({reason.note})" if reason.note else reason.words,
        clause=reason.clause,
        verdict=reason.verdict,
        rules="; ".join(f"rule {rule.number}: {rule.words}" for rule in reason.rules),
        bits=exact_bits(reason.weight, places),
        is_for=reason.weight > 0,
        bar=round(100 * abs(reason.weight) / longest),
    )


def _total(reasons: Sequence[Reason]) -> int:
    return sum(reason.weight for reason in reasons)


@cache
def _topics() -> dict[str, str]:
    return {row["word"]: row["topic"] for row in read_table("server/topics")}


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
