"""JUnit XML that is well-formed whatever the text: for gates, and for reports of cases."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

JUnitOutcome = Literal["passed", "failed", "error", "skipped"]

# XML 1.0, production 2: all characters but these
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ELEMENTS = {"failed": "failure", "error": "error", "skipped": "skipped"}


@dataclass(frozen=True, slots=True)
class JUnitCase:
    """One test case: ``message`` is a line on why it did not pass, ``output`` free text that is kept beside it."""

    classname: str
    name: str
    outcome: JUnitOutcome
    message: str = ""
    output: str = ""
    seconds: float = 0.0
    kind: str = ""


@dataclass(frozen=True, slots=True)
class JUnitSuite:
    """Test cases under one name; ``timestamp`` is ISO 8601, ``properties`` are pairs of name and value."""

    name: str
    tests: Sequence[JUnitCase]
    timestamp: str | None = None
    properties: Sequence[tuple[str, str]] = ()


def xml_text(text: str) -> str:
    r"""The text with every character that XML 1.0 forbids written as an escape (``\x00``, ``\ud800``)."""
    return _FORBIDDEN.sub(lambda match: match.group().encode("unicode_escape").decode("ascii"), text)


def junit_xml(suites: Sequence[JUnitSuite], name: str = "ragproof") -> str:
    """Return a JUnit document, in the dialect that CI servers read, with its XML declaration (UTF-8)."""
    root = ET.Element("testsuites", {"name": xml_text(name), **_counts([t for suite in suites for t in suite.tests])})
    for suite in suites:
        root.append(_suite(suite))
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(suite: JUnitSuite) -> ET.Element:
    head = {"name": xml_text(suite.name), **_counts(suite.tests)}
    if suite.timestamp is not None:
        head["timestamp"] = xml_text(suite.timestamp)
    element = ET.Element("testsuite", head)
    if suite.properties:
        listed = ET.SubElement(element, "properties")
        for name, value in suite.properties:
            ET.SubElement(listed, "property", {"name": xml_text(name), "value": xml_text(value)})
    for test in suite.tests:
        element.append(_test(test))
    return element


def _test(test: JUnitCase) -> ET.Element:
    head = {"classname": xml_text(test.classname), "name": xml_text(test.name), "time": f"{test.seconds:.3f}"}
    element = ET.Element("testcase", head)
    if test.outcome != "passed":
        why = {"message": xml_text(test.message), **({"type": xml_text(test.kind)} if test.kind else {})}
        ET.SubElement(element, _ELEMENTS[test.outcome], why).text = xml_text(test.message)
    if test.output:
        ET.SubElement(element, "system-out").text = xml_text(test.output)
    return element


def _counts(tests: Sequence[JUnitCase]) -> dict[str, str]:
    outcomes = [test.outcome for test in tests]
    return {
        "tests": str(len(tests)),
        "failures": str(outcomes.count("failed")),
        "errors": str(outcomes.count("error")),
        "skipped": str(outcomes.count("skipped")),
        "time": f"{sum(test.seconds for test in tests):.3f}",
    }
