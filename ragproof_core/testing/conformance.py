"""What the suites of all roles share: the guard, and the checks of a component's outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, ClassVar

import pytest
from pydantic import SecretStr

from ragproof_core.errors import PluginError
from ragproof_core.hookspecs import API_VERSION
from ragproof_core.plugins.catalog import GROUPS, Blocking, find, scan
from ragproof_core.plugins.component import Component, from_object, settings_model
from ragproof_core.plugins.contract import check_class
from ragproof_core.plugins.loading import load_class
from ragproof_core.testing.checking import fail, require

_GUARD = "test_every_standard_test_is_there"
_SUITES = __name__.rpartition(".")[0]
_SECRET = re.compile(r"(^|_)(api_?key|access_key|auth_?token|access_token|secret|password)$", re.IGNORECASE)


class Conformance:
    """Base of the suites; subclass one of the four roles' instead.

    ``entry_point`` is the name that users type; set it to have the installed entry point checked.
    """

    role: ClassVar[str]
    entry_point: str | None = None

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Refuse flags that are misspelt, and a subclass without the guard."""
        super().__init_subclass__(**arguments)
        if cls.__module__.startswith(_SUITES):
            return
        if getattr(cls, _GUARD, None) is not getattr(Conformance, _GUARD):
            raise TypeError(f"{cls.__qualname__} overrides {_GUARD}, which watches over the other standard tests")
        known = {name for base in cls.__mro__[1:] for name in vars(base)}
        flags = [name for name in known if not name.startswith(("_", "test_"))]
        for name, value in vars(cls).items():
            near = get_close_matches(name, flags, n=1, cutoff=0.8)
            if near and name not in known and isinstance(value, (bool, int, float, str, tuple, dict)):
                raise TypeError(f"{cls.__qualname__}: the suite has no {name!r}; did you mean {near[0]!r}?")

    @pytest.fixture
    def instance(self) -> object:
        """Return the component; each role's suite makes it of the subclass's own fixture."""
        raise NotImplementedError

    @pytest.fixture
    def component(self, instance: object) -> Iterator[Component]:
        """Yield the component behind its hooks, as the kernel calls it."""
        built = self.component_of(instance)
        yield built
        if built.loop is not None:
            built.loop.stop()

    def component_of(self, instance: object) -> Component:
        """Return the instance behind its hooks."""
        return from_object(self.role, instance, self.entry_point or type(instance).__qualname__)

    def test_every_standard_test_is_there(self) -> None:
        """No standard test is removed or overridden, except with a reasoned ``xfail``."""
        changed = [name for name, own in _standard_tests(type(self)) if not _allowed(getattr(type(self), name), own)]
        require(
            not changed,
            f"{type(self).__qualname__} removes or overrides {', '.join(changed)}. A standard test that this plugin "
            'cannot pass is overridden with @pytest.mark.xfail(reason="…"), so that the gap shows in every test run',
        )

    def test_the_hooks_fit_the_contract(self, instance: object) -> None:
        """The class and its instance have the role's hooks, marked, with arguments that the kernel fills."""
        try:
            check_class(self.role, type(instance), type(instance).__qualname__)
            self.component_of(instance)
        except PluginError as problem:
            fail(str(problem))

    def test_the_api_version_is_this_kernels(self, instance: object) -> None:
        """``api_version`` is the integer literal of this kernel."""
        version = getattr(type(instance), "api_version", None)
        require(
            version == API_VERSION and type(version) is int,
            f"{type(instance).__qualname__}.api_version is {version!r}; expected the literal {API_VERSION}. The kernel "
            "refuses components of another version",
        )

    def test_the_entry_point_is_found(self, instance: object) -> None:
        """The installed entry point gives this very class."""
        if self.entry_point is None:
            pytest.skip("set entry_point to the name that users type, to have the installed package checked")
        try:
            found = load_class(find(scan(Blocking()), self.role, self.entry_point))
        except PluginError as problem:
            fail(
                f'{problem}. Expected in pyproject.toml: [project.entry-points."{GROUPS[self.role]}"] '
                f'"{self.entry_point}" = "{type(instance).__module__}:{type(instance).__qualname__}", and the package '
                "installed (pip install -e .)"
            )
        require(
            found is type(instance),
            f"the entry point {self.entry_point!r} gives {found.__module__}.{found.__qualname__}, the fixture gives "
            f"{type(instance).__module__}.{type(instance).__qualname__}; what is tested must be what is installed",
        )

    def test_the_settings_refuse_unknown_keys(self, instance: object) -> None:
        """A misspelt key in a user's config is an error, not silence."""
        model = settings_model(type(instance))
        require(
            hasattr(type(instance), "Settings") == (model is not None),
            f"{type(instance).__qualname__}.Settings is not a pydantic model; the kernel would not read it",
        )
        require(
            model is None or model.model_config.get("extra") == "forbid",
            f"{type(instance).__qualname__}.Settings lets unknown keys pass; give it model_config = "
            'ConfigDict(extra="forbid"), so that a misspelt key in ragproof.yaml is refused by name',
        )

    def test_secrets_are_secret_fields(self, instance: object) -> None:
        """Keys, tokens and passwords are ``SecretStr``: a plain text would be stored and shown with the run."""
        model = settings_model(type(instance))
        plain = [
            name
            for name, field in (model.model_fields if model else {}).items()
            if _SECRET.search(name) and "Secret" not in repr(field.annotation)
        ]
        require(
            not plain,
            f"{type(instance).__qualname__}.Settings: {', '.join(plain)} must be {SecretStr.__name__} (pydantic); the "
            "kernel stores and shows every other setting",
        )


def _standard_tests(cls: type) -> Iterator[tuple[str, Any]]:
    seen = set()
    for base in cls.__mro__:
        if base.__module__.startswith(_SUITES):
            for name, own in vars(base).items():
                if name.startswith("test_") and name not in seen:
                    seen.add(name)
                    yield name, own


def _allowed(found: Any, own: Any) -> bool:
    marks = getattr(found, "pytestmark", ())
    return found is own or any(mark.name == "xfail" and mark.kwargs.get("reason") for mark in marks)
