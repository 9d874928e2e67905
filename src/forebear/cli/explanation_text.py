"""Why a record is where it is, or is not in the list: for people and as JSON."""

from dataclasses import asdict
from typing import Any

from forebear.cli.result_text import details, headline
from forebear.search.model import UNITS_PER_BIT
from forebear.search.results.absence import Absence, Miss
from forebear.search.results.describe import Description
from forebear.search.results.explain import Explanation, Reason

VERDICTS = ("matched", "absent", "in conflict")


def explanation_text(told: Description, found: Explanation) -> str:
    """Return why a record stands where it stands, in bits that add up."""
    lines = [headline(told), *(f"  {line}" for line in details(told))]
    for verdict in VERDICTS:
        reasons = [reason for reason in found.reasons if reason.verdict == verdict]
        if reasons:
            lines += ["", f"{verdict}:", *map(_reason_line, reasons)]
    lines += ["", "the list:", *(f"{step.bits:>+12.6f}  {step.words}" for step in found.steps)]
    lines.append("-" * 12)
    lines.append(
        f"{found.score / UNITS_PER_BIT:>+12.6f}  bits: the right record with a chance of "
        f"{found.probability:.1%}"
    )
    every = {rule for reason in found.reasons for rule in reason.rules}
    rules = sorted(every, key=lambda rule: int(rule.number))
    if rules:
        lines += ["", *(f"rule {rule.number}: {rule.words}" for rule in rules)]
    return "\n".join(lines)


def explanation_value(found: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON has it."""
    return {
        "record": found.record_key,
        "in_list": True,
        "list": found.list_name,
        "score": found.score / UNITS_PER_BIT,
        "probability": found.probability,
        "shift": found.shift / UNITS_PER_BIT,
        "steps": [
            {"kind": step.kind, "bits": step.bits, "words": step.words} for step in found.steps
        ],
        "reasons": [
            {
                "clause": reason.clause,
                "verdict": reason.verdict,
                "bits": reason.bits,
                "words": reason.words,
                "note": reason.note,
                "rules": [asdict(rule) for rule in reason.rules],
            }
            for reason in found.reasons
        ],
    }


def absence_text(found: Absence) -> str:
    """Return why a record is not in the list."""
    lines = [f"{found.record_key} is not in the list ({found.kind}): {found.words}"]
    for way in found.ways:
        lines += [f"  way in by {way.name}:", *(f"    {_miss_line(miss)}" for miss in way.misses)]
    if found.hint:
        lines.append(f"hint: {found.hint}")
    return "\n".join(lines)


def absence_value(found: Absence) -> dict[str, Any]:
    """Return an absence as JSON has it."""
    value = asdict(found)
    key, score = value.pop("record_key"), value.pop("score")
    score = None if score is None else score / UNITS_PER_BIT
    return {"record": key, "in_list": False, **value, "score": score}


def _reason_line(reason: Reason) -> str:
    note = f" ({reason.note})" if reason.note else ""
    rules = "".join(f", rule {rule.number}" for rule in reason.rules)
    return f"{reason.bits:>+12.6f}  {reason.words}{note}  [{reason.clause}{rules}]"


def _miss_line(miss: Miss) -> str:
    found = ", ".join(miss.found) or "nothing"
    return f"misses {miss.condition}: wanted {', '.join(miss.wanted)}; the record has {found}"
