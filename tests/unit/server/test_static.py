"""Tests for the files of the page: what is shown must be readable, and come from here."""

import re
from itertools import product
from pathlib import Path

import pytest

from forebear.server.app import STATIC

SERVER = STATIC.parent
CSS = (STATIC / "style.css").read_text("utf-8")
LIGHT, DARK = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
GROUNDS = ("paper", "sheet", "attached", "rejected")
TEXTS = ("ink", "soft", "accent", "for", "against", "warn")
BADGES = ("baptism", "marriage", "burial", "census", "soft")
PAIRS = [
    *product(TEXTS, GROUNDS),
    *(("badge-ink", badge) for badge in BADGES),
    *(("accent-ink", "accent"), ("ink", "alert")),
]


def luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_stands_out_as_accessibility_asks(scheme: str, text: str, ground: str) -> None:
    colors = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", scheme))

    lighter, darker = sorted((luminance(colors[text]), luminance(colors[ground])), reverse=True)

    assert (lighter + 0.05) / (darker + 0.05) >= 4.5  # WCAG 2.2, level AA


@pytest.mark.parametrize(
    "path", [*SERVER.glob("templates/*.html"), STATIC / "style.css"], ids=lambda path: path.name
)
def test_nothing_is_fetched_from_elsewhere_and_nothing_is_inline(path: Path) -> None:
    text = path.read_text("utf-8")

    assert not re.search(r"https?://|@import|url\(", text)
    assert not re.search(r"<script|<style|\sstyle=|\son[a-z]+=", text)
