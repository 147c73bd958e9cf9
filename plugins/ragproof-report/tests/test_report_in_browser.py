"""The page in a real browser: it works, stays quiet, fits, prints, and can be used without a mouse or sharp eyes."""

import base64
import json
import re
import time
from pathlib import Path

import pytest
from ragproof_report import gather, html_page

AUDIT = (Path(__file__).parent / "page_audit.js").read_text(encoding="utf-8")
REQUESTS = "Network.requestWillBeSent"


@pytest.fixture
def page(samples):
    run, results = samples.hostile()
    return html_page(gather(run, results))


def shown(browser):
    return browser.execute_script(
        "return Array.from(document.querySelectorAll('#list tbody tr')).filter(r => !r.hidden).map(r => r.cells[0].textContent)"
    )


def type_in(browser, selector, text):
    browser.execute_script(
        "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event('input', {bubbles: true})); e.dispatchEvent(new Event('change', {bubbles: true}))",
        selector,
        text,
    )
    time.sleep(0.2)


def requests(browser):
    found = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [m["params"]["request"]["url"] for m in found if m["method"] == REQUESTS]


def test_hostile_texts_stay_texts_and_the_console_and_the_network_stay_quiet(opened, page, samples):
    browser = opened(page)
    assert browser.get_log("browser") == []
    assert [url for url in requests(browser) if not url.startswith(("file:///", "about:"))] == []
    assert len([url for url in requests(browser) if url.startswith("file:///")]) <= 1
    assert browser.execute_script("return window.pwned") is None
    assert browser.execute_script("return document.querySelectorAll('img, iframe, object, link').length") == 0
    assert browser.execute_script("return document.querySelectorAll('script').length") == 1
    text = browser.execute_script("return document.querySelector('#worst').closest('section').textContent")
    for expected in (samples.texts[0], samples.texts[1], "{{ 7 * 7 }}", r"lone \ud800 and \udfff", r"nul\x00 bell\x07"):
        assert expected in text
    assert "a\u2028b\u2029c" in text
    assert r"\u202eevil\u202c" in text
    assert "مرحبا بالعالم 你好" in text


def test_the_policy_lets_nothing_else_run_or_load(opened, page):
    browser = opened(page)
    browser.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.pwned = 2'; document.body.append(s);"
        "const i = new Image(); i.src = 'http://127.0.0.1:9/x.png'; document.body.append(i);"
    )
    time.sleep(0.2)
    assert browser.execute_script("return window.pwned") is None
    refused = [entry["message"] for entry in browser.get_log("browser")]
    assert any("script" in message and "Content Security Policy" in message for message in refused)
    assert any("127.0.0.1" in message and "Content Security Policy" in message for message in refused)


def test_search_filters_and_sorting_work(opened, samples):
    run, results = samples.large(60)
    browser = opened(html_page(gather(run, results())))
    assert len(shown(browser)) == 60
    assert browser.execute_script("return document.querySelector('#shown').textContent") == "60 of 60 cases shown"
    type_in(browser, "#q", "SOMETHING-00007 leave")
    assert shown(browser) == ["8"]
    type_in(browser, "#q", "no such text")
    assert shown(browser) == []
    browser.execute_script("document.querySelector('#filter button[type=reset]').click()")
    time.sleep(0.1)
    assert len(shown(browser)) == 60
    type_in(browser, "#outcome", "passed")
    passed = shown(browser)
    assert 0 < len(passed) < 60
    type_in(browser, "#outcome", "")
    sort = "document.querySelectorAll('#list thead button')[arguments[0]].click()"
    values = "return Array.from(document.querySelectorAll('#list tbody tr'), r => parseFloat(r.cells[6].textContent))"
    browser.execute_script(sort, 6)
    assert browser.execute_script(values) == sorted(browser.execute_script(values))
    browser.execute_script(sort, 6)
    assert browser.execute_script(values) == sorted(browser.execute_script(values), reverse=True)
    assert browser.execute_script("return document.querySelectorAll('#list thead th')[6].ariaSort") == "descending"


