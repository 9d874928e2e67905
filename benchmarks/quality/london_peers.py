"""What other ways of finding a person find; run by a Python that has them.

    london_peers.py FOLDER NAME ...

``FOLDER`` holds ``people.jsonl`` (a person of a record a line: record, given, surname, and
where known date, year, birth, place) and ``queries.jsonl`` (the same facts with an id).  Each
peer named (tfidf, jaro_winkler, bm25, splink, logistic) writes ``NAME.json``: the best hundred
records of every query.  The file knows nothing of forebear.  Only ``logistic`` learns from labels,
the ``right`` records of the other queries.

Every peer gets the same facts of a query, spelled in small letters without marks, and a record
counts once, under its best person; equal scores are ordered by a hash of the record's name.
"""

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

TOP = 100
KEPT = 1000  # people kept before a record counts once
# What facts other than names may add to a likeness of names that lies between 0 and 1.
YEAR, DAY, BIRTH, PLACE = 0.15, 0.3, 0.3, 0.1
CANDIDATES = 200  # a query, of the supervised peer: the best by likeness and facts
FOLDS = 5
YEARS_OFF = 10  # where a year stops helping


class People:
    """The people of a file, as columns."""

    def __init__(self, rows: list[dict]) -> None:
        self.rows = rows
        self.records = [row.get("record", row.get("id")) for row in rows]
        self.given = [spelled(row.get("given", "")) for row in rows]
        self.surname = [spelled(row.get("surname", "")) for row in rows]
        self.names = [f"{g} {s}".strip() for g, s in zip(self.given, self.surname, strict=True)]
        self.dates = np.array([whole_day(row.get("date", "")) for row in rows])
        self.years = years(rows, "year")
        self.births = years(rows, "birth")
        self.places = [spelled(row.get("place", "")) for row in rows]
        self.ties = np.array([tie(record) for record in self.records])


def spelled(text: str) -> str:
    return " ".join(re.sub(r"[^a-z ]+", "", text.lower().replace("-", " ")).split())


def whole_day(date: str) -> str:
    return date if len(date) == 10 and not date.endswith("-00") else ""


def years(rows: list[dict], key: str) -> np.ndarray:
    return np.array([float(row.get(key) or "nan") for row in rows])


def tie(record: str) -> int:
    return int.from_bytes(hashlib.blake2b(record.encode(), digest_size=7).digest(), "big")


def read_people(path: Path) -> People:
    return People([json.loads(line) for line in path.open(encoding="utf-8")])


def best_records(people: People, scores: np.ndarray, rows: np.ndarray) -> list[str]:
    """Return the best records of scored people, each once."""
    order = rows[np.lexsort((people.ties[rows], -scores))]
    return list(dict.fromkeys(people.records[i] for i in order))[:TOP]


def best_of_all(people: People, scores: np.ndarray) -> list[str]:
    count = min(KEPT, scores.size)
    rows = np.argpartition(-scores, count - 1)[:count]
    return best_records(people, scores[rows], rows)


def other_facts(people: People, queries: People, i: int) -> np.ndarray:
    """Return what the dates and the place of a query add to each person's likeness."""
    added = np.zeros(len(people.rows))
    for weight, theirs, ours in (
        (YEAR, people.years, queries.years[i]),
        (BIRTH, people.births, queries.births[i]),
    ):
        if not np.isnan(ours):
            added += weight * np.nan_to_num(np.clip(1 - np.abs(theirs - ours) / YEARS_OFF, 0, 1))
    if queries.dates[i]:
        added += DAY * (people.dates == queries.dates[i])
    if words := set(queries.places[i].split()):
        near = [len(words & set(place.split())) / len(words) for place in people.places]
        added += PLACE * np.array(near)
    return added


