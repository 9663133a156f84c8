// The first page: a board that is ready. Move, and the game has begun.

import { Board } from "./board.js";
import { ago, button, h, memory, toast } from "./dom.js";
import { eloWords, friendly, hold, levelWords } from "./seats.js";
import { pieceWords, rulesButton } from "./rules.js";
import { board, get, once, post } from "./server.js";

const FAMILIES = [
  { kind: "chess", games: ["chess"], title: "Chess", words: "The classic." },
  { kind: "go", games: ["go9", "go5", "go7", "go13", "go19"], title: "Go", words: "Surround more than the other." },
  { kind: "kriegspiel", games: ["kriegspiel"], title: "Kriegspiel", words: "Chess in the dark, with a referee." },
  { kind: "duchess", games: ["duchess4", "duchess6"], title: "Duchess", words: "Two teams round a Vortex." },
];
const CLOCKS = [["", "No clock"], ["3+2", "3 min + 2 s"], ["5+0", "5 min"], ["10+5", "10 min + 5 s"], ["30+0", "30 min"]];

export async function open(root) {
  const [all, recent] = await Promise.all([once("/api/games"), get("/api/tables")]);
  const home = new Home(root, all, recent);
  await home.choose(memory.get("game", "chess"));
}

class Home {
  constructor(root, all, recent) {
    this.games = new Map(all.map((game) => [game.name, game]));
    this.level = memory.get("level", 2);
    this.seat = 0;
    this.plan = null;
    this.board = new Board({ title: "Board, ready to play. Arrow keys and Enter move.", move: (step) => this.begin([step.text]) });
    this.tabs = h("div", { class: "families", role: "group", "aria-label": "Game" }, FAMILIES.filter((family) => this.games.has(family.games[0])).map((family) =>
      button([h("strong", {}, family.title), h("small", {}, family.words)], () => this.choose(family.games[0]), { "data-family": family.kind })));
    this.panel = h("div", { class: "start-panel" });
    root.append(
      h("h1", { class: "vh" }, "Play"),
      this.tabs,
      h("section", { class: "table" }, h("div", { class: "stage" }, this.board.element), h("aside", { class: "side" }, this.panel)),
      this.recent(recent),
    );
  }

  async choose(name) {
    this.game = this.games.get(name) ?? this.games.get("chess");
    memory.set("game", this.game.name);
    this.seat = Math.min(this.seat, this.game.seats.length - 1);
    this.plan = null;
    for (const tab of this.tabs.children) {
      const family = FAMILIES.find((each) => each.kind === tab.dataset.family);
      tab.setAttribute("aria-pressed", String(family.games.includes(this.game.name)));
    }
    this.renderPanel();
    await this.showBoard();
  }

  async showBoard() {
    const game = this.game.name;
    const [geometry, start] = await Promise.all([board(game, this.seat, this.game.seats.length), once(`/api/games/${game}/start`)]);
    if (game !== this.game.name) return;
    const mine = start.frames[0].turn === this.seat;
    this.board.options.hidden = this.game.hidden;
    this.board.lay(geometry, this.game.seats);
    const men = this.game.hidden ? start.frames[0].views[this.seat] : start.frames[0].men;
    this.board.show({ men, legal: mine ? start.legal : [], turn: start.frames[0].turn });
    pieceWords(game).then((words) => { if (game === this.game.name) this.board.explain(words); }, () => {});
  }

  opponent() {
    const { opponent, levels } = this.game;
    if (!levels) return opponent;
    const [thought, ...known] = opponent.split("+");
    return [`${thought}${thought.includes(":") ? "," : ":"}level=${this.level}`, ...known].join("+");
  }

  renderPanel() {
    const { game } = this;
    const family = FAMILIES.find((each) => each.games.includes(game.name));
    if (game.levels) this.level = Math.min(this.level, game.levels);
    const first = this.seat === 0;
    const sizes = family.games.length > 1 && h("label", { class: "field" }, h("span", {}, family.kind === "go" ? "Board" : "Players"),
      h("select", { onchange: (event) => this.choose(event.target.value) }, family.games.filter((name) => this.games.has(name)).sort((a, b) => Number(a.match(/\d+/)) - Number(b.match(/\d+/))).map((name) =>
        h("option", { value: name, selected: name === game.name }, family.kind === "go" ? name.replace("go", "").replace(/(\d+)/, "$1 × $1") : `${name.slice(-1)} players`))));
    const level = h("output", { class: "level-words" });
    const slider = h("input", { type: "range", min: "1", max: String(game.levels || 8), value: String(this.level), "aria-label": "Level of your opponent",
      oninput: (event) => { this.level = Number(event.target.value); memory.set("level", this.level); say(); } });
    const say = () => { level.textContent = levelWords(game, this.level); slider.setAttribute("aria-valuetext", level.textContent); };
    say();
    const seats = h("div", { class: "seat-choice", role: "group", "aria-label": "Your seat" }, game.seats.map((name, seat) =>
      button([h("i", { class: `dot of-${name.toLowerCase()} ${game.kind}` }), name], () => { this.seat = seat; this.renderPanel(); this.showBoard(); }, { "aria-pressed": String(seat === this.seat) })));
    const lead = first ? (game.kind === "go" ? "Put down a stone, and the game begins." : "Move a piece, and the game begins.") : `${game.seats[0]} moves first.`;
    this.panel.replaceChildren(
      h("div", { class: "heading" }, h("h2", {}, family.title), rulesButton(() => game.name, { class: "small" })),
      h("p", { class: "lead" }, lead),
      team(game, this.seat),
      sizes || "",
      game.levels ? h("div", { class: "field" }, h("span", {}, game.seats.length > 2 ? "The others" : "Your opponent"), slider, level)
        : h("div", { class: "field" }, h("span", {}, "Your opponent"), h("p", { class: "quiet" }, friendly(game.opponent))),
      h("div", { class: "field" }, h("span", {}, "You are"), seats),
      button("Play", () => this.begin([]), { class: "primary big", id: "play" }),
      this.more(),
    );
  }

