// Small tools for making elements. Text is always text here, never markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.setAttribute("class", value);
    else if (key === "style") Object.assign(element.style, value);
    else if (key in element && typeof value !== "string" && !(element instanceof SVGElement)) element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element. */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** An SVG element. */
export function s(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

/** A button with words on it. While what it started is under way it shows so, and cannot be pressed again. */
export function button(words, act, properties = {}) {
  const one = h("button", { type: "button", ...properties }, words);
  one.addEventListener("click", (event) => {
    if (one.getAttribute("aria-busy") === "true") return;
    const work = act(event);
    if (!work?.then) return;
    one.setAttribute("aria-busy", "true");
    const done = () => one.removeAttribute("aria-busy");
    work.then(done, (error) => {
      done();
      throw error;
    });
  });
  return one;
}

/** New children for old ones; whoever had the focus keeps it, if it is still there under the same words. */
export function refill(place, children) {
  const words = place.contains(document.activeElement) ? document.activeElement.textContent : null;
  place.replaceChildren(...children.filter(Boolean));
  if (words !== null) [...place.querySelectorAll("button, a")].find((one) => one.textContent === words)?.focus();
}

/** Say something to people who listen to the page. */
export function announce(words) {
  const live = document.getElementById("live");
  // The same words twice would not be read twice.
  live.textContent = live.textContent === words ? `${words}\u00a0` : words;
}

let passing;

/** Show a passing message beside the board, in place of the one before it. */
export function toast(words, kind = "note") {
  hush();
  const one = document.body.appendChild(h("div", { class: `toast ${kind}` }, words));
  passing = { one, timer: setTimeout(hush, 4500) };
  announce(words);
}

/** Take the passing message away: it belongs to the page on which it came up. */
export function hush() {
  clearTimeout(passing?.timer);
  passing?.one.remove();
  passing = null;
}

/** A setting that survives the page. */
export const memory = {
  get(key, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`rookery.${key}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`rookery.${key}`, JSON.stringify(value));
    } catch {
      /* then not */
    }
  },
};

/** How long ago, in few words. */
export function ago(seconds) {
  const past = Date.now() / 1000 - seconds;
  if (past < 60) return "just now";
  if (past < 3600) return `${Math.floor(past / 60)} min ago`;
  if (past < 86400) return `${Math.floor(past / 3600)} h ago`;
  return `${Math.floor(past / 86400)} d ago`;
}

/** A number that people can read at a glance. */
export function short(number) {
  if (number === null || number === undefined || Number.isNaN(number)) return "–";
  for (const [size, sign] of [
    [1e12, "T"],
    [1e9, "G"],
    [1e6, "M"],
  ])
    if (Math.abs(number) >= size) return `${Number((number / size).toFixed(1))}${sign}`;
  if (Math.abs(number) >= 1e4) return `${(number / 1e3).toFixed(0)}k`;
  if (Number.isInteger(number)) return String(number);
  return Math.abs(number) >= 100 ? number.toFixed(0) : number.toPrecision(3);
}
