// The moves of a game, to look back at.

import { h } from "./dom.js";

/** The moves that stood, each with its number: somebody who is asked again was refused. */
export const stood = ({ moves, hidden, turn }) =>
  moves
    .map((move, index) => ({ ...move, number: index + 1 }))
    .filter((move, index) => (moves[index + 1]?.seat ?? (hidden ? turn : null)) !== move.seat);

export class MoveList {
  constructor(look) {
    this.look = look;
    this.element = h("ol", { class: "moves", "aria-label": "Moves" });
  }

  /** Moves with the number of the one that is looked at; null: the last. */
  show(shown, at, { style }) {
    const { seats } = shown;
    const moves = stood(shown);
    const here = moves.findLast(({ number }) => number <= (at ?? shown.moves.length))?.number;
    const round = seats.length;
    const rows = [];
    for (let first = 0; first < moves.length; first += round) {
      const cells = moves.slice(first, first + round).map((move) => {
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
