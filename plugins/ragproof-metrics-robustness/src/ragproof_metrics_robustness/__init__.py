"""Robustness metrics: does the pipeline decline when it should, only then, and does it resist injected instructions.

Useful on their own: :func:`ragproof_metrics_robustness.refusals.is_refusal` and
:func:`ragproof_metrics_robustness.payloads.plant`.
"""
