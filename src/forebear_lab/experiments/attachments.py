"""Do varied first pages lead to more attachments, in a log or by simulated users?

How searches are divided into thirds, and what the thirds do not show, is in
`forebear.learning.engagement`.  Simulated users examine records by rank and attach right ones at
stated rates, whatever their types (`forebear_lab.simulation.behavior`): they show how far relevance
alone makes a difference.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from forebear.archive import Archive
from forebear.interactions.current import FIRST_PAGE
from forebear.interactions.events import JudgedSearch
from forebear.interactions.log import FirstPage
from forebear.learning.engagement import Engagement, measure_engagement
from forebear_lab.simulation.behavior import Behavior, act
from forebear_lab.simulation.users import Visit


def engagement_of_log(archive: Archive, *, seed: int) -> Engagement:
    """Return the attachments of an archive's logged searches by variety of their first pages."""
    attachments = {one.search.id: len(one.attached) for one in archive.judged_searches()}
    return measure_engagement(archive.first_pages(), attachments, _types(archive), seed=seed)


def engagement_of_users(
    archive: Archive,
    searches: Sequence[JudgedSearch],
    visits: Mapping[str, Visit],
    *,
    seed: int,
    behavior: Behavior | None = None,
) -> Engagement:
    """Return what users attach from searches, by variety of the first pages.

    A user passes over records that he or she attached or rejected in an earlier search.
    """
    pages = []
    attachments: Counter[str] = Counter()
    decided: dict[str, set[str]] = {}
    for one in searches:
        search, visit = one.search, visits.get(one.search.id)
        if visit is None:
            continue
        already = decided.setdefault(visit.user, set())
        actions = act(
            search.shown,
            one.attached,
            user=visit.user,
            query_id=visit.query_id,
            seed=seed,
            behavior=behavior or Behavior(),
            already=already,
        )
        already.update(actions.attached, actions.rejected)
        attachments[search.id] += len(actions.attached)
        records = search.shown[:FIRST_PAGE]
        pages.append(FirstPage(search=search.id, searcher=visit.user, records=records))
    return measure_engagement(pages, attachments, _types(archive), seed=seed)


def _types(archive: Archive) -> dict[str, str]:
    return {one.name: one.record_type for one in archive.collections(viewer="owner")}
