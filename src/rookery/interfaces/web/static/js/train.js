// Training: start a recipe, watch the curves, stop, resume, play what has been learnt.

import { chart } from "./chart.js";
import { button, h, short, toast } from "./dom.js";
import { hold } from "./seats.js";
import { get, once, post } from "./server.js";

export async function open(root, [name]) {
  return name ? openRun(root, name) : openList(root);
}

async function openList(root) {
  const [recipes, runs] = await Promise.all([get("/api/recipes"), get("/api/runs")]);
  const recipe = h(
    "select",
    {},
    recipes.map((one) => h("option", { value: one.name, title: one.about }, one.name)),
  );
  recipe.value = (recipes.find((one) => one.first) ?? recipes[0])?.name;
  const about = h("p", { class: "quiet" });
  const form = h("div", { class: "keys" });
  const chosen = () => recipes.find((one) => one.name === recipe.value);
  const tell = () => {
    about.textContent = chosen()?.about ?? "";
    form.replaceChildren(...(chosen()?.keys ?? []).map(field));
  };
  recipe.addEventListener("change", tell);
  tell();
  const start = async () => {
    const changes = [...form.querySelectorAll("[data-key]")]
      .filter((one) => one.value !== one.dataset.was)
      .map((one) => `${one.dataset.key}=${spelt(one)}`);
    try {
      const run = await post("/api/runs", { recipe: recipe.value, changes });
      location.hash = `#/train/${run.name}`;
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  root.append(
    h("h1", {}, "Train"),
    h("p", { class: "quiet" }, "Train a player from a recipe. Runs are saved and can be resumed."),
    h(
      "div",
      { class: "two" },
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "New run"),
        recipes.length
          ? [
              h("label", { class: "field" }, h("span", {}, "Recipe"), recipe),
              about,
              h("details", { class: "field", id: "override" }, h("summary", {}, "Override settings (optional)"), form),
              button("Start", start, { class: "primary big", id: "start-run" }),
            ]
          : h("p", { class: "empty" }, "No recipes come with this version yet."),
      ),
      h(
        "section",
        {},
        h("h2", {}, "Runs"),
        runs.length
          ? h(
              "ul",
              { class: "list" },
              runs.map((run) =>
                h(
                  "li",
                  {},
                  h(
                    "a",
                    { class: "card", href: `#/train/${run.name}` },
                    h("strong", {}, run.name),
                    h("span", {}, run.learner ?? ""),
                    h(
                      "small",
                      {},
                      `${state(run)}, step ${short(run.step)}${run.steps ? ` of ${short(run.steps)}` : ""}`,
                    ),
                  ),
                ),
              ),
            )
          : h("p", { class: "empty" }, "None yet. A run that you start is kept here, with its curves."),
      ),
    ),
  );
}

/** A key of a recipe, to be set: what it may be, and what it means. */
function field(key) {
  const text = Array.isArray(key.value) ? key.value.join(" ") : key.value === null ? "" : String(key.value);
  const mine = { "data-key": key.name, "data-was": text, "data-kind": key.kind };
  const choices = key.kind === "truth" ? ["true", "false"] : key.choices.map(String);
  const input = choices.length
    ? h(
        "select",
        mine,
        choices.map((choice) => h("option", { value: choice, selected: choice === text }, choice)),
      )
    : h("input", {
        type: "text",
        inputmode: ["whole", "number"].includes(key.kind) ? "decimal" : null,
        spellcheck: "false",
        value: text,
        placeholder: "default",
        ...mine,
      });
  const range =
    key.low === null
      ? ""
      : key.high === null
        ? ` At least ${short(key.low)}.`
        : ` From ${short(key.low)} to ${short(key.high)}.`;
  return h(
    "label",
    { class: "key" },
    h("code", {}, key.name),
    input,
    h("small", {}, `${key.meaning}${key.choices.length ? "" : range}`),
  );
}

/** A value as a recipe writes it. */
function spelt(input) {
  if (input.dataset.kind !== "list") return input.value.trim();
  return `[${input.value
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((word) => (/^-?[\d.]+$/.test(word) ? word : JSON.stringify(word)))
    .join(", ")}]`;
}

const finished = (run) => !run.running && !run.failure && run.steps !== null && run.step >= run.steps;
const state = (run) =>
  run.running ? (run.step ? "running" : "starting") : (run.failure ?? (finished(run) ? "finished" : "stopped"));

async function openRun(root, name) {
  const body = h("div", {});
  root.append(h("p", {}, h("a", { href: "#/train" }, "← all runs")), body);
  const view = new RunView(
    body,
    name,
    (await get("/api/runs")).map((run) => run.name),
  );
  await view.look();
  return () => view.close();
}

class RunView {
  constructor(body, name, names) {
    this.name = name;
    this.open = true;
    this.figures = h("p", { class: "figures", role: "status" });
    this.bar = h(
      "div",
      { class: "progress", role: "progressbar", "aria-label": "Steps done", "aria-valuemin": "0" },
      h("div"),
    );
    this.controls = h("div", { class: "controls" });
    this.players = h("div", { class: "field row" });
    this.other = h(
      "select",
      { "aria-label": "Compare with", onchange: () => this.compare() },
      h("option", { value: "" }, "Compare with another run…"),
      names.filter((one) => one !== name).map((one) => h("option", { value: one }, one)),
    );
    this.other.hidden = names.every((one) => one === name);
    this.legend = h("p", { class: "figures" });
    this.charts = h("div", { class: "charts" });
    this.config = h("pre");
    body.append(
      h("h1", {}, name),
      h(
        "section",
        { class: "panel" },
        this.figures,
        this.bar,
        this.players,
        this.controls,
        h(
          "div",
          { class: "field row" },
          h(
            "a",
            { class: "button", href: `/api/runs/${encodeURIComponent(name)}/metrics.csv`, download: `${name}.csv` },
            "Download CSV",
          ),
          this.other,
        ),
      ),
      this.legend,
      this.charts,
      h("details", { class: "panel" }, h("summary", {}, "The recipe, every setting"), this.config),
    );
  }

