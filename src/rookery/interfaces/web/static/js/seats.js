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

/** A level of whom people meet, in words. */
export function levelWords(game, level) {
  return `Level ${level} of ${game.levels} – ${game.strengths[level - 1]}`;
}

/** The program text of whom people meet, at a level. */
export const spelling = (game, level) => game.spellings[level - 1] ?? game.opponent;

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
