// As much Markdown as our reports use, made into elements; nothing in a text can become markup.

import { h } from "./dom.js";

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|!\[([^\]]*)\]\(([^)\s]+)\)|\[([^\]]+)\]\(([^)\s]+)\)/g;

function inline(text, picture, page) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(from, found.index));
    const [, code, strong, soft, alt, source, words, link] = found;
    if (code) parts.push(h("code", {}, code));
    else if (strong) parts.push(h("strong", {}, strong));
    else if (soft) parts.push(h("em", {}, soft));
    else if (source) parts.push(/^[\w.-]+$/.test(source) ? h("img", { src: picture(source), alt }) : alt);
    else if (/^https?:\/\//.test(link))
      parts.push(h("a", { href: link, rel: "noreferrer noopener", target: "_blank" }, words));
    else parts.push(page(link) ? h("a", { href: page(link) }, words) : words);
    from = found.index + found[0].length;
  }
  parts.push(text.slice(from));
  return parts;
}

const cells = (line) =>
  line
    .replace(/^\s*\||\|\s*$/g, "")
    .split("|")
    .map((cell) =>
      cell
        .trim()
        .replace(/(\d) %/g, "$1\u00a0%")
        .replace(/(\S) ± /g, "$1\u00a0±\u00a0"),
    );

/** The elements of a text; `picture` gives the address of a picture beside it, `page` that of a page, if any. */
export function render(text, picture, page = () => null) {
  const lines = text.split("\n"),
    made = [];
  let at = 0;
  const take = (test) => {
    const taken = [];
    while (at < lines.length && test(lines[at])) taken.push(lines[at++]);
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at];
    if (!line.trim()) at += 1;
    else if (line.startsWith("```")) {
      at += 1;
      made.push(h("pre", {}, take((each) => !each.startsWith("```")).join("\n")));
      at += 1;
    } else if (/^#{1,6} /.test(line)) {
      at += 1;
      made.push(h(`h${Math.min(3, line.indexOf(" "))}`, {}, inline(line.replace(/^#+ /, ""), picture, page)));
    } else if (/^\s*\|/.test(line)) {
      const [head, , ...rows] = take((each) => /^\s*\|/.test(each)).map(cells);
      // A heading without words is none.
      const title = (cell) => (cell ? h("th", { scope: "col" }, inline(cell, picture, page)) : h("td", {}));
      made.push(
        h(
          "div",
          { class: "scroll" },
          h(
            "table",
            {},
            head.some(Boolean) ? h("thead", {}, h("tr", {}, head.map(title))) : "",
            h(
              "tbody",
              {},
              rows.map((row) =>
                h(
                  "tr",
                  {},
                  row.map((cell) => h("td", {}, inline(cell, picture, page))),
                ),
              ),
            ),
          ),
        ),
      );
    } else if (/^\s*[-*] /.test(line)) {
      // A line that is set in goes on with the item before it.
      const items = take((each) => /^\s*[-*] |^ {2,}\S/.test(each))
        .join("\n")
        .replace(/\n +(?![-*] )/g, " ")
        .split("\n");
      made.push(
        h(
          "ul",
          {},
          items.map((each) => h("li", {}, inline(each.replace(/^\s*[-*] /, ""), picture, page))),
        ),
      );
    } else if (/^ {4}/.test(line))
      made.push(
        h(
          "pre",
          {},
          take((each) => /^ {4}/.test(each))
            .map((each) => each.slice(4))
            .join("\n"),
        ),
      );
    else
      made.push(
        h(
          "p",
          {},
          inline(
            take((each) => each.trim() && !/^(#|```|\s*\||\s*[-*] )/.test(each)).join(" ") || lines[at++],
            picture,
            page,
          ),
        ),
      );
  }
  return made;
}
