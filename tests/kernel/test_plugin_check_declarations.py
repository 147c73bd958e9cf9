"""``plugins --check`` refuses the declarations that a run would refuse."""

import pytest

from ragproof_core import hookimpl
from ragproof_core.engine.selection import declarations
from ragproof_core.errors import PluginRefusedError


class Metric:
    api_version = 1
    direction = "higher"
    range = (0.0, 1.0)
    needs = ("answer",)

    @hookimpl
    def score(self):
        return 1.0


def test_a_class_declares_what_its_instance_does() -> None:
    assert declarations(Metric, "metric 'm'") == declarations(Metric(), "metric 'm'")


@pytest.mark.parametrize(
    ("attribute", "value", "expected"),
    [
        ("direction", "up", "one of higher, lower, none"),
        ("direction", None, "one of higher, lower, none"),
        ("needs", ("foo",), "a tuple of retrieval, "),
        ("wants", "answer", "a tuple of retrieval, "),
        ("kinds", ("quiz",), "a tuple of qa, "),
        ("range", (1.0, 0.0), "(low, high) with low below high"),
        ("range", (0.0, "1"), "(low, high), None for no bound"),
        ("unit", 5, "a text"),
        ("prompts", ("refusal",), "a tuple of Prompt objects"),
    ],
)
def test_a_wrong_declaration_is_refused_by_name(attribute, value, expected) -> None:
    wrong = type("Wrong", (Metric,), {attribute: value})
    with pytest.raises(PluginRefusedError) as refused:
        declarations(wrong, "metric 'm'")
    assert str(refused.value).startswith(f"metric 'm': {attribute} is {value!r}; expected {expected}")
