// A curve.

import { h, s, short } from "./dom.js";

const WIDTH = 320, HEIGHT = 120;

/** A figure of one number over steps. */
export function chart(title, points) {
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  let [low, high] = [Math.min(...ys), Math.max(...ys)];
  if (low === high) [low, high] = [low - 1, high + 1];
  const at = ([x, y]) => `${(right > left ? (x - left) / (right - left) : 0.5) * WIDTH} ${HEIGHT - (y - low) / (high - low) * HEIGHT}`;
  const last = ys.at(-1);
  return h("figure", { class: "chart" }, h("figcaption", {}, h("span", {}, title), h("span", {}, short(last))),
    s("svg", { viewBox: `-2 -4 ${WIDTH + 4} ${HEIGHT + 24}`, role: "img", "aria-label": `${title}: ${short(ys[0])} at first, ${short(last)} now` },
      [0, 0.5, 1].map((part) => s("line", { x1: 0, x2: WIDTH, y1: part * HEIGHT, y2: part * HEIGHT })),
      s("path", { d: points.length > 1 ? `M${points.map(at).join("L")}` : `M0 ${HEIGHT / 2}H${WIDTH}` }),
      s("text", { x: 0, y: 9 }, short(high)), s("text", { x: 0, y: HEIGHT - 4 }, short(low)),
      s("text", { x: 0, y: HEIGHT + 15 }, `step ${short(left)}`), s("text", { x: WIDTH, y: HEIGHT + 15, "text-anchor": "end" }, short(right))));
}
