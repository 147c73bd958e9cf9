"""RAGProof core: prove that a RAG pipeline works.

Names are imported when first used, so that listing plugins imports no model and no plugin.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragproof_core.errors import (
        AdapterError as AdapterError,
        ConfigError as ConfigError,
        ExecutionError as ExecutionError,
        JudgeError as JudgeError,
        RAGProofError as RAGProofError,
        StoreError as StoreError,
    )
    from ragproof_core.evaluation import Report as Report, evaluate as evaluate
    from ragproof_core.hookspecs import API_VERSION as API_VERSION, hookimpl as hookimpl
    from ragproof_core.models.case import Case as Case, Turn as Turn
    from ragproof_core.models.judging import (
        Judge as Judge,
        JudgeReply as JudgeReply,
        JudgeRequest as JudgeRequest,
        Prompt as Prompt,
        Reply as Reply,
        TokenUsage as TokenUsage,
    )
    from ragproof_core.models.outcome import (
        Outcome as Outcome,
        error as error,
        judge_error as judge_error,
        not_applicable as not_applicable,
        scored as scored,
        skipped as skipped,
    )
    from ragproof_core.models.response import (
        Answer as Answer,
        Chunk as Chunk,
        Citation as Citation,
        Response as Response,
        Usage as Usage,
    )
    from ragproof_core.models.run import (
        CacheEntry as CacheEntry,
        Calibration as Calibration,
        CaseResult as CaseResult,
        RunRecord as RunRecord,
        RunSettings as RunSettings,
        ScoreRow as ScoreRow,
        Summary as Summary,
    )

_HOMES = {
    "ragproof_core.errors": (
        "AdapterError", "ConfigError", "ExecutionError", "JudgeError", "RAGProofError", "StoreError",
    ),
    "ragproof_core.evaluation": ("Report", "evaluate"),
    "ragproof_core.hookspecs": ("API_VERSION", "hookimpl"),
    "ragproof_core.models.case": ("Case", "Turn"),
    "ragproof_core.models.judging": (
        "Judge", "JudgeReply", "JudgeRequest", "Prompt", "Reply", "TokenUsage",
    ),
    "ragproof_core.models.outcome": ("Outcome", "error", "judge_error", "not_applicable", "scored", "skipped"),
    "ragproof_core.models.response": ("Answer", "Chunk", "Citation", "Response", "Usage"),
    "ragproof_core.models.run": (
        "CacheEntry", "Calibration", "CaseResult", "RunRecord", "RunSettings", "ScoreRow", "Summary",
    ),
}  # fmt: skip
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)  # noqa: PLE0605 - the same names as imported above; a test compares the two


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
