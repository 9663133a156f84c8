// Matches and tournaments: start them, watch the score, replay the games.

import { button, h, toast } from "./dom.js";
import { playerMenu } from "./chooser.js";
import { chosen } from "./games.js";
import { get, once, post } from "./server.js";

export async function open(root, [name]) {
  return name ? openContest(root, name) : openList(root);
}

async function openList(root) {
  const [games, contests] = await Promise.all([once("/api/games"), get("/api/contests")]);
  const players = h("div", { class: "stack" });
  const game = h(
    "select",
    { onchange: () => fit() },
    games.map((each) => h("option", { value: each.name, selected: each === chosen(games) }, each.title)),
  );
  const count = h("input", { type: "number", min: "2", max: "100000", value: "20" });
  const seed = h("input", { type: "number", min: "0", max: "2147483647", value: "0" });
  const bound = h(
    "select",
    {},
    [
      ["", "Default"],
      ["seconds 0.05", "0.05 s a move"],
      ["seconds 0.5", "0.5 s a move"],
      ["nodes 1000", "1,000 positions a move"],
      ["nodes 20000", "20,000 positions a move"],
      ["depth 3", "depth 3"],
    ].map(([value, words]) => h("option", { value }, words)),
  );
  let known = [];
  let menus = [];
  /** Two must play; whoever else is added may be nobody after all. */
  const add = (wanted = "") => {
    const chosenGame = games.find((each) => each.name === game.value);
    const menu = playerMenu(
      chosenGame,
      known,
      `Player ${menus.length + 1}`,
      wanted && `player ${wanted}`,
      menus.length < 2 ? [] : [["", "Nobody"]],
    );
    menus.push(menu);
    players.append(h("div", { class: "seat-row" }, menu.select, menu.more));
  };
  const fit = async () => {
    const wanted = games.find((each) => each.name === game.value);
    const found = await once(`/api/games/${wanted.name}/players`);
    if (wanted.name !== game.value) return;
    known = found.players;
    menus = [];
    players.replaceChildren();
    add(wanted.spellings[2] ?? wanted.opponent);
    add(wanted.spellings[0] ?? "random");
  };
  const start = async () => {
    const names = menus.map((menu) => menu.value().slice("player ".length)).filter(Boolean);
    const [key, value] = bound.value.split(" ");
    try {
      const made = await post("/api/contests", {
        game: game.value,
        players: names,
        games: Number(count.value),
        seed: Number(seed.value),
        ...(key ? { [key]: Number(value) } : {}),
      });
      location.hash = `#/arena/${made.name}`;
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  root.append(
    h("h1", {}, "Arena"),
    h("p", { class: "quiet" }, "Each pair of games swaps colours. Results show Elo with 95 % confidence."),
    h(
      "div",
      { class: "two" },
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "New match"),
        h("label", { class: "field" }, h("span", {}, "Game"), game),
        h(
          "div",
          { class: "field" },
          h("span", {}, "Players"),
          players,
          button("Add player", () => add(), { class: "small", id: "add-player" }),
        ),
        h("label", { class: "field" }, h("span", {}, "Games per pairing"), count),
        h("label", { class: "field" }, h("span", {}, "Limit per move"), bound),
        h(
          "label",
          { class: "field" },
          h("span", { title: "The same seed and limits other than time give the same games." }, "Seed"),
          seed,
        ),
        button("Start", start, { class: "primary big", id: "start-contest" }),
      ),
      h(
        "section",
        {},
        h("h2", {}, "Matches"),
        contests.length
          ? h(
              "ul",
              { class: "list" },
              contests.map((one) =>
                h(
                  "li",
                  {},
                  h(
                    "a",
                    { class: "card", href: `#/arena/${one.name}` },
                    h("strong", {}, one.name),
                    h("span", {}, one.titles.join(" – ")),
                    h("small", {}, one.running ? "Running" : (one.failure ?? "")),
                  ),
                ),
              ),
            )
          : h("p", { class: "empty" }, "None yet. A match that you start is kept here, with every game."),
      ),
    ),
  );
  await fit();
}

async function openContest(root, name) {
  const body = h("div", {});
  root.append(h("p", {}, h("a", { href: "#/arena" }, "← all matches")), body);
  let timer,
    open = true,
    last = "";
  const look = async () => {
    const contest = await get(`/api/contests/${name}`);
    if (!open) return;
    const now = JSON.stringify(contest);
    if (now !== last) render(body, contest, look);
    last = now;
    timer = setTimeout(() => look().catch(() => {}), contest.running ? 1000 : 5000);
  };
  await look();
  return () => {
    open = false;
    clearTimeout(timer);
  };
}