def tfidf(people: People, queries: People) -> list[list[str]]:
    """Character 2- to 4-grams of the whole name, TF-IDF, cosine, and the other facts."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True)
    theirs = vectors.fit_transform(people.names).T.tocsc()
    ours = vectors.transform(queries.names)
    return [
        best_of_all(people, (ours[i] @ theirs).toarray()[0] + other_facts(people, queries, i))
        for i in range(len(queries.rows))
    ]


def jaro_winkler(people: People, queries: People) -> list[list[str]]:
    """The mean Jaro-Winkler likeness of given name and surname, with year, day and place."""
    given = Likeness(people.given)
    surname = Likeness(people.surname)
    return [
        best_of_all(
            people,
            (given.of(queries.given[i]) + surname.of(queries.surname[i])) / 2
            + other_facts(people, queries, i),
        )
        for i in range(len(queries.rows))
    ]


def logistic(people: People, queries: People) -> list[list[str]]:
    """A logistic regression on how alike two people are, fitted on the other folds' labels."""
    from sklearn.linear_model import LogisticRegression

    given, surname = Likeness(people.given), Likeness(people.surname)
    first = Likeness([first_word(name) for name in people.given])
    initials = np.array([name[:1] for name in people.given])
    middles = np.array([middle_initial(name) for name in people.given])
    features, rows_of, labels = [], [], []
    for i, query in enumerate(queries.rows):
        ours = queries.given[i]
        alike = given.of(ours), surname.of(queries.surname[i]), first.of(first_word(ours))
        scores = (alike[0] + alike[1]) / 2 + other_facts(people, queries, i)
        middle, has_middle = middle_initial(ours), bool(middle_initial(ours))
        rows = np.argpartition(-scores, CANDIDATES)[:CANDIDATES]
        apart = np.abs(people.births[rows] - queries.births[i])
        is_same_place = np.array([people.places[row] == queries.places[i] for row in rows])
        has_place = np.array([bool(people.places[row]) for row in rows]) & bool(queries.places[i])
        features.append(
            np.column_stack(
                (
                    *(likeness[rows] for likeness in alike),
                    *(likeness[rows] >= cut for likeness in alike for cut in (0.8, 0.88, 0.94, 1)),
                    initials[rows] == ours[:1],
                    has_middle & (middles[rows] == middle),
                    has_middle & (middles[rows] != "") & (middles[rows] != middle),
                    (not has_middle) & (middles[rows] != ""),
                    np.isnan(apart),
                    *(np.nan_to_num(apart, nan=99) <= off for off in (0, 1, 2, 5, 10)),
                    is_same_place & has_place,
                    has_place & ~is_same_place,
                )
            )
        )
        rows_of.append(rows)
        labels.append(np.isin(np.array(people.records)[rows], query["right"]))
    answers: list[list[str]] = [[] for _ in queries.rows]
    folds = np.array([tie(query["id"]) % FOLDS for query in queries.rows])
    for fold in range(FOLDS):
        others, mine = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        model = LogisticRegression(C=1.0, max_iter=1000)
        model.fit(
            np.concatenate([features[i] for i in others]),
            np.concatenate([labels[i] for i in others]),
        )
        for i in mine:
            answers[i] = best_records(people, model.decision_function(features[i]), rows_of[i])
    return answers


def first_word(name: str) -> str:
    return name.split(" ")[0]


def middle_initial(name: str) -> str:
    return name.partition(" ")[2][:1]


class Likeness:
    """Jaro-Winkler against a column, each distinct name compared once."""

    def __init__(self, column: list[str]) -> None:
        self.distinct, self.where = np.unique(column, return_inverse=True)

    def of(self, name: str) -> np.ndarray:
        from rapidfuzz.distance import JaroWinkler
        from rapidfuzz.process import cdist

        if not name:
            return np.zeros(len(self.where))
        return cdist([name], self.distinct, scorer=JaroWinkler.similarity)[0][self.where]


