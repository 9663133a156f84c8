"""The one rule by which all papers are judged; every report prints it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Literal

from rookery.papers.measure import Measured

SURE = 2.0
"""Standard errors beyond which a difference counts."""

Agreement = Literal["met", "missed", "open"]
Truth = Literal["holds", "fails", "open"]
Verdict = Literal["met", "missed", "holds", "fails", "open"]

MARKS: Mapping[str, str] = {"met": "✓", "holds": "✓", "missed": "✗", "fails": "✗", "open": "?"}
"""A verdict at a glance."""
REPRODUCED, DIFFERENT = ("met", "holds"), ("missed", "fails")

RULE = f"""
- A figure is **met** if ours and the paper's differ by no more than {SURE:g} standard errors, both errors
  counted; else it is **missed**. The paper's error follows from its number of games or runs where it says
  it, and is never less than its rounding. The error of a mean over few trainings is widened by Student's t,
  so that two of it hold as much as two of a well-known one.
- A claim **holds** if what it says is greater is greater by more than {SURE:g} standard errors, and **fails**
  if it is less by more than that.
- All else is **open**: ties, differences within the errors, and a figure that more than half of all possible
  values of ours would meet. What is said to be always so fails by one exception.
- What cannot fail is no claim, and what rests on a single training decides nothing, for it does not tell how
  much the next would differ: both are told without a verdict. Only what is said of one player, such as what
  a deeper search does for it, is judged by its games alone.
- A figure measured at settings that were chosen otherwise, such as another depth, learning rate, opponent or
  number of games, is a question of ours. Data and machines that only the authors had are no such settings;
  the report says what stands for them.
- Where values before training are known they stand beside those after it; figures that they meet say so.
- The paper's own figures and claims are counted apart from our questions, which are answered yes (met or
  holds), no, or are open. At {SURE:g} standard errors about one verdict in twenty is chance.
"""


@dataclass(frozen=True)
class Finding:
    """One figure or claim, what the paper says of it, what we found, and what follows."""

    what: str
    paper: str
    ours: str
    verdict: Verdict
    before: str = ""
    """Ours before training, where that is known."""
    already: bool = False
    """Whether that meets the paper's figure too."""
    missed_by: float | None = None
    own: bool = False
    """Whether it is a question of ours and not the paper's."""
    note: str = ""
    """What was changed after a result was seen, and what else a reader must know."""

    @property
    def told(self) -> str:
        """The verdict for people.

        >>> Finding("x", "1", "2", "missed", missed_by=1.0).told
        '✗ missed by +1.000'
        """
        by = "" if self.missed_by is None else f" by {self.missed_by:+.3f}"
        also = "before training too" if self.verdict == "met" else "met before training"
        already = f" ({also})" if self.already else ""
        return f"{MARKS[self.verdict]} {self.verdict}{by}{already}"


def figure(
    what: str,
    paper: Measured,
    ours: Measured,
    *,
    before: Measured | None = None,
    between: tuple[float, float] = (-inf, inf),
    own: bool = False,
    note: str = "",
    told: tuple[str, str] | None = None,
) -> Finding:
    """Our figure beside the paper's.

    before: ours before training. between: all values that ours could have. told: both in other words.

    >>> figure("strength", Measured(0.63, 0.01), Measured(0.60, 0.02)).verdict
    'met'

    Raises:
        ValueError: the paper's figure has no error; every printed one is at least rounded.
    """
    if not 0 < paper.error < inf:
        raise ValueError(f"{what}: say how well the paper's figure is known")
    verdict = agreement(ours, paper, between)
    already = before is not None and agreement(Measured(before.value), paper, between) == "met"
    paper_told, ours_told = told or (str(paper), str(ours))
    return Finding(
        what,
        paper_told,
        ours_told,
        verdict,
        "" if before is None else str(before),
        already,
        ours.value - paper.value if verdict == "missed" else None,
        own,
        note,
    )


def agreement(ours: Measured, paper: Measured, between: tuple[float, float] = (-inf, inf)) -> Agreement:
    """Whether our figure meets the paper's, by the errors of both. Where more than half of all values that
    ours could have would meet it, that would say nothing.

    >>> [agreement(Measured(0.4, 0.1), Measured(0.6, 0.1), among) for among in ((0, 1), (0, 2))]
    ['open', 'met']
    """
    error = (ours - paper).error
    low, high = between
    if not error < inf:
        return "open"
    accepted = min(high, paper.value + SURE * error) - max(low, paper.value - SURE * error)
    if accepted > (high - low) / 2:
        return "open"
    return "met" if abs(ours.value - paper.value) <= SURE * error else "missed"


