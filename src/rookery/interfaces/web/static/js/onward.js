// Playing on from a position, against the level that somebody has chosen.

import { h, memory, toast } from "./dom.js";
import { hold, levelWords, spelling } from "./seats.js";
import { post } from "./server.js";

/** The choice of a level: the one of the first page, until another is taken here. */
export function levelChoice() {
  const select = h("select", {
    "aria-label": "Level of your opponent",
    onchange: () => {
      if (select.value !== "full") memory.set("level", Number(select.value));
    },
  });
  return select;
}

/** Offer the levels of a game. */
export function offerLevels(select, game) {
  const wanted = Math.min(memory.get("level", 2), game.levels);
  const levels = Array.from({ length: game.levels }, (_, place) => place + 1);
  select.replaceChildren(
    ...levels.map((level) =>
      h("option", { value: String(level), selected: level === wanted }, levelWords(game, level)),
    ),
    h("option", { value: "full" }, game.levels ? `${game.opponent_title}, full strength` : game.opponent_title),
  );
}

/** A new table from here; whoever asks takes the seat that is to move. */
export async function playOn(game, turn, level, from) {
  try {
    const player = spelling(game, Number(level));
    const seats = game.seats.map((_, seat) => (seat === turn ? { who: "me" } : { who: "player", player }));
    const made = await post("/api/tables", { game: game.name, seats, ...from });
    hold(made.id, made);
    location.hash = `#/table/${made.id}`;
  } catch (error) {
    toast(error.message, "bad");
  }
}
