// The first page: a board that is ready. Move, and the game has begun.

import { Board } from "./board.js";
import { playerMenu } from "./chooser.js";
import { button, h, memory, toast } from "./dom.js";
import { gameCard } from "./library.js";
import { chosenStrength, held, hold, keepStrength, nameField, strengths } from "./seats.js";
import { pieceWords, rulesButton } from "./rules.js";
import { chosen, families } from "./games.js";
import { choices, optionFields } from "./options.js";
import { board, get, once, post } from "./server.js";

const CLOCKS = [
  ["", "No clock"],
  ["3+2", "3 min + 2 s"],
  ["5+0", "5 min"],
  ["10+5", "10 min + 5 s"],
  ["30+0", "30 min"],
];

export async function open(root) {
  const [all, recent] = await Promise.all([once("/api/games"), get("/api/tables")]);
  const home = new Home(root, all, recent);
  await home.choose(chosen(all));
  // The first move leads there, and shall not wait for it.
  import("./table.js").catch(() => {});
}

class Home {
  constructor(root, all, recent) {
    this.families = families(all);
    this.seat = 0;
    this.chance = false; // whether the seat is drawn
    this.plan = null;
    this.board = new Board({
      title: "Board, ready to play. Arrow keys and Enter move.",
      move: (step) => this.begin([step.text]),
    });
    this.tabs = h(
      "div",
      { class: "families", role: "group", "aria-label": "Game" },
      this.families.map((family) =>
        button(
          [h("strong", {}, family.title), h("small", {}, family.words)],
          () => this.choose(chosen(family.games, family.game)),
          { "data-family": family.name },
        ),
      ),
    );
    this.panel = h("div", { class: "start-panel" });
    root.append(
      h("h1", { class: "vh" }, "Play"),
      this.tabs,
      h(
        "section",
        { class: "table" },
        h("div", { class: "stage" }, this.board.element),
        h("aside", { class: "side" }, this.panel),
      ),
      this.recent(recent),
    );
  }

  async choose(game) {
    this.game = game;
    this.first = 0; // who moves first, as far as is known yet
    memory.set("game", this.game.name);
    this.seat = Math.min(this.seat, this.game.seats.length - 1);
    this.chance = this.chance && this.game.seats.length === 2;
    this.plan = null;
    for (const tab of this.tabs.children)
      tab.setAttribute("aria-pressed", String(tab.dataset.family === game.look.family.name));
    this.renderPanel();
    await this.showBoard();
  }

  async showBoard() {
    const { game, seat } = this;
    const asked = (this.asked = {}); // two choices in a row may be answered the other way round: the last one counts
    const [geometry, start] = await Promise.all([
      board(game.name, seat, game.seats.length),
      choices(game).then((wish) => once(`/api/games/${game.name}/start?${new URLSearchParams(wish)}`)),
    ]);
    if (asked !== this.asked || game !== this.game || seat !== this.seat) return;
    const [frame] = start.frames;
    this.first = frame.turn;
    this.panel.querySelector(".lead").textContent = this.lead();
    const mine = !this.chance && frame.turn === this.seat;
    this.board.options.hidden = this.game.hidden;
    this.board.lay(geometry, this.game.seats);
    const { men, picture } = this.game.hidden ? frame.views[this.seat] : frame;
    this.board.show({ men, picture, legal: mine ? start.legal : [], turn: frame.turn });
    pieceWords(game.name).then(
      (words) => {
        if (game === this.game) this.board.explain(words);
      },
      () => {},
    );
  }

  named(name) {
    return this.families.flatMap((family) => family.games).find((game) => game.name === name);
  }

  opponent() {
    return strengths(this.game)[chosenStrength(this.game)]?.player ?? this.game.opponent;
  }

  renderPanel() {
    const { game } = this;
    const family = this.families.find((each) => each.games.includes(game));
    const all = strengths(game);
    const sizes =
      family.games.length > 1 &&
      h(
        "label",
        { class: "field" },
        h("span", {}, family.choice),
        h(
          "select",
          { onchange: (event) => this.choose(chosen(family.games, event.target.value)) },
          family.games.map((each) => h("option", { value: each.name, selected: each === game }, each.look.variant)),
        ),
      );
    const level = h("output", { class: "level-words" });
    const slider = h("input", {
      type: "range",
      min: "1",
      max: String(all.length || 1),
      value: String(chosenStrength(game) + 1),
      "aria-label": game.ratings ? "Rating of your opponent" : "Level of your opponent",
      oninput: (event) => {
        keepStrength(game, Number(event.target.value) - 1);
        say();
      },
    });
    const say = () => {
      level.textContent = all[chosenStrength(game)]?.words ?? "";
      slider.setAttribute("aria-valuetext", level.textContent);
    };
    say();
    const seats = h(
      "div",
      { class: "seat-choice", role: "group", "aria-label": "Your seat" },
      game.seats.map((name, seat) =>
        button(
          [h("i", { class: `dot of-${game.colours[seat]} ${game.look.style}` }), name],
          () => {
            this.seat = seat;
            this.chance = false;
            this.renderPanel();
            this.showBoard();
          },
          { "aria-pressed": String(!this.chance && seat === this.seat) },
        ),
      ),
      game.seats.length === 2 &&
        button(
          "Random",
          () => {
            this.chance = true;
            this.renderPanel();
            this.showBoard();
          },
          { "aria-pressed": String(this.chance) },
        ),
    );
    this.panel.replaceChildren(
      h(
        "div",
        { class: "heading" },
        h("h2", {}, family.title),
        rulesButton(() => game.name, { class: "small" }),
      ),
      h("p", { class: "quiet words" }, family.words),
      h("p", { class: "lead" }, this.lead()),
      team(game, this.seat),
      sizes || "",
      all.length
        ? h(
            "div",
            { class: "field" },
            h("span", {}, game.seats.length > 2 ? "The others" : opponentWords(game)),
            slider,
            level,
          )
        : h("div", { class: "field" }, h("span", {}, "Your opponent"), h("p", { class: "quiet" }, game.opponent_title)),
      h("div", { class: "field" }, h("span", {}, "You are"), seats),
      button("Play", () => this.begin([]), { class: "primary big", id: "play" }),
      this.more(),
    );
  }

