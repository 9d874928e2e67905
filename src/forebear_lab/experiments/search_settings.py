"""How much do the settings of stochastic search matter, and what may `max_stagnation` mean?

The paper starts from a RankSVM on about 1,000 queries and walks with epsilon .1, stagnation 10 and
deltas of 1, 2, .5 and .5.  Each setting is halved and doubled, all others as in the paper.

The paper's training times mean thousands of evaluations, but ten iterations without improvement
come after about a hundred.  So other readings of `max_stagnation` are run too: that any
improvement counts, that the worst vertex must improve, that ten rounds of one iteration per list
are meant, and that ten restarts are meant.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from forebear.learning.dataset import FusionDataset
from forebear.learning.stochastic_search import Minimizer, NelderMead, StochasticSearch
from forebear_lab.baselines.fuser import CurvePoint, Fitted, Fuser, in_bits, scale_of
from forebear_lab.experiments.methods import Make, Method
from forebear_lab.learning.simplexes import RestartedSimplex

PAPER = NelderMead()
START_QUERIES = 1000
MAX_ITERATIONS = 5000  # for other readings; the paper gives none
SETTING_PREFIX, READING_PREFIX = "ss_setting_", "ss_reading_"
_SETTINGS = {  # title: field of the simplex
    "epsilon": "step",
    "max_stagnation": "stagnation",
    "delta_refl": "reflection",
    "delta_ext": "expansion",
    "delta_cont": "contraction",
    "delta_shr": "shrinkage",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFuser:
    """Stochastic search with any settings, as a fuser."""

    search: StochasticSearch

    def fit(self, dataset: FusionDataset) -> Fitted:
        """Search the weights of the lists."""
        weights, history = replace(self.search, scale=scale_of(dataset)).fit(dataset)
        shifts = weights.array(dataset.list_names)
        return Fitted(
            score=lambda lists: in_bits(lists).scores + shifts[lists.lists_of_records()],
            curve=tuple(
                CurvePoint(work=step.evaluations, train=step.train) for step in history.steps
            ),
            unit="evaluations",
            settings={"ended": history.ended},
        )


def search_variants(list_count: int) -> tuple[Method, ...]:
    """Return stochastic search under each setting and each reading, as methods."""
    return (*_setting_methods(), *_reading_methods(list_count))


def _setting_methods() -> Iterator[Method]:
    yield _method(f"{SETTING_PREFIX}paper", "the paper's settings", StochasticSearch(seed=0))
    for factor in (0.5, 2.0):
        count = round(factor * START_QUERIES)
        yield _method(
            f"{SETTING_PREFIX}queries_{count}",
            f"start on {count} queries",
            StochasticSearch(seed=0, query_count=count),
        )
    for title, name in _SETTINGS.items():
        usual = getattr(PAPER, name)
        for factor in (0.5, 2.0):
            value = type(usual)(factor * usual)
            simplex = replace(PAPER, **{name: value})
            search = StochasticSearch(seed=0, simplex=simplex)
            yield _method(f"{SETTING_PREFIX}{name}_{value:g}", f"{title} {value:g}", search)


def _reading_methods(list_count: int) -> Iterator[Method]:
    longer = replace(PAPER, max_iterations=MAX_ITERATIONS)
    simplexes: dict[str, tuple[str, Minimizer]] = {
        "best": ("10 iterations without a better best vertex (SS)", PAPER),
        "any": ("the same, any improvement counts", replace(longer, improvement=0.0)),
        "worst": ("10 iterations without a better worst vertex", replace(longer, watched="worst")),
        "rounds": (
            "10 rounds of one iteration per list",
            replace(longer, stagnation=PAPER.stagnation * list_count),
        ),
        "restarts": ("10 restarts without a better value", RestartedSimplex(simplex=longer)),
    }
    for name, (title, simplex) in simplexes.items():
        search = StochasticSearch(seed=0, simplex=simplex)
        yield _method(f"{READING_PREFIX}{name}", title, search)


def _method(name: str, title: str, search: StochasticSearch) -> Method:
    return Method(name=name, title=title, origin="beyond", make=_make(search))


def _make(search: StochasticSearch) -> Make:
    def make(seed: int, _sample: int) -> Fuser:
        return SearchFuser(search=replace(search, seed=seed))

    return make
