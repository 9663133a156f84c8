// Who holds which seat, and how seats are spoken of.

import { h, memory } from "./dom.js";

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

/**
 * How strong an opponent people may ask for, weakest first: `key` is what the browser keeps, `words` is for people.
 * Where somebody plays like people of a rating, those; else the levels of whom people meet.
 */
export function strengths(game) {
  if (game.ratings) return game.ratings.list.map(({ elo, ...one }) => ({ key: elo, ...one }));
  return game.spellings.map((player, place) => ({
    key: place + 1,
    player,
    words: `Level ${place + 1} of ${game.levels} – ${game.strengths[place]}`,
  }));
}

/** Where the browser keeps the strength that was chosen: ratings are no levels. */
const kept = (game) => (game.ratings ? "elo" : "level");

/** The place of the strength that was last asked for, or of the usual one. */
export function chosenStrength(game) {
  const all = strengths(game);
  const usual = game.ratings ? game.ratings.usual : Math.min(1, all.length - 1);
  const key = memory.get(kept(game), null);
  const place = all.findIndex((one) => one.key === key);
  if (place >= 0) return place;
  return key > all.at(-1)?.key ? all.length - 1 : usual;
}

export function keepStrength(game, place) {
  memory.set(kept(game), strengths(game)[place].key);
}

/** Where somebody may say what others should call them; the browser keeps it. */
export function nameField(changed = () => {}) {
  const input = h("input", {
    type: "text",
    maxlength: "30",
    value: memory.get("name", ""),
    autocomplete: "nickname",
    placeholder: "optional",
    onchange: () => {
      memory.set("name", input.value.trim());
      changed(input.value.trim());
    },
  });
  return h("label", { class: "field row naming" }, h("span", {}, "Your name"), input);
}
