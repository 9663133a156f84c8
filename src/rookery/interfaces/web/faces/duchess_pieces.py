"""The pieces that only Duchess has, drawn for the studio."""

from __future__ import annotations

from rookery.interfaces.web.faces import Part, Piece

_DUCHESS = (
    Part("body", "M33 24L35 9L43 18L50 5L57 18L65 9L67 24Q50 18 33 24Z"),
    Part("body", "M39 31a11 11 0 1 0 22 0a11 11 0 1 0-22 0"),
    Part(
        "body",
        "M50 42C59 42 63 45 63 50C63 56 58 58 60 62C68 66 80 72 84 88H16C20 72 32 66 40 62C42"
        " 58 37 56 37 50C37 45 41 42 50 42Z",
    ),
    Part("mark", "M40 62Q50 66 60 62M50 66V87M40 67L31 87M60 67L69 87"),
)
_FORTRESS = (
    Part(
        "body",
        "M13 20H21V27H28V20H36V45H42V39H47V45H53V39H58V45H64V20H72V27H79V20H87V77L91 88H9L13 77Z",
    ),
    Part("mark", "M13 36H36M64 36H87M36 52H64M12 79H38M62 79H88"),
    Part("dot", "M41 88V70A9 9 0 0 1 59 70V88Z"),
    Part("dot", "M22 46h5v10h-5zM73 46h5v10h-5z"),
)
_WIZARD = (
    Part("body", "M55 6C58 13 56 22 61 34C65 44 69 54 72 63H28C34 46 44 22 55 6Z"),
    Part("body", "M34 74C40 78 60 78 66 74L72 88H28Z"),
    Part("body", "M12 67C20 60 36 63 50 63C64 63 80 60 88 67C82 75 66 77 50 77C34 77 18 75 12 67Z"),
    Part("mark", "M31 56Q50 60 69 56"),
    Part(
        "star",
        "M50 33L52.8 40.5L60.5 41L54.5 46L56.5 53.5L50 49.2L43.5 53.5L45.5 46L39.5 41L47.2 40.5Z",
    ),
)

DUCHESS = Piece("D", "Duchess", _DUCHESS)
FORTRESS = Piece("F", "Fortress", _FORTRESS)
WIZARD = Piece("W", "Wizard", _WIZARD)
