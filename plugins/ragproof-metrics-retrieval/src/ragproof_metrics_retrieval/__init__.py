"""Retrieval metrics over a ranked list of source ids; exact, and without a judge.

``ranked`` is the list of distinct source ids, best first, ``relevant`` the set of expected ids, ``k`` the cut-off.
"""
