"""Injection payloads: what to plant, where it was planted, and whether an answer obeyed."""

from ragproof_metrics_robustness.payloads.detectors import detect as detect, literal as literal
from ragproof_metrics_robustness.payloads.model import (
    Payload as Payload,
    PayloadVerdict as PayloadVerdict,
    payloads as payloads,
)
from ragproof_metrics_robustness.payloads.planting import Planted as Planted, Span as Span, plant as plant