def claim(
    what: str, truth: Truth, ours: str, *, paper: str = "yes", own: bool = False, note: str = ""
) -> Finding:
    """What the paper says, and whether it is so, by `greater` and those below it."""
    return Finding(what, paper, ours, truth, own=own, note=note)


def greater(a: Measured, b: Measured) -> Truth:
    """Whether a is greater than b, as far as the errors let us say; without any error, nobody can.

    >>> greater(Measured(0.7, 0.01), Measured(0.5, 0.01)), greater(Measured(0.51, 0.1), Measured(0.5, 0.1))
    ('holds', 'open')
    """
    difference = a - b
    if not 0 < difference.error < inf or abs(difference.value) <= SURE * difference.error:
        return "open"
    return "holds" if difference.value > 0 else "fails"


def every(truths: Iterable[Truth]) -> Truth:
    """Whether all of several hold; one that fails is enough to fail.

    >>> every(["holds", "open"]), every(["holds", "open", "fails"]), every(["holds"]), every([])
    ('open', 'fails', 'holds', 'open')
    """
    found = list(truths)
    if "fails" in found:
        return "fails"
    return "holds" if found and set(found) == {"holds"} else "open"


def some(truths: Iterable[Truth]) -> Truth:
    """Whether one of several holds at least; it takes all of them to fail.

    >>> some(["open", "holds", "fails"]), some(["open", "fails"]), some(["fails"]), some([])
    ('holds', 'open', 'fails', 'open')
    """
    found = list(truths)
    if "holds" in found:
        return "holds"
    return "fails" if found and set(found) == {"fails"} else "open"


def ahead(first: Iterable[str], values: Mapping[str, Measured]) -> Truth:
    """Whether those named lie above all the others; where one is level with another, nobody can say.

    >>> ahead(["a"], {"a": Measured(3, 1), "b": Measured(0, 1), "c": Measured(-3, 1)})
    'holds'
    """
    named = set(first)
    return every(
        greater(values[a], values[b]) for a in values if a in named for b in values if b not in named
    )


def flat(change: Measured, within: float = 0.05) -> Truth:
    """Whether something has not grown: not surely above 0, and surely by no more than so much.

    >>> [flat(Measured(*change)) for change in ((0.01, 0.01), (0.1, 0.01), (0.1, 0.1), (0.045, 0.025))]
    ['holds', 'fails', 'open', 'open']
    """
    if not change.error:
        return "open"
    if greater(change, Measured(0.0)) == "holds":
        return "fails"
    return "holds" if change.value + SURE * change.error <= within else "open"


def alike(change: Measured, within: float) -> Truth:
    """Whether something differs by less than so much, surely, or surely by more; without an error nobody can
    say.

    >>> [alike(Measured(change, 0.01), 0.05) for change in (0.01, -0.2, 0.04)]
    ['holds', 'fails', 'open']
    """
    if not change.error:
        return "open"
    if abs(change.value) + SURE * change.error <= within:
        return "holds"
    return "fails" if abs(change.value) - SURE * change.error > within else "open"


def count(findings: Iterable[Finding]) -> str:
    """How many of some findings are reproduced.

    >>> count([Finding("a", "", "", "met"), Finding("b", "", "", "open")])
    '1 of 2 figures and claims reproduced, 0 differ, 1 inconclusive'
    """
    alike, other, left = _counted(findings)
    of = alike + other + left
    return f"{alike} of {of} figures and claims reproduced, {other} differ, {left} inconclusive"


def answers(findings: Iterable[Finding]) -> str:
    """How some questions of ours are answered: there is nothing in them to reproduce.

    >>> answers([Finding("a", "", "", "met"), Finding("b", "", "", "fails"), Finding("c", "", "", "holds")])
    '2 answered yes, 1 no, 0 open'
    """
    yes, no, left = _counted(findings)
    return f"{yes} answered yes, {no} no, {left} open"


def _counted(findings: Iterable[Finding]) -> tuple[int, int, int]:
    verdicts = [finding.verdict for finding in findings]
    alike, other = (sum(verdict in kinds for verdict in verdicts) for kinds in (REPRODUCED, DIFFERENT))
    return alike, other, len(verdicts) - alike - other
