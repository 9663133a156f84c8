// A game with its variations: every move tried stays, and nothing that was there before is lost.

import { h } from "./dom.js";

/** A position of the game, and the move that led to it. */
class Place {
  constructor(parent, frame) {
    this.parent = parent;
    this.frame = frame;
    this.children = []; // the first is the main line from here
    this.legal = null; // asked for when somebody comes here
    this.outcome = null; // by the rules, once asked for;
    this.ended = null; // and how the game ended here, by whatever
    this.worth = null; // what an engine has found: { value, best, label }
  }

  get text() {
    return this.frame.move.text;
  }
  get ply() {
    return this.parent ? this.parent.ply + 1 : 0;
  }
  get leads() {
    return !this.parent || this.parent.children[0] === this;
  }
  get main() {
    return this.leads && (!this.parent || this.parent.main);
  }

  /** The moves from the start to here. */
  path() {
    const moves = [];
    for (let place = this; place.parent; place = place.parent) moves.push(place.text);
    return moves.reverse();
  }

  /** The last position of the line that goes on from here. */
  end() {
    let place = this;
    while (place.children.length) place = place.children[0];
    return place;
  }

  find(text) {
    return this.children.find((child) => child.text === text);
  }

  add(frame) {
    const child = new Place(this, frame);
    this.children.push(child);
    return child;
  }
}

export class Tree {
  /** Frames of the positions; `after` says what each but the first follows. */
  constructor(frames, after) {
    const places = [new Place(null, frames[0])];
    frames.slice(1).forEach((frame, index) => places.push(places[after[index]].add(frame)));
    [this.root] = places;
  }

  /** The positions of the main line, the start first. */
  line() {
    const places = [this.root];
    while (places.at(-1).children.length) places.push(places.at(-1).children[0]);
    return places;
  }

  /** Every move with the number of what it follows, each after that: what the server reads. */
  branches() {
    const numbers = new Map([[this.root, 0]]),
      found = [],
      waiting = [this.root];
    while (waiting.length) {
      const place = waiting.shift();
      for (const child of place.children) {
        found.push({ after: numbers.get(place), text: child.text });
        numbers.set(child, found.length);
        waiting.push(child);
      }
    }
    return found;
  }

  /** Take a move and all that follows it out; what is left is where to stand. */
  remove(place) {
    place.parent.children = place.parent.children.filter((child) => child !== place);
    return place.parent;
  }

  /** The whole line that leads to a position becomes the main line. */
  promote(place) {
    for (let one = place; one.parent; one = one.parent) one.parent.children.sort((a, b) => (b === one) - (a === one));
  }
}

/** The moves of a tree, to step through. */
export class TreeList {
  constructor(look) {
    this.look = look;
    this.element = h("ol", { class: "moves", "aria-label": "Moves" });
  }

  show(tree, here, game) {
    const { seats } = game;
    this.game = game;
    this.seats = seats;
    this.here = here;
    this.first = tree.root.frame.turn; // a position may begin with any seat
    const rows = [];
    let cells = [],
      number = 0;
    const flush = () => {
      if (cells.length)
        rows.push(
          h(
            "li",
            { style: { "--columns": String(seats.length > 2 ? 2 : seats.length) } },
            h("span", { class: "number" }, `${number}.`),
            cells,
          ),
        );
      cells = [];
    };
    const fill = (count) => {
      for (let seat = 0; seat < count; seat += 1) cells.push(h("span", { class: "gap", "aria-hidden": "true" }, "…"));
    };
    let seat = this.first;
    // Tries that a referee refused are no moves of the game.
    for (const place of tree
      .line()
      .slice(1)
      .filter((one) => !one.frame.refused)) {
      if (!cells.length) {
        number = this.count(place);
        fill(seats.length === 2 ? seat : 0);
      }
      cells.push(this.button(place, { "data-move": place.ply }));
      seat = (seat + 1) % seats.length;
      const others = place.parent.children.slice(1);
      if (seat === 0 || others.length) flush();
      for (const other of others) rows.push(h("li", { class: "variation" }, this.inline(other)));
    }
    flush();
    this.element.replaceChildren(...rows);
    const current = this.element.querySelector(".here");
    // Scrolling the list must never scroll the page away from the board.
    if (current) this.element.scrollTop = current.closest("li").offsetTop - this.element.clientHeight / 2;
  }

  /** Which round of the game a move belongs to. */
  count(place) {
    return Math.floor((this.first + place.ply - 1) / this.seats.length) + 1;
  }

  button(place, more = {}) {
    const { move } = place.frame,
      mark = place.worth?.mark;
    return h(
      "button",
      {
        type: "button",
        class: place === this.here ? "here" : "",
        "aria-current": place === this.here ? "true" : null,
        onclick: () => this.look(place),
        ...more,
      },
      this.seats.length > 2 && h("i", { class: `dot of-${this.game.colours[move.seat]} ${this.game.look.style}` }),
      move.label,
      mark && h("span", { class: "mark-of", title: mark.words }, mark.sign),
    );
  }

  /** A variation in running text, those inside it in brackets. */
  inline(from) {
    const parts = [];
    let place = from,
      numbered = true;
    while (place) {
      const before = (this.first + place.ply - 1) % this.seats.length;
      if (numbered || before === 0)
        parts.push(h("span", { class: "number" }, `${this.count(place)}.${before ? ".." : ""}`));
      parts.push(this.button(place, { "data-variation": place.ply }));
      const others = place === from ? [] : place.parent.children.slice(1);
      for (const other of others) parts.push(h("span", { class: "inner" }, "(", this.inline(other), ")"));
      numbered = others.length > 0;
      [place] = place.children;
    }
    return parts;
  }
}
