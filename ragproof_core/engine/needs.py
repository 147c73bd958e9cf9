"""What a metric may need, and the fixed reason for skipping it when that is missing."""

from __future__ import annotations

from dataclasses import fields

from ragproof_core.models.case import Case
from ragproof_core.models.response import Answer, Response, Usage

NEEDS = {
    "retrieval": "adapter does not expose retrieval",
    "exact_retrieval": "adapter does not expose exact retrieval",
    "answer": "adapter does not expose answers",
    "citations": "answer has no citations",
    "context": "no context: the adapter returned no chunks",
    "expected_answer": "case has no expected_answer",
    "expected_sources": "case has no expected_source_ids",
    "expected_grades": "case has no expected_source_grades",
    "keywords": "case has no keywords",
    "payload": "case has no adversarial_payload",
    "judge": "no judge is configured: set RAGPROOF_JUDGE_MODEL, or 'judge' in the config",
}
"""Every need of one word, with the reason that all metrics are skipped with where it is not met."""

_REPORTED = {"usage": frozenset(field.name for field in fields(Usage)), "trace": None}

BIT = {need: 1 << position for position, need in enumerate(NEEDS)}

HOOKS_FOR = {
    "retrieval": ("retrieve",),
    "exact_retrieval": ("retrieve", "retrieve_exact"),
    "answer": ("answer",),
    "citations": ("retrieve", "answer"),
    "context": ("retrieve", "answer"),
}
"""Which adapter hooks must be called so that a need can be met."""

EXPECTED_NEEDS = ", ".join([*NEEDS, *(f"usage.{name}" for name in sorted(_REPORTED["usage"] or ())), "trace.KEY"])
"""What may stand among a metric's needs, for messages."""


def is_need(name: str) -> bool:
    """Whether this is a need: one of :data:`NEEDS`, or what an answer reports (``usage.cost_usd``, ``trace.KEY``)."""
    return name in NEEDS or is_reported(name)


def is_reported(name: str) -> bool:
    """Whether this is a need for something that an answer reports of itself."""
    section, _, key = name.partition(".")
    if not key or section not in _REPORTED:
        return False
    known = _REPORTED[section]
    return known is None or key in known


def reason_without(need: str) -> str:
    """Return the fixed reason for skipping where a need is not met."""
    return NEEDS.get(need) or f"adapter reports no {need}"


def hooks_for(need: str) -> tuple[str, ...]:
    """Return the adapter hooks that must be called so that the need can be met."""
    return ("answer",) if is_reported(need) else HOOKS_FOR.get(need, ())


def reports(answer: Answer, need: str) -> bool:
    """Whether the answer reports what the need names; ``None`` counts as not reported."""
    section, _, key = need.partition(".")
    found = getattr(answer.usage, key, None) if section == "usage" else answer.trace.get(key)
    return found is not None


_RETRIEVAL, _EXACT, _ANSWER = BIT["retrieval"], BIT["exact_retrieval"], BIT["answer"]
_CITATIONS, _CONTEXT = BIT["citations"], BIT["context"]
_EXPECTED_ANSWER, _SOURCES, _GRADES = BIT["expected_answer"], BIT["expected_sources"], BIT["expected_grades"]
_KEYWORDS, _PAYLOAD = BIT["keywords"], BIT["payload"]


def missing_bits(case: Case, response: Response) -> int:
    """Return the needs that this case and response do not meet, as a sum of :data:`BIT` values."""
    return _missing_in_case(case) | _missing_in_response(response)


def _missing_in_response(response: Response) -> int:
    bits = 0
    if response.retrieved is None:
        bits |= _RETRIEVAL
    if response.exact is None:
        bits |= _EXACT
    if response.context is None:
        bits |= _CONTEXT
    if response.answer is None:
        bits |= _ANSWER | _CITATIONS
    elif not response.answer.citations:
        bits |= _CITATIONS
    return bits


def _missing_in_case(case: Case) -> int:
    bits = 0
    if not (case.expected_answer and case.expected_answer.strip()):
        bits |= _EXPECTED_ANSWER
    if not case.expected_source_grades:
        bits |= _GRADES if case.expected_source_ids else _GRADES | _SOURCES
    elif not case.relevant:
        bits |= _SOURCES
    if not case.keywords:
        bits |= _KEYWORDS
    if case.adversarial_payload is None:
        bits |= _PAYLOAD
    return bits
