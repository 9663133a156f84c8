// Boards whose squares are too small for a finger can be enlarged: by two taps, two fingers or a button.

import { button, memory } from "./dom.js";

const FINGER = 24; // pixels that a finger hits well enough
const WISH = 36; // and what it gets when a board is enlarged
const MOST = 4;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export class Zoom {
  /** frame around pan around svg; pan scrolls when the board is larger than it. matters(): where to look first. */
  constructor(frame, pan, svg, matters) {
    Object.assign(this, { frame, pan, svg, matters, lost: false, scale: 1, small: false, least: Infinity });
    this.lever = button(
      "Enlarge",
      () => {
        this.toggle();
        frame.scrollIntoView({ block: "nearest" });
      },
      { class: "small enlarge", hidden: true },
    );
    frame.append(this.lever);
    new ResizeObserver(() => this.measure()).observe(frame);
    svg.addEventListener("touchstart", (event) => this.grip(event), { passive: true });
    svg.addEventListener("touchmove", (event) => this.pinch(event), { passive: false });
    svg.addEventListener(
      "touchend",
      () => {
        this.held = null;
        this.settle();
      },
      { passive: true },
    );
  }

  get enlarged() {
    return this.scale > 1;
  }

  /** A new board, whose smallest square takes this share of its width. */
  lay(least) {
    this.least = least;
    this.small = null;
    this.set(1);
    this.measure();
  }

  measure() {
    const small =
      navigator.maxTouchPoints > 0 && this.frame.clientWidth > 0 && this.frame.clientWidth * this.least < FINGER;
    if (small === this.small) return;
    this.small = small;
    this.frame.classList.toggle("small-squares", small);
    this.lever.hidden = !small;
    if (!small) this.set(1);
    else if (memory.get("enlarged", false)) this.toggle();
  }

  /** Larger, or all of it again; where nobody points somewhere, what matters most comes into sight. */
  toggle(at) {
    const wish = Math.min(MOST, Math.max(1.5, WISH / (this.frame.clientWidth * this.least)));
    this.set(this.enlarged ? 1 : wish, at);
    memory.set("enlarged", this.enlarged);
    this.lost = this.enlarged && !at;
    if (this.lost) this.find();
  }

  /** Show what matters, if nobody has looked for it since the board was enlarged; `matters` gives its element. */
  find() {
    const element = this.lost && this.matters();
    if (!element) return;
    this.lost = false;
    this.follow(element, "instant");
  }

  /** Draw so large; the place at that point of the window stays there. */
  set(scale, at = this.middle()) {
    const before = this.svg.getBoundingClientRect();
    const [across, down] = [(at.x - before.left) / (before.width || 1), (at.y - before.top) / (before.height || 1)];
    this.scale = scale;
    this.frame.classList.toggle("enlarged", this.enlarged);
    this.frame.style.setProperty("--zoom", String(scale));
    this.lever.textContent = this.enlarged ? "Whole board" : "Enlarge";
    const after = this.svg.getBoundingClientRect();
    this.pan.scrollBy(after.left + across * after.width - at.x, after.top + down * after.height - at.y);
  }

  middle() {
    const { left, top, width, height } = this.pan.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }

  /** A finger was lifted without doing anything: twice at one place enlarges, or shows all again. */
  tapped(event) {
    const { last } = this;
    this.last = { x: event.clientX, y: event.clientY, time: event.timeStamp };
    if (
      !this.small ||
      !last ||
      event.timeStamp - last.time > 350 ||
      Math.hypot(last.x - event.clientX, last.y - event.clientY) > FINGER / 2
    )
      return;
    this.last = null;
    this.toggle({ x: event.clientX, y: event.clientY });
  }

  grip({ touches }) {
    this.held = this.small && touches.length === 2 ? { apart: apart(touches), scale: this.scale } : null;
  }

  pinch(event) {
    if (!this.held || event.touches.length !== 2) return;
    event.preventDefault();
    const scale = (this.held.scale * apart(event.touches)) / this.held.apart;
    const [one, two] = event.touches;
    this.set(Math.max(1, Math.min(MOST, scale)), {
      x: (one.clientX + two.clientX) / 2,
      y: (one.clientY + two.clientY) / 2,
    });
  }

  settle() {
    if (this.enlarged && this.scale < 1.15) this.set(1);
    if (this.small) memory.set("enlarged", this.enlarged);
  }

  /** Bring an element of the board into sight. */
  follow(element, behavior = STILL.matches ? "instant" : "smooth") {
    if (!this.enlarged || !element) return;
    const [box, sight] = [element.getBoundingClientRect(), this.pan.getBoundingClientRect()];
    if (box.left >= sight.left && box.right <= sight.right && box.top >= sight.top && box.bottom <= sight.bottom)
      return;
    this.pan.scrollBy({
      left: (box.left + box.right - sight.left - sight.right) / 2,
      top: (box.top + box.bottom - sight.top - sight.bottom) / 2,
      behavior,
    });
  }
}

const apart = ([one, two]) => Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
