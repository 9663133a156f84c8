// A game that nobody has drawn: its board in characters, and its moves as buttons.

import { h } from "./dom.js";

export class TextBoard {
  /** move(step) is called when somebody moves. */
  constructor(move) {
    this.move = move;
    this.picture = h("pre", { class: "text-picture", role: "img", "aria-label": "The board" });
    this.moves = h("div", { class: "text-moves", role: "group", "aria-label": "Your moves" });
    this.element = h("div", { class: "text-board", hidden: true }, this.picture, this.moves);
  }

  show(picture, legal) {
    this.picture.textContent = picture;
    this.moves.replaceChildren(
      ...legal.map((step) =>
        h("button", { type: "button", "data-text-move": step.text, onclick: () => this.choose(step) }, step.text),
      ),
    );
  }

  /** The server has the last word; until then nothing else can be pressed. */
  choose(step) {
    for (const one of this.moves.children) one.disabled = true;
    this.move(step);
  }
}
