// Pieces as a game's face draws them, on a field of 100 by 100.

import { s } from "./dom.js";

/** A kind of piece by its letter. */
export const kindOf = (face, letter) => face.pieces.find((piece) => piece.letter === letter);

/** The classes that colour a piece, by its seat. */
export const colour = ({ look, colours }, seat) => `man-${look.style} of-${colours[seat]}`;

/** A drawing of a piece, centred on the origin and one unit wide. */
export function draw(face, letter) {
  return s(
    "g",
    { transform: "scale(.01) translate(-50 -50)" },
    (kindOf(face, letter)?.drawing ?? []).map(({ style, path }) => s("path", { class: style, d: path })),
  );
}

/** A small picture of a piece, for buttons and lists. */
export function picture(face, letter, seat) {
  return s(
    "svg",
    { class: `piece ${colour(face, seat)}`, viewBox: "-.5 -.5 1 1", "aria-hidden": "true" },
    draw(face, letter),
  );
}
