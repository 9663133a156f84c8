// How a game is played, for who has never played it: one click away wherever it is played.

import { button, h, toast } from "./dom.js";
import { render } from "./markdown.js";
import { NAMES, picture } from "./pieces.js";
import { once } from "./server.js";

const KINDS = Object.fromEntries(Object.entries(NAMES).map(([kind, name]) => [name, kind]));

/** What each piece of a game does, in a sentence, by its letter. */
export async function pieceWords(game) {
  const { text } = await once(`/games/${game}/rules`);
  const rows = text.matchAll(/^\| (\w+) \| (.+) \|$/gm);
  return Object.fromEntries(
    [...rows].filter(([, name]) => name in KINDS).map(([, name, words]) => [KINDS[name], words]),
  );
}

/** The button that opens the rules of a game; `game` gives its name when it is pressed. */
export function rulesButton(game, properties = {}) {
  return button("Rules", () => showRules(game()).catch((error) => toast(error.message, "bad")), {
    title: "How this game is played",
    "data-rules": "",
    ...properties,
  });
}

async function showRules(game) {
  const { title, kind, seat, text } = await once(`/games/${game}/rules`);
  const article = h(
    "article",
    { class: "paper rules" },
    render(text, () => ""),
  );
  article.querySelector("h1").id = "rules-title";
  // A table of pieces becomes their cards.
  for (const cell of article.querySelectorAll("td:first-child")) {
    const piece = KINDS[cell.textContent];
    if (piece) cell.prepend(picture(piece, kind, seat));
  }
  const dialog = h(
    "dialog",
    { class: "sheet", "aria-label": `Rules of ${title}` },
    h("form", { method: "dialog", class: "sheet-close" }, h("button", { "aria-label": "Close the rules" }, "×")),
    article,
  );
  dialog.addEventListener("close", () => dialog.remove());
  // A press beside the sheet closes it.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  addEventListener("hashchange", () => dialog.close(), { once: true });
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
}
