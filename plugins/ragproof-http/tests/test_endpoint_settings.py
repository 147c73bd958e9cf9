"""What the settings of an endpoint refuse."""

import math

import pytest
from pydantic import ValidationError
from ragproof_http import EndpointSettings


@pytest.mark.parametrize("field", ["timeout_seconds", "max_wait_seconds"])
@pytest.mark.parametrize("value", [math.nan, math.inf, 1e20, -1.0])
def test_a_time_that_no_clock_can_wait_for_is_refused(field, value):
    with pytest.raises(ValidationError, match=field):
        EndpointSettings.model_validate({field: value})


def test_a_day_is_the_longest_time():
    settings = EndpointSettings(timeout_seconds=86_400, max_wait_seconds=86_400)
    assert (settings.timeout_seconds, settings.max_wait_seconds) == (86_400.0, 86_400.0)
