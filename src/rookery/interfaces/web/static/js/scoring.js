// The end of a game of Go: which stones are dead, whose the points are, and who agrees.

import { button, h, refill } from "./dom.js";

/** The panel beside the board; `table` is the page's table. */
export function renderCount(place, table) {
  const { scoring, seats } = table.shown;
  place.hidden = !scoring;
  if (!scoring) {
    place.replaceChildren();
    return;
  }
  const mine = seats.map((one, seat) => ({ ...one, seat })).filter((one) => one.yours);
  const agreed = mine.length > 0 && mine.every(({ seat }) => scoring.agreed.includes(seat));
  const others = seats
    .filter((one, seat) => !one.yours && !one.player && scoring.open && scoring.agreed.includes(seat))
    .map((one) => one.name);
  refill(place, [
    h("p", { class: "points", role: "status" }, scoring.words),
    scoring.open &&
      h(
        "p",
        { class: "quiet" },
        mine.length
          ? "Faded stones count as dead. Tap a stone to change that."
          : "The players are agreeing on the dead stones.",
      ),
    others.length > 0 && h("p", { class: "quiet" }, `${others.join(" and ")} agreed.`),
    scoring.open &&
      mine.length > 0 &&
      h(
        "div",
        { class: "buttons" },
        agreed
          ? h("span", { class: "quiet" }, "You agreed. Waiting for the other side.")
          : button("Agree", () => table.tell({ do: "agree", number: scoring.number }), {
              class: "primary",
              id: "agree",
            }),
        button("Resume play", () => table.tell({ do: "resume" }), {
          id: "resume",
          title: "Take the passes back and play on",
        }),
      ),
  ]);
}

/** What the board shows of it, to be added to what it shows anyway. */
export function countMarks(scoring) {
  return scoring ? { dead: scoring.dead, land: [scoring.black, scoring.white] } : {};
}

/** Whether somebody here may tap stones now. */
export function mayMark(shown) {
  return Boolean(shown.scoring?.open) && shown.seats.some((seat) => seat.yours);
}
