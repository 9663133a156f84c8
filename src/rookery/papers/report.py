"""What came of a paper: prose, tables with its figures beside ours, and plots; as Markdown and as HTML.

The text is Markdown of the plainest kind: paragraphs, lists of lines that begin with a hyphen, `code` and
**stress**.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, Protocol

from rookery import durable
from rookery.papers.measure import Agreement, Measured, Truth, agreement

MARKS = {"meets": "✓", "holds": "✓", "above": "▲", "below": "▼", "fails": "✗", "open": "?", "": ""}
"""A verdict at a glance."""
_ALIKE, _OTHER = ("meets", "holds"), ("above", "below", "fails")
_SUMMARY = re.compile(
    r"^(\d+ of \d+) figures and claims (reproduced, \d+ differ, \d+ inconclusive)", re.MULTILINE
)


def summary_of(markdown: str) -> str | None:
    """What a report that was written says came of it; None: it does not say.

    >>> summary_of("# T\\n\\n26 of 58 figures and claims reproduced, 18 differ, 14 inconclusive (26 meets).")
    '26 of 58 reproduced, 18 differ, 14 inconclusive'
    """
    found = _SUMMARY.search(markdown)
    return f"{found[1]} {found[2]}" if found else None


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


@dataclass(frozen=True)
class Finding:
    """One figure or claim of the paper, and ours."""

    what: str
    paper: str
    ours: str
    verdict: Agreement | Truth

    def row(self) -> tuple[str, ...]:
        return (self.what, self.paper, self.ours, f"{MARKS[self.verdict]} {self.verdict}")


def compare(what: str, paper: Measured, ours: Measured) -> Finding:
    """Our figure beside the paper's."""
    return Finding(what, str(paper), str(ours), agreement(ours, paper))


@dataclass
class Section:
    """A heading and what stands under it."""

    title: str
    parts: list[Prose | Table | Figure] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def say(self, text: str) -> None:
        self.parts.append(Prose(text))

    def table(self, caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.parts.append(Table(caption, tuple(columns), tuple(map(tuple, rows))))

    def judge(self, caption: str, findings: Sequence[Finding]) -> None:
        """A table of the paper's figures or claims and ours; they count in the summary."""
        self.findings.extend(findings)
        self.table(caption, ("", "paper", "ours", "verdict"), [finding.row() for finding in findings])

    def draw(self, caption: str, plot: Picture) -> None:
        self.parts.append(Figure(caption, plot))


@dataclass
class Report:
    """All of it, under one title."""

    title: str
    facts: dict[str, str] = field(default_factory=dict)
    """How it was made: command, seed, commit, time."""
    sections: list[Section] = field(default_factory=list)

    def section(self, title: str) -> Section:
        self.sections.append(Section(title))
        return self.sections[-1]

    @property
    def findings(self) -> list[Finding]:
        return [finding for section in self.sections for finding in section.findings]

    def summary(self) -> dict[str, int]:
        """How many findings have each verdict."""
        verdicts = [finding.verdict for finding in self.findings]
        return {verdict: verdicts.count(verdict) for verdict in MARKS if verdict in verdicts}

    def figures(self) -> list[Figure]:
        return [part for section in self.sections for part in section.parts if isinstance(part, Figure)]

    def write(self, out: Path) -> list[Path]:
        """Writes report.md with its pictures and report.html, and gives their paths."""
        files = {"report.md": self.markdown(), "report.html": self.html()}
        files |= {f"figure-{n}.svg": f.plot.svg() for n, f in enumerate(self.figures(), 1)}
        for name, text in files.items():
            durable.write(out / name, text)
        return [out / name for name in files]

    def json(self) -> dict[str, Any]:
        findings = [
            {"section": section.title, **vars(finding)}
            for section in self.sections
            for finding in section.findings
        ]
        return {"title": self.title, **self.facts, "summary": self.summary(), "findings": findings}

    # --- Markdown ------------------------------------------------------------------------------------

    def markdown(self) -> str:
        blocks = [f"# {self.title}", _markdown_table(("", ""), tuple(self.facts.items())), self._verdicts()]
        number = 0
        for section in self.sections:
            blocks.append(f"## {section.title}")
            for part in section.parts:
                if isinstance(part, Prose):
                    blocks.append(part.text.strip())
                elif isinstance(part, Table):
                    blocks += [part.caption, _markdown_table(part.columns, part.rows)]
                else:
                    number += 1
                    blocks.append(f"![{part.plot.title}](figure-{number}.svg)\n\n{part.caption}")
        return "\n\n".join(filter(None, blocks)) + "\n"

    def _verdicts(self) -> str:
        counted = ", ".join(f"{count} {verdict}" for verdict, count in self.summary().items())
        if not counted:
            return ""
        verdicts = [finding.verdict for finding in self.findings]
        alike, other = (sum(verdict in kinds for verdict in verdicts) for kinds in (_ALIKE, _OTHER))
        left = len(verdicts) - alike - other
        return (
            f"{alike} of {len(verdicts)} figures and claims reproduced, {other} differ, {left} inconclusive"
            f" ({counted})."
        )

    # --- HTML ----------------------------------------------------------------------------------------

    def html(self) -> str:
        body = [f"<h1>{escape(self.title)}</h1>", _html_table(("", ""), tuple(self.facts.items()))]
        body.append(f"<p><strong>{escape(self._verdicts())}</strong></p>")
        for section in self.sections:
            body.append(f"<h2>{escape(section.title)}</h2>")
            for part in section.parts:
                if isinstance(part, Prose):
                    body.append(_html_prose(part.text))
                elif isinstance(part, Table):
                    body.append(f"<p>{_inline(part.caption)}</p>{_html_table(part.columns, part.rows)}")
                else:
                    caption = f"<figcaption>{_inline(part.caption)}</figcaption>"
                    body.append(f"<figure>{part.plot.svg()}{caption}</figure>")
        return _PAGE.format(title=escape(self.title), body="\n".join(body))


def _markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _html_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{_inline(column)}</th>" for column in columns)
    lines = []
    for row in rows:
        kind = row[-1].rpartition(" ")[2]
        mark = f' class="{kind}"' if kind in MARKS and kind else ""
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
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
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
tr.meets td:last-child, tr.holds td:last-child {{ color: var(--good); }}
tr.above td:last-child, tr.below td:last-child, tr.fails td:last-child {{ color: var(--bad); }}
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
