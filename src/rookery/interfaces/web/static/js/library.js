// Every game that was played here: by kind, state and name, page by page.

import { ago, button, h, toast } from "./dom.js";
import { held } from "./seats.js";
import { get, once, remove } from "./server.js";

const STATES = [
  ["all", "All games"],
  ["unfinished", "Unfinished"],
  ["finished", "Finished"],
  ["drawn", "Drawn"],
];
const PAGE = 24;

export async function open(root) {
  const kinds = await once("/api/games");
  const wish = { game: "", state: "all", who: "", offset: 0 };
  const list = h("ul", { class: "cards" }),
    words = h("p", { class: "quiet", role: "status" }),
    pages = h("div", { class: "steps" });
  const show = async () => {
    const asked = JSON.stringify(wish);
    const shelf = await get(`/api/library?${new URLSearchParams(wish)}`);
    if (asked !== JSON.stringify(wish)) return;
    const last = Math.min(wish.offset + PAGE, shelf.total);
    words.textContent = shelf.total ? `${wish.offset + 1} to ${last} of ${shelf.total}` : "No such games.";
    list.replaceChildren(
      ...shelf.games.map((one) =>
        h(
          "li",
          {},
          gameCard(one),
          button("Delete", (event) => discard(event.target, one, show), {
            class: "small",
            "aria-label": `Delete ${one.title}, ${versus(one)}`,
          }),
        ),
      ),
    );
    const turn = (by) => {
      wish.offset = Math.max(0, wish.offset + by);
      return show();
    };
    pages.replaceChildren(
      ...[
        wish.offset > 0 && button("Newer", () => turn(-PAGE)),
        last < shelf.total && button("Older", () => turn(PAGE)),
      ].filter(Boolean),
    );
  };
  const choose = (change) => {
    Object.assign(wish, change, { offset: 0 });
    return show().catch((error) => toast(error.message, "bad"));
  };
  const option = (value, text) => h("option", { value }, text);
  root.append(
    h("h1", {}, "Games"),
    h(
      "div",
      { class: "filters" },
      h(
        "label",
        { class: "field" },
        h("span", {}, "Game"),
        h(
          "select",
          { onchange: (event) => choose({ game: event.target.value }) },
          option("", "All"),
          kinds.map((game) => option(game.name, game.title)),
        ),
      ),
      h(
        "label",
        { class: "field" },
        h("span", {}, "State"),
        h(
          "select",
          { onchange: (event) => choose({ state: event.target.value }) },
          STATES.map(([value, text]) => option(value, text)),
        ),
      ),
      h(
        "label",
        { class: "field" },
        h("span", {}, "Player"),
        h("input", {
          type: "text",
          maxlength: "60",
          placeholder: "a name",
          oninput: (event) => choose({ who: event.target.value.trim() }),
        }),
      ),
    ),
    words,
    list,
    pages,
  );
  await show();
}

async function discard(pressed, one, show) {
  if (!pressed.dataset.sure) {
    pressed.dataset.sure = "1";
    pressed.textContent = "Really delete?";
    setTimeout(() => {
      delete pressed.dataset.sure;
      pressed.textContent = "Delete";
    }, 3000);
    return;
  }
  try {
    await remove(`/api/tables/${one.id}`);
    await show();
  } catch (error) {
    toast(error.message, "bad");
  }
}

const versus = (one) => one.titles.map((title, seat) => title || (one.players[seat] ? "" : "Anonymous")).join(" – ");

const progress = (moves) => (moves === 0 ? "not started" : moves === 1 ? "1 move so far" : `${moves} moves so far`);

/** A game as a link to it. */
export function gameCard(one) {
  const { secrets } = held(one.id);
  const programs = one.players.some(Boolean);
  // Whoever looks is named among friends only.
  const named = [
    ...new Set(one.titles.filter((title, seat) => one.players[seat] || (title && !(programs && seat in secrets)))),
  ];
  const against = programs
    ? `${one.players.length > 2 ? "With" : "Opponent:"} ${named.join(", ")}`
    : named.length
      ? named.join(" – ")
      : "between friends";
  return h(
    "a",
    { class: "card", href: `#/table/${one.id}` },
    h("strong", {}, one.title),
    h("span", {}, against),
    h(
      "small",
      {},
      `${one.outcome ? one.outcome.words : one.moves === null ? "under way" : progress(one.moves)} · ${ago(one.touched)}`,
    ),
  );
}
