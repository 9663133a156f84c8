"""What came of a paper: prose, tables with its figures beside ours, and plots; as Markdown and as HTML.

The text is Markdown of the plainest kind: paragraphs, lists of lines that begin with a hyphen, `code`,
[links](to) and **stress**.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from pathlib import Path
from typing import Any, Protocol

from rookery import durable
from rookery.papers.verdict import DIFFERENT, MARKS, REPRODUCED, RULE, Finding, answers, count

_SUMMARY = re.compile(
    r"^(\d+ of \d+) figures and claims (reproduced, \d+ differ, \d+ inconclusive)", re.MULTILINE
)
_NONE = "No figure or claim of the paper is judged"


def summary_of(markdown: str) -> str | None:
    """What a report that was written says came of the paper's own claims; None: it does not say.

    >>> summary_of("# T\\n\\n26 of 58 figures and claims reproduced, 18 differ, 14 inconclusive.")
    '26 of 58 reproduced, 18 differ, 14 inconclusive'
    """
    if found := _SUMMARY.search(markdown):
        return f"{found[1]} {found[2]}"
    return _NONE if f"\n{_NONE}:" in markdown else None


NOTES = "changed.md"
"""What happened to one execution of a study: a file in its folder, of which the report has each item."""


def noted(folder: Path) -> list[str]:
    """The items of that file, without their hyphens; none where there is no file."""
    text = (folder / NOTES).read_text(encoding="utf-8") if (folder / NOTES).is_file() else ""
    return [" ".join(item.split()) for item in re.split(r"(?m)^- ", text)[1:]]


@dataclass(frozen=True)
class Source:
    """The publication that is reproduced."""

    title: str
    authors: str
    published: str = ""
    """Where and when, where that is known."""
    docs: tuple[str, ...] = ()
    """Our pages on it, as docs/PAGE.md."""

    @property
    def citation(self) -> str:
        """
        >>> Source("On coins", "A. Tosser", "1900").citation
        'A. Tosser, "On coins", 1900'
        """
        return f'{self.authors}, "{self.title}"' + (f", {self.published}" if self.published else "")


@dataclass(frozen=True)
class Prose:
    text: str


@dataclass(frozen=True)
class Table:
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Picture(Protocol):
    """Anything that can be drawn, such as a `Plot`."""

    @property
    def title(self) -> str: ...
    def svg(self) -> str: ...


@dataclass(frozen=True)
class Figure:
    caption: str
    plot: Picture
    name: str = ""
    """Of its file, as figure-NAME.svg; else it has a number."""


@dataclass(frozen=True)
class Judged:
    """Findings as a table, with their verdicts."""

    caption: str
    findings: tuple[Finding, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        before = ("before training",) if any(finding.before for finding in self.findings) else ()
        own = any(finding.own for finding in self.findings)
        return ("", "paper", *before, "ours", "verdict (question of ours)" if own else "verdict")

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        wide = "before training" in self.columns
        return tuple((f.what, f.paper, *((f.before,) if wide else ()), f.ours, f.told) for f in self.findings)

    @property
    def notes(self) -> str:
        return "\n".join(f"- {finding.what}: {finding.note}" for finding in self.findings if finding.note)


Part = Prose | Table | Figure | Judged


@dataclass
class Section:
    """A heading and what stands under it."""

    title: str
    parts: list[Part] = field(default_factory=list)

    @property
    def findings(self) -> list[Finding]:
        return [finding for part in self.parts if isinstance(part, Judged) for finding in part.findings]

    def say(self, text: str) -> None:
        self.parts.append(Prose(text))

    def table(self, caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.parts.append(Table(caption, tuple(columns), tuple(map(tuple, rows))))

    def judge(self, caption: str, findings: Sequence[Finding]) -> None:
        """A table of figures or claims, which count in the summary; questions of ours have one of theirs."""
        theirs, ours = (tuple(f for f in findings if f.own is own) for own in (False, True))
        if theirs:
            self.parts.append(Judged(caption, theirs))
        if ours:
            again = "At other settings than the paper's, or beyond it: questions of ours."
            self.parts.append(Judged(again if theirs else caption, ours))

    def show(self, caption: str, findings: Sequence[Finding]) -> None:
        """The same without verdicts, of what one training alone tells, which decides nothing."""
        judged = Judged(f"{caption} One training decides nothing: no verdicts.", tuple(findings))
        self.table(judged.caption, judged.columns[:-1], [row[:-1] for row in judged.rows])
        if judged.notes:
            self.say(judged.notes)

    def draw(self, caption: str, plot: Picture, name: str = "") -> None:
        """A picture. Name it where the paper numbers it, so that its file has the paper's number."""
        self.parts.append(Figure(caption, plot, name))


