"""The README's example is valid, and its settings are those of the code."""

import importlib.util
import re
from pathlib import Path

import pytest
import yaml

if importlib.util.find_spec("haystack") is None:  # not importorskip: our package must be the first to import it
    pytest.skip("haystack-ai is not installed", allow_module_level=True)

from ragproof_adapter_haystack import Haystack

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_example_config_is_valid():
    config = yaml.safe_load(re.search(r"```yaml\n(.*?)```", README, re.DOTALL)[1])
    section = dict(config["adapter"])
    assert section.pop("type") == "haystack"
    Haystack.Settings.model_validate(section)


@pytest.mark.parametrize("field", Haystack.Settings.model_fields)
def test_every_setting_is_in_the_table(field):
    assert re.search(rf"^\|[^|]*`{field}`[^|]*\|", README, re.MULTILINE)
