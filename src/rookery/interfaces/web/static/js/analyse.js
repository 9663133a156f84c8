// A game under the glass: step through it, try other moves, let an engine run beside it.

import { Board } from "./board.js";
import { button, h, memory, short, toast } from "./dom.js";
import { openEditor } from "./editor.js";
import { chosen, families } from "./games.js";
import { graph, judge } from "./graph.js";
import { insight, spread } from "./insight.js";
import { levelChoice, offerLevels, playOn } from "./onward.js";
import { Line, board, get, once, post } from "./server.js";
import { Tree, TreeList } from "./tree.js";

const REVIEW = 0.4; // seconds for each position of a whole game

export async function open(root, [source, ...rest]) {
  const games = await once("/api/games");
  if (source === "edit") return openEditor(root, chosen(games, rest[0]));
  const glass = new Glass(root, games);
  if (source === "table") await glass.load(await get(`/api/tables/${rest[0]}/replay`));
  else if (source === "contest") await glass.load(await get(`/api/contests/${rest[0]}/games/${rest[1]}`));
  else if (source === "with") {
    glass.guest = { game: rest[0], name: rest[1] };
    await glass.fresh(rest[0]);
  } // somebody who is in no list
  else if (source === "position")
    await glass.load(await post("/api/replay", { game: rest[0], start: rest[1], moves: [] }));
  else await glass.fresh(chosen(games).name);
  return () => glass.close();
}

