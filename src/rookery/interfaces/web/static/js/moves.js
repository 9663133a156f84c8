// The moves of a game, to look back at.

import { h } from "./dom.js";

export class MoveList {
  constructor(look) {
    this.look = look;
    this.element = h("ol", { class: "moves", "aria-label": "Moves" });
  }

  /** Moves with the number of the one that is looked at; null: the last. */
  show({ moves, seats }, at, { style }) {
    const here = at ?? moves.length;
    const round = seats.length;
    // Somebody who is asked again was refused; the list has the moves that stood.
    const stood = moves
      .map((move, index) => ({ ...move, number: index + 1 }))
      .filter((move, index) => moves[index + 1]?.seat !== move.seat);
    const rows = [];
    for (let first = 0; first < stood.length; first += round) {
      const cells = stood.slice(first, first + round).map((move) => {
        const { number } = move;
        return h(
          "button",
          {
            type: "button",
            class: number === here ? "here" : "",
            "data-move": number,
            ...(round > 2
              ? { "aria-label": `${seats[move.seat].name}: ${move.label}`, title: seats[move.seat].name }
              : {}),
            onclick: () => this.look(number),
          },
          round > 2 && h("i", { class: `dot of-${seats[move.seat].colour} ${style}` }),
          move.label,
        );
      });
      rows.push(
        h(
          "li",
          { style: { "--columns": String(round > 2 ? 2 : round) } },
          h("span", { class: "number" }, `${first / round + 1}.`),
          cells,
        ),
      );
    }
    this.element.replaceChildren(...rows);
    const current = this.element.querySelector(".here");
    // Scrolling the list must never scroll the page away from the board.
    if (!current) return;
    const wish = current.offsetTop - this.element.clientHeight / 2;
    // Whole lines only: none is cut at the top.
    this.element.scrollTop = [...this.element.children].find((row) => row.offsetTop >= wish)?.offsetTop ?? wish;
  }
}
