"""Tests for the page in a real browser: what a family historian does there."""

from decimal import Decimal
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from forebear.archive import open_archive

pytestmark = pytest.mark.browser

WIDE: ViewportSize = {"width": 1280, "height": 1600}
PHONE: ViewportSize = {"width": 360, "height": 740}


def open_page(browser: Browser, url: str, *, script: bool = True, phone: bool = False) -> Page:
    page = browser.new_page(
        viewport=PHONE if phone else WIDE, java_script_enabled=script, is_mobile=phone
    )
    page.goto(url)
    return page


def search_for_william(page: Page) -> Locator:
    page.get_by_label("Given names").fill("William")
    page.get_by_label("Surname", exact=True).fill("Cobbold")
    page.get_by_label("Date of birth").fill("abt 1806")
    page.get_by_label("Place of birth").fill("Great Wensham, Suffolk")
    page.get_by_label("Husband or wife").fill("Sarah Ling")
    form = page.get_by_role("search", name="Search for a person")
    form.get_by_role("button", name="Search", exact=True).click()
    return page.locator(".hit")


def bits(cells: Locator) -> list[Decimal]:
    return [Decimal(text.replace("−", "-")) for text in cells.all_inner_texts()]


def is_too_wide(page: Page) -> bool:
    # A phone's own idea of its width grows with what it shows, so ours is the measure.
    return bool(page.evaluate("document.documentElement.scrollWidth") > PHONE["width"])


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_search_why_attach(
    browser: Browser, sign_in_url: str, demo_file: Path, script: bool
) -> None:
    page = open_page(browser, sign_in_url, script=script)

    hits = search_for_william(page)
    first = hits.first
    expect(first).to_contain_text("William Cobbold")
    expect(first).to_contain_text("wife Sarah Ling")

    first.locator("summary").first.click()
    rows = first.locator(".comparison tbody .bits")
    expect(rows.first).to_be_visible()
    (total,) = bits(first.locator(".comparison .total .bits"))
    assert len(bits(rows)) > 5
    assert sum(bits(rows)) == total
    expect(first.locator(".behind li").first).to_be_hidden()
    first.locator(".behind summary").click()
    clauses = bits(first.locator(".behind li .bits"))
    assert sum(clauses) == sum(bits(first.locator(".comparison .fact .bits")))

    first.get_by_role("button", name="Attach").click()
    expect(hits.first.locator(".judgment")).to_have_text("attached")
    expect(hits.first.get_by_role("button")).to_have_text(["Reject instead", "Detach"])

    search_id = page.locator("#search-id").inner_text()
    with open_archive(demo_file) as archive:
        (action,) = archive.actions(search_id)
        shown = archive.logged_search(search_id).shown
    assert (action.kind, action.rank) == ("attach", 1)
    assert action.record_key == shown[0]


def test_a_rejected_record_can_be_attached_after_all(browser: Browser, sign_in_url: str) -> None:
    page = open_page(browser, sign_in_url)
    second = search_for_william(page).nth(1)

    second.get_by_role("button", name="Reject").click()
    expect(second.locator(".judgment")).to_have_text("rejected")
    second.get_by_role("button", name="Attach instead").click()

    expect(second.locator(".judgment")).to_have_text("attached")


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_a_search_is_marked_as_looked_through(
    browser: Browser, sign_in_url: str, demo_file: Path, phone: bool
) -> None:
    page = open_page(browser, sign_in_url, phone=phone)
    hits = search_for_william(page)
    hits.first.get_by_role("button", name="Attach").click()
    hits.nth(1).get_by_role("button", name="Maybe").click()
    expect(hits.nth(1).locator(".judgment")).to_have_text("maybe")

    page.get_by_role("button", name="I have looked at all").click()

    expect(page.locator("#review")).to_contain_text("You have looked at all")
    expect(page.get_by_role("heading", name="Maybe")).to_be_visible()
    if phone:
        assert not is_too_wide(page)
    search_id = page.locator("#search-id").inner_text()
    with open_archive(demo_file) as archive:
        (judged,) = [
            search for search in archive.judged_searches() if search.search.id == search_id
        ]
    assert (judged.sources, len(judged.attached), len(judged.maybe)) == ({"complete"}, 1, 1)
    page.get_by_role("button", name="I have not looked at all of them").click()
    expect(page.get_by_role("button", name="I have looked at all")).to_be_visible()


def test_only_who_is_signed_in_sees_buttons(
    browser: Browser, server_url: str, sign_in_url: str
) -> None:
    page = open_page(browser, sign_in_url)
    expect(page).to_have_url(f"{server_url}/")  # without the token
    expect(page.locator(".session")).to_contain_text("Signed in as Mary")
    expect(search_for_william(page).first.get_by_role("button", name="Attach")).to_be_visible()

    page.get_by_role("button", name="Sign out").click()

    expect(page.locator(".session")).to_have_count(0)
    hits = search_for_william(page)
    expect(hits.first).to_contain_text("William Cobbold")
    expect(hits.get_by_role("button")).to_have_count(0)
    expect(page.get_by_text("You are not signed in")).to_be_visible()


def test_the_next_page_and_a_record_belong_to_the_same_search(
    browser: Browser, server_url: str
) -> None:
    page = open_page(browser, server_url)
    search_for_william(page)
    search_id = page.locator("#search-id").inner_text()

    page.get_by_role("link", name="Page 2").click()
    expect(page.locator("#search-id")).to_have_text(search_id)
    expect(page.locator(".hit .rank").first).to_have_text("21")

    page.locator(".hit h3 a").first.click()
    expect(page.get_by_role("heading", name="The row as it stood")).to_be_visible()
    page.get_by_role("link", name="Back to the results").click()
    expect(page.locator("#search-id")).to_have_text(search_id)


def test_a_mistake_is_shown_at_its_field_and_can_be_put_right(
    browser: Browser, server_url: str
) -> None:
    page = open_page(browser, server_url)
    page.get_by_label("Surname", exact=True).fill("Cobbold")
    page.get_by_label("Date of death").fill("long ago")
    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("'long ago' is not understood")
    expect(page.get_by_label("Surname", exact=True)).to_have_value("Cobbold")
    page.get_by_label("Date of death").fill("1879")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("Records of Cobbold")


def test_the_form_is_filled_in_and_sent_with_the_keyboard_alone(
    browser: Browser, server_url: str
) -> None:
    page = open_page(browser, server_url)
    page.get_by_label("Given names").focus()

    page.keyboard.type("Sarah")
    page.keyboard.press("Tab")
    page.keyboard.type("Ling")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("Records of Sarah Ling")


def test_a_phone_needs_no_sideways_scrolling(browser: Browser, server_url: str) -> None:
    page = open_page(browser, server_url, phone=True)
    assert not is_too_wide(page)

    hits = search_for_william(page)
    hits.first.locator("summary").first.click()
    assert not is_too_wide(page)

    hits.first.locator("h3 a").click()
    expect(page.get_by_role("heading", name="The row as it stood")).to_be_visible()
    assert not is_too_wide(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_blocked_and_nothing_comes_from_elsewhere(
    browser: Browser, server_url: str, scheme: Literal["light", "dark"]
) -> None:
    page = browser.new_page(color_scheme=scheme)
    complaints: list[str] = []
    addresses: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(server_url)

    search_for_william(page).first.locator("summary").first.click()

    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(246, 242, 234)", "dark": "rgb(25, 24, 21)"}[scheme]
    assert complaints == []
    assert all(address.startswith(server_url) for address in addresses)