function render(body, contest, look) {
  const { result } = contest;
  const title = (player) => contest.titles[contest.players.indexOf(player)] ?? player;
  const act = (verb) => async () => {
    try {
      await post(`/api/contests/${contest.name}/${verb}`);
    } catch (error) {
      toast(error.message, "bad");
    }
    look();
  };
  const done = contest.planned ? contest.played / contest.planned : null;
  body.replaceChildren(
    h("h1", {}, contest.name),
    h("p", { class: "quiet" }, `${contest.title}: ${contest.titles.join(" against ")}`),
    h(
      "section",
      { class: "panel" },
      done !== null
        ? h(
            "div",
            {
              class: "progress",
              role: "progressbar",
              "aria-label": "Games played",
              "aria-valuemin": "0",
              "aria-valuemax": String(contest.planned),
              "aria-valuenow": String(contest.played),
            },
            h("div", { style: { width: `${100 * Math.min(1, done)}%` } }),
          )
        : "",
      h(
        "p",
        { class: "figures" },
        h("span", {}, `${contest.played}${contest.planned ? ` of ${contest.planned}` : ""} games`),
        h("span", {}, contest.running ? "Running" : (contest.failure ?? (done >= 1 ? "Finished" : "Paused"))),
      ),
      result
        ? result.ladder
          ? ladder(result, title)
          : score(result, title)
        : h("p", { class: "empty" }, "The first game is running…"),
      h(
        "div",
        { class: "controls" },
        contest.running
          ? button("Stop", act("stop"))
          : done !== null && done < 1
            ? button("Resume", act("resume"), { class: "primary" })
            : "",
      ),
    ),
    h(
      "details",
      { class: "panel" },
      h("summary", {}, "The players as program text"),
      h(
        "ul",
        {},
        contest.players.map((player) => h("li", {}, `${title(player)}: `, h("code", {}, player))),
      ),
    ),
    contest.games.length
      ? h(
          "section",
          { class: "panel" },
          h("h2", {}, "Games"),
          h(
            "div",
            { class: "scroll" },
            h(
              "table",
              {},
              h(
                "thead",
                {},
                h(
                  "tr",
                  {},
                  ["", "Players", "Ended", "Moves"].map((words) =>
                    h("th", { scope: "col", class: words === "Moves" ? "number" : "" }, words),
                  ),
                ),
              ),
              h(
                "tbody",
                {},
                contest.games
                  .slice(0, 100)
                  .map((game) =>
                    h(
                      "tr",
                      {},
                      h(
                        "td",
                        {},
                        h("a", { href: `#/analyse/contest/${contest.name}/${game.number}` }, `Game ${game.number + 1}`),
                      ),
                      h("td", {}, [...new Set(game.seats)].map(title).join(" – ")),
                      h("td", {}, game.outcome.words),
                      h("td", { class: "number" }, String(game.moves)),
                    ),
                  ),
              ),
            ),
          ),
        )
      : "",
  );
}

const points = (count) => (Number.isInteger(count) ? String(count) : count.toFixed(1));
const signed = (value) => (value === null ? "∞" : `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(0)}`);

function score(result, title) {
  const share = (count) => ({ flex: String(count || 0.0001) });
  // Somebody who won everything may be any amount stronger.
  const one_sided = result.elo === null;
  const elo = one_sided
    ? result.score > 0.5
      ? `at least ${signed(result.elo_low)}`
      : `at most ${signed(result.elo_high)}`
    : `${signed(result.elo)} [${signed(result.elo_low)}, ${signed(result.elo_high)}]`;
  return h(
    "div",
    {},
    h(
      "p",
      { class: "score" },
      `${points(result.wins + result.draws / 2)} – ${points(result.losses + result.draws / 2)}`,
    ),
    h(
      "div",
      { class: "wdl", role: "img", "aria-label": `${result.wins} won, ${result.draws} drawn, ${result.losses} lost` },
      h("i", { style: share(result.wins) }),
      h("i", { style: share(result.draws) }),
      h("i", { style: share(result.losses) }),
    ),
    h("p", {}, `${result.wins} won, ${result.draws} drawn, ${result.losses} lost by ${title(result.players[0])}`),
    h(
      "p",
      { class: "elo" },
      h("strong", {}, `Elo difference: ${elo}`),
      h("span", { class: "quiet" }, ` (95 % confidence)${one_sided ? "; too few games to say more" : ""}`),
    ),
  );
}

function ladder(result, title) {
  const order = result.ladder.map((rung) => rung.player);
  const place = (player) => result.players.indexOf(player);
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["", "Player", "Elo", "±", "Points", ...order.map((_, index) => String(index + 1))].map((words, index) =>
            h("th", { scope: "col", class: index > 1 ? "number" : "" }, words),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        result.ladder.map((rung, index) =>
          h(
            "tr",
            {},
            h("td", {}, String(index + 1)),
            h("td", { title: rung.player }, title(rung.player)),
            h("td", { class: "number" }, signed(rung.elo)),
            h("td", { class: "number" }, (rung.elo_high - rung.elo).toFixed(0)),
            h("td", { class: "number" }, `${points(rung.points)}/${rung.games}`),
            order.map((other) =>
              h(
                "td",
                { class: "number" },
                other === rung.player ? "–" : points(result.points[place(rung.player)][place(other)]),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
