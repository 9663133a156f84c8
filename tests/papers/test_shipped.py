"""The reports that come along: their counts are those of their tables, and they name no lost commit."""

import re
from collections import Counter
from pathlib import Path

import pytest

from rookery.interfaces.paper import commit, known
from rookery.papers import SHIPPED
from rookery.papers.verdict import RULE

REPORTS = sorted(SHIPPED.glob("*/report.md"))
KINDS = {"met": "yes", "holds": "yes", "missed": "no", "fails": "no", "open": "open"}


def counted(text: str) -> dict[bool, Counter[str]]:
    """The verdicts of all tables, by whether they are questions of ours."""
    found = {False: Counter[str](), True: Counter[str]()}
    for block in text.split("\n\n"):
        head, *rows = block.split("\n")
        if head.endswith(("| verdict |", "| verdict (question of ours) |")):
            for row in rows[1:]:
                verdict = row.split("|")[-2].split()[1]
                found["ours) |" in head][KINDS[verdict]] += 1
    return found


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.parent.name)
def test_a_shipped_report_is_judged_by_todays_rule(path):
    assert RULE.strip() in path.read_text()


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.parent.name)
def test_a_shipped_report_counts_what_its_tables_have(path):
    text = path.read_text()
    theirs, ours = counted(text)[False], counted(text)[True]
    if theirs:
        yes, no, left = (theirs[kind] for kind in ("yes", "no", "open"))
        told = f"\n{yes} of {yes + no + left} figures and claims reproduced, {no} differ, {left} inconclusive"
        assert told in text
    else:
        assert "No figure or claim of the paper is judged" in text
    told = f"Of our own questions: {ours['yes']} answered yes, {ours['no']} no, {ours['open']} open"
    assert told in text if ours else "Of our own questions" not in text
    sections = re.findall(r"^- (.+): (\d+) of (\d+) figures and claims reproduced, (\d+) differ", text, re.M)
    for title, yes, of, no in sections:
        (body,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
        found = counted(body)[False]
        assert (found["yes"], found.total(), found["no"]) == (int(yes), int(of), int(no)), title


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.parent.name)
def test_a_shipped_report_names_only_commits_of_the_history(path):
    if "commit" not in commit() or (Path(__file__).parents[2] / ".git/shallow").exists():
        pytest.skip("this is no repository with its history")
    named = re.findall(r"\brookery [\d.]+, commit [0-9a-f]{7,}\b", path.read_text())
    assert known(Counter(named)) == Counter(named)
