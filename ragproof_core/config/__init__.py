"""The project's config file: its keys, and reading it."""
