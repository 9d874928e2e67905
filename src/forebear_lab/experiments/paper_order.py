"""In which order are the parts of the paper's size computed?

First what all claims of the paper need and what is quick: linear methods, merging, the settings of
stochastic search, other numbers of lists, and record weights.  Then the slow learners on the first
fold, because a method has a row for the folds that are finished: the paper's own methods, RankLib's
program, RankLib on records, and the related work, the quicker ones first.  The other folds follow
in the same order.
"""

# Learners of fusion whose training takes seconds to minutes at the paper's size.
SLOW_PAPER = ("adarank", "listnet", "mart", "forest", "ranknet", "lambdamart", "rankboost")
SLOW_RELATED = ("listnet_shares", "regression", "wu", "vogt", "annealing", "lambdamerge")
RANKLIB_PREFIX = "ranklib_"
_RANKERS = ("adarank", "ca", "mart", "ranknet", "listnet", "forest", "lambdamart", "rankboost")
_RANKLIB = tuple(f"{RANKLIB_PREFIX}{name}" for name in _RANKERS)
_FUSION = {name: rank for rank, name in enumerate((*SLOW_PAPER, *_RANKLIB))}
_RECORDS = {name: rank for rank, name in enumerate(_RANKLIB, start=len(_FUSION))}
_RELATED = {name: rank for rank, name in enumerate(SLOW_RELATED, start=len(_FUSION) * 2)}


def rank_part(method: str, *, fold: int, is_record: bool) -> tuple[int, int]:
    """Return when a part comes: first all quick ones, then fold by fold.

    >>> rank_part("ss", fold=2, is_record=False) < rank_part("mart", fold=0, is_record=False)
    True
    >>> rank_part("wu", fold=0, is_record=False) < rank_part("mart", fold=1, is_record=False)
    True
    """
    rank = (_RECORDS if is_record else _FUSION | _RELATED).get(method)
    return (0, 0) if rank is None else (1 + fold, rank)
