"""Name variants as an owner manages them on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import forebear
from forebear.search.expansion.learned_variants import LearnedVariant

Run = Callable[..., Any]


def test_variants_are_learned_listed_revoked_and_restored(run: Run, archive: Path) -> None:
    nothing = run("variants", "learn")
    empty = run("variants", "list")
    variant = LearnedVariant(
        kind="surname", first="quarles", second="whorlow", persons=4, searchers=3,
        expected=0.02, chance=0.001, learned_at="2026-01-01T00:00:00.000+00:00",
    )  # fmt: skip
    with forebear.open(archive) as opened:
        opened.storage.put_name_variants([variant])
    listed = run("variants", "list")

    revoked = run("variants", "revoke", "--kind", "surname", "Whorlow", "Quarles")

    assert "learned 0 of 0 pairs" in nothing.out
    assert "no name variants were learned" in empty.err
    assert "surname  quarles        whorlow" in listed.out
    assert "4 persons (0.02 by chance), 3 searchers, learned 2026-01-01" in listed.out
    assert revoked.status == 0
    assert ", revoked 20" in run("variants", "list").out
    assert run("variants", "restore", "--kind", "surname", "Quarles", "Whorlow").status == 0
    (row,) = json.loads(run("variants", "list", "--json").out)
    assert row["revoked_at"] is None
    unknown = run("variants", "revoke", "Quarles", "Whorlow")
    assert unknown.status == 2
    assert "no learned variants of a given name" in unknown.err
    assert "forebear variants list" in unknown.err
