"""{{ cookiecutter.description.rstrip('.') }}."""

from {{ cookiecutter.__package }}.adapter import Adapter

__all__ = ["Adapter"]
