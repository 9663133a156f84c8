// Games that hide something: what the referee said, what was refused, and at the end the truth.

import { guest } from "./access.js";
import { Board } from "./board.js";
import { button, h, toast } from "./dom.js";
import { held } from "./seats.js";
import { board as boardOf, get, once, post } from "./server.js";

/** The tries that were refused since somebody last moved. */
export function refusedNow(shown) {
  const tries = [];
  for (let at = shown.heard.length - 1; at >= 0 && shown.heard[at].refused; at -= 1) tries.push(shown.heard[at]);
  return shown.outcome ? [] : tries;
}

export function refereeLog(list, shown) {
  list.replaceChildren(
    ...shown.heard.map((one) =>
      h(
        "li",
        { class: one.refused ? "no" : one.mine ? "mine" : "theirs" },
        h("span", { class: "number" }, `${one.number}. `),
        one.refused
          ? ["You tried ", h("b", {}, one.label), ": refused."]
          : [one.mine ? ["You: ", h("b", {}, one.label), ". "] : "", one.words],
      ),
    ),
  );
  list.scrollTop = list.scrollHeight;
}

/** Below the controls: a player's belief while the game goes on, the truth when it is over. */
export async function showTruth(place, table) {
  const { shown } = table;
  if (!shown.hidden) return;
  if (!shown.outcome) {
    await offerBelief(place, table);
    return;
  }
  if (place.dataset.truth) return;
  place.dataset.truth = "1";
  const replay = await get(`/api/tables/${table.id}/replay`);
  const names = shown.seats.map((seat) => seat.name);
  const laid = await Promise.all(names.map((_, seat) => boardOf(shown.game, seat)));
  // The truth stands after the first seat, between the two of most games; `seat` null is the referee's.
  const seen = names.map((name, seat) => ({ seat, title: `What ${name} saw` }));
  const boards = seen.toSpliced(1, 0, { seat: null, title: "The truth" }).map(({ seat, title }) => ({
    seat,
    title,
    board: new Board({ title, move() {} }),
  }));
  const slider = h("input", {
    type: "range",
    min: "0",
    max: String(replay.frames.length - 1),
    value: String(replay.frames.length - 1),
    "aria-label": "Move",
  });
  const words = h("p", { class: "quiet" });
  // Rounds of moves are numbered; a try that was refused belongs to the move that was sought.
  const number = (at) =>
    1 + Math.floor(replay.frames.slice(1, at).filter((frame) => !frame.refused).length / names.length);
  const render = () => {
    const at = Number(slider.value),
      frame = replay.frames[at];
    for (const { seat, board } of boards) {
      const { men, picture } = seat === null ? frame : frame.views[seat];
      board.lay(laid[seat ?? 0], names);
      // Each side is shown with what it did itself.
      const known = frame.move && (seat === null || frame.move.seat === seat);
      board.show({
        men,
        picture,
        last: known && !frame.refused ? frame.move : null,
        refused: known && frame.refused ? [frame.move] : [],
        alarms: seat === null ? frame.alarms : [],
      });
    }
    words.textContent = frame.move
      ? `${number(at)}. ${names[frame.move.seat]} ${frame.refused ? "tried" : "played"} ${frame.move.label}${frame.refused ? ", and was refused" : ""}`
      : "The start";
  };
  slider.addEventListener("input", render);
  const section = h(
    "section",
    { class: "truth" },
    h("h2", {}, "Game replay: both views"),
    h("div", { class: "scrub" }, slider, words),
    h(
      "div",
      { class: "three" },
      boards.map(({ title, board }) => h("figure", {}, h("figcaption", {}, title), board.element)),
    ),
  );
  table.root.append(section);
  render();
}

async function offerBelief(place, table) {
  if (guest()) return; // Players think for the owner of the studio.
  const { players } = await once(`/api/games/${table.shown.game}/players`);
  const believers = players.filter((player) => player.believes);
  const mine = Object.entries(held(table.id).secrets).find(([seat]) => Number(seat) === table.shown.seat);
  if (!believers.length || !mine) {
    place.replaceChildren();
    return;
  }
  if (place.childElementCount) {
    if (place.querySelector("[aria-pressed=true]")) await think(table, place, mine[1]);
    return;
  }
  const select = h(
    "select",
    { "aria-label": "Whose belief" },
    believers.map(({ name, title }) => h("option", { value: name }, title)),
  );
  const toggle = button(
    "What would it believe?",
    async () => {
      const on = toggle.getAttribute("aria-pressed") !== "true";
      toggle.setAttribute("aria-pressed", String(on));
      if (on) await think(table, place, mine[1]);
      else table.board.heat({});
    },
    { "aria-pressed": "false" },
  );
  place.replaceChildren(h("div", { class: "field row" }, select, toggle));
}

async function think(table, place, secret) {
  try {
    const { chances } = await post(`/api/tables/${table.id}/belief`, {
      player: place.querySelector("select").value,
      secret,
    });
    table.board.heat(chances);
  } catch (error) {
    toast(error.message, "bad");
  }
}
