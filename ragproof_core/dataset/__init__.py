"""Datasets: JSON Lines of cases, and frozen ones that notice an edit."""
