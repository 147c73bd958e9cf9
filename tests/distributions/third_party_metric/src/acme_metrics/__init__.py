"""Metrics of a house style."""

from acme_metrics.politeness import Politeness
from acme_metrics.short_sentences import ShortSentences

__all__ = ["Politeness", "ShortSentences"]
