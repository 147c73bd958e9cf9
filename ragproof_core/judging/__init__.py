"""Asking a judge: rendering, fencing, budget, cache, finding and checking the reply.

:class:`~ragproof_core.judging.bench.JudgeBench` is the way in; every other module is one step of an ask.
"""
