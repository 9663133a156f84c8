// Who this page is: the owner's, or a guest's who has a link to one game.

import { button, h } from "./dom.js";
import { post } from "./server.js";

export const guest = () => document.documentElement.dataset.access === "guest";

/** Whether this browser may look at a table; a watch link is good for it from now on. */
export async function enter(table, watch = null) {
  return (await post(`/api/tables/${table}/enter`, { watch })).granted;
}

/** The page of who brought neither the token nor a link. */
export async function open(root) {
  const token = h("input", {
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: "200",
    "aria-label": "Token",
    placeholder: "Token",
  });
  const said = h("p", { role: "alert" });
  const bring = async () => {
    const { granted } = await post("/api/access", { token: token.value.trim() }).catch((error) => {
      said.textContent = error.message;
      return {};
    });
    if (granted) location.reload();
    else if (granted === false) said.textContent = "That is not the token.";
  };
  root.replaceChildren(
    h(
      "form",
      {
        class: "plain stack",
        onsubmit: (event) => {
          event.preventDefault();
          bring();
        },
      },
      h("h1", {}, "This studio is private"),
      h(
        "p",
        {},
        "Paste its token: `rookery serve` prints it at the end of its address, and keeps it in the file `token` of its data folder.",
      ),
      h("div", { class: "field row" }, token, button("Enter", bring, { class: "primary", id: "bring-token" })),
      said,
      h("p", { class: "quiet" }, "Were you sent a link to a game? Then a part of it is missing."),
    ),
  );
  token.focus();
}

/** A link that works for others, where there is one; null: nobody but this machine can follow it. */
export function shareable(hash) {
  const here = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  const origin = here ? document.documentElement.dataset.share : location.origin;
  return origin ? `${origin}/${hash}` : null;
}
