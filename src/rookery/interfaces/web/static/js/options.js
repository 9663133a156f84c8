// What can be chosen before a game begins, as its face offers it: rules, handicaps and the like.

import { h, memory } from "./dom.js";
import { once } from "./server.js";

const address = (game, wish) => `/games/${game.name}/options?${new URLSearchParams(wish)}`;

/** What was chosen in this family of games, as far as this game offers it. */
export async function choices(game) {
  const kept = Object.entries(memory.get(game.look.family.name, {})).filter(([, value]) => value !== null);
  const offered = kept.length ? await once(address(game, {})) : [];
  const allowed = ({ choices }, value) => !choices.length || choices.some((choice) => choice.value === value);
  return Object.fromEntries(
    kept
      .map(([name, value]) => [name, String(value)])
      .filter(([name, value]) => offered.some((option) => option.name === name && allowed(option, value))),
  );
}

/** The fields; null if there is nothing to choose. `changed` is called when somebody chose something else. */
export async function optionFields(game, changed) {
  const chosen = await choices(game);
  const offered = await once(address(game, chosen));
  if (!offered.length) return null;
  let changes = 0;
  const set = async (name, value) => {
    if (value === "") delete chosen[name];
    else chosen[name] = value;
    memory.set(game.look.family.name, chosen);
    changed();
    // What is usual for one may depend on another. Answers may come in another order than they were asked for.
    const change = ++changes;
    const now = await once(address(game, chosen));
    if (change !== changes) return;
    for (const option of now) {
      const field = fields.get(option.name);
      if (!option.choices.length) field.placeholder = option.usual;
    }
  };
  const fields = new Map(
    offered.map((option) => [option.name, option.choices.length ? select(option, set) : number(option, set)]),
  );
  for (const option of offered)
    fields.get(option.name).value = chosen[option.name] ?? (option.choices.length ? option.usual : "");
  return h(
    "div",
    { class: "stack" },
    offered.map((option) => h("label", { class: "field row" }, h("span", {}, option.title), fields.get(option.name))),
  );
}

function select({ name, choices: offered }, set) {
  return h(
    "select",
    { "data-option": name, disabled: offered.length < 2, onchange: (event) => set(name, event.target.value) },
    offered.map(({ value, words }) => h("option", { value }, words)),
  );
}

function number({ name, step, low, high, usual }, set) {
  return h("input", {
    type: "number",
    step: String(step),
    min: String(low),
    max: String(high),
    placeholder: usual,
    "data-option": name,
    onchange: (event) => {
      const { value } = event.target;
      set(name, value === "" ? "" : String(step * Math.round(Number(value) / step)));
    },
  });
}
