// Which page is shown, and what is the same on all of them.

import { guest } from "./access.js";
import { announce, h, hush } from "./dom.js";
import { setSound, soundOn } from "./sound.js";

const PAGES = {
  "": () => import("./home.js"),
  table: () => import("./table.js"),
  library: () => import("./library.js"),
  analyse: () => import("./analyse.js"),
  arena: () => import("./arena.js"),
  train: () => import("./train.js"),
  papers: () => import("./papers.js"),
};
const TITLES = {
  "": "Play",
  table: "Game",
  library: "Games",
  analyse: "Analyse",
  arena: "Arena",
  train: "Train",
  papers: "Papers",
};
// Words of addresses that people have kept.
const RENAMED = { raise: "train" };

let leave = () => {};
let turn = 0;

async function open() {
  const [said, ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  const word = RENAMED[said] ?? said;
  const name = word in PAGES ? word : "";
  const mine = ++turn;
  hush();
  const main = document.getElementById("main");
  // Answered at once, whatever the page itself takes.
  main.setAttribute("aria-busy", "true");
  document.title = `${TITLES[name]} · Rookery`;
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.dataset.page === (["", "table", "library"].includes(name) ? "play" : name);
    link.toggleAttribute("aria-current", here);
    if (here) link.setAttribute("aria-current", "page");
  }
  const root = h("div", { class: `page page-${name || "home"}` });
  try {
    const page = await (guest() && name !== "table" ? import("./access.js") : PAGES[name]());
    if (mine !== turn) return;
    leave();
    leave = () => {};
    main.replaceChildren(root);
    const left = await page.open(root, rest.map(decodeURIComponent));
    if (mine === turn) leave = left ?? (() => {});
    else left?.();
  } catch (error) {
    main.replaceChildren(root);
    root.replaceChildren(
      h(
        "div",
        { class: "plain" },
        h("h1", {}, "That did not work"),
        h("p", {}, error.message),
        h("p", {}, h("a", { href: "#/" }, "Back to the start")),
      ),
    );
  }
  if (mine !== turn) return;
  main.removeAttribute("aria-busy");
  window.scrollTo(0, 0);
  // Whoever comes by keys or listens goes on in the new page, not among the links that led to it.
  if (mine > 1 && !root.contains(document.activeElement)) {
    main.focus({ preventScroll: true });
    announce(TITLES[name]);
  }
}

function wireTools() {
  const theme = document.getElementById("theme");
  theme.addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme === "dark";
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("rookery.theme", dark ? "light" : "dark");
    announce(dark ? "Light" : "Dark");
  });
  const sound = document.getElementById("sound");
  const show = () => sound.setAttribute("aria-pressed", String(soundOn()));
  sound.addEventListener("click", () => {
    setSound(!soundOn());
    show();
    announce(soundOn() ? "Sound on" : "Sound off");
  });
  show();
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
}

wireTools();
addEventListener("hashchange", open);
open();
