"""Tests of how candidates that the cluster returned are gated, narrowed and scored."""

from hypothesis import given
from hypothesis import strategies as st

from forebear.records.privacy import OWNER
from forebear.search.expansion.catalog import Branch, Clause, Condition
from forebear.search.expansion.gate import Gate
from forebear.search.record_search.ranked_list import ListSearch
from forebear.storage.memory import MemoryStorage
from forebear.storage.opensearch.documents import write_documents
from forebear.storage.opensearch.hits import ConditionNumbers, read_personas, score_lists
from making import make_baptism, make_collection

GIVEN = ("John", "James", "Mary")
SURNAMES = ("Smith", "Brown", "Green")
TERMS = [
    *(f"self.given={name.lower()}" for name in GIVEN),
    *(f"self.surname={name.lower()}" for name in SURNAMES),
    *("record.role=principal", "other.given=thomas", "has=self.sex", "self.given=nobody"),
]
conditions = st.frozensets(st.sampled_from(TERMS), min_size=1, max_size=3)
records = st.lists(
    st.tuples(st.sampled_from(GIVEN), st.sampled_from(SURNAMES)), min_size=1, max_size=6
)


@st.composite
def clauses(draw: st.DrawFn) -> Clause:
    any_of = tuple(draw(st.lists(conditions, min_size=1, max_size=3)))
    least = draw(st.integers(1, len(any_of)))
    none_of = draw(st.one_of(st.just(frozenset()), conditions))
    return Clause(name="c", kind="count", any_of=any_of, least=least, none_of=none_of)


@st.composite
def gates(draw: st.DrawFn) -> Gate:
    branches = draw(st.lists(st.lists(conditions, max_size=2), min_size=1, max_size=3))
    condition_lists: st.SearchStrategy[list[Condition]] = st.lists(conditions, max_size=2)
    return Gate(
        branches=tuple(Branch(name="b", conditions=tuple(branch)) for branch in branches),
        refinements=tuple(draw(condition_lists)),
        required=tuple(draw(condition_lists)),
        limit=draw(st.sampled_from([1, 3, 100])),
    )


@given(
    records,
    gates(),
    st.lists(clauses(), min_size=1, max_size=4),
    st.integers(0, 1),
    st.lists(st.integers(-300, 300), min_size=4, max_size=4),
)
def test_candidates_are_scored_as_the_memory_scores_them(
    names: list[tuple[str, str]],
    gate: Gate,
    of_list: list[Clause],
    excluded: int,
    weights: list[int],
) -> None:
    collection, memory = make_collection(), MemoryStorage()
    memory.put_collection(collection)
    groups = [
        (make_baptism(str(number), given, surname),)
        for number, (given, surname) in enumerate(names)
    ]
    memory.write(groups)
    search = ListSearch(
        name="baptism",
        record_type="baptism",
        collections=("baptisms",),
        gate=Gate(
            branches=gate.branches,
            refinements=gate.refinements,
            required=gate.required,
            excluded=tuple(of_list[:excluded]),
            limit=gate.limit,
        ),
        clauses=tuple(of_list),
        weights=tuple(weights[: len(of_list)]),
    )

    documents = [
        document
        for group in groups
        for document in write_documents(group, collection, is_hidden=False)
    ]
    hits = [{"fields": {"pb": [document["pb"].rstrip("=")]}} for document in documents]
    (scored,) = score_lists([search], read_personas(hits), ConditionNumbers(), top=3)
    (ranked,) = memory.find([search], viewer=OWNER, top=3)

    assert scored.hits == ranked.hits
    assert scored.possible == ranked.candidates
    assert scored.gated - scored.possible == ranked.excluded
    assert scored.records == ranked.records
    assert (scored.steps > 0) == (ranked.state == "narrowed")
