"""Reports say the same as Markdown and as HTML, and count their verdicts."""

from html.parser import HTMLParser
from math import inf

import pytest

from rookery.papers.measure import Measured, mean, share, spread
from rookery.papers.plot import Line, Plot
from rookery.papers.report import Report, Source, noted, summary_of
from rookery.papers.verdict import RULE, claim, figure

SOURCE = Source("A paper & more", "A. Author", "1999", ("docs/more.md",))


@pytest.fixture
def report() -> Report:
    made = Report(SOURCE, "Two were found, one was not.", {"seed": "1"}, ["The coin, after it fell."])
    section = made.section("Figures")
    section.say("All of `it` is **ours**.\n\n- one < two\n- three")
    section.judge(
        "Strengths",
        [
            figure("meets", Measured(0.5, 0.01), Measured(0.51, 0.01), before=Measured(0.505)),
            figure("misses", Measured(0.9, 0.01), Measured(0.51, 0.01), note="the coin was bent"),
            claim("claim", "open", "a | b", paper="a > b"),
            claim("ours too", "fails", "1 < 2", own=True),
        ],
    )
    section.draw("A line.", Plot("Line", "x", "y", [Line("l", [0, 1], [0, 1])]))
    section.draw("Theirs.", Plot("Figure 7: a line", "x", "y", [Line("l", [0, 1], [0, 1])]), "7")
    return made


class Reader(HTMLParser):
    """Checks that tags are closed in order, and gathers what is told."""

    def __init__(self) -> None:
        super().__init__()
        self.open, self.cells, self.kinds = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)
        if tag == "tr":
            self.kinds.append(dict(attrs).get("class"))

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "td" in self.open:
            self.cells.append(data)


def test_markdown(report):
    text = report.markdown()
    assert text.startswith("# Reproduction: A paper & more\n")
    assert (
        "1 of 3 figures and claims reproduced, 1 differ, 1 inconclusive; "
        "1 of the figures met are so before training too." in text
    )
    assert "Of our own questions: 0 answered yes, 1 no, 0 open." in text
    assert "| misses | 0.900 ± 0.010 |  | 0.510 ± 0.010 | ✗ missed by -0.390 |" in text
    assert "| meets | 0.500 ± 0.010 | 0.505 | 0.510 ± 0.010 | ✓ met (before training too) |" in text
    assert "- misses: the coin was bent" in text and "a \\| b" in text
    assert "![Line](figure-1.svg)" in text and "![Figure 7: a line](figure-7.svg)" in text
    assert summary_of(text) == "1 of 3 reproduced, 1 differ, 1 inconclusive"


def test_questions_of_ours_have_a_table_of_theirs(report):
    text = report.markdown()
    theirs, ours = text.split("At other settings than the paper's, or beyond it: questions of ours.")
    assert "| claim |" in theirs and "| ours too |" not in theirs
    assert "verdict (question of ours)" in ours and "| ours too |" in ours
    assert report.by_section() == [
        "- Figures: 1 of 3 figures and claims reproduced, 1 differ, 1 inconclusive."
    ]
    reader = Reader()
    reader.feed(report.html())
    assert reader.kinds.count("bad") == 1, "an answer of no is nothing that differs from the paper"


def test_a_report_that_judges_nothing_of_the_paper_says_so():
    made = Report(SOURCE, "")
    made.section("Figures").judge("", [claim("ours", "holds", "1", own=True)])
    text = made.markdown()
    assert "No figure or claim of the paper is judged: none was measured at its settings" in text
    assert "Of our own questions: 1 answered yes, 0 no, 0 open." in text
    assert summary_of(text) == "No figure or claim of the paper is judged"
    assert made.by_section() == [] and summary_of(Report(SOURCE, "").markdown()) is None


def test_what_decides_nothing_is_shown_without_verdict():
    made = Report(SOURCE, "")
    made.section("Figures").show(
        "One.", [figure("a", Measured(0.5, 0.1), Measured(0.1, inf), before=Measured(0.4))]
    )
    assert made.findings == []
    assert "| a | 0.500 ± 0.100 | 0.400 | 0.100 ± ? |\n" in made.markdown()


def test_what_happened_to_one_execution_is_read_from_its_folder(tmp_path):
    assert noted(tmp_path) == []
    (tmp_path / "changed.md").write_text("Notes\n\n- The coin fell\n  on its edge.\n- It was tossed again.\n")
    assert noted(tmp_path) == ["The coin fell on its edge.", "It was tossed again."]


def test_every_report_says_who_what_and_by_which_rule(report):
    text = report.markdown()
    top = text.index("Two were found, one was not.")
    assert (
        text.index("1 of 3 figures")
        < top
        < text.index('A. Author, "A paper & more", 1999')
        < text.index("## Figures")
    )
    assert RULE.strip() in text and "More in [docs/more.md](../../../../../docs/more.md)." in text
    assert "after a result was seen\n\n- The coin, after it fell." in text
    assert "Nothing that we know of." in Report(SOURCE, "").markdown()


def test_html_is_whole_in_itself_and_says_the_same(report):
    reader = Reader()
    page = report.html()
    reader.feed(page)
    assert reader.open == []
    assert "✗ missed by -0.390" in reader.cells and "a | b" in reader.cells
    assert {"good", "bad", None} <= set(reader.kinds)
    assert "<li>one &lt; two" in page and "<code>it</code>" in page and "<strong>ours</strong>" in page
    assert "<svg" in page and "src=" not in page and "href=" not in page


def test_pages_are_linked_only_from_where_they_are_known_to_be(report, tmp_path, monkeypatch):
    report.write(tmp_path)
    assert "More in docs/more.md." in (tmp_path / "report.md").read_text()
    monkeypatch.setattr("rookery.papers.report.__file__", str(tmp_path / "report.py"))
    (tmp_path / "reports" / "coins").mkdir(parents=True)
    report.write(tmp_path / "reports" / "coins")
    assert "[docs/more.md](../" in (tmp_path / "reports" / "coins" / "report.md").read_text()


def test_files(report, tmp_path):
    paths = report.write(tmp_path)
    assert [path.name for path in paths] == ["report.md", "report.html", "figure-1.svg", "figure-7.svg"]
    assert all(path.read_text() for path in paths)


def test_json(report):
    document = report.json()
    assert document["summary"] == {"paper": {"met": 1, "missed": 1, "open": 1}, "own": {"fails": 1}}
    assert document["findings"][1]["verdict"] == "missed" and document["findings"][0]["section"] == "Figures"
    assert document["changed"] == ["The coin, after it fell."]


def test_errors_of_shares():
    assert share(650, 1000).error == pytest.approx(0.01508, abs=1e-4)
    assert 0 < share(0, 100).error < share(1, 4).error
    assert share(100, 100).value == 1.0


def test_mean_and_spread_of_runs():
    measured = mean([0.4, 0.5, 0.6, 0.7])
    assert measured.value == pytest.approx(0.55)
    assert measured.error == pytest.approx(0.1290994 / 2 * 3.31 / 2)  # by Student's t for three
    many = [0.4, 0.6] * 500
    assert mean(many).error == pytest.approx(spread(many) / 1000**0.5, rel=0.01)
    assert spread([0.4, 0.5, 0.6, 0.7]) == pytest.approx(0.1290994)
