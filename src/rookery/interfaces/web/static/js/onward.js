// Playing on from a position, against an opponent of the strength that somebody has chosen.

import { h, toast } from "./dom.js";
import { chosenStrength, hold, keepStrength, strengths } from "./seats.js";
import { post } from "./server.js";

/** The choice of a strength: the one of the first page, until another is taken here. */
export function levelChoice() {
  return h("select", { "aria-label": "Level of your opponent" });
}

/** Offer what a game has. */
export function offerLevels(select, game) {
  const all = strengths(game);
  const wanted = chosenStrength(game);
  select.onchange = () => {
    if (select.selectedIndex < all.length) keepStrength(game, select.selectedIndex);
  };
  select.replaceChildren(
    ...all.map(({ player, words }, place) => h("option", { value: player, selected: place === wanted }, words)),
    h("option", { value: game.opponent }, game.levels ? `${game.opponent_title}, full strength` : game.opponent_title),
  );
}

/** A new table from here; whoever asks takes the seat that is to move. */
export async function playOn(game, turn, player, from) {
  try {
    const seats = game.seats.map((_, seat) => (seat === turn ? { who: "me" } : { who: "player", player }));
    const made = await post("/api/tables", { game: game.name, seats, ...from });
    hold(made.id, made);
    location.hash = `#/table/${made.id}`;
  } catch (error) {
    toast(error.message, "bad");
  }
}