def bm25(people: People, queries: People) -> list[list[str]]:
    """tantivy: names to the letter, one letter off, and by sound; years and days as words."""
    import jellyfish
    import tantivy

    fields = ("given", "surname", "given_sound", "surname_sound", "year", "date", "birth", "place")
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("row", stored=True)
    for field in fields:
        builder.add_text_field(field, tokenizer_name="whitespace")
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(heap_size=100_000_000)
    texts = [sounded(person_words(people, i), jellyfish) for i in range(len(people.rows))]
    for i, text in enumerate(texts):
        writer.add_document(tantivy.Document(row=i, **{key: [text[key]] for key in fields}))
    writer.commit()
    index.reload()
    searcher = index.searcher()
    answers = []
    for i in range(len(queries.rows)):
        text = sounded(person_words(queries, i), jellyfish)
        query = tantivy.Query.boolean_query(list(bm25_parts(tantivy, schema, text)))
        hits = searcher.search(query, KEPT).hits
        rows = np.array([searcher.doc(at)["row"][0] for _, at in hits], dtype=int)
        answers.append(best_records(people, np.array([score for score, _ in hits]), rows))
    return answers


def person_words(people: People, i: int) -> dict[str, str]:
    def year(value: float) -> str:
        return "" if np.isnan(value) else str(int(value))

    return {
        "given": people.given[i],
        "surname": people.surname[i],
        "year": year(people.years[i]),
        "date": people.dates[i],
        "birth": year(people.births[i]),
        "place": people.places[i],
    }


def sounded(text: dict[str, str], jellyfish) -> dict[str, str]:
    for key in ("given", "surname"):
        text[f"{key}_sound"] = " ".join(jellyfish.nysiis(word) for word in text[key].split())
    return text


def bm25_parts(tantivy, schema, text: dict[str, str]) -> Iterable:
    """Yield the parts of a query, any of which may match."""

    def part(query, boost: float):
        return tantivy.Occur.Should, tantivy.Query.boost_query(query, boost)

    term = tantivy.Query.term_query
    for key in ("given", "surname"):
        for word in text[key].split():
            yield part(term(schema, key, word), 2.0)
            if len(word) > 3:
                yield part(tantivy.Query.fuzzy_term_query(schema, key, word, distance=1), 1.0)
        for word in text[f"{key}_sound"].split():
            yield part(term(schema, f"{key}_sound", word), 1.0)
    for key in ("year", "birth"):
        for off in range(-5, 6) if text[key] else ():
            word = str(int(text[key]) + off)
            # A constant: how rare a year is must not decide, only how near it lies.
            near = tantivy.Query.const_score_query(term(schema, key, word), 3.0)
            yield part(near, 1 - abs(off) / 6)
    if text["date"]:
        yield part(term(schema, "date", text["date"]), 1.0)
    for word in text["place"].split():
        yield part(term(schema, "place", word), 0.5)


def splink(people: People, queries: People) -> list[list[str]]:
    """Splink: u from random pairs, m by EM, names with term frequencies; no labels."""
    import duckdb
    import pandas
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    ours, theirs = splink_table(queries, "a_query"), splink_table(people, "b_person")
    has = {key: bool(ours[key].notna().any()) for key in ("event_day", "year", "birth", "place")}
    for key, is_asked in has.items():  # a fact that no query has must not be compared
        if not is_asked:
            theirs[key] = None
    rules = ["surname", "surname_sound", "surname_start,given_start", "surname_end,given"]
    if has["event_day"]:
        rules += ["event_day"]
    if has["birth"]:
        rules += ["given,birth"]
    settings = SettingsCreator(
        link_type="link_only",
        comparisons=splink_comparisons(has),
        blocking_rules_to_generate_predictions=[block_on(*rule.split(",")) for rule in rules],
        probability_two_random_records_match=1 / len(people.rows),
    )
    api = DuckDBAPI(connection=duckdb.connect())
    linker = Linker(
        [api.register(ours, table_name="a_query"), api.register(theirs, table_name="b_person")],
        settings,
        log_level="WARNING",
    )
    linker.training.estimate_u_using_random_sampling(max_pairs=2e6, seed=1)
    for rule in ("surname", "given", "event_day" if has["event_day"] else ""):
        if rule:
            training = linker.training.estimate_parameters_using_expectation_maximisation
            training(block_on(rule), fix_u_probabilities=True)
    pairs = linker.inference.predict().as_pandas_dataframe()
    assert isinstance(pairs, pandas.DataFrame)
    people_of = pairs["unique_id_r"].to_numpy(dtype=int)
    query_of = pairs["unique_id_l"].to_numpy(dtype=int)
    weights = pairs["match_weight"].to_numpy(dtype=float)
    order = np.argsort(query_of, kind="stable")
    bounds = np.searchsorted(query_of[order], np.arange(len(queries.rows) + 1))
    answers = []
    for i in range(len(queries.rows)):
        mine = order[bounds[i] : bounds[i + 1]]
        answers.append(best_records(people, weights[mine], people_of[mine]))
    return answers