  more() {
    const body = h("div", { class: "more-body" });
    const details = h("details", { class: "more", ontoggle: async () => {
      if (!details.open || body.childElementCount) return;
      body.append(h("p", { class: "quiet" }, "Looking who is here…"));
      body.replaceChildren(await this.moreBody().catch((error) => h("p", { class: "quiet" }, error.message)));
    } }, h("summary", {}, "Other opponents, friends, clocks, positions"), body);
    return details;
  }

  async moreBody() {
    const { game } = this;
    const known = await once(`/api/games/${game.name}/players`);
    const players = known.players.flatMap((player) => [{ name: player.name, words: player.name },
      ...player.spellings.map((name, place) => ({ name, words: name + eloWords(player.elo[place]) }))]);
    const rows = game.seats.map((name, seat) => {
      const select = h("select", { "data-seat": seat }, h("option", { value: "me" }, "Me, here"), h("option", { value: "open" }, "Somebody with a link"),
        h("optgroup", { label: "Players" }, players.map(({ name, words }) => h("option", { value: `player ${name}` }, words))));
      select.value = seat === this.seat ? "me" : `player ${this.opponent()}`;
      return h("label", { class: "field row" }, h("span", {}, h("i", { class: `dot of-${name.toLowerCase()} ${game.kind}` }), name), select);
    });
    const clock = h("select", {}, CLOCKS.map(([value, words]) => h("option", { value }, words)));
    const formats = { chess: "a FEN or a PGN", go: "an SGF", duchess: "a position or a game" }[game.kind];
    const text = h("textarea", { rows: 3, placeholder: `Paste ${formats} to start from there`, "aria-label": `Start from ${formats}` });
    const start = async () => {
      const seats = [...rows].map((row) => {
        const [who, player] = row.querySelector("select").value.split(" ");
        return player ? { who, player } : { who };
      });
      const [minutes, increment] = clock.value.split("+").map(Number);
      try {
        const from = text.value.trim() ? await post("/api/import", { game: game.name, text: text.value }) : { start: null, moves: [] };
        await this.create({ game: from.game ?? game.name, seats, clock: clock.value ? { minutes, increment } : null, start: from.start, moves: from.moves });
      } catch (error) { toast(error.message, "bad"); }
    };
    return h("div", { class: "stack" }, rows, h("label", { class: "field row" }, h("span", {}, "Clock"), clock), text,
      h("p", { class: "quiet" }, h("a", { href: `#/analyse/edit/${game.name}` }, "Set up a position on the board")),
      button("Start this game", start, { class: "primary", id: "start-this" }));
  }

  async begin(moves) {
    const seats = this.game.seats.map((_, seat) => seat === this.seat ? { who: "me" } : { who: "player", player: this.opponent() });
    try {
      await this.create({ game: this.game.name, seats, moves });
    } catch (error) {
      toast(error.message, "bad");
      this.showBoard();
    }
  }

  async create(wish) {
    const made = await post("/api/tables", wish);
    hold(made.id, made);
    location.hash = `#/table/${made.id}`;
  }

  recent(list) {
    if (!list.length) return "";
    return h("section", { class: "recent" }, h("h2", {}, "Games so far"), h("ul", { class: "cards" }, list.slice(0, 12).map((one) => {
      const others = one.players.filter(Boolean).map(friendly);
      const against = others.length ? `with ${[...new Set(others)].join(", ")}` : "among people";
      return h("li", {}, h("a", { class: "card", href: `#/table/${one.id}` }, h("strong", {}, one.title), h("span", {}, against),
        h("small", {}, `${one.outcome ? one.outcome.words : one.moves === null ? "under way" : progress(one.moves)} · ${ago(one.touched)}`)));
    })));
  }
}

const progress = (moves) => moves === 0 ? "not begun" : moves === 1 ? "1 move so far" : `${moves} moves so far`;

/** With whom one plays, and against whom, where it is not plain. */
function team(game, seat) {
  if (game.seats.length === 2) return "";
  const names = (mine) => game.seats.filter((_, other) => other !== seat && (game.sides[other] === game.sides[seat]) === mine).join(" and ");
  return h("p", { class: "team-words" }, `You are ${game.seats[seat]}. ${names(true)} ${game.seats.length === 4 ? "is your partner" : "are your partners"}; ${names(false)} play against you.`);
}
