"""The funnel: an answer needs its sources retrieved, put in the context, used, and used correctly.

Each stage is 0 or 1 for a case, and applies to ``qa`` cases: the others have no source that must come through.
"""
