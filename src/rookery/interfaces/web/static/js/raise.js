// Training: start a recipe, watch the curves, stop, go on, play what has been learnt.

import { chart } from "./chart.js";
import { button, h, short, toast } from "./dom.js";
import { hold } from "./seats.js";
import { get, once, post } from "./server.js";

export async function open(root, [name]) {
  return name ? openRun(root, name) : openList(root);
}

async function openList(root) {
  const [recipes, runs] = await Promise.all([get("/api/recipes"), get("/api/runs")]);
  const recipe = h("select", {}, recipes.map((one) => h("option", { value: one.name, title: one.about }, one.name)));
  // What needs a large machine is not what to begin with.
  recipe.value = (recipes.find((one) => !one.about.includes("GPU")) ?? recipes[0])?.name;
  const about = h("p", { class: "quiet" });
  const tell = () => { about.textContent = recipes.find((one) => one.name === recipe.value)?.about ?? ""; };
  recipe.addEventListener("change", tell);
  tell();
  const changes = h("input", { type: "text", placeholder: "seed=2 games=1000", "aria-label": "Changes to the recipe" });
  const start = async () => {
    try {
      const run = await post("/api/runs", { recipe: recipe.value, changes: changes.value.split(/\s+/).filter(Boolean) });
      location.hash = `#/raise/${run.name}`;
    } catch (error) { toast(error.message, "bad"); }
  };
  root.append(h("h1", {}, "Raise"), h("p", { class: "quiet" }, "Players learn here, by playing themselves or from records. A run survives whatever happens to the machine."),
    h("div", { class: "two" },
      h("section", { class: "panel" }, h("h2", {}, "A new run"), recipes.length
        ? [h("label", { class: "field" }, h("span", {}, "Recipe"), recipe), about, h("label", { class: "field" }, h("span", {}, "Changes, if any"), changes), button("Start", start, { class: "primary big", id: "start-run" })]
        : h("p", { class: "empty" }, "No recipes come with this version yet.")),
      h("section", {}, h("h2", {}, "Runs so far"), runs.length ? h("ul", { class: "list" }, runs.map((run) => h("li", {}, h("a", { class: "card", href: `#/raise/${run.name}` }, h("strong", {}, run.name),
        h("span", {}, run.learner ?? ""), h("small", {}, `step ${short(run.step)}${run.running ? ", at work" : ""}`))))) : h("p", { class: "empty" }, "None yet. A run that you start is kept here, with its curves."))));
}

async function openRun(root, name) {
  const body = h("div", {});
  root.append(h("p", {}, h("a", { href: "#/raise" }, "← all runs")), body);
  const view = new RunView(body, name);
  await view.look();
  return () => view.close();
}

class RunView {
  constructor(body, name) {
    this.name = name;
    this.open = true;
    this.figures = h("p", { class: "figures", role: "status" });
    this.bar = h("div", { class: "progress", role: "progressbar", "aria-label": "Steps done", "aria-valuemin": "0" }, h("div"));
    this.controls = h("div", { class: "controls" });
    this.players = h("div", { class: "field row" });
    this.charts = h("div", { class: "charts" });
    this.config = h("pre");
    body.append(h("h1", {}, name), h("section", { class: "panel" }, this.figures, this.bar, this.players, this.controls), this.charts,
      h("details", { class: "panel" }, h("summary", {}, "The recipe"), this.config));
  }

  close() { this.open = false; clearTimeout(this.timer); }

  async look() {
    const run = await get(`/api/runs/${this.name}`);
    if (!this.open) return;
    this.render(run);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look().catch(() => {}), run.running ? 1000 : 5000);
  }

  render(run) {
    const { steps } = run;
    this.bar.hidden = !steps;
    if (steps) {
      this.bar.firstElementChild.style.width = `${100 * Math.min(1, run.step / steps)}%`;
      this.bar.setAttribute("aria-valuemax", String(steps));
      this.bar.setAttribute("aria-valuenow", String(run.step));
    }
    const finished = !run.running && !run.failure && run.steps !== null && run.step >= run.steps;
    const words = [run.running ? run.step ? "at work" : "getting ready…" : run.failure ?? (finished ? "finished" : "stopped"), `step ${short(run.step)}${run.steps ? ` of ${short(run.steps)}` : ""}`, `${short(Math.round(run.seconds))} s`, run.learner];
    this.figures.replaceChildren(...words.filter(Boolean).map((word) => h("span", {}, word)));
    const state = `${run.running}${finished}${run.checkpoints.at(-1)}`;
    if (state !== this.state) {
      this.state = state;
      this.controls.replaceChildren(run.running ? button("Stop", () => this.act("stop"), { id: "stop-run" }) : finished ? "" : button("Go on", () => this.act("resume"), { id: "resume-run" }));
    }
    if (run.checkpoints.length) this.offer();
    const keys = [...new Set(run.metrics.flatMap(Object.keys))].filter((key) => key !== "step" && key !== "seconds");
    // How strong it is first; that is what people look for.
    keys.sort((one, other) => other.startsWith("strength") - one.startsWith("strength"));
    if (!keys.length) { this.charts.replaceChildren(h("p", { class: "empty" }, "Its curves begin with the first step.")); return; }
    this.charts.replaceChildren(...keys.map((key) => chart(key.replaceAll("_", " "), run.metrics.filter((row) => key in row).map((row) => [row.step, row[key]]))));
    this.config.textContent = run.config;
  }

  async act(verb) {
    try { await post(`/api/runs/${this.name}/${verb}`); } catch (error) { toast(error.message, "bad"); }
    await new Promise((done) => setTimeout(done, 300));
    await this.look().catch(() => {});
  }

  /** Who can be played with what there is; the same for every checkpoint of a run. */
  async offer() {
    if (this.offered) return;
    this.offered = true;
    try {
      const { players } = await get(`/api/runs/${this.name}/players`);
      if (!players.length) { this.offered = false; return; }
      const select = h("select", { "aria-label": "Game and player" }, players.map(([game, player], index) => h("option", { value: String(index) }, `${game}: ${player.split("@")[0]}`)));
      this.players.replaceChildren(button("Play the newest checkpoint", () => this.play(...players[Number(select.value)]), { class: "primary", id: "play-run" }), select,
        button("Analyse with it", () => { location.hash = `#/analyse/with/${players[Number(select.value)].map(encodeURIComponent).join("/")}`; }));
    } catch { this.offered = false; }
  }

  async play(name, player) {
    const game = (await once("/api/games")).find((each) => each.name === name);
    try {
      const made = await post("/api/tables", { game: name, seats: game.seats.map((_, seat) => seat === 0 ? { who: "me" } : { who: "player", player }) });
      hold(made.id, made);
      location.hash = `#/table/${made.id}`;
    } catch (error) { toast(error.message, "bad"); }
  }
}
