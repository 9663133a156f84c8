// A game under the glass: step through it, try other moves, let players think aloud.

import { Board } from "./board.js";
import { button, h, memory, short, toast } from "./dom.js";
import { openEditor } from "./editor.js";
import { insight, spread } from "./insight.js";
import { MoveList } from "./moves.js";
import { hold } from "./seats.js";
import { Line, board, get, once, post } from "./server.js";

export async function open(root, [source, ...rest]) {
  const games = await once("/api/games");
  if (source === "edit") return openEditor(root, games.find((game) => game.name === rest[0]) ?? games[0]);
  const glass = new Glass(root, games);
  if (source === "table") await glass.load(await get(`/api/tables/${rest[0]}/replay`));
  else if (source === "contest") await glass.load(await get(`/api/contests/${rest[0]}/games/${rest[1]}`));
  else if (source === "with") { glass.guest = { game: rest[0], name: rest[1] }; await glass.fresh(rest[0]); } // somebody who is in no list
  else if (source === "position") await glass.load(await post("/api/replay", { game: rest[0], start: rest[1], moves: [] }));
  else await glass.fresh(memory.get("game", "chess"));
  return () => glass.close();
}

class Glass {
  constructor(root, games) {
    this.games = games;
    this.thinking = false;
    this.asked = 0;
    this.facing = 0;
    this.board = new Board({ title: "Analysis board. Arrow keys and Enter try moves.", move: (step) => this.tryMove(step) });
    this.bar = h("div", { class: "bar", role: "meter", "aria-label": "Who stands better", "aria-valuemin": "-1", "aria-valuemax": "1", "aria-valuenow": "0" }, h("div"));
    this.frame = h("div", { class: "glass" }, this.bar, this.board.element);
    this.list = new MoveList((at) => this.go(at));
    this.title = h("h2", {}, "Analyse");
    this.verdict = h("p", { class: "status" });
    this.lines = h("ol", { class: "lines-of-thought", "aria-label": "Best lines" });
    this.figures = h("p", { class: "figures", role: "status" });
    this.reasons = h("div", { class: "reasons" });
    this.gameSelect = h("select", { "aria-label": "Game", onchange: (event) => this.fresh(event.target.value) }, games.map((game) => h("option", { value: game.name }, game.title)));
    this.player = h("select", { "aria-label": "Player", onchange: () => { this.think(); this.see(); } });
    this.count = h("select", { "aria-label": "Lines", onchange: () => this.think() }, [1, 2, 3, 5, 8].map((n) => h("option", { value: String(n), selected: n === 3 }, n === 1 ? "1 line" : `${n} lines`)));
    this.seconds = h("select", { "aria-label": "Time", onchange: () => this.think() }, [[5, "5 s"], [20, "20 s"], [60, "1 min"], [600, "10 min"]].map(([n, words]) => h("option", { value: String(n), selected: n === 20 }, words)));
    this.toggle = button("Think", () => { this.thinking = !this.thinking; this.think(); }, { class: "primary", id: "think", "aria-pressed": "false" });
    this.text = h("textarea", { rows: 3, "aria-label": "A game or position to look at", placeholder: "Paste PGN, FEN, SGF or a Duchess game" });
    this.position = h("input", { type: "text", readOnly: true, "aria-label": "This position as text" });
    // Undecided at first: players that can say what they see do so unasked.
    this.seeing = null;
    this.seer = button("What does it see?", () => { this.seeing = !this.sees(); return this.see(); }, { id: "see", "aria-pressed": "false" });
    const steps = [["«", "First", () => this.go(0)], ["‹", "Back", () => this.go(this.at - 1)], ["›", "Forward", () => this.go(this.at + 1)], ["»", "Last", () => this.go(Infinity)]];
    root.append(h("h1", { class: "vh" }, "Analyse"), h("section", { class: "table" },
      h("div", { class: "stage" }, this.frame, h("div", { class: "steps" }, steps.map(([sign, words, act]) => button(sign, act, { "aria-label": words })),
        button("Flip", () => { this.facing = (this.facing + 1) % this.game.seats.length; this.draw(); }))),
      h("aside", { class: "side" }, this.title, this.verdict,
        h("div", { class: "field row" }, this.player, this.toggle), h("div", { class: "field row" }, this.count, this.seconds),
        this.lines, this.figures, this.reasons, this.list.element,
        h("details", { class: "more" }, h("summary", {}, "Another game or position"), h("div", { class: "more-body stack" }, this.gameSelect, this.text,
          h("div", { class: "controls" }, button("Look at this", () => this.read()), button("Set up by hand", () => { location.hash = `#/analyse/edit/${this.game.name}`; })))),
        h("div", { class: "more stack" }, this.position, h("div", { class: "controls" }, button("Play from here", () => this.playOn()), this.seer)))));
    this.line = new Line("/api/analyse", { open: () => this.think(), message: (message) => this.hear(message) });
    this.keys = (event) => {
      if (event.target.closest("input, textarea, select, svg.board, [role=dialog]")) return;
      if (event.key === "ArrowLeft") this.go(this.at - 1);
      if (event.key === "ArrowRight") this.go(this.at + 1);
    };
    document.addEventListener("keydown", this.keys);
  }