class Glass {
  constructor(root, games) {
    this.games = games;
    this.on = false; // whether the engine runs; it stays on while somebody steps about
    this.asked = 0;
    this.facing = 0;
    this.reviewing = null;
    this.board = new Board({
      title: "Analysis board. Arrow keys and Enter try moves.",
      move: (step) => this.tryMove(step),
    });
    this.bar = h(
      "div",
      {
        class: "bar",
        role: "meter",
        "aria-label": "Who stands better",
        "aria-valuemin": "-1",
        "aria-valuemax": "1",
        "aria-valuenow": "0",
      },
      h("div"),
    );
    this.frame = h("div", { class: "glass" }, this.bar, this.board.element);
    this.list = new TreeList((place) => this.go(place));
    this.title = h("h2", {}, "Analyse");
    this.verdict = h("p", { class: "status" });
    this.lines = h("ol", { class: "lines-of-thought", "aria-label": "Best lines" });
    this.legend = h("p", { class: "quiet legend" });
    this.figures = h("p", { class: "figures", role: "status" });
    this.reasons = h("div", { class: "reasons" });
    this.review = h("div", { class: "review" });
    this.gameSelect = h(
      "select",
      { "aria-label": "Game", onchange: (event) => this.fresh(event.target.value) },
      games.map((game) => h("option", { value: game.name }, game.title)),
    );
    this.player = h("select", {
      "aria-label": "Player",
      onchange: () => {
        this.think();
        this.see();
      },
    });
    this.count = h(
      "select",
      { "aria-label": "Lines", onchange: () => this.think() },
      [1, 2, 3, 5, 8].map((n) =>
        h("option", { value: String(n), selected: n === 3 }, n === 1 ? "1 line" : `${n} lines`),
      ),
    );
    this.seconds = h(
      "select",
      { "aria-label": "Time for a position", onchange: () => this.think() },
      [
        [5, "5 s"],
        [20, "20 s"],
        [60, "1 min"],
        [600, "10 min"],
      ].map(([n, words]) => h("option", { value: String(n), selected: n === 20 }, words)),
    );
    this.toggle = button(
      "Start engine",
      () => {
        this.on = !this.on;
        this.reviewing = null;
        this.think();
      },
      { class: "primary", id: "think", "aria-pressed": "false" },
    );
    this.text = h("textarea", {
      rows: 3,
      "aria-label": "A game or position to look at",
      placeholder: `Paste ${[...new Set(families(games).map(({ games: [game] }) => game.formats))].join(", or ")}; the game is recognised`,
    });
    this.position = h("input", { type: "text", readOnly: true, "aria-label": "This position as text" });
    this.whole = button("Analyse whole game", () => this.reviewAll(), { id: "review" });
    this.line_tools = h(
      "div",
      { class: "controls line-tools" },
      button(
        "Make main line",
        () => {
          this.tree.promote(this.place);
          this.show();
        },
        { id: "promote" },
      ),
      button("Delete variation", () => this.removeVariation(), { id: "delete-variation" }),
    );
    this.level = levelChoice();
    this.editor = button("Board editor", () => {
      location.hash = `#/analyse/edit/${this.game.name}`;
    });
    // Undecided at first: players that can say what they see do so unasked.
    this.seeing = null;
    this.seer = button(
      "Static evaluation",
      () => {
        this.seeing = !this.sees();
        return this.see();
      },
      { id: "see", "aria-pressed": "false" },
    );
    const steps = [
      ["«", "First", () => this.go(this.tree.root)],
      ["‹", "Back", () => this.go(this.place.parent)],
      ["›", "Forward", () => this.go(this.place.children[0])],
      ["»", "Last", () => this.go(this.place.end())],
    ];
    this.moves = Object.fromEntries(steps.map(([, words, act]) => [words, act]));
    // Stepping is never busy: one may step faster than the server answers.
    root.append(
      h("h1", { class: "vh" }, "Analyse"),
      h(
        "section",
        { class: "table" },
        h(
          "div",
          { class: "stage" },
          this.frame,
          h(
            "div",
            { class: "steps" },
            steps.map(([sign, words, act]) =>
              button(
                sign,
                () => {
                  act();
                },
                { "aria-label": words },
              ),
            ),
            button("Flip", () => {
              this.facing = (this.facing + 1) % this.game.seats.length;
              this.show();
            }),
          ),
          this.review,
        ),
        h(
          "aside",
          { class: "side" },
          this.title,
          this.verdict,
          h("div", { class: "field row" }, this.player, this.toggle),
          h("div", { class: "field row" }, this.count, this.seconds),
          this.lines,
          this.legend,
          this.figures,
          this.reasons,
          this.list.element,
          this.line_tools,
          h(
            "div",
            { class: "controls" },
            this.whole,
            button("Save", () => this.save(), { id: "save-analysis" }),
            this.seer,
          ),
          h(
            "details",
            { class: "more" },
            h("summary", {}, "Load a game or position"),
            h(
              "div",
              { class: "more-body stack" },
              this.gameSelect,
              this.text,
              h(
                "div",
                { class: "controls" },
                button("Load", () => this.read(), { id: "load" }),
                this.editor,
              ),
            ),
          ),
          h(
            "div",
            { class: "more stack" },
            this.position,
            h(
              "div",
              { class: "field row" },
              button(
                "Play from here",
                () =>
                  playOn(this.game, this.place.frame.turn, this.level.value, {
                    start: this.start,
                    moves: this.place.path(),
                  }),
                { id: "play-on" },
              ),
              this.level,
            ),
          ),
        ),
      ),
    );
    this.line = new Line("/api/analyse", { open: () => this.think(), message: (message) => this.hear(message) });
    this.keys = (event) => {
      if (event.target.closest("input, textarea, select, svg.board, [role=dialog]")) return;
      const act = { ArrowLeft: "Back", ArrowRight: "Forward", Home: "First", End: "Last" }[event.key];
      if (act) {
        event.preventDefault();
        this.moves[act]();
      }
    };
    document.addEventListener("keydown", this.keys);
  }

  close() {
    this.line.close();
    document.removeEventListener("keydown", this.keys);
  }

  async fresh(name) {
    await this.load(await get(`/api/games/${name}/start`));
  }

