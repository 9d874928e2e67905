"""What every storage must do, held against each of them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from forebear.errors import StorageError
from forebear.ingest.store import SourceFile
from forebear.records.collections import RecordList
from forebear.records.privacy import Viewer
from forebear.search.expansion.expand import expand
from forebear.search.expansion.facts import gather_facts
from forebear.search.expansion.learned_variants import LearnedVariant
from forebear.search.model import hand_set_model
from forebear.search.query.person_query import query_from_json
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.results.describe import collection_search
from forebear.search.search_result import SearchOptions, SearchResult
from forebear.search.searcher import Searcher
from forebear.search.terms.term import TERM_RULES_VERSION
from forebear.storage.memory import MemoryStorage
from forebear.storage.opensearch.storage import OpenSearchStorage
from making import make_baptism, make_collection
from storages import SQLITE, Storage, empty, get, group_of, sqlite_storage

OWNER = Viewer(year=2026, is_owner=True)
PUBLIC = Viewer(year=2026)


@pytest.fixture(params=["memory", *SQLITE, "opensearch", "opensearch, scored there"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    if request.param == "memory":
        yield MemoryStorage()
    elif request.param in SQLITE:
        with sqlite_storage(tmp_path, request.param) as storage:
            yield storage
    else:
        cluster: OpenSearchStorage = request.getfixturevalue("cluster_archive")
        empty(cluster)
        cluster.few_records = 0 if "there" in request.param else OpenSearchStorage.few_records
        yield cluster


def search(storage: Storage, viewer: Viewer = OWNER, **facts: object) -> SearchResult:
    searcher = Searcher(
        storage=storage,
        lists=[RecordList(name="baptism", record_type="baptism", collections=("baptisms",))],
        model=hand_set_model(),
    )
    return searcher.search(
        query_from_json({"given": "John", "surname": "Smith", **facts}),
        SearchOptions(relax=False),
        viewer=viewer,
    )


def keys(result: SearchResult) -> list[str]:
    return [hit.record_key for hit in result.fused]


def test_what_was_written_is_read_back_whole(storage: Storage) -> None:
    record = make_baptism("1")
    storage.put_collection(make_collection())

    storage.write([(record,)])

    assert get(storage, "baptisms:1", viewer=OWNER) == record
    assert group_of(storage, "baptisms:1", viewer=OWNER) == (record,)
    assert storage.collections() == (make_collection(),)
    assert get(storage, "baptisms:2", viewer=OWNER) is None


def test_a_record_is_found_once_under_its_best_persona(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1", given="Thomas"),)])

    result = search(storage, given="Thomas")

    assert keys(result) == ["baptisms:1"]
    assert result.lists[0].candidates == 2
    assert result.lists[0].records == 1


def test_a_rewritten_record_replaces_the_old_one(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"),)])

    storage.write([(make_baptism("1", given="Peter", surname="Jones"),)])

    assert keys(search(storage)) == []
    assert keys(search(storage, given="Peter", surname="Jones")) == ["baptisms:1"]
    assert storage.count("baptisms", viewer=OWNER) == 1


def test_a_deleted_record_is_gone_with_its_group(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"), make_baptism("2")), (make_baptism("3"),)])

    storage.delete(["baptisms:1", "baptisms:unknown"])

    assert keys(search(storage)) == ["baptisms:3"]
    assert get(storage, "baptisms:2", viewer=OWNER) is None
    assert storage.count("baptisms", viewer=OWNER) == 1


def test_records_of_a_group_know_each_others_people(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"), make_baptism("2", given="Mary", surname="Jones"))])

    result = search(storage, relatives=[{"kind": "other", "given": "Mary", "surname": "Jones"}])

    best = result.fused[0]
    assert best.record_key == "baptisms:1"
    assert "other.name.exact" in best.fired


def test_each_of_two_surnames_counts_in_every_storage(storage: Storage) -> None:
    surnames = ("Barroso y Lopez", "Lopez Barroso", "Barroso", "Barroso Garcia", "Garcia Lopez")
    storage.put_collection(make_collection())
    storage.write(
        [
            (make_baptism(str(number), given="Diego", surname=surname),)
            for number, surname in enumerate(surnames)
        ]
    )

    result = search(storage, given="Diego", surname="Barroso Lopez")

    assert keys(result) == [f"baptisms:{number}" for number in range(len(surnames))]
    fired = [set(hit.fired) for hit in result.fused]
    assert {"self.surname.exact", "self.surname2.exact"} <= fired[0]
    assert "self.surname.exchanged" in fired[1]
    assert "self.surname2.conflict" in fired[3]
    assert "self.surname.conflict" in fired[4]


def test_a_collection_must_be_there_before_its_records(storage: Storage) -> None:
    with pytest.raises(StorageError, match="'baptisms' is not in the archive"):
        storage.write([(make_baptism("1"),)])


def living(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("old"),), (make_baptism("new", date="3 May 1990"),)])


def embargoed(storage: Storage) -> None:
    storage.put_collection(make_collection(embargo_years=150))
    storage.write(
        [(make_baptism("old", date="1 Jan 1850"),), (make_baptism("new", date="1 Jan 1900"),)]
    )


def undated(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("old"),), (make_baptism("new", date="torn"),)])


@pytest.mark.parametrize("fill", [living, embargoed, undated])
def test_what_the_public_may_not_see_is_in_no_answer(
    storage: Storage, fill: Callable[[Storage], None]
) -> None:
    fill(storage)

    owned, public = search(storage, viewer=OWNER), search(storage, viewer=PUBLIC)

    assert sorted(keys(owned)) == ["baptisms:new", "baptisms:old"]
    assert keys(public) == ["baptisms:old"]
    assert public.lists[0].candidates == 2  # the child, and the father by the rare surname
    assert public.lists[0].records == 1
    assert get(storage, "baptisms:new", viewer=PUBLIC) is None
    assert group_of(storage, "baptisms:new", viewer=PUBLIC) == ()
    assert storage.count("baptisms", viewer=PUBLIC) == 1
    assert storage.count("baptisms", viewer=OWNER) == 2


def test_an_impossible_record_of_a_living_person_is_not_even_counted(storage: Storage) -> None:
    living(storage)
    born = [{"kind": "birth", "date": "1850"}, {"kind": "death", "date": "1880"}]

    owned = search(storage, viewer=OWNER, events=born)
    public = search(storage, viewer=PUBLIC, events=born)

    assert owned.lists[0].excluded == 1
    assert public.lists[0].excluded == 0


def test_a_record_taken_down_stays_down_through_another_import(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"), make_baptism("2")), (make_baptism("3"),)])

    storage.take_down("baptisms:1", reason="asked by the family", at="2026-01-01")
    storage.write([(make_baptism("1"), make_baptism("2"))])

    assert keys(search(storage, viewer=PUBLIC)) == ["baptisms:3"]
    assert get(storage, "baptisms:2", viewer=PUBLIC) is None
    assert storage.count("baptisms", viewer=PUBLIC) == 1
    assert len(keys(search(storage, viewer=OWNER))) == 3
    assert storage.takedowns() == {"baptisms:1": "asked by the family"}

    storage.restore("baptisms:1")

    assert len(keys(search(storage, viewer=PUBLIC))) == 3


def test_a_deleted_collection_leaves_nothing_behind(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.put_collection(make_collection("others"))
    storage.write([(make_baptism("1"),), (make_baptism("2"),)])

    deleted = storage.delete_collection("baptisms")

    assert deleted == 2
    assert keys(search(storage)) == []
    assert [collection.name for collection in storage.collections()] == ["others"]


def test_time_opens_a_record_without_a_rewrite(storage: Storage) -> None:
    embargoed(storage)

    seen = {year: keys(search(storage, viewer=Viewer(year=year))) for year in (2050, 2051)}

    assert seen[2050] == ["baptisms:old"]
    assert sorted(seen[2051]) == ["baptisms:new", "baptisms:old"]


def test_folded_names_of_the_archive_are_known(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1", surname="Müller"),)])

    knowledge = storage.knowledge(OWNER)
    assert knowledge.vocabulary("surname").folding_to("mueller") == ("müller",)
    assert knowledge.vocabulary("surname").folding_to("muller") == ("müller",)
    assert knowledge.vocabulary("given").folding_to("mueller") == ()


def test_parts_places_years_and_shares_follow_the_records(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"),), (make_baptism("2", surname="Brown", date="1861"),)])

    assert storage.knowledge(OWNER).parts_with(frozenset({"father.given"})) == {
        "baptisms/1850/child",
        "baptisms/1860/child",
    }
    assert storage.knowledge(OWNER).parts_with(frozenset({"birth.year"})) == frozenset()
    assert storage.knowledge(OWNER).places_named("layham") == ("p:layham,suffolk,england",)
    assert storage.knowledge(OWNER).year_range() == (1851, 1861)
    assert storage.knowledge(OWNER).share("self.surname", "brown") == 0.5

    storage.delete(["baptisms:2"])

    assert storage.knowledge(OWNER).parts_of(frozenset({"baptisms"})) == {
        "baptisms/1850/child",
        "baptisms/1850/father",
    }
    assert storage.knowledge(OWNER).year_range() == (1851, 1851)
    assert storage.knowledge(OWNER).share("self.surname", "brown") == 0.0


def list_search(storage: Storage, limit: int = 20_000, **facts: object) -> ListSearch:
    query = query_from_json({"given": "John", "surname": "Smith", **facts})
    expansion = expand(gather_facts(query, storage.knowledge(OWNER)), "baptism")
    assert expansion is not None
    model = hand_set_model()
    return ListSearch(
        name="baptism",
        record_type="baptism",
        collections=("baptisms", "others"),
        gate=replace(expansion.gate, limit=limit),
        clauses=expansion.clauses,
        weights=tuple(model.weight("baptism", clause.name) for clause in expansion.clauses),
    )


def test_facets_count_records_once_and_all_that_pass(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism(str(number), given="Thomas"),) for number in range(7)])
    storage.write([(make_baptism("late", date="4 May 1861"),)])
    storage.write([(make_baptism("new", date="3 May 1990"),)])

    search = list_search(storage, limit=2, given="Thomas")
    owned, public = (storage.facets([search], viewer=viewer)[0] for viewer in (OWNER, PUBLIC))

    assert (owned.records, owned.candidates) == (9, 18)
    assert (public.records, public.candidates) == (8, 16)
    assert public.counts["decade"] == {"1850": 7, "1860": 1}
    assert public.counts["county"] == {"p:suffolk,england": 8}
    assert owned.counts["collection"] == {"baptisms": 9}
    assert storage.find([search], viewer=PUBLIC, top=100)[0].state == "narrowed"


def test_a_facet_is_a_filter_that_keeps_what_it_counted(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"),), (make_baptism("2", date="4 May 1861"),)])
    search = list_search(storage)
    decade = frozenset(f"record.part=baptisms/1860/{role}" for role in ("child", "father"))

    gate = replace(search.gate, required=(decade,))
    (ranked,) = storage.find([replace(search, gate=gate)], viewer=OWNER, top=10)

    assert [hit.record_key for hit in ranked.hits] == ["baptisms:2"]
    assert storage.facets([replace(search, gate=gate)], viewer=OWNER)[0].records == 1


def test_a_new_word_about_a_collection_reaches_its_records(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"),)])

    storage.put_collection(make_collection(embargo_years=300))

    assert storage.count("baptisms", viewer=PUBLIC) == 0
    assert keys(search(storage, viewer=PUBLIC)) == []
    assert keys(search(storage, viewer=OWNER)) == ["baptisms:1"]


def test_later_groups_of_one_batch_replace_earlier_ones(storage: Storage) -> None:
    storage.put_collection(make_collection())

    storage.write(
        [
            (make_baptism("1"), make_baptism("2")),
            (make_baptism("2", given="Peter", surname="Jones"), make_baptism("3")),
        ]
    )

    assert get(storage, "baptisms:1", viewer=OWNER) is None
    assert storage.count("baptisms", viewer=OWNER) == 2
    assert sorted(keys(search(storage))) == ["baptisms:3"]


def test_one_write_rearranges_households_and_removes_who_is_in_none(storage: Storage) -> None:
    one, two, three, four = (make_baptism(number) for number in "1234")
    storage.put_collection(make_collection())
    storage.write([(one, two), (three, four)])

    storage.write([(one, three), (four,)])

    assert group_of(storage, one.key, viewer=OWNER) == (one, three)
    assert group_of(storage, four.key, viewer=OWNER) == (four,)
    assert get(storage, two.key, viewer=OWNER) is None
    assert storage.check().faults == ()


def test_a_very_long_id_is_an_id_like_any_other(storage: Storage) -> None:
    storage.put_collection(make_collection())
    record = make_baptism("x" * 2_000)

    storage.write([(record,)])

    assert get(storage, record.key, viewer=OWNER) == record
    assert keys(search(storage)) == [record.key]
    storage.delete([record.key])
    assert storage.count("baptisms", viewer=OWNER) == 0


def test_records_know_the_file_they_came_from(storage: Storage) -> None:
    file = SourceFile(collection="baptisms", name="register.csv")
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"), make_baptism("2"))], file=file)
    storage.write([(make_baptism("3"),)])

    storage.take_down("baptisms:1", reason="asked", at="2026-01-01")

    assert sorted(storage.keys_from(file)) == ["baptisms:1", "baptisms:2"]
    assert storage.groups_holding(["baptisms:2", "baptisms:none"]) == [
        (make_baptism("1"), make_baptism("2"))
    ]


def test_a_record_can_be_restated(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"), make_baptism("2"))])
    corrected = structs.replace(make_baptism("2"), source="register.csv:8")

    storage.restate([corrected])

    assert group_of(storage, "baptisms:1", viewer=OWNER) == (make_baptism("1"), corrected)
    assert sorted(keys(search(storage))) == ["baptisms:1", "baptisms:2"]


def test_rows_of_a_shelf_are_those_the_viewer_may_see(storage: Storage) -> None:
    living(storage)
    search = collection_search(make_collection(), storage.knowledge(OWNER))

    rows = {
        viewer: sorted(row.record_key for row in storage.browse(search, viewer=viewer, limit=9))
        for viewer in (OWNER, PUBLIC)
    }

    assert rows == {OWNER: ["baptisms:new", "baptisms:old"], PUBLIC: ["baptisms:old"]}


def test_coverage_and_presence_follow_the_records(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"),), (make_baptism("2", date="4 May 1861"),)])

    covered = storage.knowledge(OWNER).coverage("baptisms")

    assert covered.places == ("p:layham,suffolk,england",)
    assert (covered.first_year, covered.last_year) == (1851, 1861)
    assert storage.knowledge(OWNER).field_presence("baptisms")["self.surname"] == 1.0
    assert storage.knowledge(OWNER).field_presence("baptisms")["father.given"] == 0.5


def test_the_vocabulary_is_that_of_the_records(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1", surname="Müller"),), (make_baptism("2"),)])

    assert storage.knowledge(OWNER).vocabulary("surname").names == ("müller", "smith")
    assert storage.knowledge(OWNER).vocabulary("given").names == ("john", "thomas")
    assert storage.knowledge(OWNER).share("self.surname", "müller") == 0.5
    assert storage.knowledge(OWNER).share("self.given", "nobody") == 0.0


def test_hidden_people_are_in_nothing_that_the_public_is_told_of_the_archive(
    storage: Storage,
) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("old"),)])
    before = {viewer: _told(storage, viewer) for viewer in (PUBLIC, OWNER)}

    storage.write(
        [
            (make_baptism("living", surname="Zyx", date="3 May 1990"),),
            (make_baptism("gone", surname="Qvist", date="3 May 1800"),),
        ]
    )
    storage.take_down("baptisms:gone", reason="asked", at="2026")

    assert _told(storage, PUBLIC) == before[PUBLIC]
    assert _told(storage, OWNER) != before[OWNER]
    assert storage.knowledge(OWNER).vocabulary("surname").names == ("qvist", "smith", "zyx")
    later = storage.knowledge(Viewer(year=2101))
    assert later.vocabulary("surname").names == ("smith", "zyx")
    assert later.year_range() == (1851, 1990)


def _told(storage: Storage, viewer: Viewer) -> list[object]:
    knowledge = storage.knowledge(viewer)
    return [
        knowledge.vocabulary("surname").names,
        knowledge.vocabulary("given").names,
        knowledge.share("self.surname", "smith"),
        knowledge.share("self.surname", "zyx"),
        knowledge.parts_with(frozenset({"father.given"})),
        knowledge.parts_of(frozenset({"baptisms"})),
        knowledge.places_named("layham"),
        knowledge.places(),
        knowledge.year_range(),
        knowledge.coverage("baptisms"),
        knowledge.field_presence("baptisms"),
    ]


def test_a_reindex_leaves_records_and_what_is_found_as_they_were(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism("1"),), (make_baptism("2", given="Thomas"),)])
    storage.take_down("baptisms:2", reason="asked", at="2026-01-01")
    before, digest = keys(search(storage)), storage.digest()
    steps: list[tuple[int, int]] = []

    storage.reindex(lambda done, total: steps.append((done, total)))

    assert storage.terms_version() == TERM_RULES_VERSION
    assert steps[-1] == (2, 2)
    assert keys(search(storage)) == before
    assert keys(search(storage, PUBLIC)) == ["baptisms:1"]
    assert storage.digest() == digest
    assert storage.check().faults == ()


def test_what_is_in_a_storage_is_walked_hashed_and_checked(storage: Storage) -> None:
    storage.put_collection(make_collection())
    file = SourceFile(collection="baptisms", name="register.csv")
    household = (make_baptism("1"), make_baptism("2"))
    storage.write([household], file=file)
    before = storage.digest()
    storage.write([(make_baptism("3"),)])

    report = storage.check()

    assert sorted(storage.groups(), key=str) == sorted(
        [(household, file), ((make_baptism("3"),), None)], key=str
    )
    assert (report.records, report.personas, report.faults) == (3, 6, ())
    assert storage.digest() != before
    storage.delete(["baptisms:3"])
    assert storage.digest() == before


def test_records_are_drawn_at_random_and_the_same_by_the_same_seed(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.put_collection(make_collection("others"))
    storage.write([(make_baptism(str(number)),) for number in range(40)])
    storage.write([(make_baptism("1", collection="others"),)])
    keys = {f"baptisms:{number}" for number in range(40)}

    drawn = storage.draw_keys("baptisms", 8, seed=1)

    assert len(drawn) == 8
    assert set(drawn) <= keys
    assert drawn == storage.draw_keys("baptisms", 8, seed=1)
    assert len({tuple(storage.draw_keys("baptisms", 8, seed=seed)) for seed in range(9)}) > 1
    assert set(storage.draw_keys("others", 3, seed=1)) == {"others:1"}
    assert storage.draw_keys("nowhere", 3, seed=1) == []


def test_a_storage_is_emptied(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write(
        [(make_baptism("1"),)], file=SourceFile(collection="baptisms", name="register.csv")
    )
    storage.take_down("baptisms:1", reason="asked", at="2026")

    if isinstance(storage, OpenSearchStorage):
        empty(storage)  # other tests use the same archive in the cluster
    else:
        storage.delete_all()

    assert list(storage.groups()) == []
    assert storage.collections() == ()
    assert storage.takedowns() == {}
    assert get(storage, "baptisms:1", viewer=OWNER) is None
    assert storage.check().faults == ()


def test_lists_are_found_together_as_one_by_one(storage: Storage) -> None:
    storage.put_collection(make_collection())
    storage.write([(make_baptism(str(number)),) for number in range(5)])
    one = list_search(storage)
    searches = [one, replace(one, name="again"), replace(one, name="none", collections=("none",))]

    with storage.snapshot():
        together = storage.find(searches, viewer=OWNER, top=3)
        facets = storage.facets(searches, viewer=OWNER)

    assert [ranked.name for ranked in together] == ["baptism", "again", "none"]
    assert [len(ranked.hits) for ranked in together] == [3, 3, 0]
    assert [counts.records for counts in facets] == [5, 5, 0]
    assert storage.find([], viewer=OWNER, top=3) == []
    for search, ranked in zip(searches, together, strict=True):
        (alone,) = storage.find([search], viewer=OWNER, top=3)
        assert replace(alone, seconds=0.0) == replace(ranked, seconds=0.0)


def make_variant(first: str, second: str, **more: object) -> LearnedVariant:
    values = {"kind": "given", "persons": 3, "searchers": 3, "expected": 0.1, "chance": 0.001}
    values |= {"first": first, "second": second, "learned_at": "2026-01-01", **more}
    return LearnedVariant(**values)  # type: ignore[arg-type]


@pytest.fixture
def with_variant(storage: Storage) -> Iterator[Storage]:
    """Yield a storage in which John is also Zykel; the cluster of other tests forgets it."""
    storage.put_collection(make_collection())
    storage.write(
        [
            (make_baptism("1", given="Zykel"),),
            (make_baptism("2", given="Henry"),),
            (make_baptism("3", given="John"),),
        ]
    )
    storage.put_name_variants([make_variant("john", "zykel")])
    yield storage
    storage.put_name_variants(
        replace(variant, revoked_at="2026-01-02") for variant in storage.name_variants()
    )


def fired(result: SearchResult, key: str) -> tuple[str, ...]:
    return next(hit.fired for hit in result.fused if hit.record_key == key)


def test_a_learned_variant_is_a_variant_in_every_storage(with_variant: Storage) -> None:
    result = search(with_variant)

    assert "self.given.variant" in fired(result, "baptisms:1")
    assert "self.given.conflict" not in fired(result, "baptisms:1")
    assert "self.given.variant" not in fired(result, "baptisms:2")
    assert "self.given.variant" in fired(search(with_variant, given="Zykel"), "baptisms:3")
    assert with_variant.name_variants() == (make_variant("john", "zykel"),)


def test_a_revoked_variant_is_none_from_the_next_search_on(with_variant: Storage) -> None:
    before, counter = keys(search(with_variant)), with_variant.change_counter()

    with_variant.put_name_variants([make_variant("john", "zykel", revoked_at="2026-01-02")])

    assert before[:2] == ["baptisms:3", "baptisms:1"]
    assert with_variant.change_counter() > counter
    assert "self.given.conflict" in fired(search(with_variant), "baptisms:1")
    assert with_variant.name_variants()[0].is_revoked


@pytest.mark.parametrize("hidden", ["baptisms:1", "baptisms:3"])
def test_the_public_uses_a_variant_only_if_public_records_have_both_names(
    hidden: str, with_variant: Storage
) -> None:
    def learned(viewer: Viewer) -> list[tuple[str, ...]]:
        names = with_variant.knowledge(viewer).vocabulary("given")
        return [names.learned("john"), names.learned("zykel")]

    assert learned(PUBLIC) == learned(OWNER) == [("zykel",), ("john",)]

    with_variant.take_down(hidden, reason="asked", at="2026")

    assert learned(PUBLIC) == [(), ()]
    assert learned(OWNER) == [("zykel",), ("john",)]
    assert search(with_variant, PUBLIC).learned["given"] == frozenset()
    assert search(with_variant).learned["given"] == {("john", "zykel")}


def test_a_variant_of_given_names_is_none_of_surnames(with_variant: Storage) -> None:
    with_variant.write([(make_baptism("4", given="Anna", surname="Zykel"),)])

    result = search(with_variant, given="Anna", surname="John")

    assert all("self.surname.variant" not in hit.fired for hit in result.fused)