  /** How the game begins. */
  lead() {
    const { game, first } = this;
    if (this.chance) return "Press Play, and your colour is drawn.";
    return this.seat === first ? game.look.lead : `${game.seats[first]} moves first.`;
  }

  more() {
    const body = h("div", { class: "more-body" });
    const details = h(
      "details",
      {
        class: "more",
        ontoggle: async () => {
          if (!details.open || body.childElementCount) return;
          body.append(h("p", { class: "quiet" }, "Loading players…"));
          body.replaceChildren(await this.moreBody().catch((error) => h("p", { class: "quiet" }, error.message)));
        },
      },
      h("summary", {}, "More options"),
      body,
    );
    return details;
  }

  async moreBody() {
    const { game } = this;
    const [known, options] = await Promise.all([
      once(`/api/games/${game.name}/players`),
      optionFields(game, () => this.showBoard()),
    ]);
    const sitting = game.seats.map((name, seat) =>
      seatChoice(game, known.players, name, seat, seat === this.seat ? "me" : `player ${this.opponent()}`),
    );
    const clock = h(
      "select",
      {},
      CLOCKS.map(([value, words]) => h("option", { value }, words)),
    );
    const { formats } = game;
    const text = h("textarea", {
      rows: 3,
      placeholder: `Paste ${formats} to start from there`,
      "aria-label": `Start from ${formats}`,
    });
    const start = async () => {
      const seats = sitting.map((choice) => choice.wish());
      const [minutes, increment] = clock.value.split("+").map(Number);
      try {
        const from = text.value.trim()
          ? await post("/api/import", { game: game.name, text: text.value })
          : { start: null, moves: [] };
        await this.create({
          game: from.game ?? game.name,
          seats,
          clock: clock.value ? { minutes, increment } : null,
          start: from.start,
          moves: from.moves,
        });
      } catch (error) {
        toast(error.message, "bad");
      }
    };
    return h(
      "div",
      { class: "stack" },
      sitting.map((choice) => choice.element),
      h("label", { class: "field row" }, h("span", {}, "Clock"), clock),
      options,
      nameField(),
      text,
      game.look.editable &&
        h("p", { class: "quiet" }, h("a", { href: `#/analyse/edit/${game.name}` }, "Set up a position on the board")),
      button("Start this game", start, { class: "primary", id: "start-this" }),
    );
  }

  async begin(moves) {
    if (this.chance) this.seat = Math.floor(2 * Math.random());
    const seats = this.game.seats.map((_, seat) =>
      seat === this.seat ? { who: "me" } : { who: "player", player: this.opponent() },
    );
    try {
      await this.create({ game: this.game.name, seats, moves });
    } catch (error) {
      toast(error.message, "bad");
      this.showBoard();
    }
  }

  async create(wish) {
    const made = await post(
      "/api/tables",
      wish.start ? wish : { ...wish, setup: await choices(this.named(wish.game)) },
    );
    hold(made.id, made);
    location.hash = `#/table/${made.id}`;
  }

  recent(list) {
    // Games that others have not finished are theirs.
    const mine = list.filter((one) => one.outcome || Object.keys(held(one.id).secrets).length);
    if (!list.length) return "";
    return h(
      "section",
      { class: "recent" },
      h("div", { class: "heading" }, h("h2", {}, "Your games"), h("a", { href: "#/library" }, "All games")),
      h(
        "ul",
        { class: "cards" },
        mine.slice(0, 12).map((one) => h("li", {}, gameCard(one))),
      ),
    );
  }
}

/** With whom one plays, and against whom, where it is not plain. */
function team(game, seat) {
  if (game.seats.length === 2) return "";
  const names = (mine) =>
    game.seats.filter((_, other) => other !== seat && (game.sides[other] === game.sides[seat]) === mine).join(" and ");
  return h(
    "p",
    { class: "team-words" },
    `You are ${game.seats[seat]}. ${names(true)} ${game.seats.length === 4 ? "is your partner" : "are your partners"}; ${names(false)} play against you.`,
  );
}

/** Who sits in a seat: `wish()` gives it as the server wants it. */
function seatChoice(game, players, name, seat, wanted) {
  const menu = playerMenu(game, players, `Player for ${name}`, wanted, [
    ["me", "Me (this screen)"],
    ["open", "Friend (invite link)"],
  ]);
  menu.select.dataset.seat = String(seat);
  const element = h(
    "div",
    { class: "seat-row" },
    h(
      "label",
      { class: "field row" },
      h("span", {}, h("i", { class: `dot of-${game.colours[seat]} ${game.look.style}` }), name),
      menu.select,
    ),
    menu.more,
  );
  const wish = () =>
    menu.value().startsWith("player ") ? { who: "player", player: menu.value().slice(7) } : { who: menu.value() };
  return { element, wish };
}

const opponentWords = (game) => (game.ratings ? "Your opponent" : `Your opponent: ${game.opponent_title}`);
