"""Whether an answer declines to answer: a heuristic over phrase tables, in many languages."""

from ragproof_metrics_robustness.refusals.verdict import (
    RefusalVerdict as RefusalVerdict,
    is_refusal as is_refusal,
    refusal_verdict as refusal_verdict,
)
