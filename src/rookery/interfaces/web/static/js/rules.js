// How a game is played, for who has never played it: one click away wherever it is played.

import { button, h, toast } from "./dom.js";
import { render } from "./markdown.js";
import { picture } from "./pieces.js";
import { face as faceOf, once } from "./server.js";

/** What each piece of a game does, in a sentence, by its letter. */
export async function pieceWords(game) {
  const [{ text }, { pieces }] = await Promise.all([once(`/games/${game}/rules`), faceOf(game)]);
  const rows = new Map([...text.matchAll(/^\| (\w+) \| (.+) \|$/gm)].map(([, name, words]) => [name, words]));
  return Object.fromEntries(pieces.map(({ letter, name }) => [letter, rows.get(name)]));
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
  const [{ title, text }, face] = await Promise.all([once(`/games/${game}/rules`), faceOf(game)]);
  const article = h(
    "article",
    { class: "paper rules" },
    render(text, () => ""),
  );
  article.querySelector("h1").id = "rules-title";
  // A table of pieces becomes their cards.
  for (const cell of article.querySelectorAll("td:first-child")) {
    const piece = face.pieces.find(({ name }) => name === cell.textContent);
    if (piece) cell.prepend(picture(face, piece.letter, 0));
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
