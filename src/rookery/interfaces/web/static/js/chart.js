// A curve.

import { h, s, short } from "./dom.js";

const WIDTH = 320, HEIGHT = 120, MARGIN = 46;

/** A figure of one number over steps. */
export function chart(title, points) {
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  let [low, high] = [Math.min(...ys), Math.max(...ys)];
  const flat = low === high;
  if (flat) [low, high] = [low - 1, high + 1];
  const at = ([x, y]) => [(right > left ? (x - left) / (right - left) : 0.5) * WIDTH, HEIGHT - (y - low) / (high - low) * HEIGHT];
  const last = ys.at(-1);
  // What lies beside the line, in the margin: the least, the most, and the only value of a flat curve.
  const marks = flat ? [[last, HEIGHT / 2]] : [[high, 0], [low, HEIGHT]];
  return h("figure", { class: "chart" }, h("figcaption", {}, h("span", {}, title), h("span", {}, short(last))),
    s("svg", { viewBox: `${-MARGIN} -8 ${WIDTH + MARGIN + 6} ${HEIGHT + 30}`, role: "img", "aria-label": `${title}: ${short(ys[0])} at first, ${short(last)} now` },
      [0, 0.5, 1].map((part) => s("line", { x1: 0, x2: WIDTH, y1: part * HEIGHT, y2: part * HEIGHT })),
      points.length > 1 ? s("path", { d: `M${points.map((point) => at(point).join(" ")).join("L")}` }) : "",
      s("circle", { cx: at(points.at(-1))[0], cy: at(points.at(-1))[1], r: 3.5 }),
      marks.map(([value, y]) => s("text", { x: -6, y: y + 4, "text-anchor": "end" }, short(value))),
      s("text", { x: 0, y: HEIGHT + 18 }, `step ${short(left)}`), s("text", { x: WIDTH, y: HEIGHT + 18, "text-anchor": "end" }, short(right))));
}
