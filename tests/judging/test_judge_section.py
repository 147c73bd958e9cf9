import re

import pytest

from ragproof_core.errors import ConfigError
from ragproof_core.judging.environment import judge_section, without_unwanted
from ragproof_core.judging.options import JudgeOptions, split_options
from ragproof_core.judging.prices import Prices

OPENAI = {"type": "openai", "model": "m", "base_url": "http://a", "api_key": "env:KEY", "timeout_seconds": 5}


@pytest.mark.parametrize(
    ("section", "environ", "merged"),
    [
        (None, {}, None),
        (None, {"RAGPROOF_LLM_API_KEY": "k", "RAGPROOF_LLM_PROVIDER": "ollama", "RAGPROOF_MAX_COST_USD": "1"}, None),
        (None, {"RAGPROOF_JUDGE_MODEL": "  "}, None),
        (OPENAI, {}, OPENAI),
        (OPENAI, {"RAGPROOF_JUDGE_MODEL": "", "OTHER": "x"}, OPENAI),
        (None, {"RAGPROOF_JUDGE_MODEL": "m"}, {"type": "openai", "model": "m"}),
        (
            None,
            {
                "RAGPROOF_LLM_PROVIDER": "anthropic",
                "RAGPROOF_LLM_BASE_URL": "http://b",
                "RAGPROOF_LLM_API_KEY": "secret",
                "RAGPROOF_JUDGE_MODEL": " m ",
                "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "0.15",
                "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK": "6e-1",
                "RAGPROOF_MAX_COST_USD": "2",
                "RAGPROOF_MAX_CONCURRENCY": "64",
            },
            {
                "type": "anthropic",
                "base_url": "http://b",
                "api_key": "env:RAGPROOF_LLM_API_KEY",
                "model": "m",
                "input_cost_per_mtok": 0.15,
                "output_cost_per_mtok": 0.6,
                "max_cost_usd": 2.0,
                "concurrency": 64,
            },
        ),
        (OPENAI, {"RAGPROOF_JUDGE_MODEL": "n"}, OPENAI | {"model": "n"}),
        (OPENAI, {"RAGPROOF_LLM_PROVIDER": "openai"}, OPENAI),
        (OPENAI, {"RAGPROOF_LLM_PROVIDER": "anthropic"}, {"type": "anthropic", "model": "m", "timeout_seconds": 5}),
        ({"model": "m"}, {}, {"type": "openai", "model": "m"}),
    ],
)
def test_the_environment_over_the_section(section, environ, merged):
    before = dict(section) if section else section
    assert judge_section(section, environ) == merged
    assert section == before


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("RAGPROOF_MAX_COST_USD", "$1", "US dollars, a number of 0 or more, found '$1'"),
        ("RAGPROOF_MAX_COST_USD", "-1", "US dollars, a number of 0 or more, found '-1'"),
        ("RAGPROOF_MAX_COST_USD", "nan", "US dollars, a number of 0 or more, found 'nan'"),
        ("RAGPROOF_JUDGE_INPUT_COST_PER_MTOK", "inf", "US dollars, a number of 0 or more, found 'inf'"),
        ("RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK", "0,15", "US dollars, a number of 0 or more, found '0,15'"),
        ("RAGPROOF_MAX_CONCURRENCY", "0", "a whole number from 1 to 1024, found '0'"),
        ("RAGPROOF_MAX_CONCURRENCY", "2.5", "a whole number from 1 to 1024, found '2.5'"),
        ("RAGPROOF_MAX_CONCURRENCY", "²", "a whole number from 1 to 1024, found '²'"),
    ],
)
def test_bad_numbers_name_the_variable(name, value, expected):
    with pytest.raises(ConfigError, match=f"^{re.escape(f'{name}: expected {expected}')}$"):
        judge_section(OPENAI, {name: value})


def test_the_kernels_keys_are_taken_out():
    options, rest = split_options(
        OPENAI | {"concurrency": 4, "max_tokens": 50, "input_cost_per_mtok": 1, "output_cost_per_mtok": 0.5}
    )
    assert options == JudgeOptions("openai", 4, 50, 1.0, 0.5, None)
    assert options.prices == Prices(1.0, 0.5)
    assert rest == {key: value for key, value in OPENAI.items() if key != "type"}


def test_defaults():
    assert split_options({"type": "x"}) == (JudgeOptions("x", 8, 2048, None, None, None), {})
    assert JudgeOptions("x").prices is None


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ({}, "judge.type is missing"),
        ({"type": 5}, "judge.type is missing"),
        ({"type": "x", "concurrency": 0}, "judge.concurrency: expected a whole number, 1 or more, found 0"),
        ({"type": "x", "concurrency": True}, "judge.concurrency: expected a whole number, 1 or more, found True"),
        ({"type": "x", "max_tokens": "9"}, "judge.max_tokens: expected a whole number, 1 or more, found '9'"),
        ({"type": "x", "input_cost_per_mtok": -1}, "judge.input_cost_per_mtok: expected US dollars, a number of 0"),
        ({"type": "x", "max_cost_usd": float("nan")}, "judge.max_cost_usd: expected US dollars"),
        (
            {"type": "x", "input_cost_per_mtok": 1},
            "judge.input_cost_per_mtok is given without judge.output_cost_per_mtok",
        ),
        (
            {"type": "x", "output_cost_per_mtok": 1},
            "judge.output_cost_per_mtok is given without judge.input_cost_per_mtok",
        ),
    ],
)
def test_bad_options_name_the_key(section, message):
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}"):
        split_options(section)


def test_a_variable_that_the_component_has_no_setting_for_is_dropped():
    section = {"type": "llamacpp", "path": "m.gguf"}
    merged = judge_section(section, {"RAGPROOF_LLM_API_KEY": "k", "RAGPROOF_LLM_BASE_URL": "http://a"})
    _, rest = split_options(merged)
    assert without_unwanted(rest, section, {"path"}) == {"path": "m.gguf"}
    assert without_unwanted({"pth": 1}, {"pth": 1}, {"path"}) == {"pth": 1}  # a user's own key is kept, to be refused
