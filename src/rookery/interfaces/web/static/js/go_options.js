// Rules, komi and handicap of a game of Go, to be chosen before it begins.

import { h, memory } from "./dom.js";

const RULES = [
  ["chinese", "Chinese", 7.5],
  ["japanese", "Japanese", 6.5],
  ["tromp-taylor", "Tromp-Taylor", 7.5],
  ["mayer", "Mayer: every stone counts", 0],
];
const HANDICAPS = { 7: 4, 9: 9, 13: 9, 19: 9 };

const size = (game) => Number(game.match(/\d+/)[0]);

/** The usual komi, as the server has it. */
function usual(rules, game, handicap) {
  const komi = RULES.find(([name]) => name === rules)[2];
  return komi && (handicap || size(game) < 7 ? 0.5 : komi);
}

/** What was chosen for a game, as the server wants it; null if it is not Go. */
export function goChoice(game) {
  if (!/^go\d+$/.test(game)) return null;
  const { rules = "chinese", komi = null, handicap = 0 } = memory.get("go", {});
  return {
    rules: RULES.some(([name]) => name === rules) ? rules : "chinese",
    komi,
    handicap: Math.min(handicap, HANDICAPS[size(game)] ?? 0),
  };
}

/** What to add to the address of a game's first position. */
export function goStart(game) {
  const stones = goChoice(game)?.handicap;
  return stones ? `?handicap=${stones}` : "";
}

/** The fields. `changed` is called when somebody chose something else. */
export function goOptions(game, changed = () => {}) {
  const chosen = goChoice(game);
  const set = (change) => {
    Object.assign(chosen, change);
    memory.set("go", chosen);
    komi.placeholder = String(usual(chosen.rules, game, chosen.handicap));
    changed(chosen);
  };
  const rules = h(
    "select",
    { "data-go": "rules", onchange: (event) => set({ rules: event.target.value }) },
    RULES.map(([value, words]) => h("option", { value }, words)),
  );
  rules.value = chosen.rules;
  const komi = h("input", {
    type: "number",
    step: "0.5",
    min: "-1000",
    max: "1000",
    "data-go": "komi",
    placeholder: String(usual(chosen.rules, game, chosen.handicap)),
    onchange: (event) =>
      set({ komi: event.target.value === "" ? null : Math.round(2 * Number(event.target.value)) / 2 }),
  });
  if (chosen.komi !== null) komi.value = String(chosen.komi);
  const most = HANDICAPS[size(game)] ?? 0;
  const stones = [0, ...Array.from({ length: Math.max(0, most - 1) }, (_, index) => index + 2)];
  const handicap = h(
    "select",
    { "data-go": "handicap", disabled: !most, onchange: (event) => set({ handicap: Number(event.target.value) }) },
    stones.map((value) => h("option", { value: String(value) }, value ? `${value} stones for Black` : "None")),
  );
  handicap.value = String(chosen.handicap);
  const field = (words, one) => h("label", { class: "field row" }, h("span", {}, words), one);
  return h(
    "div",
    { class: "stack go-options" },
    field("Rules", rules),
    field("Komi", komi),
    field("Handicap", handicap),
  );
}
