"""Metrics of running a pipeline: how long it took, what it cost, and what it reports of itself. No judge.

Every metric applies to cases of all kinds. What the pipeline does not report is skipped, never estimated.
"""
