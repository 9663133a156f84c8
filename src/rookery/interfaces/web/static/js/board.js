// The one board: squares and pieces wherever the server says they lie, moved by hand, key or finger.

import { announce, h, s } from "./dom.js";
import { colour, draw, kindOf, picture } from "./pieces.js";
import { TextBoard } from "./text_board.js";
import { Zoom } from "./zoom.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  /**
   * options: move(step) when somebody moves; tap(cell) for editors instead; seats: names; title: for listeners.
   */
  constructor(options) {
    this.options = options;
    this.men = new Map();
    this.legal = [];
    this.state = {};
    this.selected = null;
    this.cursor = null;
    this.layers = {};
    this.svg = s("svg", { class: "board", tabindex: "0", role: "application", "aria-label": options.title ?? "Board" });
    const pan = h("div", { class: "pan" }, this.svg);
    this.text = new TextBoard((step) => this.commit(step));
    this.element = h("div", { class: "board-frame" }, pan, this.text.element);
    this.pan = pan;
    this.zoom = new Zoom(this.element, pan, this.svg, () =>
      this.cell(this.state.last?.to ?? this.legal[0]?.start ?? this.state.men?.[0]?.cell),
    );
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("pointermove", (event) => this.drag(event));
    this.svg.addEventListener("pointerup", (event) => this.drop(event));
    this.svg.addEventListener("pointercancel", () => {
      this.tap = null;
      this.cancelDrag();
    });
    this.svg.addEventListener("contextmenu", (event) => event.preventDefault());
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("blur", () => {
      this.layers.cursor?.replaceChildren();
    });
    this.svg.addEventListener("focus", () => {
      if (this.svg.matches(":focus-visible")) this.showCursor();
    });
  }

  // --- what is drawn -----------------------------------------------------------------------------------

  /** Lay the board out, empty: geometry and face as the server gives them, and the seats' names. */
  lay(geometry, seats) {
    if (this.geometry === geometry) return;
    this.geometry = geometry;
    this.face = geometry.face;
    this.seats = seats;
    const { style } = this.face.look;
    this.cells = new Map(geometry.cells.map((cell) => [cell.name, cell]));
    const [left, top, width, height] = geometry.box;
    this.svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    this.svg.setAttribute("class", `board ${style}`);
    this.element.style.setProperty("--ratio", String(width / height));
    this.element.dataset.style = style;
    this.plain = !geometry.cells.length;
    this.pan.hidden = this.plain;
    this.text.element.hidden = !this.plain;
    const layer = (name, ...children) => (this.layers[name] = s("g", { class: name }, ...children));
    const line = ([[x1, y1], [x2, y2]]) => s("line", { x1, y1, x2, y2 });
    this.svg.replaceChildren(
      layer("ground", geometry.ground ? s("rect", { x: left, y: top, width, height, rx: 18 }) : null),
      layer(
        "lines",
        geometry.lines.map(line),
        geometry.stars.map(([cx, cy]) => s("circle", { cx, cy, r: 9 })),
      ),
      layer(
        "cells",
        geometry.cells.map((cell) =>
          s("polygon", {
            class: `cell ${cell.shade}`,
            "data-cell": cell.name,
            points: points(cell),
          }),
        ),
      ),
      layer("heat"),
      layer("below"),
      layer(
        "labels",
        geometry.labels.map((label) => s("text", { x: label.x, y: label.y, class: `on-${label.shade}` }, label.text)),
      ),
      layer(
        "homes",
        geometry.homes.map(([x, y], seat) =>
          s("text", { x, y, class: `home ${colour(this.face, seat)}`, "data-home": seat }, seats[seat]),
        ),
      ),
      layer("men"),
      layer("above"),
      layer("arrows"),
      layer("cursor"),
    );
    this.zoom.lay(Math.min(...geometry.cells.map((cell) => cell.size)) / width);
    this.men.clear();
    this.state = { ...this.state, men: [], legal: [], alarms: [], refused: [], trail: [], last: null };
  }

  /** What stands there now: men, legal, last ({start, to, teleport}), trail (moves before it that matter), alarms, refused (tries),
   * turn; perhaps which pieces are dead, and whose the land is, by seat. */
  show(state) {
    const news = state.last?.to && state.last.to !== this.state.last?.to;
    this.state = { men: [], legal: [], alarms: [], refused: [], trail: [], last: null, dead: [], land: [], ...state };
    this.legal = this.state.legal;
    if (this.selected && !this.legal.some((step) => step.start === this.selected)) this.selected = null;
    this.closeChoice();
    if (this.plain) {
      this.text.show(this.state.picture ?? "", this.legal);
      return;
    }
    this.render();
    if (news) this.zoom.follow(this.cell(state.last.to));
    this.zoom.find();
  }

  cell(name) {
    return name && this.layers.cells?.querySelector(`[data-cell="${name}"]`);
  }

  render() {
    if (!this.geometry) return;
    const { stones } = this.face.look;
    this.renderMen(stones);
    this.renderMarks(stones);
    this.renderTitles();
    for (const home of this.layers.homes.children)
      home.classList.toggle("turn", Number(home.dataset.home) === this.state.turn);
  }

  renderMen(stones) {
    const wanted = new Map(this.state.men.map((man) => [man.cell, man]));
    const free = [];
    for (const [cell, old] of this.men) {
      const man = wanted.get(cell);
      if (man && man.kind === old.kind && man.seat === old.seat) wanted.delete(cell);
      else {
        this.men.delete(cell);
        free.push(old);
      }
    }
    const last = this.state.last;
    for (const [cell, man] of wanted) {
      // The same piece somewhere else: let it go there rather than vanish and appear.
      const fits = free.filter((old) => old.kind === man.kind && old.seat === man.seat && !stones);
      const old = fits.find((each) => last && cell === last.to && each.cell === last.start) ?? fits[0];
      if (old) free.splice(free.indexOf(old), 1);
      const element =
        old?.element ??
        this.layers.men.appendChild(s("g", { class: `man ${colour(this.face, man.seat)}` }, draw(this.face, man.kind)));
      if (old) this.layers.men.append(element); // in front of those it passes
      element.classList.toggle("fresh", !old && stones && last?.to === cell);
      this.men.set(cell, { ...man, element });
      this.put(element, cell, !old || (last?.teleport && last.to === cell));
    }
    for (const gone of free) gone.element.remove();
    for (const [cell, man] of this.men) man.element.classList.toggle("dead", Boolean(this.state.dead?.includes(cell)));
  }

  /** What pieces do, shown where the pointer rests; by the letters of their kinds. */
  explain(words) {
    this.words = words;
    this.renderTitles();
  }

  renderTitles() {
    if (!this.words || !this.geometry) return;
    for (const cell of this.layers.cells.children) {
      const man = this.men.get(cell.dataset.cell),
        words = man && this.words[man.kind];
      cell.replaceChildren(...(words ? [s("title", {}, `${this.name(man)}: ${words}`)] : []));
    }
  }

  put(element, name, atOnce) {
    const cell = this.cells.get(name);
    if (!cell) return;
    if (atOnce || STILL.matches) {
      element.style.transition = "none";
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          element.style.transition = "";
        }),
      );
    }
    element.style.transform = `translate(${cell.x}px, ${cell.y}px) scale(${cell.size})`;
  }

  renderMarks(stones = this.face.look.stones) {
    const { alarms, last, refused } = this.state;
    const below = [],
      above = [];
    const area = (name, kind) =>
      this.cells.has(name) && below.push(s("polygon", { class: `mark ${kind}`, points: points(this.cells.get(name)) }));
    for (const step of this.state.trail) {
      area(step.start, "last");
      area(step.to, "last");
    }
    if (last && !stones) {
      area(last.start, "last");
      area(last.to, "last");
    }
    if (last?.to && stones && this.cells.has(last.to)) {
      const cell = this.cells.get(last.to);
      above.push(s("circle", { class: "mark last-stone", cx: cell.x, cy: cell.y, r: 16 }));
    }
    for (const name of alarms) area(name, "alarm");
    if (this.selected) area(this.selected, "selected");
    for (const step of new Map(this.targets().map((each) => [each.to, each])).values()) {
      const cell = this.cells.get(step.to);
      if (!cell) continue;
      const taken = this.men.has(step.to);
      const mark = taken
        ? s("circle", { class: "target take", cx: cell.x, cy: cell.y, r: cell.size * 0.53 })
        : s("circle", { class: "target", cx: cell.x, cy: cell.y, r: cell.size * 0.15 });
      if (step.teleport) mark.classList.add("teleport");
      above.push(mark);
    }
    for (const [seat, names] of this.state.land.entries()) {
      for (const cell of names.map((name) => this.cells.get(name)).filter(Boolean)) {
        above.push(
          s("rect", {
            class: `land ${this.face.colours[seat]}`,
            x: cell.x - 15,
            y: cell.y - 15,
            width: 30,
            height: 30,
            rx: 4,
          }),
        );
      }
    }
    for (const { start, to } of refused) {
      const cell = this.cells.get(to),
        from = this.cells.get(start);
      // From the piece that tried to the square that it did not reach.
      if (cell && from) above.push(s("line", { class: "refused-way", x1: from.x, y1: from.y, x2: cell.x, y2: cell.y }));
      if (cell) above.push(s("path", { class: "refused", d: cross(cell) }));
    }
    this.layers.below.replaceChildren(...below);
    this.layers.above.replaceChildren(...above);
  }

  /** Arrows from and to squares, each with a weight from 0 to 1. */
  arrows(list) {
    this.layers.arrows?.replaceChildren(
      ...list
        .filter(({ start, to }) => this.cells.has(to) && (!start || this.cells.has(start)))
        .map(({ start, to, weight, rank }) => {
          const end = this.cells.get(to);
          if (!start)
            return s("circle", {
              class: `hint rank${rank}`,
              cx: end.x,
              cy: end.y,
              r: end.size * 0.3,
              opacity: 0.3 + 0.6 * weight,
            });
          return s("path", {
            class: `arrow rank${rank}`,
            d: arrow(this.cells.get(start), end, weight),
            opacity: 0.35 + 0.5 * weight,
          });
        }),
    );
  }

  /** Colours on squares: numbers from 0 to 1 by the name of the square. */
  heat(chances) {
    const most = Math.max(0.0001, ...Object.values(chances));
    this.layers.heat?.replaceChildren(
      ...Object.entries(chances)
        .filter(([name]) => this.cells.has(name))
        .map(([name, chance]) =>
          s(
            "polygon",
            { class: "warm", points: points(this.cells.get(name)), opacity: (0.75 * chance) / most, "data-heat": name },
            s("title", {}, `${name}: ${Math.round(100 * chance)} %`),
          ),
        ),
    );
  }

  // --- moving by hand ----------------------------------------------------------------------------------

  targets() {
    return this.selected ? this.legal.filter((step) => step.start === this.selected) : [];
  }

  cellAt(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return found?.closest?.("[data-cell]")?.dataset.cell ?? null;
  }

  /** Fingers are wide and some squares are small: the nearest one where something can be done. */
  nearest(event) {
    const hit = this.cellAt(event);
    const useful = new Set([
      ...this.targets().map((step) => step.to),
      ...this.legal.map((step) => step.start ?? step.to),
    ]);
    if (!hit || useful.has(hit) || this.options.tap) return hit;
    const scale = this.svg.getScreenCTM().a;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    let best = hit,
      least = 16 / scale;
    for (const name of useful) {
      const cell = this.cells.get(name);
      const away = cell ? Math.hypot(cell.x - at.x, cell.y - at.y) : Infinity;
      if (away < least) {
        best = name;
        least = away;
      }
    }
    return best;
  }

  press(event) {
    if (event.button !== 0) return;
    if (!event.isPrimary) {
      this.tap = null;
      this.cancelDrag();
      return;
    } // a second finger
    const finger = event.pointerType === "touch";
    const name = finger ? this.nearest(event) : this.cellAt(event);
    this.tap = null;
    if (!name) return;
    // A finger may be about to pan or to pinch. It moves when it is lifted, but takes a man up at once.
    if (finger && (this.zoom.enlarged || !this.holds(name))) this.tap = { name, x: event.clientX, y: event.clientY };
    else this.use(name, event);
  }

  /** Whether somebody stands there who can be taken up, and is not about to be taken. */
  holds(name) {
    return this.legal.some((step) => step.start === name) && !this.targets().some((step) => step.to === name);
  }

  /** Do what pressing a square does; `event` if a drag may follow. Gives whether it was more than a choice. */
  use(name, event) {
    this.cursor = name;
    this.layers.cursor.replaceChildren();
    if (this.options.tap) {
      this.options.tap(name);
      return true;
    }
    if (this.selected && this.selected !== name && this.try(this.selected, name)) return true;
    if (this.legal.some((step) => step.start === null && step.to === name)) return this.try(null, name);
    const was = this.selected === name;
    this.selected = this.legal.some((step) => step.start === name) && !(was && !event) ? name : null;
    const stuck =
      !this.selected && !was && this.legal.some((step) => step.start) && this.men.get(name)?.seat === this.state.turn;
    if (stuck) this.options.illegal?.(`${this.describe(name)}: it has no legal move`);
    if (this.selected && event) {
      this.dragging = { name, was, moved: false, x: event.clientX, y: event.clientY };
      this.svg.setPointerCapture(event.pointerId);
    }
    this.renderMarks();
    return false;
  }

  drag(event) {
    if (!this.dragging) return;
    if (!this.dragging.moved && Math.hypot(event.clientX - this.dragging.x, event.clientY - this.dragging.y) < 5)
      return;
    const man = this.men.get(this.dragging.name);
    if (!man) return;
    this.dragging.moved = true;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const size = this.cells.get(this.dragging.name).size * 1.15;
    man.element.classList.add("held");
    this.layers.men.append(man.element);
    man.element.style.transform = `translate(${at.x}px, ${at.y}px) scale(${size})`;
    const over = this.cellAt(event);
    const polygon = this.layers.cells.querySelector(".over");
    if (polygon?.dataset.cell !== over) {
      polygon?.classList.remove("over");
      if (this.targets().some((step) => step.to === over))
        this.layers.cells.querySelector(`[data-cell="${over}"]`).classList.add("over");
    }
  }

  drop(event) {
    const { tap, dragging: drag } = this;
    this.tap = null;
    const strayed = tap && Math.hypot(event.clientX - tap.x, event.clientY - tap.y) > 12;
    if (tap && !strayed && !this.use(tap.name)) this.zoom.tapped(event);
    if (!drag) return;
    this.cancelDrag();
    if (!drag.moved) {
      if (drag.was) {
        this.selected = null;
        this.renderMarks();
      }
      if (event.pointerType === "touch") this.zoom.tapped(event);
      return;
    }
    const name = this.cellAt(event);
    if (name && name !== drag.name && !this.try(drag.name, name))
      this.options.illegal?.(`${this.describe(drag.name)}: it cannot go to ${name}`);
  }

  cancelDrag() {
    if (!this.dragging) return;
    const { name } = this.dragging;
    this.dragging = null;
    this.layers.cells.querySelector(".over")?.classList.remove("over");
    const man = this.men.get(name);
    if (man) {
      man.element.classList.remove("held");
      this.put(man.element, name, false);
    }
  }

  /** Move if that is a move; gives whether it was one. */
  try(start, to) {
    const steps = this.legal.filter((step) => step.start === start && step.to === to);
    if (!steps.length) return false;
    this.selected = null;
    if (steps.length > 1) this.choose(steps);
    else this.commit(steps[0]);
    return true;
  }

  /** Show the move at once; the server has the last word. */
  commit(step) {
    this.legal = [];
    const moved = step.start && this.men.get(step.start);
    if (moved) {
      const taken = this.men.get(step.to);
      if (!this.options.hidden) taken?.element.remove();
      this.men.delete(step.start);
      this.men.set(step.to, { ...moved, cell: step.to });
      this.put(moved.element, step.to, step.teleport);
    }
    if (step.drops && !this.men.has(step.to)) {
      const man = { cell: step.to, kind: step.drops, seat: this.state.turn ?? 0 };
      const element = this.layers.men.appendChild(
        s("g", { class: `man fresh ${colour(this.face, man.seat)}` }, draw(this.face, man.kind)),
      );
      this.men.set(step.to, { ...man, element });
      this.put(element, step.to, true);
    }
    this.state = { ...this.state, last: step, legal: [], refused: [], trail: [] };
    this.renderMarks();
    this.options.move(step);
  }

  choose(steps) {
    const man = this.men.get(steps[0].start);
    const seat = man?.seat ?? 0;
    const order = this.face.look.promotions;
    steps.sort((a, b) => ((order.indexOf(a.promotion) + 99) % 99) - ((order.indexOf(b.promotion) + 99) % 99));
    const dialog = h(
      "div",
      { class: "choice", role: "dialog", "aria-label": "Promote to" },
      steps.map((step) => {
        const kind = step.promotion ?? man?.kind;
        const name = kindOf(this.face, kind)?.name;
        return h(
          "button",
          {
            type: "button",
            "aria-label": step.promotion ? name : `Stay a ${name}`,
            "data-promotion": step.promotion ?? "stay",
            onclick: () => {
              this.closeChoice();
              this.commit(step);
            },
          },
          picture(this.face, kind, seat),
        );
      }),
      h(
        "button",
        {
          type: "button",
          class: "choice-close",
          "aria-label": "Take it back",
          onclick: () => {
            this.closeChoice();
            this.renderMarks();
          },
        },
        "×",
      ),
    );
    dialog.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.closeChoice();
        this.svg.focus();
      }
    });
    this.choice = this.element.appendChild(dialog);
    this.seatChoice(steps[0].to);
    dialog.querySelector("button").focus({ preventScroll: true });
    announce("Choose what to promote to");
  }

  /** Beside the square that it is about, never on it: a tap there must not choose. */
  seatChoice(name) {
    const frame = this.element.getBoundingClientRect(),
      cell = this.cell(name).getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.choice;
    const within = (least, wish, most) => Math.max(least, Math.min(wish, most));
    const left = within(0, cell.left + cell.width / 2 - frame.left - width / 2, frame.width - width);
    const below = cell.bottom - frame.top + 6,
      above = cell.top - frame.top - height - 6;
    Object.assign(this.choice.style, {
      left: `${left}px`,
      top: `${below + height <= frame.height || above < 0 ? below : above}px`,
    });
  }

  closeChoice() {
    this.choice?.remove();
    this.choice = null;
  }

  // --- moving by keys ----------------------------------------------------------------------------------

  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (ways[event.key]) this.step(...ways[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.act();
    else if (event.key === "Escape") {
      this.selected = null;
      this.renderMarks();
      announce("Nothing selected");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  step(dx, dy) {
    const from = this.cells.get(this.cursor);
    if (!from) {
      this.showCursor();
      return;
    }
    let best = null,
      least = Infinity;
    for (const cell of this.cells.values()) {
      const along = (cell.x - from.x) * dx + (cell.y - from.y) * dy;
      const aside = Math.abs((cell.x - from.x) * dy) + Math.abs((cell.y - from.y) * dx);
      if (along > from.size * 0.2 && along + 2.2 * aside < least) {
        best = cell;
        least = along + 2.2 * aside;
      }
    }
    if (best) this.cursor = best.name;
    this.showCursor();
  }

  showCursor() {
    this.cursor ??= this.legal[0]?.start ?? this.geometry.cells[Math.floor(this.geometry.cells.length / 2)].name;
    const cell = this.cells.get(this.cursor);
    this.layers.cursor.replaceChildren(s("polygon", { class: "cursor-ring", points: points(cell) }));
    this.zoom.follow(this.layers.cursor.firstElementChild);
    announce(this.describe(this.cursor));
  }

  act() {
    if (!this.cursor) {
      this.showCursor();
      return;
    }
    if (this.options.tap) {
      this.options.tap(this.cursor);
      return;
    }
    if (this.selected && this.selected !== this.cursor && this.try(this.selected, this.cursor)) return;
    if (this.try(null, this.cursor)) return;
    const own = this.legal.filter((step) => step.start === this.cursor);
    this.selected = own.length && this.selected !== this.cursor ? this.cursor : null;
    this.renderMarks();
    if (this.selected)
      announce(
        `${this.describe(this.selected)} selected. It can go to ${[...new Set(own.map((step) => step.to))].join(", ")}`,
      );
    else announce(`${this.describe(this.cursor)}. Nothing to do here.`);
  }

  describe(name) {
    const man = this.men.get(name);
    const owner = this.state.land.findIndex((names) => names.includes(name));
    const dead = this.state.dead?.includes(name) ? ", dead" : "";
    return man
      ? `${name}, ${this.name(man)}${dead}`
      : owner >= 0
        ? `${name}, territory of ${this.seats[owner].toLowerCase()}`
        : `${name}, empty`;
  }

  /** White Knight */
  name({ seat, kind }) {
    return `${this.seats[seat]} ${kindOf(this.face, kind)?.name}`;
  }
}

const points = (cell) => cell.outline.map((place) => place.join(",")).join(" ");

function cross({ x, y, size }) {
  const r = size * 0.22;
  return `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`;
}

function arrow(from, to, weight) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const size = Math.min(from.size, to.size);
  const wide = size * (0.05 + 0.08 * weight),
    head = size * 0.36;
  const at = (along, aside) =>
    `${(from.x + ux * along - uy * aside).toFixed(1)} ${(from.y + uy * along + ux * aside).toFixed(1)}`;
  const tip = length - size * 0.08,
    neck = tip - head,
    tail = size * 0.3;
  return `M${at(tail, wide)}L${at(neck, wide)}L${at(neck, head * 0.6)}L${at(tip, 0)}L${at(neck, -head * 0.6)}L${at(neck, -wide)}L${at(tail, -wide)}Z`;
}
