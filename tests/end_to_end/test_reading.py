"""Those who search while records arrive get answers that are right at some moment."""

from pathlib import Path

from benchmarks.speed.reading import Answer, Reading, read_while_importing


def test_no_answer_is_wrong_while_records_arrive(shared_data: Path, tmp_path: Path) -> None:
    assert (shared_data.parent / "tools" / "make_records.py").is_file()

    reading = read_while_importing(tmp_path, personas=1000, seconds=2.0, readers=2, seed=3)

    assert reading.pieces > 0
    assert len(reading.during) > 0
    assert reading.wrong == []


def answer(digest: str) -> Answer:
    return Answer(query=0, digest=digest, wall_ms=1.0, cpu_ms=1.0)


def test_an_answer_of_no_state_is_wrong_and_so_is_a_later_one_too_early() -> None:
    reading = Reading(
        alone=[answer("before"), answer("after")],
        during=[answer("before"), answer("after"), answer("mixed")],
        pieces=1,
        states=[["before"], ["after"]],
    )

    assert [entry.digest for entry in reading.wrong] == ["after", "mixed"]
    assert reading.changed == 2
