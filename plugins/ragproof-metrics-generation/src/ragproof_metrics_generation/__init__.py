"""Metrics of a generated answer (``generation.*``) and of the context it was given (``context.*``).

Each metric is a module of its own, imported only when it is selected.
"""