  /** What was pasted, of whatever game it is. */
  async read() {
    try {
      const { game, start, branches } = await post("/api/import", {
        game: this.gameSelect.value,
        text: this.text.value,
        any_game: true,
      });
      const { frames } = await post("/api/tree", { game, start, branches });
      if (game !== this.gameSelect.value) toast(`Read as ${this.games.find((one) => one.name === game).title}.`);
      await this.lay(
        game,
        start ?? frames[0].position,
        new Tree(
          frames,
          branches.map((branch) => branch.after),
        ),
      );
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** A game as the server replays it. */
  async load(replay) {
    const tree = new Tree(
      replay.frames,
      replay.frames.slice(1).map((_, index) => index),
    );
    const end = tree.root.end();
    // Somebody may have resigned: the position is still one to look at, and is asked for what can be played.
    end.ended = replay.outcome;
    if (!replay.outcome) end.legal = replay.legal;
    await this.lay(replay.game, replay.start, tree);
  }

  async lay(name, start, tree) {
    this.game = this.games.find((game) => game.name === name);
    this.start = start;
    this.tree = tree;
    this.place = tree.root.end();
    this.reviewing = null;
    this.gameSelect.value = name;
    this.title.textContent = this.game.title;
    this.frame.className = `glass ${this.game.look.style}`;
    this.editor.hidden = !this.game.look.editable;
    this.facing %= this.game.seats.length;
    this.legend.textContent = legend(this.game);
    const known = this.game.hidden ? { players: [] } : await once(`/api/games/${name}/players`);
    const wanted = this.player.value || this.guest?.name;
    const guests =
      this.guest?.game === name ? [{ name: this.guest.name, title: this.guest.name, sees: true, explains: true }] : [];
    this.players = new Map([...guests, ...known.players].map((player) => [player.name, player]));
    this.player.replaceChildren(
      ...[...this.players.values()]
        .filter(({ name }) => name !== "random")
        .map((player) =>
          h(
            "option",
            {
              value: player.name,
              title: player.description,
              selected: player.name === (this.players.has(wanted) ? wanted : this.game.opponent),
            },
            player.title,
          ),
        ),
    );
    for (const one of [
      this.player.closest(".field"),
      this.count.closest(".field"),
      this.lines,
      this.legend,
      this.bar,
      this.whole,
    ])
      one.hidden = this.game.hidden;
    offerLevels(this.level, this.game);
    this.weigh(0);
    await this.show();
  }

  /** Everything about where we stand now. */
  async show() {
    const { place } = this;
    this.graph();
    await this.draw();
    if (this.place !== place) return; // stepped on meanwhile
    this.think();
    this.see();
  }

  async draw() {
    const { place, game } = this;
    const { seats } = game;
    this.board.lay(await board(game.name, this.facing, seats.length), seats);
    if (this.place !== place) return;
    const { frame } = place;
    const { men, picture, alarms, turn } = frame;
    const here = { men, picture, alarms, last: frame.move?.to ? frame.move : null, turn };
    this.board.show({ ...here, legal: place.legal ?? [] });
    // Shown first: what is hidden cannot scroll to where we are.
    this.list.element.hidden = !this.tree.root.children.length;
    this.list.show(this.tree, place, game);
    this.line_tools.hidden = place.main;
    this.position.value = frame.position;
    this.tell();
    this.lines.replaceChildren();
    this.figures.textContent = "";
    this.reasons.replaceChildren();
    this.board.arrows([]);
    this.board.heat({});
    if (place.legal) return;
    const known = await post("/api/position", { game: game.name, start: this.start, moves: place.path() });
    place.legal = known.legal;
    place.outcome ??= known.outcome;
    if (this.place !== place) return;
    this.board.show({ ...here, legal: place.legal });
    this.tell();
  }

  tell() {
    const { outcome, ended, worth: known, frame } = this.place;
    this.verdict.textContent = (outcome ?? ended)?.words ?? `${this.game.seats[frame.turn]} to move`;
    // What is known of this position; an engine that runs will say more.
    if (outcome?.values) this.weigh(outcome.values[0]);
    else if (!this.on) this.weigh(known?.value ?? 0);
  }

  async go(place) {
    if (!place || place === this.place) return;
    this.place = place;
    await this.show();
  }

  /** A move on the board: a step if it is known here, else a new variation. */
  async tryMove(step) {
    const before = this.place,
      known = before.find(step.text);
    if (known) {
      await this.go(known);
      return;
    }
    try {
      const here = await post("/api/position", {
        game: this.game.name,
        start: this.start,
        moves: [...before.path(), step.text],
      });
      const place = before.find(here.frame.move.text) ?? before.add(here.frame);
      place.legal = here.legal;
      place.outcome = here.outcome;
      await this.go(place);
    } catch (error) {
      toast(error.message, "bad");
      this.draw();
    }
  }

  removeVariation() {
    let first = this.place;
    while (first.leads) first = first.parent; // where it leaves the line that it varies
    return this.go(this.tree.remove(first));
  }

  async save() {
    try {
      const { text, ending } = await post("/api/write", {
        game: this.game.name,
        start: this.start,
        branches: this.tree.branches(),
      });
      const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      h("a", { href: address, download: `${this.game.name}.${ending}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  // --- the engine --------------------------------------------------------------------------------------

  think() {
    this.toggle.textContent = this.on ? "Stop engine" : "Start engine";
    this.toggle.setAttribute("aria-pressed", String(this.on));
    if (!this.place || this.reviewing) return;
    if (!this.on || this.place.outcome || this.game.hidden) {
      if (this.figures.textContent === "Thinking…") this.figures.textContent = "";
      this.line.send({ do: "stop" });
      return;
    }
    this.figures.textContent = "Thinking…";
    this.ask(this.place, Number(this.count.value), Number(this.seconds.value));
  }

  ask(place, lines, seconds) {
    this.asked += 1;
    this.line.send({
      do: "think",
      number: this.asked,
      game: this.game.name,
      start: this.start,
      moves: place.path(),
      player: this.player.value,
      lines,
      seconds,
    });
  }

  hear(message) {
    if (message.type === "error") {
      this.figures.textContent = message.text;
      if (this.reviewing) {
        this.reviewing.next += 1;
        this.reviewNext();
      }
      return;
    }
    if (message.number !== this.asked) return; // of a position that was left
    if (this.reviewing) {
      if (message.type === "choice") this.reviewed(message);
      return;
    }
    if (message.type === "choice") {
      this.conclude(message);
      return;
    }
    const side = this.game.sides[this.place.frame.turn];
    this.lines.replaceChildren(
      ...message.lines.map((line, index) =>
        h(
          "li",
          {},
          h("i", { class: `swatch rank${index + 1}`, "aria-hidden": "true" }),
          h("b", {}, worth(line, side)),
          h("span", { title: line.labels.join(" ") }, line.labels.join(" ")),
        ),
      ),
    );
    const best = message.lines[0];
    if (!best) return;
    this.legend.textContent = legend(this.game, best);
    this.weigh(best.value[0]);
    const pace = best.seconds > 0.05 ? best.nodes / best.seconds : null;
    this.figures.replaceChildren(
      ...[
        best.depth && `depth ${best.depth}`,
        `${short(best.nodes)} positions`,
        pace && `${short(pace)} a second`,
        `${best.seconds.toFixed(1)} s`,
      ]
        .filter(Boolean)
        .map((words) => h("span", {}, words)),
    );
    const top = Math.max(...message.lines.map((line) => line.value[side]));
    this.board.arrows(
      message.lines.map((line, index) => ({
        start: line.first?.start,
        to: line.first?.to,
        rank: index + 1,
        weight: Math.max(0.1, 1 - 2 * (top - line.value[side])),
      })),
    );
  }

  /** It has thought as long as it may; the next position starts it again. */
  conclude(choice) {
    if (this.figures.textContent === "Thinking…") this.figures.textContent = `${short(choice.nodes)} positions`;
    this.weigh(choice.value[0]);
    if (!this.lines.childElementCount) {
      this.lines.replaceChildren(h("li", {}, h("b", {}, "plays"), h("span", {}, choice.label)));
      if (choice.move.to) this.board.arrows([{ start: choice.move.start, to: choice.move.to, rank: 1, weight: 1 }]);
    }
    if (this.game.look.stones && choice.shares.length)
      this.board.heat(
        Object.fromEntries(choice.shares.filter(([step]) => step.to).map(([step, share]) => [step.to, share])),
      );
    this.figures.append(h("span", {}, "done"));
  }

  /** The bar: how well the first side stands, from -1 to 1. */
  weigh(value) {
    this.bar.firstElementChild.style.height = `${50 + 50 * value}%`;
    this.bar.setAttribute("aria-valuenow", value.toFixed(2));
  }

  // --- the whole game ----------------------------------------------------------------------------------

  /** Every position of the main line, one after the other; the board stays free meanwhile. */
  reviewAll() {
    if (this.reviewing) {
      this.reviewing = null;
      this.on = false;
      this.think();
      this.graph();
      return;
    }
    const places = this.tree.line();
    if (places.length < 2) {
      toast("There is no game here yet: make some moves, or load one.");
      return;
    }
    this.on = false;
    for (const place of places) place.worth = null;
    this.reviewing = { places, next: 0 };
    this.think();
    this.reviewNext();
  }

  reviewNext() {
    const { places } = this.reviewing;
    let place = places[this.reviewing.next];
    if (place?.outcome?.values) {
      place.worth = { value: place.outcome.values[0] };
      this.reviewing.next += 1;
      place = places[this.reviewing.next];
    }
    if (place) this.ask(place, 1, REVIEW);
    else {
      this.reviewing = null;
      this.list.show(this.tree, this.place, this.game);
    }
    this.graph();
  }

  reviewed(choice) {
    this.reviewing.places[this.reviewing.next].worth = {
      value: choice.value[0],
      best: choice.move.text,
      label: choice.label,
    };
    this.reviewing.next += 1;
    judge(this.reviewing.places, this.game);
    this.reviewNext();
  }

  graph() {
    const places = this.tree.line(),
      busy = this.reviewing;
    this.whole.textContent = busy ? "Stop" : "Analyse whole game";
    this.whole.setAttribute("aria-pressed", String(Boolean(busy)));
    this.review.replaceChildren(
      ...graph(places, this.place, this.game, busy ? busy.next : null, (place) => this.go(place)),
    );
  }

  // --- what knowledge sees -----------------------------------------------------------------------------

  sees() {
    return this.seeing ?? this.players.get(this.player.value)?.explains ?? false;
  }

  /** What the player's knowledge makes of the position at a glance, while that is wanted. */
  async see() {
    const { place, game } = this;
    const player = this.players.get(this.player.value);
    this.seer.hidden = !player?.sees;
    const on = this.sees() && !this.seer.hidden;
    this.seer.setAttribute("aria-pressed", String(on));
    if (!on) {
      this.reasons.replaceChildren();
      this.board.heat({});
      return;
    }
    try {
      const seen = await post("/api/explain", {
        game: game.name,
        start: this.start,
        moves: place.path(),
        player: player.name,
      });
      if (place !== this.place || player.name !== this.player.value || !this.sees()) return;
      const { turn } = place.frame;
      if (!this.on) this.weigh(seen.value[0]);
      this.reasons.replaceChildren(...insight(seen, game.seats[turn], seen.value[game.sides[turn]]));
      if (Object.keys(seen.map).length) this.board.heat(spread(seen.map));
    } catch (error) {
      toast(error.message, "bad");
    }
  }
}

/** Whose side the figures are told from: the same for every move, as everywhere else. */
const first = (game) => game.seats.filter((_, seat) => game.sides[seat] === 0).join(" and ");

/** What the figures are: those of a line that was heard, or else those that people of the game expect. */
function legend(game, line) {
  const pawns = line && line.score === null && line.wins_in === null ? "" : game.look.pawns;
  return `${pawns || `Winning chances of ${first(game)}.`} Colours match the arrows.`;
}

/** A line's worth for the first side, as people of the game write it. */
function worth(line, side) {
  const sign = side === 0 ? 1 : -1;
  if (line.wins_in !== null)
    return `${sign * line.wins_in > 0 ? "#" : "#\u2212"}${Math.ceil(Math.abs(line.wins_in) / 2)}`;
  // Centipawns, where the player's knowledge has them.
  const pawns = line.score !== null ? (sign * Math.round(line.score)) / 100 : null;
  if (pawns !== null) return `${pawns < 0 ? "\u2212" : "+"}${Math.abs(pawns).toFixed(2)}`;
  return `${Math.round(50 + 50 * line.value[0])} %`;
}