@dataclass
class Report:
    """All of it: what is reproduced, what was found in words, the sections, and the rule of verdicts."""

    source: Source
    conclusion: str
    """What was found, what was missed and why, in some sentences."""
    facts: dict[str, str] = field(default_factory=dict)
    """How it was made: command, seed, commit, time."""
    changed: list[str] = field(default_factory=list)
    """What was changed after a result was seen: each a sentence."""
    sections: list[Section] = field(default_factory=list)
    made: list[tuple[str, str, str]] = field(default_factory=list)
    """The stages: how many pieces of work each had, and the time that they took."""

    @property
    def title(self) -> str:
        return f"Reproduction: {self.source.title}"

    def section(self, title: str) -> Section:
        self.sections.append(Section(title))
        return self.sections[-1]

    @property
    def findings(self) -> list[Finding]:
        return [finding for section in self.sections for finding in section.findings]

    def by_section(self) -> list[str]:
        """What is reproduced of each section, as the items of a list."""
        theirs = {section.title: [f for f in section.findings if not f.own] for section in self.sections}
        return [f"- {title}: {count(found)}." for title, found in theirs.items() if found]

    def summary(self) -> dict[str, dict[str, int]]:
        """How many findings have each verdict: the paper's own, and ours."""
        kinds = {"paper": False, "own": True}
        return {
            whose: {
                verdict: among.count(verdict)
                for among in [[f.verdict for f in self.findings if f.own is own]]
                for verdict in MARKS
                if verdict in among
            }
            for whose, own in kinds.items()
        }

    def figures(self) -> list[Figure]:
        return [part for section in self.sections for part in section.parts if isinstance(part, Figure)]

    def _file(self, figure: Figure) -> str:
        """Where a picture lies beside the report."""
        number = next(n for n, each in enumerate(self.figures(), 1) if each is figure)
        return f"figure-{figure.name or number}.svg"

    def write(self, out: Path) -> list[Path]:
        """Writes report.md with its pictures and report.html, and gives their paths."""
        # Only the reports that come along lie where the pages are known to be.
        linked = out.absolute().is_relative_to(Path(__file__).parent / "reports")
        files = {"report.md": self.markdown(linked), "report.html": self.html()}
        files |= {self._file(figure): figure.plot.svg() for figure in self.figures()}
        for name, text in files.items():
            durable.write(out / name, text)
        return [out / name for name in files]

    def json(self) -> dict[str, Any]:
        findings = [
            {"section": section.title, **asdict(finding)}
            for section in self.sections
            for finding in section.findings
        ]
        return {
            "title": self.title,
            "citation": self.source.citation,
            "conclusion": self.conclusion,
            **self.facts,
            "changed": self.changed,
            "summary": self.summary(),
            "findings": findings,
        }

    def _whole(self, linked: bool = True) -> list[Section]:
        """All sections in the order of the page; linked: to our pages, which are only named else."""
        first, rule, changed = Section("What came of it"), Section("How verdicts are given"), Section(CHANGED)
        for line in self._verdicts():
            first.say(line)
        first.say(self.conclusion)
        docs = ", ".join(f"[{page}]({TO_ROOT}{page})" if linked else page for page in self.source.docs)
        first.say(f"The paper: {self.source.citation}." + (f" More in {docs}." if docs else ""))
        rule.say(RULE)
        changed.say("\n".join(f"- {each}" for each in self.changed) or "Nothing that we know of.")
        made = Section("How it was made")
        made.table("", ("", ""), tuple(self.facts.items()))
        if self.made:
            made.table("The time of each stage, all pieces together.", ("stage", "pieces", "time"), self.made)
        return [first, *self.sections, rule, changed, *([made] if self.facts else [])]

    def _verdicts(self) -> list[str]:
        """How many of the paper's own are reproduced, and of ours."""
        theirs = [finding for finding in self.findings if not finding.own]
        ours = [finding for finding in self.findings if finding.own]
        lines = [f"{count(theirs)}{_already(theirs)}."] if theirs else []
        if ours and not theirs:
            lines = [f"{_NONE}: none was measured at its settings by more than one training."]
        return lines + ([f"Of our own questions: {answers(ours)}{_already(ours)}."] if ours else [])

    # --- Markdown ------------------------------------------------------------------------------------

    def markdown(self, linked: bool = True) -> str:
        blocks = [f"# {self.title}"]
        for section in self._whole(linked):
            blocks.append(f"## {section.title}")
            for part in section.parts:
                if isinstance(part, Prose):
                    blocks.append(part.text.strip())
                elif isinstance(part, Figure):
                    blocks.append(f"![{part.plot.title}]({self._file(part)})\n\n{part.caption}")
                else:
                    blocks += [part.caption, _markdown_table(part.columns, part.rows)]
                    if isinstance(part, Judged):
                        blocks.append(part.notes)
        return "\n\n".join(filter(None, blocks)) + "\n"

    # --- HTML ----------------------------------------------------------------------------------------

    def html(self) -> str:
        body = [f"<h1>{escape(self.title)}</h1>"]
        for section in self._whole():
            body.append(f"<h2>{escape(section.title)}</h2>")
            for part in section.parts:
                if isinstance(part, Prose):
                    body.append(_html_prose(part.text))
                elif isinstance(part, Figure):
                    caption = f"<figcaption>{_inline(part.caption)}</figcaption>"
                    body.append(f"<figure>{part.plot.svg()}{caption}</figure>")
                else:
                    body.append(f"<p>{_inline(part.caption)}</p>" if part.caption else "")
                    judged = part.findings if isinstance(part, Judged) else ()
                    kinds = ["" if finding.own else finding.verdict for finding in judged]
                    body.append(_html_table(part.columns, part.rows, kinds))
                    if isinstance(part, Judged) and part.notes:
                        body.append(_html_prose(part.notes))
        return _PAGE.format(title=escape(self.title), body="\n".join(body))


