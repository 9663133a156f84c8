// Which player shall sit somewhere: chosen by what people call it or, for experts, typed as program text.

import { h } from "./dom.js";
import { chosenStrength, strengths } from "./seats.js";

const FOR_EXPERTS = "expert";
let lists = 0;

/**
 * A menu of the players of a game. `before` are the choices that come first, such as people; `wanted` is the one that
 * is chosen at first, as `value()` gives it: a value of `before`, or `player NAME`.
 */
export function playerMenu(game, players, label, wanted, before = []) {
  const list = `players-${(lists += 1)}`;
  const typed = h("input", {
    type: "text",
    list,
    maxlength: "200",
    placeholder: "alphabeta:depth=5+classical",
    "aria-label": `${label}, as program text`,
    autocomplete: "off",
    spellcheck: "false",
    hidden: true,
  });
  const usual = players.find((player) => player.name === game.opponent);
  const rated = game.ratings && strengths(game)[chosenStrength(game)]; // the one that the slider says
  const option = (player, words) => h("option", { value: `player ${player}` }, words);
  const select = h(
    "select",
    { "aria-label": label },
    before.map(([value, words]) => h("option", { value }, words)),
    rated && h("optgroup", { label: game.ratings.title }, option(rated.player, rated.title)),
    h(
      "optgroup",
      { label: game.opponent_title },
      game.spellings.map((player, place) =>
        option(player, `${game.opponent_title} level ${place + 1}${measured(game.strengths[place])}`),
      ),
      option(game.opponent, `${game.opponent_title}${game.levels ? ", full strength" : ""}`),
    ),
    h(
      "optgroup",
      { label: "Other players" },
      players.filter((player) => player !== usual).map((player) => option(player.name, player.title)),
    ),
    h("optgroup", { label: "For experts" }, h("option", { value: FOR_EXPERTS }, "A player by its program text…")),
  );
  const words = h("small", { class: "quiet" });
  const show = () => {
    typed.hidden = select.value !== FOR_EXPERTS;
    const name = select.value.startsWith("player ") && select.value.slice(7);
    const player = players.find((one) => one !== usual && [one.name, ...one.spellings].includes(name));
    words.textContent = player ? player.description : "";
    words.hidden = !player;
  };
  select.addEventListener("change", show);
  select.value = wanted;
  show();
  const known = h(
    "datalist",
    { id: list },
    players.flatMap((player) => [player.name, ...player.spellings]).map((value) => h("option", { value })),
  );
  return {
    select,
    more: [typed, known, words],
    value: () => (select.value === FOR_EXPERTS ? `player ${typed.value.trim()}` : select.value),
  };
}

/** What was measured, to be added to a title; nothing if nothing was. All levels here are on one scale. */
const measured = (strength) =>
  strength.startsWith("not measured") ? "" : ` – ${strength.replace(/ on this game's scale.*/, "")}`;
