"""An import that is killed leaves a sound archive and goes on to the same end."""

from pathlib import Path

from benchmarks.quality.kills import kill_imports


def test_an_import_and_a_reimport_survive_kills(tmp_path: Path) -> None:
    outcomes = list(kill_imports(tmp_path, kills=2, rows=2100, seed=7))

    assert {outcome.command for outcome in outcomes} == {"import", "re-import"}
    assert [outcome for outcome in outcomes if not outcome.is_right] == []
