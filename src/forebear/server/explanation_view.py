"""What does a page show of an explanation?  Its rows, with figures that add up as they stand."""

from collections.abc import Sequence
from dataclasses import dataclass

from forebear.search.model import UNITS_PER_BIT
from forebear.search.results.explain import Explanation, FiredClause, Row, RowKind, StepKind
from forebear.search.results.figures import format_bits, write_figures
from forebear.search.results.probability import probability_words

SCORE_PLACES = 6  # write all 64ths of a bit exactly
MAX_BITS = 1_000.0  # 2**1024 overflows


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseView:
    """A clause that fired."""

    clause: str
    words: str
    rules: str  # that shaped the clause, for people
    bits: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """One row of an explanation."""

    kind: RowKind
    fact: str
    you_said: str
    record_says: str
    verdict: str
    bits: str
    sign: str  # "for", "against" or ""
    clauses: tuple[ClauseView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """One step to the score."""

    kind: StepKind
    words: str
    bits: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationView:
    """An explanation in words and figures."""

    rows: tuple[RowView, ...]
    log_odds: str
    odds: str
    words: str  # for the probability
    steps: tuple[StepView, ...]
    score: str

    @property
    def clauses(self) -> int:
        """Return how many clauses fired."""
        return sum(len(row.clauses) for row in self.rows)


def view_explanation(explanation: Explanation) -> ExplanationView:
    """Return what a page shows of an explanation."""
    rows, total = view_rows(explanation.rows)
    return ExplanationView(
        rows=rows,
        log_odds=total,
        odds=chance_odds(explanation.log_odds),
        words=probability_words(explanation.probability),
        steps=tuple(
            StepView(kind=step.kind, words=step.words, bits=format_bits(step.bits, SCORE_PLACES))
            for step in explanation.steps
        ),
        score=format_bits(explanation.score / UNITS_PER_BIT, SCORE_PLACES),
    )


def view_rows(rows: Sequence[Row]) -> tuple[tuple[RowView, ...], str]:
    """Return rows of an explanation as a page shows them, and their total."""
    figures, total = write_figures(rows)
    views = tuple(
        RowView(
            kind=row.kind,
            fact=row.fact,
            you_said=row.you_said,
            record_says=row.record_says,
            verdict=row.verdict,
            bits=figure.bits,
            sign={"+": "for", "−": "against"}.get(figure.bits[0], ""),
            clauses=tuple(map(_view_clause, row.clauses, figure.clauses)),
        )
        for row, figure in zip(rows, figures, strict=True)
    )
    return views, total


def _view_clause(clause: FiredClause, bits: str) -> ClauseView:
    return ClauseView(
        clause=clause.clause,
        words=f"{clause.words} ({clause.note})" if clause.note else clause.words,
        rules="; ".join(f"rule {rule.number}: {rule.words}" for rule in clause.rules),
        bits=bits,
    )


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
