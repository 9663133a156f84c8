// What knowledge sees in a position: its value, and what counts for and against.

import { h } from "./dom.js";

const SHOWN = 14;

function signed(value) {
  const size = Math.abs(value);
  const digits = size >= 100 ? size.toFixed(0) : size >= 0.01 || size < 1e-6 ? size.toFixed(3) : size.toPrecision(2);
  return `${value < 0 ? "−" : "+"}${digits}`;
}

/** Two moves that somebody picks, at first the two best, and which of them knowledge prefers. */
function compared(moves) {
  const verdict = h("p", { "aria-live": "polite" });
  const picks = [0, 1].map((at) =>
    h(
      "select",
      { "aria-label": at ? "Second move" : "First move", onchange: () => say() },
      moves.map(({ label }, number) => h("option", { value: number, selected: number === at }, label)),
    ),
  );
  function say() {
    const [a, b] = picks.map((pick) => Number(pick.value));
    const sure = moves[a].sure[b];
    const [better, worse] = sure >= 0.5 ? [a, b] : [b, a];
    verdict.replaceChildren(
      ...(a === b || sure === 0.5
        ? ["No preference."]
        : [
            "Prefers ",
            h("b", {}, moves[better].label),
            ` to ${moves[worse].label}: ${Math.round(100 * Math.max(sure, 1 - sure))} % sure.`,
          ]),
    );
  }
  say();
  return h(
    "section",
    { class: "compared", "aria-label": "Two moves compared" },
    h("p", {}, picks[0], " or ", picks[1]),
    verdict,
  );
}

/** The panel, for whoever is to move. */
export function insight({ features, preferences }, name, value) {
  const most = Math.max(...features.map(([, weight]) => Math.abs(weight)), 1e-9);
  const rest = features.slice(SHOWN);
  const row = ([words, weight]) =>
    h(
      "li",
      { class: weight < 0 ? "against" : "for" },
      h("span", { title: words }, words),
      h("i", { "aria-hidden": "true" }, h("i", { style: { width: `${(50 * Math.abs(weight)) / most}%` } })),
      h("b", {}, signed(weight)),
    );
  return [
    h("h3", {}, `Static evaluation: ${Math.round(50 + 50 * value)} % for ${name}`),
    h(
      "p",
      { class: "quiet" },
      features.length
        ? `What counts for ${name} (+) and against (−), without searching.`
        : "The evaluation function's value of this position, without searching.",
    ),
    features.length
      ? h(
          "ol",
          { class: "features", "aria-label": `What counts for ${name}, and against` },
          features.slice(0, SHOWN).map(row),
        )
      : "",
    rest.length
      ? h(
          "p",
          { class: "quiet" },
          `and ${rest.length} more, together ${signed(rest.reduce((sum, [, weight]) => sum + weight, 0))}`,
        )
      : "",
    preferences.length > 1 ? compared(preferences) : "",
  ];
}

/** Values as shares between the worst and the best. */
export function spread(map) {
  const values = Object.values(map);
  const low = Math.min(...values),
    high = Math.max(...values);
  return Object.fromEntries(
    Object.entries(map).map(([cell, value]) => [cell, high > low ? (value - low) / (high - low) : 0]),
  );
}
