"""Stored runs turned into decisions: compare two of them, and gate one against limits.

The commands are ``ragproof compare`` and ``ragproof gate``; this is what they are made of.
"""

from __future__ import annotations

from ragproof_gate.comparability import Difference, require_comparable, run_differences
from ragproof_gate.comparison_json import comparison_to_dict
from ragproof_gate.flipped_cases import FlippedCase, ScoreChange, flipped_cases, with_answers
from ragproof_gate.gate_checks import Check, GateResult
from ragproof_gate.gate_config import GateSection, parse_gate
from ragproof_gate.gate_junit import gate_junit
from ragproof_gate.gate_rules import Evidence, evaluate_gate
from ragproof_gate.run_comparison import MetricComparison, RunComparison, compare_runs
from ragproof_gate.run_scores import RunScores, read_scores, scores_of
from ragproof_gate.step_summary import step_summary

__all__ = [
    "Check",
    "Difference",
    "Evidence",
    "FlippedCase",
    "GateResult",
    "GateSection",
    "MetricComparison",
    "RunComparison",
    "RunScores",
    "ScoreChange",
    "compare_runs",
    "comparison_to_dict",
    "evaluate_gate",
    "flipped_cases",
    "gate_junit",
    "parse_gate",
    "read_scores",
    "require_comparable",
    "run_differences",
    "scores_of",
    "step_summary",
    "with_answers",
]