def test_a_link_to_a_worst_case_opens_it(opened, samples):
    run, results = samples.large(60)
    browser = opened(html_page(gather(run, results())))
    target = browser.execute_script(
        "const a = [...document.querySelectorAll('#list a')].find(a => !document.querySelector(a.hash).open);"
        "a.click(); return a.hash"
    )
    time.sleep(0.2)
    assert browser.execute_script("return document.querySelector(arguments[0]).open", target) is True
    place = browser.execute_script("return document.querySelector(arguments[0]).getBoundingClientRect().top", target)
    assert -5 <= place < 900


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
def test_everything_has_a_name_and_enough_contrast_and_fits(opened, page, dark, width):
    browser = opened(page, width=width, dark=dark)
    browser.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    audit = browser.execute_script(AUDIT)
    assert audit["problems"] == []
    assert audit["checked"] > 300
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width


def test_the_colours_follow_the_system_and_the_button(opened, page):
    browser = opened(page, dark=True)
    paper = "return getComputedStyle(document.body).backgroundColor"
    assert browser.execute_script(paper) == "rgb(20, 23, 27)"
    assert browser.execute_script("return document.querySelector('#theme').textContent") == "Light colours"
    browser.execute_script("document.querySelector('#theme').click()")
    assert browser.execute_script(paper) == "rgb(255, 255, 255)"
    assert browser.execute_script("return document.querySelector('#theme').textContent") == "Dark colours"


def test_the_keyboard_reaches_the_controls_in_order(opened, samples):
    run, results = samples.large(12)
    browser = opened(html_page(gather(run, results())))
    keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
    chain = pytest.importorskip("selenium.webdriver").ActionChains
    seen = []
    for _ in range(3):
        chain(browser).send_keys(keys.TAB).perform()
        seen.append(browser.execute_script("return document.activeElement.textContent"))
    assert seen == ["Skip to the results", "Dark colours", "Metrics"]
    browser.execute_script("document.querySelectorAll('details.case > summary')[1].focus()")
    chain(browser).send_keys(keys.ENTER).perform()
    assert browser.execute_script("return document.querySelectorAll('details.case')[1].open") is True


def test_it_prints_with_everything_opened(opened, samples):
    run, results = samples.large(40)
    browser = opened(html_page(gather(run, results())), dark=True)
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert browser.execute_script("return document.querySelectorAll('details:not([open])').length") == 0
    browser.execute_script("window.dispatchEvent(new Event('afterprint'))")
    assert browser.execute_script("return document.querySelectorAll('details:not([open])').length") > 0
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})["data"])
    assert pdf.startswith(b"%PDF-")
    assert 5 <= len(re.findall(rb"/Type /Page\b(?!s)", pdf)) <= 60
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
    assert browser.execute_script("return getComputedStyle(document.querySelector('nav')).display") == "none"
    assert browser.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_without_scripts_the_page_is_a_whole_document(browser, opened, samples):
    run, results = samples.large(12)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        opened(html_page(gather(run, results())))
        root = browser.execute_cdp_cmd("DOM.getDocument", {"depth": -1})["root"]
        form = browser.execute_cdp_cmd("DOM.querySelector", {"nodeId": root["nodeId"], "selector": "#filter[hidden]"})
        rows = browser.execute_cdp_cmd("DOM.querySelectorAll", {"nodeId": root["nodeId"], "selector": "#list tbody tr"})
        assert form["nodeId"] != 0
        assert len(rows["nodeIds"]) == 12
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_thousand_cases_open_at_once_and_filter_without_delay(opened, samples):
    run, results = samples.large(1000)
    page = html_page(gather(run, results()))
    assert len(page.encode()) < 1_000_000
    browser = opened(page)
    assert len(shown(browser)) == 1000
    took = browser.execute_script(
        "const t = performance.now(); document.querySelector('#outcome').value = 'passed';"
        "document.querySelector('#filter').dispatchEvent(new Event('change')); document.body.offsetHeight;"
        "return performance.now() - t"
    )
    assert took < 2000
