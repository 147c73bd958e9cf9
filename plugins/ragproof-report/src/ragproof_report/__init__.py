"""A stored run as files to read and to hand on: one HTML page, Markdown, JUnit XML.

:func:`gather` reads a run's results once; :func:`html_page`, :func:`markdown_page` and :func:`case_junit` render.
"""

from __future__ import annotations

from ragproof_report.case_verdict import CaseVerdict, case_verdict
from ragproof_report.gathering import RunReport, gather
from ragproof_report.html_page import html_page
from ragproof_report.markdown_page import markdown_page

__all__ = ["CaseVerdict", "RunReport", "case_verdict", "gather", "html_page", "markdown_page"]
