// The reports of reproduced papers.

import { ago, button, h } from "./dom.js";
import { render } from "./markdown.js";
import { get } from "./server.js";

export async function open(root, [name, ...rest]) {
  if (name) {
    const report = await get(`/api/papers/${[name, ...rest].map(encodeURIComponent).join("/")}`);
    const parts = render(
      report.text,
      (picture) => `/api/papers/${encodeURIComponent(name)}/${encodeURIComponent(picture)}`,
      (link) => pageOf(report, link),
    );
    root.append(
      h("p", {}, h("a", { href: "#/papers" }, "← all reports")),
      h("div", { class: "report" }, contents(parts), h("article", { class: "panel paper" }, parts)),
    );
    return;
  }
  const papers = await get("/api/papers");
  root.append(
    h("h1", {}, "Papers"),
    h(
      "p",
      { class: "quiet" },
      "Reproductions of published results. In a terminal, ",
      h("code", {}, "rookery paper"),
      " lists what can be reproduced, and ",
      h("code", {}, "rookery paper NAME --quick"),
      " writes a report here.",
    ),
    papers.length
      ? h(
          "ul",
          { class: "cards" },
          papers.map((paper) =>
            h(
              "li",
              {},
              h(
                "a",
                { class: "card", href: `#/papers/${encodeURIComponent(paper.name)}` },
                h("strong", {}, paper.title),
                paper.summary && h("span", {}, paper.summary),
                h("small", {}, paper.shipped ? "full study, included" : ago(paper.changed)),
              ),
            ),
          ),
        )
      : h("p", { class: "empty" }, "No reports yet."),
  );
}

/** Where a page of the documentation is shown, to which a report links from its place in the repository. */
function pageOf({ pages }, link) {
  const [page] = /docs\/[\w/-]+\.md/.exec(link) ?? [];
  return pages.includes(page) ? `#/papers/${page}` : null;
}

/** The headings of a report, to go to. The address is the page's, so these are buttons. */
function contents(parts) {
  const headings = parts.filter((part) => part.tagName === "H2");
  if (headings.length < 2) return "";
  for (const heading of headings) heading.tabIndex = -1;
  return h(
    "div",
    { class: "contents", role: "navigation", "aria-label": "Contents" },
    h("strong", {}, "Contents"),
    headings.map((heading) =>
      button(heading.textContent, () => {
        heading.scrollIntoView({ block: "start" });
        heading.focus({ preventScroll: true });
      }),
    ),
  );
}