  close() {
    this.open = false;
    clearTimeout(this.timer);
  }

  async look() {
    const run = await get(`/api/runs/${this.name}`);
    if (!this.open) return;
    this.render(run);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look().catch(() => {}), run.running ? 1000 : 5000);
  }

  /** The curves of another run beside ours. */
  async compare() {
    const name = this.other.value;
    try {
      this.beside = name ? await get(`/api/runs/${name}`) : null;
    } catch (error) {
      toast(error.message, "bad");
    }
    this.drawn = null;
    this.draw();
  }

  render(run) {
    const { steps } = run;
    this.run = run;
    this.bar.hidden = !steps;
    if (steps) {
      this.bar.firstElementChild.style.width = `${100 * Math.min(1, run.step / steps)}%`;
      this.bar.setAttribute("aria-valuemax", String(steps));
      this.bar.setAttribute("aria-valuenow", String(run.step));
    }
    const words = [
      state(run),
      `step ${short(run.step)}${steps ? ` of ${short(steps)}` : ""}`,
      `${short(Math.round(run.seconds))} s of training`,
      run.learner,
    ];
    this.figures.replaceChildren(...words.filter(Boolean).map((word) => h("span", {}, word)));
    const now = `${run.running}${finished(run)}${run.checkpoints.at(-1)}`;
    if (now !== this.state) {
      this.state = now;
      this.controls.replaceChildren(
        run.running
          ? button("Stop", () => this.act("stop"), { id: "stop-run" })
          : finished(run)
            ? ""
            : button("Resume", () => this.act("resume"), { id: "resume-run" }),
      );
    }
    if (run.checkpoints.length) this.offer();
    this.config.textContent = run.config;
    this.draw();
  }

  draw() {
    const { run, beside } = this;
    if (this.drawn === `${run.metrics.length} ${run.step}`) return; // a pointer may rest on a curve
    this.drawn = `${run.metrics.length} ${run.step}`;
    const told = Object.keys(run.measures);
    const over = told.find((key) => run.metrics.some((row) => key in row)) === told[0] ? told[0] : "step";
    const keys = [...new Set(run.metrics.flatMap(Object.keys))].filter(
      (key) => !["step", "seconds", over].includes(key),
    );
    // In the order in which the learner tells them, win rates first: that is what people look for.
    const rank = (key) => (run.measures[key]?.games ? 0 : 1000) + (told.indexOf(key) + 1 || 500);
    keys.sort((one, other) => rank(one) - rank(other));
    if (!keys.length) {
      this.charts.replaceChildren(h("p", { class: "empty" }, "Waiting for the first evaluation."));
      return;
    }
    const points = (one, key) =>
      one.metrics.filter((row) => key in row && over in row).map((row) => [row[over], row[key]]);
    const title = over === "step" ? "steps" : run.measures[over].title.toLowerCase();
    this.legend.replaceChildren(
      ...(beside
        ? [run, beside].map((one, index) => h("span", {}, h("i", { class: `swatch of-series-${index}` }), one.name))
        : []),
    );
    this.charts.replaceChildren(
      ...keys.map((key) =>
        chart(
          run.measures[key] ?? { title: key.replaceAll("_", " "), meaning: "", share: false, games: 0 },
          title,
          [run, beside].filter(Boolean).map((one) => ({ name: one.name, points: points(one, key) })),
        ),
      ),
    );
  }

  async act(verb) {
    try {
      await post(`/api/runs/${this.name}/${verb}`);
    } catch (error) {
      toast(error.message, "bad");
    }
    await new Promise((done) => setTimeout(done, 300));
    await this.look().catch(() => {});
  }

  /** Who can be played with what there is; the same for every checkpoint of a run. */
  async offer() {
    if (this.offered) return;
    this.offered = true;
    try {
      const { players } = await get(`/api/runs/${this.name}/players`);
      if (!players.length) {
        this.offered = false;
        return;
      }
      const games = await once("/api/games");
      const called = (name) => games.find((one) => one.name === name)?.title ?? name;
      const select = h(
        "select",
        { "aria-label": "Game and player" },
        players.map(({ game, title }, index) => h("option", { value: String(index) }, `${called(game)}: ${title}`)),
      );
      const chosen = () => players[Number(select.value)];
      this.players.replaceChildren(
        button("Play the newest checkpoint", () => this.play(chosen().game, chosen().name), {
          class: "primary",
          id: "play-run",
        }),
        select,
        button("Analyse with it", () => {
          location.hash = `#/analyse/with/${[chosen().game, chosen().name].map(encodeURIComponent).join("/")}`;
        }),
      );
    } catch {
      this.offered = false;
    }
  }

  async play(name, player) {
    const game = (await once("/api/games")).find((each) => each.name === name);
    try {
      const made = await post("/api/tables", {
        game: name,
        seats: game.seats.map((_, seat) => (seat === 0 ? { who: "me" } : { who: "player", player })),
      });
      hold(made.id, made);
      location.hash = `#/table/${made.id}`;
    } catch (error) {
      toast(error.message, "bad");
    }
  }
}
