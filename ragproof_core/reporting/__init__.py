"""Runs as JSON and as text for a terminal."""
