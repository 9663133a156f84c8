// Who holds which seat, and how seats are spoken of.

import { memory } from "./dom.js";

/** What this browser holds at a table: secrets by seat, and invitations that it may give away. */
export function held(table) {
  return memory.get("tables", {})[table] ?? { secrets: {}, invitations: {} };
}

export function hold(table, change) {
  const all = memory.get("tables", {});
  const before = all[table] ?? { secrets: {}, invitations: {} };
  all[table] = {
    secrets: { ...before.secrets, ...change.secrets },
    invitations: { ...before.invitations, ...change.invitations },
  };
  const names = Object.keys(all);
  for (const old of names.slice(0, Math.max(0, names.length - 200))) delete all[old];
  memory.set("tables", all);
}

/** A player's name for people: its level if it has one. */
export function friendly(player) {
  const level = /[:,]level=(\d+)/.exec(player)?.[1];
  const word = player.split(/[:+]/)[0];
  const title = { random: "Chance", sergeant: "The Sergeant" }[word];
  if (level) return title ? `${title}, level ${level}` : `Level ${level}`;
  return title ?? player;
}

const WORDS = ["a gentle start", "still learning", "a friendly evening", "not quite awake", "watch your pieces", "rather sharp", "a strong club player", "strong", "very strong", "without mercy"];

/** A level in words. */
export function levelWords(game, level) {
  const elo = game.elo[level - 1];
  const place = Math.round((level - 1) / Math.max(1, game.levels - 1) * (WORDS.length - 1));
  return `Level ${level} – ${WORDS[place]}${eloWords(elo)}`;
}

/** What was measured, to be added to a name; nothing if nobody has measured it. */
export function eloWords(elo) {
  return elo === undefined ? "" : `, about ${Math.round(elo / 10) * 10} Elo`;
}
