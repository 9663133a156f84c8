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

/** What was said, and below each line what follows from it, as far as somebody asked. */
export function refereeLog(list, shown, conclusions = []) {
  list.replaceChildren(
    ...shown.heard.map((one, at) =>
      h(
        "li",
        { class: one.refused ? "no" : one.mine ? "mine" : "theirs" },
        h("span", { class: "number" }, `${one.number}. `),
        one.refused
          ? ["You tried ", h("b", {}, one.label), ": refused."]
          : [one.mine ? ["You: ", h("b", {}, one.label), ". "] : "", one.words],
        conclusions[at]?.length ? h("small", { class: "follows" }, conclusions[at].join(" ")) : "",
      ),
    ),
  );
  list.scrollTop = list.scrollHeight;
}

/** How many captures by pawns the referee announced to whoever looks, if it is their turn. */
const pawnTries = (shown) => (shown.legal.length ? (shown.heard.findLast((one) => !one.refused)?.tries ?? 0) : 0);

/** Below the controls: what may be known while the game goes on, the truth when it is over. */
export async function showTruth(place, table) {
  const { shown } = table;
  if (!shown.hidden) return;
  if (!shown.outcome) {
    await offerKnowledge(place, table);
    return;
  }
  if (place.dataset.truth) return;
  place.dataset.truth = "1";
  place.replaceChildren();
  table.board.heat({});
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
  const last = replay.frames.length - 1;
  const go = (to) => {
    slider.value = String(Math.max(0, Math.min(last, to(Number(slider.value)))));
    render();
  };
  const steps = [
    ["«", "The start", () => 0],
    ["‹", "One move back", (at) => at - 1],
    ["›", "One move forward", (at) => at + 1],
    ["»", "The end", () => last],
  ].map(([sign, title, to]) => button(sign, () => go(to), { "aria-label": title, title }));
  const heat = heatChoice(() => render());
  // What each side believed at a moment is asked for when somebody looks at it.
  const believed = new Map();
  const warm = async (at) => {
    if (!believed.has(at)) believed.set(at, get(`/api/tables/${table.id}/beliefs?number=${at}`));
    try {
      const beliefs = await believed.get(at);
      if (at !== Number(slider.value)) return;
      for (const { seat, board } of boards) if (seat !== null) board.heat(heat.of(beliefs[seat]));
    } catch (error) {
      believed.delete(at);
      toast(error.message, "bad");
    }
  };
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
    if (heat.value) warm(at);
    else for (const { board } of boards) board.heat({});
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
      { class: "field row replayed" },
      h("div", { class: "steps", role: "group", "aria-label": "Step through the game" }, steps),
      h("label", { class: "heat-choice" }, "What each side believed: ", heat.element),
    ),
    h(
      "div",
      { class: "three" },
      boards.map(({ title, board }) => h("figure", {}, h("figcaption", {}, title), board.element)),
    ),
  );
  table.root.append(section);
  render();
}

const KINDS = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/** A choice of what a heat map shows: nothing, any piece, or one kind of piece. */
function heatChoice(changed) {
  const options = [["", "no heat map"], ["any", "any piece"], ...KINDS.map((kind) => [kind, kind])];
  const element = h(
    "select",
    { "aria-label": "What the heat map shows", onchange: () => changed() },
    options.map(([value, words]) => h("option", { value }, words)),
  );
  return {
    element,
    get value() {
      return element.value;
    },
    of: ({ chances, kinds }) => (element.value === "any" ? chances : (kinds[element.value] ?? {})),
  };
}

/** While the game goes on: where the enemy may be, what follows from what was said, and which pawns may take.
 * All of it is known in one's own seat, and shown only to who asks for it. */
async function offerKnowledge(place, table) {
  const { shown } = table;
  const secret = held(table.id).secrets[shown.seat];
  if (!secret) {
    place.replaceChildren();
    return;
  }
  // A screen that two people share shows nothing of what the other one asked.
  if (table.knowledge?.seat !== shown.seat) {
    table.knowledge = await knowledge(table, shown.seat, secret);
    place.replaceChildren(table.knowledge.element);
    table.board.heat({});
  }
  await table.knowledge.refresh();
}

async function knowledge(table, seat, secret) {
  const path = `/api/tables/${table.id}`;
  const heat = heatChoice(() => warm());
  const who = await believers(table.shown.game);
  const conclusions = [];
  const current = () => table.knowledge?.seat === seat && table.shown.seat === seat && !table.shown.outcome;
  const warm = async () => {
    if (!heat.value) {
      table.board.heat({});
      return;
    }
    const { shown } = table;
    const asked = who?.value ? ["belief", { player: who.value, secret }] : ["known", { secret }];
    try {
      const belief = await post(`${path}/${asked[0]}`, asked[1]);
      if (current() && shown === table.shown && heat.value) table.board.heat(heat.of(belief));
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  who?.addEventListener("change", warm);
  const pressed = (toggle) => toggle.getAttribute("aria-pressed") === "true";
  const toggle = (words, title, done) => {
    const made = button(
      words,
      () => {
        made.setAttribute("aria-pressed", String(!pressed(made)));
        return done();
      },
      { "aria-pressed": "false", title },
    );
    return made;
  };
  const conclude = async () => {
    if (!pressed(follows)) {
      refereeLog(table.referee, table.shown);
      return;
    }
    try {
      const { first, lines } = await post(`${path}/conclusions`, { secret, first: conclusions.length });
      conclusions.splice(first, lines.length, ...lines);
      if (current()) refereeLog(table.referee, table.shown, conclusions);
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  const follows = toggle("What follows?", "What each line of the referee lets you conclude", conclude);
  const point = async () => {
    const { shown } = table;
    try {
      const wanted = pressed(tries) && pawnTries(shown);
      const { announced } = wanted
        ? await post(`${path}/conclusions`, { secret, first: shown.heard.length })
        : { announced: [] };
      if (current() && shown === table.shown)
        table.board.arrows(announced.map((step) => ({ ...step, weight: 0.4, rank: 2 })));
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  const tries = toggle("Pawn tries", "Which of your pawns may be able to take, and where", point);
  const refresh = async () => {
    tries.hidden = !pawnTries(table.shown);
    await Promise.all([heat.value && warm(), pressed(follows) && conclude()]);
    // The board is drawn anew meanwhile, without arrows.
    if (current() && pressed(tries)) await point();
  };
  const element = h(
    "div",
    { class: "knowledge" },
    h("label", { class: "heat-choice" }, "Where they may be: ", heat.element),
    who && h("label", { class: "heat-choice" }, "According to: ", who),
    h("div", { class: "controls" }, follows, tries),
  );
  return { seat, element, refresh, follows: () => (pressed(follows) ? conclusions : []) };
}

/** Whose belief to show: the one that every seat has, or that of a player; guests have the first alone. */
async function believers(game) {
  if (guest()) return null;
  const { players } = await once(`/api/games/${game}/players`);
  const found = players.filter((player) => player.believes);
  return (
    found.length > 0 &&
    h(
      "select",
      { "aria-label": "Whose belief" },
      h("option", { value: "" }, "what the referee said"),
      found.map(({ name, title }) => h("option", { value: name }, title)),
    )
  );
}
