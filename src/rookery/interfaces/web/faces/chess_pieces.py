"""The pieces of chess, drawn for the studio."""

from __future__ import annotations

from rookery.interfaces.web.faces import Part, Piece

_FOOT = "L76 81 Q78 83 78 88 H22 Q22 83 24 81"
"""What most of them stand on."""

_PAWN = (
    Part(
        "body",
        f"M50 17C58.5 17 65 23.5 65 32C65 37 62.6 41.4 59 44L65 50H57C58 62 62 69 70 75{_FOOT}"
        "L30 75C38 69 42 62 43 50H35L41 44C37.4 41.4 35 37 35 32C35 23.5 41.5 17 50 17Z",
    ),
    Part("mark", "M30 77Q50 72 70 77"),
    Part("shine", "M43 27Q46 22 51 22"),
)
_ROOK = (
    Part(
        "body",
        f"M25 15H36V23H45V15H55V23H64V15H75V33L66 41L68 66L74 74{_FOOT}L26 74L32 66L34 41L25 33Z",
    ),
    Part("mark", "M33 41H67M31 67H69M27 76H73"),
    Part("shine", "M40 47V60"),
)
_KNIGHT = (
    Part(
        "body",
        "M29 88C29 74 36 67 44 58C48 53 49 50 48 47C44 51 38 53 34 57C30 60.5 26 60 23 57L18 "
        "51C16.5 48 17.5 46 19.5 43L31 27C32.5 22 34 18 32.5 11C38 13 42 16 44.5 19.5C63 20 7"
        "6 34 77.5 56C78 68 78 80 78 88Z",
    ),
    Part("mark", "M57 27C68 36 71 52 69.5 79M30 81Q52 76 77 81"),
    Part("dot", "M35 34a3 3 0 1 0 6 0a3 3 0 1 0-6 0"),
    Part("dot", "M22 51a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0"),
)
_BISHOP = (
    Part("body", "M44 12a6 6 0 1 0 12 0a6 6 0 1 0-12 0"),
    Part(
        "body",
        f"M50 18C63 26 70 37 68 48C67 54 63 58 59 61L64 67H59C61 73 66 75 70 77{_FOOT}"
        "L30 77C34 75 39 73 41 67H36L41 61C37 58 33 54 32 48C30 37 37 26 50 18Z",
    ),
    Part("mark", "M41 61Q50 64 59 61M57 27L48 42M30 79Q50 74 70 79"),
    Part("shine", "M38 44Q38 37 42 31"),
)
_QUEEN = (
    Part(
        "body",
        "M13 27a5 5 0 1 0 10 0a5 5 0 1 0-10 0M30 17a5 5 0 1 0 10 0a5 5 0 1 0-10 0M45 13a5 5 0"
        " 1 0 10 0a5 5 0 1 0-10 0M60 17a5 5 0 1 0 10 0a5 5 0 1 0-10 0M77 27a5 5 0 1 0 10 0a5 "
        "5 0 1 0-10 0",
    ),
    Part(
        "body",
        f"M18 31L32 52L35 22L46 49L50 18L54 49L65 22L68 52L82 31L73 66L69 73L74 79{_FOOT}L26 79L31 73L27 66Z",
    ),
    Part("mark", "M27 66Q50 60 73 66M31 73Q50 68 69 73M26 81Q50 76 74 81"),
)
_KING = (
    Part("body", "M46.5 6H53.5V12H59.5V19H53.5V28H46.5V19H40.5V12H46.5Z"),
    Part(
        "body",
        f"M50 36C54 27 66 22 77 28C87 35 84 50 74 58L71 66L69 73L74 79{_FOOT}"
        "L26 79L31 73L29 66L26 58C16 50 13 35 23 28C34 22 46 27 50 36Z",
    ),
    Part("mark", "M50 36V61M28 66Q50 60 72 66M31 73Q50 68 69 73M26 81Q50 76 74 81"),
    Part("shine", "M25 41Q24 35 29 33"),
)

KING = Piece("K", "King", _KING)
QUEEN = Piece("Q", "Queen", _QUEEN, 9)
ROOK = Piece("R", "Rook", _ROOK, 5)
BISHOP = Piece("B", "Bishop", _BISHOP, 3)
KNIGHT = Piece("N", "Knight", _KNIGHT, 3)
PAWN = Piece("P", "Pawn", _PAWN, 1)
