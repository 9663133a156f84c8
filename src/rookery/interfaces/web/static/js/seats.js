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
  const words = { random: "Chance", sergeant: "The Sergeant" };
  return level ? `Level ${level}` : words[player] ?? player;
}

export const LEVELS = ["", "a gentle start", "still learning", "club evening", "watch your pieces", "rather sharp", "strong", "very strong", "without mercy"];
