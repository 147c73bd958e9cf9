"""The files: well-formed and harmless for any text, small for many cases, and true to the run."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from hypothesis import given, strategies as st
from ragproof_report import case_verdict, gather, html_page, markdown_page
from ragproof_report.case_junit import case_junit
from ragproof_report.loss import bounded_directions, loss
from ragproof_report.page_text import page_text

from ragproof_core.models.response import Chunk
from ragproof_core.reporting.markdown_text import markdown_text


class Elements(HTMLParser):
    """Counts the elements and attributes of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.handlers, self.links = {}, [], []

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        self.links += [value for name, value in attrs if name in ("href", "src")]


def parsed(page):
    found = Elements()
    found.feed(page)
    return found


def test_hostile_text_adds_no_element_no_handler_and_no_link(samples):
    run, results = samples.hostile()
    page = html_page(gather(run, results))
    page.encode("utf-8")
    found = parsed(page)
    assert found.tags["script"] == found.tags["style"] == 1
    assert page.count("</title>\n<style>") == 1
    assert not {"img", "iframe", "link", "object", "base"} & set(found.tags)
    assert found.handlers == []
    assert [link for link in found.links if not link.startswith("#")] == []
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", page)


@given(st.text(st.characters(codec=None)))
def test_any_text_fits_into_a_page_and_says_what_it_said(text):
    shown = page_text(text)
    shown.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
    if text.isascii() and text.isprintable():
        assert shown == text


def test_a_thousand_cases_stay_below_a_megabyte_and_are_all_listed(samples):
    run, results = samples.large(1000, text="语言文字" * 100)
    report = gather(run, results())
    page = html_page(report)
    assert len(page.encode()) < 1_000_000
    assert parsed(page).tags["tr"] > 1000
    assert len(report.lines) == 1000


def test_of_many_cases_the_worst_are_listed_and_the_page_says_so(samples):
    run, results = samples.large(2500)
    report = gather(run, results())
    page = html_page(report)
    assert "Listed are the 2,000 worst of 2,500 cases." in page
    directions = bounded_directions(run.summaries)
    every = sorted(((case_verdict(r).outcome == "failed", loss(r, directions)) for r in results()), reverse=True)
    kept = sorted(((line.verdict.outcome == "failed", line.loss) for line in report.lines), reverse=True)
    assert kept == every[:2000]
    assert [line.index for line in report.lines] == sorted(line.index for line in report.lines)


def test_a_huge_answer_is_cut_and_the_page_says_how_long_it_was(samples):
    run = samples.run(samples.summary("generation.keyword_hit", 0.0))
    answer = "é" * 2_000_000
    results = [samples.result(0, {"generation.keyword_hit": 0.0}, answer_text=answer)]
    page = html_page(gather(run, results))
    assert len(page) < 100_000
    assert "Shown: 4,000 of 2,000,000 characters." in page
    assert len(case_junit(run, results)) < 10_000
    assert len(markdown_page(gather(run, results))) < 5_000


def test_a_chunk_text_is_given_once_and_relevant_and_cited_chunks_are_marked(samples):
    run = samples.run(samples.summary("retrieval.recall_at_k", 0.5))
    chunks = (Chunk(id="a", text="the one text"), Chunk(id="b", text="another text"))
    results = [
        samples.result(
            index,
            {"retrieval.recall_at_k": 0.5},
            expected_source_ids=("b", "gone"),
            retrieved=chunks,
            citations=("b", "z"),
        )
        for index in range(2)
    ]
    report = gather(run, results)
    page = html_page(report)
    assert page.count("the one text") == 1
    assert [(c.relevant, c.cited, c.same_as) for c in report.worst[1].chunks] == [(False, False, 1), (True, True, 2)]
    assert report.worst[0].missing == ("gone",)
    assert report.worst[0].citations == (("b", True), ("z", False))


