"""Reports say the same as Markdown and as HTML, and count their verdicts."""

from html.parser import HTMLParser

import pytest

from rookery.papers.measure import Measured, agreement, greater, mean, share, spread
from rookery.papers.plot import Line, Plot
from rookery.papers.report import Finding, Report, compare


@pytest.fixture
def report() -> Report:
    made = Report("A paper & more", {"seed": "1"})
    section = made.section("Figures")
    section.say("All of `it` is **ours**.\n\n- one < two\n- three")
    section.judge(
        "Strengths",
        [
            compare("meets", Measured(0.5, 0.01), Measured(0.51, 0.01)),
            compare("misses", Measured(0.9), Measured(0.51, 0.01)),
            Finding("claim", "a > b", "a | b", "fails"),
        ],
    )
    section.draw("A line.", Plot("Line", "x", "y", [Line("l", [0, 1], [0, 1])]))
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
    assert text.startswith("# A paper & more\n")
    assert (
        "1 of 3 figures and claims reproduced, 2 differ, 0 inconclusive (1 meets, 1 below, 1 fails)." in text
    )
    assert "| misses | 0.900 | 0.510 ± 0.010 | ▼ below |" in text
    assert "a \\| b" in text
    assert "![Line](figure-1.svg)" in text


def test_html_is_whole_in_itself_and_says_the_same(report):
    reader = Reader()
    page = report.html()
    reader.feed(page)
    assert reader.open == []
    assert "▼ below" in reader.cells and "a | b" in reader.cells
    assert {"meets", "below", "fails"} <= set(reader.kinds)
    assert "<li>one &lt; two" in page and "<code>it</code>" in page and "<strong>ours</strong>" in page
    assert "<svg" in page and "src=" not in page and "href=" not in page


def test_files(report, tmp_path):
    paths = report.write(tmp_path)
    assert [path.name for path in paths] == ["report.md", "report.html", "figure-1.svg"]
    assert all(path.read_text() for path in paths)


def test_json(report):
    document = report.json()
    assert document["summary"] == {"meets": 1, "below": 1, "fails": 1}
    assert document["findings"][1]["verdict"] == "below" and document["findings"][0]["section"] == "Figures"


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


def test_one_run_decides_nothing():
    assert agreement(mean([0.4]), Measured(0.4)) == "open"
    assert greater(mean([0.9]), mean([0.1, 0.1001])) == "open"


@pytest.mark.parametrize(
    ("ours", "paper", "verdict"), [(0.60, 0.62, "meets"), (0.60, 0.65, "below"), (0.70, 0.65, "above")]
)
def test_agreement_is_within_two_errors_of_both(ours, paper, verdict):
    assert agreement(Measured(ours, 0.01), Measured(paper, 0.01)) == verdict


@pytest.mark.parametrize(("a", "verdict"), [(0.6, "holds"), (0.4, "fails"), (0.51, "open")])
def test_greater(a, verdict):
    assert greater(Measured(a, 0.01), Measured(0.5, 0.01)) == verdict
