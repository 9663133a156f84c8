// The reports of reproduced papers.

import { ago, h } from "./dom.js";
import { render } from "./markdown.js";
import { get } from "./server.js";

export async function open(root, [name]) {
  if (name) {
    const report = await get(`/api/papers/${encodeURIComponent(name)}`);
    root.append(h("p", {}, h("a", { href: "#/papers" }, "← all reports")), h("article", { class: "panel paper" }, render(report.text, (picture) => `/api/papers/${encodeURIComponent(name)}/${encodeURIComponent(picture)}`)));
    return;
  }
  const papers = await get("/api/papers");
  root.append(h("h1", {}, "Papers"), h("p", { class: "quiet" }, "What was published, done again here, with what came out."),
    papers.length ? h("ul", { class: "cards" }, papers.map((paper) => h("li", {}, h("a", { class: "card", href: `#/papers/${encodeURIComponent(paper.name)}` }, h("strong", {}, paper.title), h("small", {}, ago(paper.changed))))))
      : h("div", { class: "empty" }, h("p", {}, "No reports yet. ", h("code", {}, "rookery paper NAME"), " writes one.")));
}
