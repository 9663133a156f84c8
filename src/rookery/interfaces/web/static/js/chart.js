// Curves: one number over another, of one run or several, with the error where it is known.

import { h, s, short } from "./dom.js";

const WIDTH = 320,
  HEIGHT = 130,
  MARGIN = 46;
const SURE = 1.96; // standard errors on either side that hold 95 %

/** The error of a share of so many games. */
const error = (share, games) => (games ? SURE * Math.sqrt(Math.max(0, share * (1 - share)) / games) : 0);

/**
 * A figure of a measure over another. `series` has a name and points [x, y] for each run; `measure` says what
 * it is: a title, a meaning, whether it lies between 0 and 1, and of how many games it is the share.
 */
export function chart(measure, over, series) {
  const shown = series.filter(({ points }) => points.length);
  const xs = shown.flatMap(({ points }) => points.map(([x]) => x)),
    ys = shown.flatMap(({ points }) => points.map(([, y]) => y));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  // What lies between 0 and 1 is drawn so: then a small change looks small.
  let [low, high] = measure.share ? [0, 1] : [Math.min(...ys), Math.max(...ys)];
  const flat = low === high;
  if (flat) [low, high] = [low - 1, high + 1];
  const at = ([x, y]) => [
    (right > left ? (x - left) / (right - left) : 0.5) * WIDTH,
    HEIGHT - ((Math.min(high, Math.max(low, y)) - low) / (high - low)) * HEIGHT,
  ];
  const line = (points) =>
    points
      .map((point) =>
        at(point)
          .map((one) => one.toFixed(1))
          .join(" "),
      )
      .join("L");
  const band = (points) =>
    `M${line(points.map(([x, y]) => [x, y + error(y, measure.games)]))}L${line(points.map(([x, y]) => [x, y - error(y, measure.games)]).reverse())}Z`;
  const spell = (y) =>
    measure.share ? `${y.toFixed(3)}${measure.games ? ` ± ${error(y, measure.games).toFixed(3)}` : ""}` : short(y);
  const last = shown[0].points.at(-1);
  const value = h("span", {}, spell(last[1]));
  const cursor = s("g", { class: "cursor-of" });
  const tell = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x =
      left +
      Math.min(1, Math.max(0, (((event.clientX - box.left) / box.width) * (WIDTH + MARGIN + 6) - MARGIN) / WIDTH)) *
        (right - left);
    const near = shown.map(({ points }) =>
      points.reduce((best, point) => (Math.abs(point[0] - x) < Math.abs(best[0] - x) ? point : best)),
    );
    cursor.replaceChildren(
      ...near.map((point, index) =>
        s("circle", { class: `series-${index % 6}`, cx: at(point)[0], cy: at(point)[1], r: 4 }),
      ),
    );
    value.textContent = `${near.map(([, y]) => spell(y)).join(" | ")} at ${short(near[0][0])}`;
  };
  const leave = () => {
    cursor.replaceChildren();
    value.textContent = spell(last[1]);
  };
  // What lies beside the line, in the margin: the least, the most, and the only value of a flat curve.
  const marks = flat
    ? [[last[1], HEIGHT / 2]]
    : measure.share
      ? [
          [1, 0],
          [0.5, HEIGHT / 2],
          [0, HEIGHT],
        ]
      : [
          [high, 0],
          [low, HEIGHT],
        ];
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", { title: measure.meaning }, h("span", {}, measure.title), value),
    s(
      "svg",
      {
        viewBox: `${-MARGIN} -8 ${WIDTH + MARGIN + 6} ${HEIGHT + 30}`,
        role: "img",
        "aria-label": `${measure.title}: ${spell(shown[0].points[0][1])} at first, ${spell(last[1])} now`,
        onpointermove: tell,
        onpointerleave: leave,
      },
      [0, 0.5, 1].map((part) => s("line", { x1: 0, x2: WIDTH, y1: part * HEIGHT, y2: part * HEIGHT })),
      shown.map(({ points }, index) => [
        measure.games && points.length > 1 ? s("path", { class: `band series-${index % 6}`, d: band(points) }) : "",
        points.length > 1 ? s("path", { class: `series-${index % 6}`, d: `M${line(points)}` }) : "",
        s("circle", { class: `series-${index % 6}`, cx: at(points.at(-1))[0], cy: at(points.at(-1))[1], r: 3.5 }),
      ]),
      cursor,
      marks.map(([y, place]) =>
        s("text", { x: -6, y: place + 4, "text-anchor": "end" }, measure.share ? String(y) : short(y)),
      ),
      s("text", { x: 0, y: HEIGHT + 18 }, short(left)),
      s("text", { x: WIDTH, y: HEIGHT + 18, "text-anchor": "end" }, `${short(right)} ${over}`),
    ),
    measure.meaning
      ? h("p", { class: "quiet" }, measure.meaning, measure.games ? " The band is the 95 % confidence interval." : "")
      : "",
  );
}
