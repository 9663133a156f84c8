// How a whole game went: a curve of who stood better, and the moves that cost most.

import { h, s } from "./dom.js";

const WIDTH = 600,
  HEIGHT = 90;
// By how much, from 0 to 1, a move lowers the chances of whoever makes it.
const MARKS = [
  { least: 0.15, sign: "??", words: "Blunder", listed: true },
  { least: 0.1, sign: "?", words: "Mistake", listed: true },
  { least: 0.05, sign: "?!", words: "Inaccuracy" },
];

/** Mark the moves between positions that have been looked at. */
export function judge(places, game) {
  places.slice(1).forEach((place, index) => {
    const before = places[index].worth;
    if (!before || !place.worth) return;
    const side = game.sides[place.frame.move.seat] === 0 ? 1 : -1;
    const lost = (side * (before.value - place.worth.value)) / 2;
    const mark = place.text === before.best ? undefined : MARKS.find(({ least }) => lost >= least);
    place.worth.mark = mark && {
      ...mark,
      words: `${mark.words}: winning chances fell by ${Math.round(100 * lost)} percentage points. Best was ${before.label}.`,
    };
  });
}

/** The curve with its marks, as far as the game has been looked at; nothing if it has not. */
export function graph(places, here, game, busy, go) {
  const known = places.map((place, ply) => ({ place, ply })).filter(({ place }) => place.worth);
  if (known.length < 2 && busy === null) return [];
  const first = game.seats.filter((_, seat) => game.sides[seat] === 0).join(" and ");
  const x = (ply) => (ply / Math.max(1, places.length - 1)) * WIDTH;
  const y = (value) => (HEIGHT / 2) * (1 - value);
  const curve = known.map(({ place, ply }) => `${x(ply).toFixed(1)} ${y(place.worth.value).toFixed(1)}`).join("L");
  const marked = known.filter(({ place }) => place.worth.mark?.listed);
  const press = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    go(places[Math.round(((event.clientX - box.left) / box.width) * (places.length - 1))]);
  };
  const now = places.indexOf(here);
  const words =
    busy === null
      ? `${marked.length ? "" : "No move lost much. "}Winning chances of ${first}, from 0 to 100 %.`
      : `${busy} of ${places.length} positions looked at…`;
  return [
    h(
      "figure",
      { class: "whole" },
      s(
        "svg",
        {
          viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
          preserveAspectRatio: "none",
          role: "img",
          "aria-label": `Who stood better, by move. ${words}`,
          onclick: press,
        },
        s("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
        known.length > 1
          ? s("path", {
              class: "area",
              d: `M${x(known[0].ply)} ${HEIGHT / 2}L${curve}L${x(known.at(-1).ply)} ${HEIGHT / 2}Z`,
            })
          : "",
        known.length > 1 ? s("path", { class: "curve", d: `M${curve}` }) : "",
        now >= 0 ? s("line", { class: "now", x1: x(now), x2: x(now), y1: 0, y2: HEIGHT }) : "",
      ),
      h("figcaption", { class: "quiet" }, words),
    ),
    marked.length
      ? h(
          "ul",
          { class: "marked", "aria-label": "Moves that cost most" },
          marked.map(({ place, ply }) =>
            h(
              "li",
              {},
              h(
                "button",
                { type: "button", class: "small", onclick: () => go(place), title: place.worth.mark.words },
                `${Math.ceil(ply / game.seats.length)}. ${place.frame.move.label} ${place.worth.mark.sign}`,
              ),
              h("span", { class: "quiet" }, place.worth.mark.words),
            ),
          ),
        )
      : "",
  ];
}
