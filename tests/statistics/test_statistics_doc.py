import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"


def test_numbers_of_the_page():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried >= 25