  close() {
    this.line.close();
    document.removeEventListener("keydown", this.keys);
  }

  async fresh(name) { await this.load(await get(`/api/games/${name}/start`)); }

  async read() {
    try {
      const game = await post("/api/import", { game: this.gameSelect.value, text: this.text.value });
      await this.load(await post("/api/replay", { game: game.game, start: game.start, moves: game.moves }));
    } catch (error) { toast(error.message, "bad"); }
  }

  async load(replay) {
    this.game = this.games.find((game) => game.name === replay.game);
    this.replay = replay;
    this.main = replay.frames.slice(1).map((frame) => frame.move.text);
    this.at = replay.frames.length - 1;
    this.gameSelect.value = replay.game;
    this.title.textContent = this.game.title;
    this.frame.className = `glass ${this.game.kind}`;
    this.facing %= this.game.seats.length;
    const known = this.game.hidden ? { players: [] } : await once(`/api/games/${replay.game}/players`);
    const chosen = this.player.value || this.guest?.name;
    const guests = this.guest?.game === replay.game ? [{ name: this.guest.name, sees: true, explains: true }] : [];
    this.players = new Map([...guests, ...known.players].map((player) => [player.name, player]));
    this.player.replaceChildren(...[...this.players.values()].filter(({ name }) => name !== "random").map(({ name }) => h("option", { value: name, selected: name === (this.players.has(chosen) ? chosen : this.game.opponent) }, name)));
    this.player.closest(".field").hidden = this.count.closest(".field").hidden = this.game.hidden;
    await this.draw();
    this.think();
    this.see();
  }

  async draw() {
    const { replay, at } = this;
    const frame = replay.frames[at];
    const seats = this.game.seats;
    this.board.lay(await board(replay.game, this.facing, seats.length), seats);
    if (this.at !== at || this.replay !== replay) return;
    const here = { men: frame.men, alarms: frame.alarms, last: frame.move?.to ? frame.move : null, turn: frame.turn };
    this.board.show({ ...here, legal: at === replay.frames.length - 1 ? replay.legal : [] });
    this.list.show({ moves: replay.frames.slice(1).map((each) => each.move), seats: seats.map((name) => ({ name })) }, at);
    this.list.element.hidden = replay.frames.length < 2;
    this.position.value = frame.position;
    this.verdict.textContent = at === replay.frames.length - 1 && replay.outcome ? replay.outcome.words : `${seats[frame.turn]} to move`;
    this.lines.replaceChildren();
    this.figures.textContent = "";
    this.reasons.replaceChildren();
    this.board.arrows([]);
    this.board.heat({});
    if (at === replay.frames.length - 1) return;
    const legal = await this.legalAt(at);
    if (this.at === at && this.replay === replay) this.board.show({ ...here, legal });
  }

  async legalAt(at) {
    const here = await post("/api/replay", { game: this.replay.game, start: this.replay.start, moves: this.main.slice(0, at) });
    return here.legal;
  }

  async go(at) {
    const next = Math.max(0, Math.min(at, this.replay.frames.length - 1));
    if (next === this.at) return;
    this.at = next;
    await this.draw();
    this.think();
    this.see();
  }

  async tryMove(step) {
    const moves = [...this.main.slice(0, this.at), step.text];
    try { await this.load(await post("/api/replay", { game: this.replay.game, start: this.replay.start, moves })); } catch (error) { toast(error.message, "bad"); this.draw(); }
  }

  // --- thinking ----------------------------------------------------------------------------------------

  think() {
    this.toggle.textContent = this.thinking ? "Stop" : "Think";
    this.toggle.setAttribute("aria-pressed", String(this.thinking));
    if (!this.replay) return;
    const over = this.at === this.replay.frames.length - 1 && this.replay.outcome;
    if (!this.thinking || over || this.game.hidden) {
      if (this.figures.textContent === "Thinking…") this.figures.textContent = "";
      this.line.send({ do: "stop" });
      return;
    }
    this.figures.textContent = "Thinking…";
    this.asked += 1;
    this.line.send({ do: "think", number: this.asked, game: this.replay.game, start: this.replay.start, moves: this.main.slice(0, this.at),
      player: this.player.value, lines: Number(this.count.value), seconds: Number(this.seconds.value) });
  }

