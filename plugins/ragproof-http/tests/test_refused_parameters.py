"""Which parameter a refusal names."""

import pytest
from ragproof_http import RefusedParameters, StatusError
from ragproof_http.parameters import refused_parameter

SENT = {
    "temperature": "temperature",
    "max_tokens": "max_tokens",
    "json_schema": r"response[_ ]format|json[_ ]schema",
}


def refusal(message, *, param=None, status=400):
    data = {"error": {"message": message, "param": param}}
    return StatusError(f"refused: {message}", status=status, detail=message, data=data)


@pytest.mark.parametrize(
    ("message", "param", "label"),
    [
        ("Unsupported value: 'temperature' does not support 0 with this model.", "temperature", "temperature"),
        ("`temperature` is deprecated for this model.", None, "temperature"),
        (
            "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
            "max_tokens",
            "max_tokens",
        ),
        ("This response_format type is unavailable now", None, "json_schema"),
        ("invalid value: `json_schema`, supported values are: `json_object`", "response_format.type", "json_schema"),
        ("Unknown field", None, None),
        ("max_completion_tokens is unknown", None, None),
        ("max_tokens is too large: 9000. This model supports at most 4096 completion tokens.", "max_tokens", None),
        ("This model's maximum context length is 4096 tokens; reduce the prompt or max_tokens", None, None),
        ("response_format needs temperature", None, "json_schema"),
    ],
)
def test_the_named_parameter(message, param, label):
    assert refused_parameter(refusal(message, param=param), SENT) == label


def test_a_validation_list_is_read():
    data = {"detail": [{"loc": ["body", "temperature"], "msg": "Extra inputs are not permitted"}]}
    assert refused_parameter(StatusError("x", status=422, detail="", data=data), SENT) == "temperature"


@pytest.mark.parametrize("status", [401, 403, 429, 500])
def test_only_a_refusal_of_the_request_counts(status):
    assert refused_parameter(refusal("temperature", status=status), SENT) is None


def test_what_was_learned_is_known_to_every_judge_of_that_model():
    mine = RefusedParameters("http://a.test/v1", "m")
    assert mine.learn(refusal("temperature"), SENT) == "temperature"
    assert "temperature" in RefusedParameters("http://a.test/v1", "m")
    assert mine.names() == ("temperature",)
    assert "temperature" not in RefusedParameters("http://a.test/v1", "other")
    assert "temperature" not in RefusedParameters("http://b.test/v1", "m")
