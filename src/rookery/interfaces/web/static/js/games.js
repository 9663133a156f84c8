// The games that there are, as the server describes them, and which of them somebody played last.

import { memory } from "./dom.js";

/** Games that share a place on the first page: { ...family, games }, in their order. */
export function families(games) {
  const found = new Map();
  for (const game of games) {
    const { family } = game.look;
    if (!found.has(family.name)) found.set(family.name, { ...family, games: [] });
    found.get(family.name).games.push(game);
  }
  return [...found.values()].sort((a, b) => a.place - b.place);
}

/** The game of that name, or the one that was chosen last, or the first of all. */
export function chosen(games, name = memory.get("game", "")) {
  const [first] = families(games);
  return games.find((game) => game.name === name) ?? games.find((game) => game.name === first.game) ?? first.games[0];
}
