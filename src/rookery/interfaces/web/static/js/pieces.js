// The men, drawn for this page on a field of 100 by 100. `body` takes the colour of the seat, `mark` that of
// its lines, `shine` a little of the light.

import { s } from "./dom.js";

const foot = "L76 81 Q78 83 78 88 H22 Q22 83 24 81";

const DRAWINGS = {
  P: [
    [
      "body",
      `M50 17C58.5 17 65 23.5 65 32C65 37 62.6 41.4 59 44L65 50H57C58 62 62 69 70 75${foot}L30 75C38 69 42 62 43 50H35L41 44C37.4 41.4 35 37 35 32C35 23.5 41.5 17 50 17Z`,
    ],
    ["mark", "M30 77Q50 72 70 77"],
    ["shine", "M43 27Q46 22 51 22"],
  ],
  R: [
    ["body", `M25 15H36V23H45V15H55V23H64V15H75V33L66 41L68 66L74 74${foot}L26 74L32 66L34 41L25 33Z`],
    ["mark", "M33 41H67M31 67H69M27 76H73"],
    ["shine", "M40 47V60"],
  ],
  N: [
    [
      "body",
      `M29 88C29 74 36 67 44 58C48 53 49 50 48 47C44 51 38 53 34 57C30 60.5 26 60 23 57L18 51C16.5 48 17.5 46 19.5 43L31 27C32.5 22 34 18 32.5 11C38 13 42 16 44.5 19.5C63 20 76 34 77.5 56C78 68 78 80 78 88Z`,
    ],
    ["mark", "M57 27C68 36 71 52 69.5 79M30 81Q52 76 77 81"],
    ["dot", "M35 34a3 3 0 1 0 6 0a3 3 0 1 0-6 0"],
    ["dot", "M22 51a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0"],
  ],
  B: [
    ["body", "M44 12a6 6 0 1 0 12 0a6 6 0 1 0-12 0"],
    [
      "body",
      `M50 18C63 26 70 37 68 48C67 54 63 58 59 61L64 67H59C61 73 66 75 70 77${foot}L30 77C34 75 39 73 41 67H36L41 61C37 58 33 54 32 48C30 37 37 26 50 18Z`,
    ],
    ["mark", "M41 61Q50 64 59 61M57 27L48 42M30 79Q50 74 70 79"],
    ["shine", "M38 44Q38 37 42 31"],
  ],
  Q: [
    [
      "body",
      "M13 27a5 5 0 1 0 10 0a5 5 0 1 0-10 0M30 17a5 5 0 1 0 10 0a5 5 0 1 0-10 0M45 13a5 5 0 1 0 10 0a5 5 0 1 0-10 0M60 17a5 5 0 1 0 10 0a5 5 0 1 0-10 0M77 27a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
    ],
    ["body", `M18 31L32 52L35 22L46 49L50 18L54 49L65 22L68 52L82 31L73 66L69 73L74 79${foot}L26 79L31 73L27 66Z`],
    ["mark", "M27 66Q50 60 73 66M31 73Q50 68 69 73M26 81Q50 76 74 81"],
  ],
  K: [
    ["body", "M46.5 6H53.5V12H59.5V19H53.5V28H46.5V19H40.5V12H46.5Z"],
    [
      "body",
      `M50 36C54 27 66 22 77 28C87 35 84 50 74 58L71 66L69 73L74 79${foot}L26 79L31 73L29 66L26 58C16 50 13 35 23 28C34 22 46 27 50 36Z`,
    ],
    ["mark", "M50 36V61M28 66Q50 60 72 66M31 73Q50 68 69 73M26 81Q50 76 74 81"],
    ["shine", "M25 41Q24 35 29 33"],
  ],
  D: [
    ["body", "M33 24L35 9L43 18L50 5L57 18L65 9L67 24Q50 18 33 24Z"],
    ["body", "M39 31a11 11 0 1 0 22 0a11 11 0 1 0-22 0"],
    [
      "body",
      "M50 42C59 42 63 45 63 50C63 56 58 58 60 62C68 66 80 72 84 88H16C20 72 32 66 40 62C42 58 37 56 37 50C37 45 41 42 50 42Z",
    ],
    ["mark", "M40 62Q50 66 60 62M50 66V87M40 67L31 87M60 67L69 87"],
  ],
  F: [
    ["body", "M13 20H21V27H28V20H36V45H42V39H47V45H53V39H58V45H64V20H72V27H79V20H87V77L91 88H9L13 77Z"],
    ["mark", "M13 36H36M64 36H87M36 52H64M12 79H38M62 79H88"],
    ["dot", "M41 88V70A9 9 0 0 1 59 70V88Z"],
    ["dot", "M22 46h5v10h-5zM73 46h5v10h-5z"],
  ],
  W: [
    ["body", "M55 6C58 13 56 22 61 34C65 44 69 54 72 63H28C34 46 44 22 55 6Z"],
    ["body", "M34 74C40 78 60 78 66 74L72 88H28Z"],
    ["body", "M12 67C20 60 36 63 50 63C64 63 80 60 88 67C82 75 66 77 50 77C34 77 18 75 12 67Z"],
    ["mark", "M31 56Q50 60 69 56"],
    ["star", "M50 33L52.8 40.5L60.5 41L54.5 46L56.5 53.5L50 49.2L43.5 53.5L45.5 46L39.5 41L47.2 40.5Z"],
  ],
};

export const NAMES = {
  K: "King",
  Q: "Queen",
  R: "Rook",
  B: "Bishop",
  N: "Knight",
  P: "Pawn",
  D: "Duchess",
  F: "Fortress",
  W: "Wizard",
  S: "stone",
};

/** The classes that colour a man, by the name of its seat. */
export function colour(kind, seatName) {
  return `man-${kind} of-${seatName.toLowerCase()}`;
}

/** A drawing of a man, centred on the origin and one unit wide. */
export function draw(kind) {
  if (kind === "S") {
    return s(
      "g",
      {},
      s("circle", { class: "stone-shadow", cx: 0.02, cy: 0.05, r: 0.5 }),
      s("circle", { class: "stone", r: 0.5 }),
      s("ellipse", {
        class: "stone-shine",
        cx: -0.15,
        cy: -0.2,
        rx: 0.17,
        ry: 0.11,
        transform: "rotate(-38 -0.15 -0.2)",
      }),
    );
  }
  return s(
    "g",
    { transform: "scale(.01) translate(-50 -50)" },
    (DRAWINGS[kind] ?? DRAWINGS.P).map(([part, d]) => s("path", { class: part, d })),
  );
}

/** A small picture of a man, for buttons and lists. */
export function picture(kind, family, seatName) {
  return s(
    "svg",
    { class: `piece ${colour(family, seatName)}`, viewBox: "-.5 -.5 1 1", "aria-hidden": "true" },
    draw(kind),
  );
}
