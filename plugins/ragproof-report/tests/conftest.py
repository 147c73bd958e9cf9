"""Runs built by hand, a real store in a temporary project, and a headless browser where there is one."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import settings

from ragproof_core.models.outcome import Outcome, scored, skipped
from ragproof_core.models.response import Chunk
from ragproof_core.models.run import CaseResult, DatasetInfo, RunRecord, RunSettings, Summary, TagSummary

settings.register_profile("report", deadline=None, max_examples=60)
settings.load_profile("report")

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip


def make_summary(metric, mean=None, **more):
    values = {
        "direction": "higher", "unit": "share", "p50": mean, "p95": mean, "p99": mean, "ci95": None,
        "scored": 0 if mean is None else 10, "skipped": 0, "not_applicable": 0, "errors": 0, **more,
    }  # fmt: skip
    values["tags"] = {tag: TagSummary(*part) for tag, part in values.get("tags", {}).items()}
    return Summary(metric=metric, mean=mean, **values)


def make_run(*summaries, **more):
    values = {
        "run_id": "20260101T000000-abcdef",
        "project": "handbook",
        "label": None,
        "status": "completed",
        "started_at": "2026-01-01T00:00:00.000+00:00",
        "dataset": DatasetInfo("golden.jsonl", "d" * 64, 10, {"qa": 10}),
        "settings": RunSettings(),
        "describe": {},
        "judge": None,
        "plugins": {},
        "fingerprint": {},
        "cases": {"total": 10, "ok": 10, "error": 0, "timeout": 0},
        **more,
    }
    return RunRecord(**values, metrics=tuple(s.metric for s in summaries), summaries=tuple(summaries))


def make_result(index=0, scores=None, **more):
    values = {"case_id": f"case-{index}", "kind": "qa", "status": "ok", "question": f"Question {index}?", **more}
    found = {name: value if isinstance(value, Outcome) else scored(value) for name, value in (scores or {}).items()}
    return CaseResult(index=index, scores=found, **values)


def make_large(cases, text="Words of a chunk. " * 40):
    """A run of many cases with the metrics that most runs have, and its results one by one."""
    names = (
        "retrieval.hit_rate_at_k", "retrieval.recall_at_k", "retrieval.precision_at_k", "retrieval.mrr",
        "retrieval.ndcg_at_k", "retrieval.map", "generation.groundedness", "generation.answer_correctness",
        "generation.keyword_hit", "generation.citation_validity", "funnel.retrieved", "funnel.in_context",
        "funnel.used", "funnel.correct",
    )  # fmt: skip
    summaries = [make_summary(name, 0.7, scored=cases, ci95=(0.65, 0.75), tags={"lookup": (0.8, 9)}) for name in names]
    latency = make_summary("operational.latency_ms", 900.0, unit="ms", direction="lower", scored=cases)
    run = make_run(*summaries, latency, dataset=DatasetInfo("big.jsonl", "d" * 64, cases, {"qa": cases}))
    run = replace(run, cases={"total": cases, "ok": cases, "error": 0, "timeout": 0})

    def results():
        for index in range(cases):
            scores = {name: scored(((index * 7 + place) % 11) / 10) for place, name in enumerate(names)}
            scores = {name: scored(min(outcome.value, 1.0)) for name, outcome in scores.items()}
            scores["operational.latency_ms"] = scored(float(index % 97))
            chunks = tuple(Chunk(id=f"doc-{n}#part-{index % 50}", text=f"{n} {index} {text}") for n in range(10))
            yield CaseResult(
                index=index, case_id=f"question-about-something-{index:05}", kind="qa", status="ok", scores=scores,
                question=f"How many days of leave does somebody in group {index} have, and who has to agree to it?",
                expected_answer="27 days", expected_source_ids=(f"doc-1#part-{index % 50}",), tags=("lookup", "numeric"),
                answer_text="They have 27 days. " * 5, retrieved=chunks, citations=(chunks[0].id,), duration_ms=12.0,
            )  # fmt: skip

    return run, results


HOSTILE = (
    "<script>window.pwned = 1</script>",
    "</style></script></title><img src=x onerror=window.pwned=1>",
    '" onload="window.pwned=1" x="',
    "' autofocus onfocus='window.pwned=1",
    "{{ 7 * 7 }}{% raw %}",
    "a\u2028b\u2029c",
    "nul\x00 bell\x07 esc\x1b[31m",
    "lone \ud800 and \udfff",
    "\u202eevil\u202c \u200frtl\u200e",
    "]]> <!-- --> &amp; &#60;b&#62;",
    "javascript:window.pwned=1",
    "مرحبا بالعالم 你好 สวัสดี 🎉 “curly”",
)
"""Texts that must stay texts, wherever they turn up."""


def make_hostile():
    """A run in which every text is hostile, and its results."""
    everything = " ".join(HOSTILE)
    summaries = (
        make_summary("retrieval.recall_at_k", 0.5, tags=dict.fromkeys(HOSTILE, (0.2, 6))),
        make_summary("generation.groundedness", 0.5, values={everything: 0.5}),
        make_summary("context.recall", skip_reasons={everything: 10}),
        make_summary("robustness.abstention", 0.5),
        make_summary("robustness.overrefusal", 0.5, direction="lower"),
        make_summary("funnel.retrieved", 0.5),
    )
    run = make_run(
        *summaries,
        project=everything,
        label=everything,
        describe={everything: everything},
        notes=(everything,),
        dataset=DatasetInfo(everything, "d" * 64, 24, {everything: 24}),
        judge={"type": "x", "model": everything, "identity": "me", "prompts": {everything: everything}},
        plugins={everything: everything},
    )
    results = [_hostile_result(index, text, everything) for index, text in enumerate(HOSTILE)]
    failed = [
        make_result(100 + index, case_id=text + "!", status="error", error=text, question=text, tags=(text,))
        for index, text in enumerate(HOSTILE)
    ]
    return run, [*results, *failed]


def _sound(text):
    """Chunks refuse lone surrogates."""
    return text.encode("utf-8", "replace").decode()


def _hostile_result(index, text, everything):
    scores = {
        "retrieval.recall_at_k": Outcome("scored", 0.0, text),
        "generation.groundedness": Outcome("judge_error", None, text),
        "funnel.retrieved": scored(0.0),
        "robustness.overrefusal": scored(1.0),
        "robustness.abstention": skipped(text),
    }
    return make_result(
        index,
        scores,
        case_id=text,
        question=text,
        expected_answer=text,
        expected_source_ids=(text, everything),
        tags=(text,),
        answer_text=everything,
        retrieved=(Chunk(id=_sound(text), text=_sound(everything), metadata={"document_id": text}),),
        citations=(text, everything),
        judge_raw={"generation.groundedness": '{"claims": [{"claim": "<b>x</b>", "supported": false}]}'
                   if index % 2 else everything},
    )  # fmt: skip


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium driven over ChromeDriver; skips where either is missing."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver_path = shutil.which("chromedriver")
    if chromium is None or driver_path is None:
        pytest.skip("no chromium and chromedriver on this machine")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_path))
        try:
            yield driver
        finally:
            driver.quit()


@pytest.fixture
def opened(browser, tmp_path):
    """A function that writes a page to disk and opens it there, at a width, light or dark."""

    def open_page(page, *, width=1280, dark=False):
        path = tmp_path / "report.html"
        path.write_bytes(page.encode("utf-8"))
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": [scheme]})
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.get("about:blank")
        browser.get_log("browser"), browser.get_log("performance")
        browser.get(path.as_uri())
        return browser

    return open_page


@pytest.fixture
def samples():
    """The builders above."""
    return SimpleNamespace(
        summary=make_summary, run=make_run, result=make_result, large=make_large, hostile=make_hostile, texts=HOSTILE
    )
