"""How do clerks, transcribers and machines change what they write?

A name may be abbreviated (Wm), familiar (Bill), an equivalent (Katherine), respelled by ear
(Smyth), misread (handwriting: Hempster for Kempster), reduced to an initial, or another name
altogether; an age may be off, rounded to fives, or far off. ``tables/letter_changes.csv`` has the
letters that sound or look alike, ``tables/name_forms.csv`` the forms of given names.

The shares below are constants of sources of one kind. Those of ``ENUMERATED``, ``EXAMINED`` and
``ORDERED`` were set so that linked pairs agree as often as real ones do: soldiers of the Union
Army with their rows in the census of 1900 (5,000 pairs: given name .795, its initial .952, surname
.731, Jaro-Winkler .9 of surnames .900, birth year .378, within two years .827, birthplace .892),
and London removal orders with settlement examinations (2,477 pairs: .584, .893, .855, .941).
``benchmarks/quality/simulation.py`` prints both beside the simulated rates.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np

from forebear.tables import read_table
from forebear_lab.simulation.chance import Floats, Ints, Texts

PACKAGE = "forebear_lab"
Change = Literal["abbreviation", "nickname", "variant", "handwriting", "sound"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """Shares of what a source writes differently from the truth."""

    abbreviated: float = 0.05
    nickname: float = 0.025
    variant: float = 0.02
    given_misread: float = 0.015
    initial: float = 0.01
    other_given: float = 0.015  # the middle name, or another one
    middle_dropped: float = 0.35
    middle_initial: float = 0.2
    surname_respelled: float = 0.05
    surname_misread: float = 0.03
    surname_garbled: float = 0.01  # respelled and misread
    other_surname: float = 0.004  # an alias, a stepfather's
    age_off: float = 0.25  # by one or two years
    age_rounded: float = 0.07  # to a multiple of five, above 25
    age_far_off: float = 0.04  # by up to twelve years
    wrong_sex: float = 0.002
    wrong_year: float = 0.01
    year_only: float = 0.04
    blank: float = 0.06  # cells without a value
    county_only: float = 0.12  # places without their parish
    wrong_place: float = 0.03  # birthplaces in another county


CERTIFIED = Damage(
    abbreviated=0.01, nickname=0.015, variant=0.015, given_misread=0.01, initial=0.004,
    other_given=0.008, middle_dropped=0.2, middle_initial=0.1, surname_respelled=0.03,
    surname_misread=0.02, surname_garbled=0.005, age_off=0.18, age_far_off=0.02, blank=0.04,
)  # fmt: skip
PARISH = Damage(abbreviated=0.09, middle_dropped=0.3)
ENUMERATED = Damage(
    abbreviated=0.04, nickname=0.04, variant=0.025, given_misread=0.015, initial=0.015,
    other_given=0.02, surname_respelled=0.068, surname_misread=0.038, surname_garbled=0.02,
    other_surname=0.013, age_off=0.21, age_rounded=0.07, age_far_off=0.09, wrong_place=0.09,
)  # fmt: skip
EXAMINED = Damage(
    abbreviated=0.1, nickname=0.01, variant=0.02, given_misread=0.01, initial=0.0,
    other_given=0.015, middle_dropped=0.7, surname_respelled=0.037, surname_misread=0.022,
    surname_garbled=0.01, other_surname=0.008,
)  # fmt: skip
ORDERED = replace(EXAMINED, abbreviated=0.52)
LISTED = Damage(
    abbreviated=0.04, nickname=0.04, initial=0.05, middle_dropped=0.45, surname_respelled=0.07,
    surname_misread=0.05, surname_garbled=0.02, age_off=0.35, age_rounded=0.12, age_far_off=0.06,
)  # fmt: skip
PRINTED = Damage(
    abbreviated=0.05, nickname=0.03, initial=0.02, surname_respelled=0.03, surname_misread=0.03,
    surname_garbled=0.005,
)  # fmt: skip
OCR_SHARE = 0.006  # of letters


def change_given(texts: Texts, damage: Damage, kind: Floats, form: Floats) -> Texts:
    """Return given names as a source writes them; the two numbers choose what happens."""
    shares = (
        (damage.abbreviated, "abbreviation"),
        (damage.nickname, "nickname"),
        (damage.variant, "variant"),
        (damage.given_misread, "handwriting"),
    )
    return _change(texts, shares, kind, form)


def change_surnames(texts: Texts, damage: Damage, kind: Floats, form: Floats) -> Texts:
    """Return surnames as a source writes them."""
    shares = (
        (damage.surname_respelled, "sound"),
        (damage.surname_misread, "handwriting"),
        (damage.surname_garbled, "garbled"),
    )
    return _change(texts, shares, kind, form)


def _change(
    texts: Texts, shares: tuple[tuple[float, str], ...], kind: Floats, form: Floats
) -> Texts:
    """Return texts of which shares are replaced by one of their forms."""
    changed, low = texts.copy(), 0.0
    for share, change in shares:
        for place in np.nonzero((kind >= low) & (kind < low + share))[0].tolist():
            forms = _garbled(texts[place]) if change == "garbled" else _forms(change, texts[place])
            changed[place] = forms[int(form[place] * len(forms))]
        low += share
    return changed


def _forms(change: str, text: str) -> tuple[str, ...]:
    if change in ("handwriting", "sound"):
        return respell(text, change)
    return _given_forms().get((change, text), (text,))


def _garbled(text: str) -> tuple[str, ...]:
    heard = respell(text, "sound")
    return respell(heard[len(text) % len(heard)], "handwriting")


@cache
def respell(text: str, kind: str) -> tuple[str, ...]:
    """Return the texts that differ by one change of letters; the text itself if there are none.

    >>> "Hempster" in respell("Kempster", "handwriting"), "Smyth" in respell("Smith", "sound")
    (True, True)
    """
    changed: dict[str, None] = {}
    for pattern, replacement in _letter_patterns(kind):
        for match in pattern.finditer(text):
            result = text[: match.start()] + replacement + text[match.end() :]
            if len(result) > 2 and result[0].isalpha():
                changed[result[0].upper() + result[1:]] = None
    changed.pop(text, None)
    return tuple(changed) or (text,)


@cache
def _letter_patterns(kind: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = read_table("simulation/letter_changes", package=PACKAGE)
    return tuple((re.compile(row["written"]), row["read"]) for row in rows if row["kind"] == kind)


@cache
def _given_forms() -> dict[tuple[str, str], tuple[str, ...]]:
    forms: dict[tuple[str, str], tuple[str, ...]] = {}
    for row in read_table("simulation/name_forms", package=PACKAGE):
        key = row["kind"], row["name"]
        forms[key] = (*forms.get(key, ()), row["form"])
    return forms


def change_ages(rng: np.random.Generator, years: Floats, damage: Damage) -> Ints:
    """Return ages in whole years as people stated them."""
    whole = np.floor(years).astype(np.int64)
    kind, amount = rng.random(whole.size), rng.random(whole.size)
    slip = np.where(amount < 0.5, -1, 1) * np.where(np.abs(amount - 0.5) < 0.18, 2, 1)
    far = np.rint((amount - 0.5) * 24).astype(np.int64)
    limits = np.cumsum([damage.age_far_off, damage.age_off, damage.age_rounded])
    stated = np.select(
        [
            (kind < limits[0]) & (whole > 14),
            (kind < limits[1]) & (whole > 3),
            (kind < limits[2]) & (whole > 25),
        ],
        [whole + far, whole + slip, np.rint(whole / 5).astype(np.int64) * 5],
        whole,
    )
    return np.asarray(np.maximum(stated, 0), dtype=np.int64)


def read_by_machine(rng: np.random.Generator, texts: Texts) -> Texts:
    """Return texts with the errors of optical character recognition."""
    changes = {
        row["written"]: row["read"]
        for row in read_table("simulation/letter_changes", package=PACKAGE)
        if row["kind"] == "ocr"
    }
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    damaged = texts.copy()
    hits = np.nonzero(rng.random(int(lengths.sum())) < OCR_SHARE)[0]
    ends = np.cumsum(lengths)
    rows = np.searchsorted(ends, hits, side="right")
    # From the end of each text, so that earlier positions stay valid.
    for row, hit in zip(rows[::-1].tolist(), hits[::-1].tolist(), strict=True):
        place = hit - int(ends[row] - lengths[row])
        text = damaged[row]
        letter = text[place]
        damaged[row] = text[:place] + changes.get(letter, letter) + text[place + 1 :]
    return damaged