def test_verdicts_are_shown_and_what_is_no_verdict_is_shown_word_for_word(samples):
    run = samples.run(samples.summary("generation.groundedness", 0.5))
    said = '{"claims": [{"claim": "It is free.", "supported": false}]}'
    results = [
        samples.result(0, {"generation.groundedness": 0.0}, judge_raw={"generation.groundedness": said}),
        samples.result(1, {"generation.groundedness": 0.0}, judge_raw={"generation.groundedness": "<b>no idea</b>"}),
    ]
    page = html_page(gather(run, results))
    assert '<bdi>It is free.</bdi> <strong class="bad">✗ supported: no</strong>' in page
    assert "&lt;b&gt;no idea&lt;/b&gt;" in page


def test_the_page_says_that_a_run_is_not_complete_and_that_cases_failed(samples):
    run = samples.run(status="partial", cases={"total": 10, "ok": 1, "error": 2, "timeout": 1})
    page = html_page(gather(run, [samples.result(0)]))
    assert "Not a complete run (partial)." in page
    assert "cover 1 of 10 cases." in page
    assert "3 of 10 cases failed." in page
    assert "No metric has a value." in page


def test_junit_is_well_formed_and_says_what_failed(samples):
    run, results = samples.hostile()
    root = ET.fromstring(case_junit(run, results).encode("utf-8"))
    suite = root.find("testsuite")
    assert (suite.get("tests"), suite.get("errors"), suite.get("failures")) == ("24", "24", "0")
    names = [case.get("name") for case in suite.iter("testcase")]
    assert samples.texts[0] in names
    assert r"lone \ud800 and \udfff" in names


def test_junit_has_a_test_case_a_case(samples):
    run = samples.run(samples.summary("generation.keyword_hit", 0.5))
    results = [
        samples.result(0, {"generation.keyword_hit": 1.0}, duration_ms=1500.0),
        samples.result(1, {"generation.keyword_hit": 0.0}, answer_text="So.", expected_answer="No."),
        samples.result(2, status="error", error="refused"),
        samples.result(3, {}, kind="injection"),
    ]
    suite = ET.fromstring(case_junit(run, results)).find("testsuite")
    cases = list(suite.iter("testcase"))
    assert [[child.tag for child in case] for case in cases] == [
        [], ["failure", "system-out"], ["error", "system-out"], ["skipped", "system-out"],
    ]  # fmt: skip
    assert cases[0].get("time") == "1.500"
    assert cases[1].find("failure").get("message") == "the answer is not right: generation.keyword_hit 0"
    assert cases[1].find("system-out").text.splitlines() == [
        "question: Question 1?", "expected: No.", "answer: So.", "generation.keyword_hit: 0",
    ]  # fmt: skip
    assert cases[3].get("classname") == "handbook.injection"


def test_markdown_is_short_and_has_no_markup_of_others(samples):
    run, results = samples.hostile()
    text = markdown_page(gather(run, results))
    assert len(text.encode("utf-8", "backslashreplace")) <= 60_000
    assert "<script" not in text
    assert "<img" not in text
    assert not re.search(r"(?<!\\)@", text.replace("handbook", ""))
    for line in text.splitlines():
        if line.startswith("| ") and "case" not in line[:7]:
            assert len(re.findall(r"(?<!\\)\|", line)) >= 4


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("<b>", "&lt;b&gt;"),
        ("two\nlines", "two lines"),
        ("@team", r"\@<!-- -->team"),
        ("see #12", r"see \#<!-- -->12"),
        ("http://x.y", r"http\:<!-- -->//x\.y"),
        ("www.x.y", r"www\.<!-- -->x\.y"),
        ("`code`", r"\`code\`"),
    ],
)
def test_markdown_text_is_text(text, escaped):
    assert markdown_text(text) == escaped


def test_markdown_that_grows_too_long_loses_its_end_and_says_so(samples):
    summaries = [samples.summary(f"a.{'m' * 60}{n}", 0.5) for n in range(600)]
    text = markdown_page(gather(samples.run(*summaries), [samples.result(0, {summaries[0].metric: 0.0})]))
    assert len(text.encode()) <= 60_000
    assert re.search(r"\n\nLeft out, because the page would be too long: \d+ lines\.\n$", text)
