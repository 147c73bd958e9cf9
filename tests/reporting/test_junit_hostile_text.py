import xml.etree.ElementTree as ET

from hypothesis import example, given, strategies as st

from ragproof_core.reporting.junit import JUnitCase, JUnitSuite, junit_xml, xml_text

HOSTILE = "a]]>b <![CDATA[ & \"'\x00\x08\x1b[31m \ud800 \ufffe \u2028 \x85 \r\n \U0001f600 שלום"


@given(st.text())
@example(HOSTILE)
def test_any_text_makes_a_well_formed_document(text):
    case = JUnitCase(text, text, "failed", message=text, output=text, kind=text)
    document = junit_xml([JUnitSuite(text, [case], timestamp=text, properties=[(text, text)])], name=text)
    root = ET.fromstring(document.encode("utf-8"))  # what a CI server reads
    found = root.find("testsuite/testcase")
    assert found.get("name") == xml_text(text)
    normalised = xml_text(text).replace("\r\n", "\n").replace("\r", "\n")  # XML 1.0, 2.11
    assert (found.find("failure").text or "") == normalised
    assert (found.findtext("system-out") or "") == normalised


def test_forbidden_characters_stay_visible():
    assert xml_text("\x00 \x1b \ud800 \uffff ok \t\n\U0001f600") == "\\x00 \\x1b \\ud800 \\uffff ok \t\n\U0001f600"


def test_the_document():
    cases = [
        JUnitCase("c", "good", "passed", seconds=0.5),
        JUnitCase("c", "bad", "failed", message="why", kind="min"),
        JUnitCase("c", "broken", "error", message="how"),
        JUnitCase("c", "left out", "skipped", message="because"),
    ]
    assert junit_xml([JUnitSuite("suite", cases, properties=[("run", "r")])]) == (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<testsuites name="ragproof" tests="4" failures="1" errors="1" skipped="1" time="0.500">\n'
        '  <testsuite name="suite" tests="4" failures="1" errors="1" skipped="1" time="0.500">\n'
        "    <properties>\n"
        '      <property name="run" value="r" />\n'
        "    </properties>\n"
        '    <testcase classname="c" name="good" time="0.500" />\n'
        '    <testcase classname="c" name="bad" time="0.000">\n'
        '      <failure message="why" type="min">why</failure>\n'
        "    </testcase>\n"
        '    <testcase classname="c" name="broken" time="0.000">\n'
        '      <error message="how">how</error>\n'
        "    </testcase>\n"
        '    <testcase classname="c" name="left out" time="0.000">\n'
        '      <skipped message="because">because</skipped>\n'
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n"
    )
