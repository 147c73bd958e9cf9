"""Tests here get loopback ports that earlier servers had."""

import pytest
from ragproof_http import forget_refused_parameters


@pytest.fixture(autouse=True)
def no_memory_of_other_servers():
    forget_refused_parameters()
