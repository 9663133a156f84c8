"""Every sentence of Real and Blair's paper about results, and where it is judged or why it is not."""

from __future__ import annotations

MATERIAL = "Stage 1"
ATTACKS = "Stage 2"
SQUARES = "Stage 3"
CONTROL = "All at once"
TEAMS = "The odd and the even team"
SEARCHES = "Beyond the paper: other searches"
WISHES = "Beyond the paper: other weights"

_MAY_BE = "not judged: said as what may be"
_CITED = "not judged: another's result, which is cited"

SENTENCES = (
    ("abstract, VII", "training in stages gives superior performance", CONTROL),
    (
        "IV",
        "TreeStrap reached Master level in chess, TD-Leaf amateur level",
        _CITED + "; see the check on chess",
    ),
    (
        "V",
        "only 5 to 7 plies in the middle game and 9 to 13 in the ending can be searched",
        "not judged: another machine",
    ),
    (
        "V",
        "a transposition table is of little use",
        f"told, not judged, as little is not said in numbers: What was done (nodes), {SEARCHES}",
    ),
    (
        "V",
        "King, Queen, Fortress or Duchess are threatened at almost every move, so that a quiescence search "
        "could be extended without limit",
        f"not judged: threats were not counted; a search of captures alone: {SEARCHES}",
    ),
    (
        "V.A",
        "an evaluation kept from move to move is faster than one from scratch",
        "not judged: no result of training; `python bench/peers.py duchess4-values` measures a factor of 10",
    ),
    ("V.B", "without a discount by depth a Pawn may come to exceed a Queen", _MAY_BE),
    (
        "V.B",
        "5 plies are the least that shows two moves of one player",
        "not judged: it follows from the rules",
    ),
    (
        "V.B",
        "with 5 plies many games end in stagnation",
        "not judged: all our runs look deeper late, as the paper's do after it had seen this",
    ),
    ("VI.1", "two Wizards are worth more than twice one", MATERIAL),
    ("VI.1", "the bias is slightly positive, as an enemy piece may be captured next", MATERIAL),
    ("VI.1", "the even team has a slight advantage, at least in the opening", f"{TEAMS}: by results alone"),
    ("VI.1", "training is faster from initial material weights", _CITED),
    ("VI.1", "Table I", MATERIAL),
    (
        "VI.1",
        "Pawns are much more valuable than in chess",
        "not judged: there is no common measure of the two games",
    ),
    ("VI.1", "a Knight is low beside a Bishop, and even a Pawn", MATERIAL),
    ("VI.1", "checkmate counts most for P1 and declines to P4", MATERIAL),
    ("VI.1", "check of P2 is relatively large", MATERIAL),
    ("VI.1", "P4 can be in check only if he is mated", "not judged: it follows from the rules"),
    ("VI.2", "stage 2 beats stage 1 by 85-13-2", ATTACKS),
    ("VI.2, VII", "attack and defence weights are a significant, substantial benefit", ATTACKS),
    (
        "VI.2",
        "where nothing can be forced, stage 2 finds a favorable arrangement of pieces",
        "not judged: positions where nothing can be forced were not told apart",
    ),
    (
        "VI.2",
        "Queen, Fortress and Rook attack best; attacks on them, Wizard and Pawn are worth most",
        ATTACKS,
    ),
    (
        "VI.2",
        "attacks on the King are supplementary to check",
        "not judged: the two weights are active together",
    ),
    ("VI.2", "King beside Wizard, and Pawns that defend each other, in all four diagonal blocks", ATTACKS),
    (
        "VI.2",
        "it is good to defend the partner's pieces, for P2 and P4 too, especially with the Queen",
        ATTACKS,
    ),
    ("VI.2", "all at once plays poorly, at a high or a low learning rate", CONTROL),
    ("VI.2", "since untrained material makes games end early", CONTROL),
    (
        "VI.2",
        "the winners' pieces then stand unmoved, and attacks learn to stand for material",
        "not judged: the games of training are not kept",
    ),
    (
        "VI.2",
        "some weights of enemies who attack P1 are positive where one would expect them negative",
        "not judged: among so many some would always be",
    ),
    ("VI.2", "an enemy Queen on P1's Queen is good for P1", ATTACKS),
    (
        "VI.2",
        "a Queen on a Fortress may be good or bad, by how it attacks",
        f"{_MAY_BE}; modes of attack: {WISHES}",
    ),
    ("VI.3", "Fortress, Duchess, Queen and Rook leave their first squares, toward the centre", SQUARES),
    ("VI.3", "the Vortex is highly favored", SQUARES),
    (
        "VI.3",
        "so are squares from which enemy pieces can most easily be attacked",
        "not judged: the paper names none",
    ),
    ("VI.3", "King, Wizard and Knight would rather stay", SQUARES),
    (
        "VI.3",
        "perhaps since winners sometimes never moved them",
        _MAY_BE,
    ),
    ("VI.3", "of the first squares of Bishop and Pawn some are positive, some negative", SQUARES),
    ("VI.3", "Rook, Queen, Fortress and especially the King are drawn to P3's part of the board", SQUARES),
    ("VI.3", "a Wizard is well placed beside the Vortex", SQUARES),
    ("VI.3", "stage 3 against stage 2: 53-38-9", SQUARES),
    (
        "VI.3, VII",
        "square weights appear to give some additional benefit, of which it cannot be said that it is "
        "significant",
        f"{SQUARES}: that there is a benefit",
    ),
    (
        "VI.3",
        "square weights may be less important than in chess",
        _MAY_BE + "; nothing compares the two games",
    ),
    ("VI.3", "squares good in the middle game may be bad in the ending", f"{_MAY_BE}; phases: {WISHES}"),
    (
        "VI.3",
        "greater depth may be needed for the most of TreeStrap",
        f"{_MAY_BE}; deeper training: {WISHES}",
    ),
    (
        "VII",
        "square weights are difficult to optimize",
        "not judged: it names nothing to measure; how much they differ from seed to seed is told under "
        + SQUARES,
    ),
    ("VI", "8, 20 and 4 hours of training", "not judged: another machine"),
)
"""Where in the paper, what it says, and the section that judges it or why none does."""