  hear(message) {
    if (message.type === "error") { this.figures.textContent = message.text; this.thinking = false; this.think(); return; }
    if (message.number !== this.asked) return; // of a position that was left
    if (message.type === "choice") { this.conclude(message); return; }
    const turn = this.replay.frames[this.at].turn;
    const side = this.game.sides[turn];
    this.lines.replaceChildren(...message.lines.map((line) => h("li", {}, h("b", {}, worth(line, side, this.game.kind)), h("span", { title: line.labels.join(" ") }, line.labels.join(" ")))));
    const best = message.lines[0];
    if (!best) return;
    this.weigh(best.value[0]);
    const pace = best.seconds > 0.05 ? best.nodes / best.seconds : null;
    this.figures.replaceChildren(...[best.depth && `depth ${best.depth}`, `${short(best.nodes)} positions`, pace && `${short(pace)} a second`, `${best.seconds.toFixed(1)} s`].filter(Boolean).map((words) => h("span", {}, words)));
    const top = Math.max(...message.lines.map((line) => line.value[side]));
    this.board.arrows(message.lines.filter((line) => line.first?.to).map((line, index) => ({ start: line.first.start, to: line.first.to, rank: index + 1, weight: Math.max(0.1, 1 - 2 * (top - line.value[side])) })));
  }

  conclude(choice) {
    if (this.figures.textContent === "Thinking…") this.figures.textContent = `${short(choice.nodes)} positions`;
    this.weigh(choice.value[0]);
    if (!this.lines.childElementCount) this.lines.replaceChildren(h("li", {}, h("b", {}, "plays"), h("span", {}, choice.label)));
    if (this.game.kind === "go" && choice.shares.length) {
      this.board.heat(Object.fromEntries(choice.shares.filter(([step]) => step.to).map(([step, share]) => [step.to, share])));
    } else if (choice.shares.length) {
      const most = choice.shares[0][1];
      this.board.arrows(choice.shares.slice(0, 6).filter(([step]) => step.to).map(([step, share], index) => ({ start: step.start, to: step.to, rank: Math.min(3, index + 1), weight: share / most })));
    } else if (choice.move.to) this.board.arrows([{ start: choice.move.start, to: choice.move.to, rank: 1, weight: 1 }]);
    this.thinking = false;
    this.toggle.textContent = "Think";
    this.toggle.setAttribute("aria-pressed", "false");
  }

  /** The bar: how well the first side stands, from -1 to 1. */
  weigh(value) {
    this.bar.firstElementChild.style.height = `${50 + 50 * value}%`;
    this.bar.setAttribute("aria-valuenow", value.toFixed(2));
  }

  // --- what knowledge sees -----------------------------------------------------------------------------

  sees() { return this.seeing ?? this.players.get(this.player.value)?.explains ?? false; }

  /** What the player's knowledge makes of the position at a glance, while that is wanted. */
  async see() {
    const { at, replay } = this;
    const player = this.players.get(this.player.value);
    this.seer.hidden = !player?.sees;
    const on = this.sees() && !this.seer.hidden;
    this.seer.setAttribute("aria-pressed", String(on));
    if (!on) { this.reasons.replaceChildren(); this.board.heat({}); return; }
    try {
      const seen = await post("/api/explain", { game: replay.game, start: replay.start, moves: this.main.slice(0, at), player: player.name });
      if (at !== this.at || replay !== this.replay || player.name !== this.player.value || !this.sees()) return;
      const turn = replay.frames[at].turn;
      if (!this.thinking) this.weigh(seen.value[0]);
      this.reasons.replaceChildren(...insight(seen, this.game.seats[turn], seen.value[this.game.sides[turn]]));
      if (Object.keys(seen.map).length) this.board.heat(spread(seen.map));
    } catch (error) { toast(error.message, "bad"); }
  }

  async playOn() {
    const frame = this.replay.frames[this.at];
    const seats = this.game.seats.map((_, seat) => seat === frame.turn ? { who: "me" } : { who: "player", player: this.game.opponent });
    try {
      const made = await post("/api/tables", { game: this.game.name, seats, start: this.replay.start, moves: this.main.slice(0, this.at) });
      hold(made.id, made);
      location.hash = `#/table/${made.id}`;
    } catch (error) { toast(error.message, "bad"); }
  }
}

/** A line's worth for the side to move, as people of the game write it. */
function worth(line, side, kind) {
  if (line.wins_in !== null) return `${line.wins_in > 0 ? "#" : "-#"}${Math.ceil(Math.abs(line.wins_in) / 2)}`;
  // Scores are in the unit of whoever made them: people know that of chess only.
  const pawns = line.score !== null && kind === "chess" ? Math.round(line.score) / 100 : null;
  if (pawns !== null) return `${pawns >= 0 ? "+" : ""}${pawns.toFixed(2)}`;
  return `${Math.round(50 + 50 * line.value[side])} %`;
}
