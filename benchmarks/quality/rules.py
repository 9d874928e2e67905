"""What is each transformation rule worth?  Every rule is switched off by itself.

    python -m benchmarks.quality.rules --folder /tmp/default_sets --every 4

The tuning queries of `default_data` (soldiers, London, two simulated archives) are searched as
they are and without each rule of ``search/tables/rules.csv``.  Printed are the queries whose list
changes and the difference that the rule makes, with intervals paired by query: success@1 and @10
of real queries, NDCG@100 and success@1 of simulated ones.  ``--half judge`` uses the judging parts.
"""

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np

from benchmarks.quality.default_data import JudgedQuery, Part, parts
from benchmarks.quality.default_measures import MEASURES, MEASURES_OF, Floats, measure_ranking
from benchmarks.quality.london_measures import interval, shown
from forebear.archive import Archive, open_archive
from forebear.search.expansion import expand, facts, name_rules
from forebear.search.expansion.catalog import Clause, load_catalog, rule_titles
from forebear.search.expansion.clauses import dates, names
from forebear.search.expansion.query_facts import Facts
from forebear.search.model import DEFAULT
from forebear.search.search_result import SearchOptions
from forebear.search.terms import events
from forebear_lab.evaluation.tables import Cell, Table

Off = Callable[[ExitStack], None]  # switches a rule off until the stack is closed


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule, and how it is switched off."""

    title: str
    off: Off
    is_indexed: bool = False  # it shapes the terms of records, so the archive is indexed again


def main() -> int:
    options = _options()
    for part in parts(options.folder, options.half):
        if options.parts and part.source not in options.parts:
            continue
        path = part.make()
        with open_archive(path) as archive:
            queries = [*part.queries(archive)][:: options.every]
            before = _search(archive, queries, options.model)
            rows = [
                _row(part, rule, queries, before, _without(archive, rule, queries, options))
                for rule in RULES
            ]
        headings = ("without the rule", "changed", *MEASURES_OF[part.source])
        print(f"\n{part.name}: {len(queries):,} queries, model {options.model}")
        print(Table(headings=headings, rows=rows).as_text(), flush=True)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="keeps the archives")
    parser.add_argument("--model", default=DEFAULT)
    parser.add_argument("--half", choices=("tune", "judge"), default="tune")
    parser.add_argument("--every", type=int, default=1, help="take only every Nth query")
    parser.add_argument("--parts", nargs="+", help="sources: soldiers, London, simulated")
    return parser.parse_args()


def _search(archive: Archive, queries: Sequence[JudgedQuery], model: str) -> list[list[str]]:
    """Return the fused list of each query."""
    options = SearchOptions(model=model)
    results = (archive.search(judged.query, options=options, log=False) for judged in queries)
    return [[hit.record_key for hit in result.search_result.fused] for result in results]


def _without(
    archive: Archive, rule: Rule, queries: Sequence[JudgedQuery], options: argparse.Namespace
) -> list[list[str]]:
    with ExitStack() as stack:
        rule.off(stack)
        # Opened again: an archive caches the clauses that were built with the rule.
        opening = _indexed_again if rule.is_indexed else open_archive
        archive = stack.enter_context(opening(Path(archive.path)))
        return _search(archive, queries, options.model)


@contextmanager
def _indexed_again(path: Path) -> Iterator[Archive]:
    """Open a copy of an archive, indexed by the rules that are on."""
    copy = path.with_suffix(".without_rule")
    shutil.copy(path, copy)
    try:
        with open_archive(copy) as archive:
            archive.reindex()
            yield archive
    finally:
        copy.unlink()


def _row(
    part: Part,
    rule: Rule,
    queries: Sequence[JudgedQuery],
    before: Sequence[Sequence[str]],
    after: Sequence[Sequence[str]],
) -> tuple[Cell, ...]:
    changed = sum(old != new for old, new in zip(before, after, strict=True))
    gains = interval(_measures(queries, after) - _measures(queries, before))
    columns = map(MEASURES.index, MEASURES_OF[part.source])
    return (rule.title, changed, *(shown(gains[column], sign="+") for column in columns))


def _measures(queries: Sequence[JudgedQuery], lists: Sequence[Sequence[str]]) -> Floats:
    return np.array(
        [
            measure_ranking([key in judged.right for key in keys], len(judged.right))
            for judged, keys in zip(queries, lists, strict=True)
        ]
    )


def _patched(targets: Mapping[tuple[object, str], object]) -> Off:
    def off(stack: ExitStack) -> None:
        for (module, name), value in targets.items():
            stack.enter_context(patch.object(module, name, value))

    return off


def _returns(value: object) -> Callable[..., object]:
    return lambda *_, **__: value


def _without_clauses(is_dropped: Callable[[Clause], bool]) -> Off:
    build = expand.build_clauses

    def build_others(facts: Facts, record_type: str) -> tuple[Clause, ...]:
        return tuple(clause for clause in build(facts, record_type) if not is_dropped(clause))

    return _patched({(expand, "build_clauses"): build_others})


def _without_fathers(stack: ExitStack) -> None:
    """Ask for the surname of a father only where it is stated, and for no patronymics."""
    build = expand.build_clauses

    def build_others(facts: Facts, record_type: str) -> tuple[Clause, ...]:
        clauses = build(facts, record_type)
        if facts.names.get("father.surname", ()):
            return clauses
        return tuple(clause for clause in clauses if not clause.name.startswith("father.surname."))

    _patched(
        {
            (expand, "build_clauses"): build_others,
            (names, "patronymics"): _returns(frozenset()),
            (facts, "father_named_by"): _returns(()),
        }
    )(stack)


def _compared_with_all(stack: ExitStack) -> None:
    expand._rows.cache_clear()
    stack.callback(expand._rows.cache_clear)
    _patched({(expand, "is_compared"): _returns(True)})(stack)


def _named(*clauses: str) -> Callable[[Clause], bool]:
    return lambda clause: clause.name in clauses


def _clauses_of_rule(number: str) -> frozenset[str]:
    return frozenset(
        row.clause for rows in load_catalog().values() for row in rows if number in row.rule.split()
    )


def _rules() -> Iterator[Rule]:
    offs: dict[str, Off] = {
        "1": _patched({(name_rules, "_husbands"): _returns(((), ()))}),
        "2": _patched({(name_rules, "is_married_name_only"): _returns(False)}),
        "3": _without_fathers,
        "4": _without_clauses(_named("self.surname.from_father", "self.surname.from_mother")),
        "5": _patched({(facts, "birth_from_age"): _returns(None)}),
        "6": _patched({(facts, "inferred_birth"): _returns(None)}),
        "7": _patched({(facts, "inferred_death"): _returns(None)}),
        "8": _patched({(facts, "inferred_marriage"): _returns(None)}),
        "9": _patched({(dates, "quarters_of"): _returns(frozenset())}),
        "10": _without_clauses(lambda clause: clause.kind == "absent"),
        "11": _compared_with_all,
        "12": _without_clauses(_named(*_clauses_of_rule("12"))),
    }
    for number, title in rule_titles().items():
        yield Rule(title=f"{number}. {title}", off=offs[number])
    yield Rule(
        title="5. an age on a record gives a year of birth",
        off=_patched({(events, "_age_alone"): _returns(())}),
        is_indexed=True,
    )
    crossed = ("self.given.crossed", "self.middle.crossed")
    yield Rule(
        title="a middle name may stand first, and a first name second",
        off=_without_clauses(_named("self.given.as_middle", "self.middle.as_given", *crossed)),
    )


RULES = tuple(_rules())


if __name__ == "__main__":
    sys.exit(main())