CHANGED = "What was changed after a result was seen"
TO_ROOT = "../../../../../"
"""From where the shipped reports lie to the root of the repository."""


def _already(findings: Sequence[Finding]) -> str:
    """How many of the figures that are met were so before training."""
    before = sum(finding.already and finding.verdict == "met" for finding in findings)
    return f"; {before} of the figures met are so before training too" if before else ""


def _markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _html_table(columns: Sequence[str], rows: Sequence[Sequence[str]], verdicts: Sequence[str]) -> str:
    head = "".join(f"<th>{_inline(column)}</th>" for column in columns)
    lines = []
    for n, row in enumerate(rows):
        kind = verdicts[n] if verdicts else ""
        mark = ' class="good"' if kind in REPRODUCED else ' class="bad"' if kind in DIFFERENT else ""
        lines.append(f"<tr{mark}>" + "".join(f"<td>{_inline(cell)}</td>" for cell in row) + "</tr>")
    header = f"<thead><tr>{head}</tr></thead>" if any(columns) else ""
    return f'<div class="wide"><table>{header}<tbody>{"".join(lines)}</tbody></table></div>'


def _html_prose(text: str) -> str:
    blocks = []
    for block in re.split(r"\n\s*\n", text.strip()):
        if block.lstrip().startswith("- "):
            items = "".join(
                f"<li>{_inline(item)}</li>" for item in re.split(r"(?m)^\s*- ", block) if item.strip()
            )
            blocks.append(f"<ul>{items}</ul>")
        else:
            blocks.append(f"<p>{_inline(block)}</p>")
    return "\n".join(blocks)


def _inline(text: str) -> str:
    """
    >>> _inline("**a** < `b`")
    '<strong>a</strong> &lt; <code>b</code>'
    """
    # A page in one file stands anywhere, so it only names what a link leads to.
    named = re.sub(r"\[([^]]+)\]\([^)\s]+\)", r"\1", escape(text, quote=False))
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", named)
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", marked)


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
:root {{ --ink: #1f2328; --faint: #d0d7de; --ground: #ffffff; --good: #1a7f37; --bad: #cf222e; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ink: #e6edf3; --faint: #3d444d; --ground: #0d1117; --good: #3fb950; --bad: #ff7b72; }}
}}
body {{ max-width: 56rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--ground); }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--faint); }}
tr.good td:last-child {{ color: var(--good); }}
tr.bad td:last-child {{ color: var(--bad); }}
figure {{ margin: 1rem 0; }}
figcaption {{ font-size: .9rem; }}
svg {{ width: 100%; height: auto; }}
</style>
</head>
<body>
{body}
</body>
</html>
"""