def splink_table(people: People, source: str):
    import jellyfish
    import pandas

    def column(values: Iterable[object]) -> list[object]:
        return [value or None for value in values]

    return pandas.DataFrame(
        {
            "unique_id": range(len(people.rows)),
            "source_dataset": source,
            "given": column(people.given),
            "surname": column(people.surname),
            "surname_sound": column(jellyfish.nysiis(name) for name in people.surname),
            "surname_start": column(name[:2] for name in people.surname),
            "surname_end": column(name[-4:] for name in people.surname),
            "given_start": column(name[:2] for name in people.given),
            "event_day": column(people.dates),
            "year": pandas.array([None if np.isnan(y) else int(y) for y in people.years], "Int64"),
            "birth": pandas.array(
                [None if np.isnan(y) else int(y) for y in people.births], "Int64"
            ),
            "place": column(people.places),
        }
    )


def splink_comparisons(has: dict[str, bool]) -> list:
    import splink.comparison_library as cl

    names = [
        cl.JaroWinklerAtThresholds(name, [0.94, 0.88, 0.8]).configure(
            term_frequency_adjustments=True
        )
        for name in ("given", "surname")
    ]
    dated = [year_comparison("year", has["event_day"])] if has["year"] else []
    born = [year_comparison("birth", False)] if has["birth"] else []
    placed = [cl.JaroWinklerAtThresholds("place", [0.9])] if has["place"] else []
    return [*names, *dated, *born, *placed]


def year_comparison(column: str, with_day: bool):
    import splink.comparison_level_library as cll
    import splink.comparison_library as cl

    apart = f'abs("{column}_l" - "{column}_r")'
    days = [
        cll.CustomLevel('"event_day_l" = "event_day_r"', "the same day"),
        cll.CustomLevel(
            "abs(date_diff('day', try_cast(\"event_day_l\" as date),"
            ' try_cast("event_day_r" as date))) <= 30',
            "within a month",
        ),
    ]
    return cl.CustomComparison(
        output_column_name=column,
        comparison_levels=[
            cll.NullLevel(column),
            *(days if with_day else []),
            *(cll.CustomLevel(f"{apart} <= {off}", f"within {off}") for off in (0, 1, 2, 5, 10)),
            cll.ElseLevel(),
        ],
    )


PEERS: dict[str, Callable[[People, People], list[list[str]]]] = {
    "tfidf": tfidf,
    "jaro_winkler": jaro_winkler,
    "bm25": bm25,
    "splink": splink,
    "logistic": logistic,
}


def main() -> None:
    folder, *names = Path(sys.argv[1]), *sys.argv[2:]
    people = read_people(folder / "people.jsonl")
    queries = read_people(folder / "queries.jsonl")
    for name in names:
        answers = PEERS[name](people, queries)
        by_query = dict(zip(queries.records, answers, strict=True))
        (folder / f"{name}.json").write_text(json.dumps(by_query), "utf-8")


if __name__ == "__main__":
    main()
