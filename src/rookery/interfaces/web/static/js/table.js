// A game: the board, whoever sits at it, and all that can be done there.

import { enter, guest, open as askForToken, shareable } from "./access.js";
import { Board } from "./board.js";
import { announce, button, h, memory, refill, toast } from "./dom.js";
import { MoveList, stood } from "./moves.js";
import { picture } from "./pieces.js";
import { held, hold, nameField } from "./seats.js";
import { pieceWords, rulesButton } from "./rules.js";
import { Line, board, get, post } from "./server.js";
import { play as sound } from "./sound.js";
import { countMarks, mayMark, renderCount } from "./scoring.js";
import { refereeLog, refusedNow, showTruth } from "./referee.js";

export async function open(root, [id, action, ticket]) {
  if (action === "join") {
    const claimed = await post(`/api/tables/${id}/claim`, { invitation: ticket }).catch((error) => {
      toast(error.message, "bad");
    });
    if (claimed) hold(id, { secrets: { [claimed.seat]: claimed.secret } });
  }
  if (guest() && !(await enter(id, action === "watch" ? ticket : null))) return askForToken(root);
  if (action) history.replaceState(null, "", `#/table/${id}`);
  const table = new Table(root, id);
  return () => table.close();
}

class Table {
  constructor(root, id) {
    this.root = root;
    this.id = id;
    this.shown = null;
    this.looking = null;
    this.answered = () => {};
    this.board = new Board({
      title: "The board. Arrow keys move, Enter selects and plays.",
      move: (step) => this.move(step.text),
      illegal: (words) => this.complain(this.check() ? `${words}: ${this.check().reason}` : words),
    });
    this.plates = [h("div", { class: "plate" }), h("div", { class: "plate" })];
    this.status = h("p", { class: "status", id: "status" });
    this.complaint = h("p", { class: "complaint", id: "complaint", hidden: true });
    this.notes = h("ul", { class: "notes" });
    this.offer = h("div", { class: "offer", hidden: true });
    this.count = h("div", { class: "count", hidden: true });
    this.list = new MoveList((number) => this.look(number));
    this.steps = h(
      "div",
      { class: "steps", role: "group", "aria-label": "Look back" },
      [
        ["«", "First position", () => 0],
        ["‹", "Back", (at) => at - 1],
        ["›", "Forward", (at) => at + 1],
        ["»", "Back to the game", () => Infinity],
      ].map(([sign, words, to]) =>
        button(sign, () => this.look(to(this.looking ?? this.shown.moves.length)), {
          "aria-label": words,
          title: words,
        }),
      ),
    );
    this.referee = h("ol", { class: "referee", "aria-label": "What the referee said" });
    this.controls = h("div", { class: "controls" });
    this.crew = h("ul", { class: "crew" });
    this.extra = h("div", { class: "extra" });
    this.typed = h("input", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: "Type a move",
      "aria-label": "Type a move",
      maxlength: "20",
    });
    this.naming = nameField((name) => {
      this.introduced = name;
      this.line.send({ do: "call", name });
    });
    const form = h(
      "form",
      {
        class: "typed",
        onsubmit: (event) => {
          event.preventDefault();
          if (this.typed.value.trim()) this.move(this.typed.value.trim());
          this.typed.value = "";
        },
      },
      this.typed,
    );
    root.append(
      h("h1", { class: "vh" }, "Game"),
      h(
        "section",
        { class: "table" },
        h("div", { class: "stage" }, this.plates[0], this.board.element, this.plates[1]),
        h(
          "aside",
          { class: "side" },
          this.status,
          this.complaint,
          this.notes,
          this.count,
          this.offer,
          this.crew,
          this.list.element,
          this.steps,
          this.referee,
          form,
          this.controls,
          this.naming,
          this.extra,
        ),
      ),
    );
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.ticking = setInterval(() => this.tick(), 200);
    this.line = new Line(`/api/tables/${id}/play`, {
      open: () => this.sit(),
      message: (message) => this.hear(message),
      lost: () => {
        this.status.textContent = "Connection lost. Trying again…";
        this.answered();
      },
    });
    this.line.pings = true;
  }

  close() {
    this.line.close();
    clearInterval(this.ticking);
    document.removeEventListener("keydown", this.keys);
  }

  sit() {
    const { secrets } = held(this.id);
    let mine = Object.entries(secrets);
    // In a game that hides something a browser sits in one chair at a time.
    if (this.chair !== undefined) mine = mine.filter(([seat]) => Number(seat) === this.chair);
    this.line.send({ do: "sit", secrets: [...new Set(mine.map(([, secret]) => secret))].slice(0, 6) });
  }

  /** Say something to the table; done when it answers. */
  tell(message) {
    if (!this.line.send(message)) {
      toast("Not connected; trying again…", "bad");
      return null;
    }
    return new Promise((done) => {
      this.answered = done;
    });
  }

  hear(message) {
    if (message.type !== "pong") this.answered();
    if (message.type === "error") {
      if (this.shown) {
        this.render();
        this.complain(message.text);
      } else
        this.root.replaceChildren(
          h(
            "div",
            { class: "plain" },
            h("h1", {}, "No such game"),
            h("p", {}, "There is no game at this address. Perhaps a part of the address is missing."),
            h("p", {}, h("a", { href: "#/" }, "Back to the start")),
          ),
        );
    } else if (message.type === "table") this.take(message);
  }

  /** Say what cannot be done, beside the board; nothing: no more of it. */
  complain(words) {
    this.complaint.textContent = words ?? "";
    this.complaint.hidden = !words;
    if (words) announce(words);
  }

  move(text) {
    return this.tell({ do: "move", text });
  }

  async take(shown) {
    const before = this.shown;
    this.shown = shown;
    this.complain(null);
    this.introduce();
    this.received = performance.now();
    if (!before)
      pieceWords(shown.game).then(
        (words) => this.board.explain(words),
        () => {},
      );
    if (this.facing === undefined) this.facing = shown.seats.findIndex((seat) => seat.yours);
    if (this.facing < 0) this.facing = 0;
    if (shown.hidden && shown.seat !== null) this.facing = shown.seat;
    if (this.looking !== null && before && shown.moves.length !== before.moves.length) this.looking = null;
    await this.render();
    if (shown === this.shown) this.say(before, shown);
  }

  /** Let the others know one's name, if one has given it. */
  introduce() {
    const name = memory.get("name", "");
    if (this.introduced === name || !this.shown.seats.some((seat) => seat.yours)) return;
    this.introduced = name;
    if (this.shown.seats.some((seat) => seat.yours && seat.title !== name)) this.line.send({ do: "call", name });
  }

  say(before, shown) {
    if (!before) {
      announce(this.status.textContent);
      return;
    }
    if (shown.declined && shown.declined !== before.declined) announce(shown.declined);
    if (shown.outcome && !before.outcome) {
      sound("end");
      announce(shown.outcome.words);
      return;
    }
    if (shown.scoring && shown.scoring.number !== before.scoring?.number) {
      announce(`${this.status.textContent} ${shown.scoring.words}`);
      return;
    }
    if (shown.heard.length > before.heard.length) {
      const heard = shown.heard.slice(before.heard.length);
      announce(heard.map((one) => one.words).join(" "));
      sound(heard.some((one) => one.refused) ? "refused" : heard.some((one) => one.square) ? "take" : "move");
    } else if (shown.moves.length > before.moves.length) {
      const last = shown.moves.at(-1);
      announce(`${shown.seats[last.seat].name}: ${last.label}. ${this.status.textContent}`);
      sound(
        this.face.look.stones
          ? "stone"
          : shown.alarms.length
            ? "alarm"
            : shown.men.length < before.men.length
              ? "take"
              : "move",
      );
    }
  }

  // --- drawing -----------------------------------------------------------------------------------------

  async render() {
    const { shown } = this;
    this.board.options.hidden = shown.hidden;
    const geometry = await board(shown.game, this.facing, shown.seats.length);
    if (shown !== this.shown) return;
    this.face = geometry.face;
    this.board.lay(
      geometry,
      shown.seats.map((seat) => seat.name),
    );
    this.renderPlates();
    this.renderSide();
    if (this.looking === null) this.renderNow();
    else await this.renderThen();
  }

  renderNow(more = {}) {
    const { shown } = this;
    this.board.options.tap = mayMark(shown) ? (cell) => this.tell({ do: "mark", cell }) : undefined;
    const last = stood(shown).at(-1) ?? ownLast(shown);
    this.board.arrows([]);
    this.board.show({
      men: shown.men,
      picture: shown.picture,
      legal: shown.legal,
      alarms: shown.alarms,
      last: last?.to ? last : null,
      trail: since(shown),
      refused: refusedNow(shown),
      turn: shown.outcome ? null : shown.turn,
      ...countMarks(shown.scoring),
      ...more,
    });
  }

  async renderThen() {
    const { looking, shown } = this;
    this.board.options.tap = undefined;
    if (this.past?.shown !== shown) this.past = { shown, replay: get(`/api/tables/${this.id}/replay`) };
    const frame = (await this.past.replay).frames[looking];
    if (frame && looking === this.looking)
      this.board.show({
        men: frame.men,
        picture: frame.picture,
        alarms: frame.alarms,
        last: frame.move?.to && !frame.refused ? frame.move : null,
        refused: frame.refused ? [frame.move] : [],
        turn: frame.turn,
      });
  }

  renderPlates() {
    const { shown } = this;
    const two = shown.seats.length === 2;
    this.plates[0].hidden = this.plates[1].hidden = !two;
    if (!two) return;
    this.plates[1].replaceChildren(...this.plate(this.facing));
    this.plates[0].replaceChildren(...this.plate(1 - this.facing));
  }

  plate(seat) {
    const { shown } = this;
    const one = shown.seats[seat];
    const turn = !shown.outcome && shown.turn === seat;
    const alone = !shown.seats.some((other) => !other.player && !other.yours);
    const who = one.yours
      ? alone || !one.title
        ? "You"
        : `${one.title} (you)`
      : one.title || (one.vacant ? "Open seat" : held(this.id).secrets[seat] ? "Other player" : "Anonymous");
    const away = one.away && !shown.outcome && !held(this.id).secrets[seat];
    // One line, on a phone too: what is longer, or says the title again, is told where the pointer rests.
    const brief = shown.seats.length === 2 && one.strength.length <= 25 && !one.strength.startsWith("not measured");
    const strength = brief ? one.strength : "";
    return [
      h("i", { class: `dot of-${one.colour} ${this.face.look.style}${turn ? " turn" : ""}` }),
      h(
        "span",
        { class: "who" },
        h("strong", {}, who),
        h(
          "small",
          { title: [one.about, one.strength].filter(Boolean).join(" ") },
          ` ${[one.name, strength].filter(Boolean).join(" · ")}`,
        ),
      ),
      ...this.material(seat),
      away && h("span", { class: "away" }, "away"),
      turn && shown.thinking && h("span", { class: "dots", "aria-label": "thinking" }, h("i"), h("i"), h("i")),
      one.vacant && this.invitation(seat),
      one.clock !== null &&
        h("span", { class: `clock${turn ? " running" : ""}`, "data-clock": seat }, clockText(one.clock)),
    ].filter(Boolean);
  }

  /** Where pieces have points, what a side has more of than the other, and by how much it leads. */
  material(seat) {
    const { shown } = this;
    if (shown.hidden && !shown.outcome) return [];
    const lead = ({ letter }) =>
      shown.men.reduce((sum, man) => sum + (man.kind === letter ? (man.seat === seat ? 1 : -1) : 0), 0);
    const counted = this.face.pieces.filter((piece) => piece.points !== null);
    const more = counted.filter((piece) => lead(piece) > 0);
    const points = counted.reduce((sum, piece) => sum + piece.points * lead(piece), 0);
    if (!more.length && points <= 0) return [];
    const words = more.map((piece) => `${lead(piece)} ${piece.name}${lead(piece) > 1 ? "s" : ""}`).join(", ");
    return [
      h(
        "span",
        { class: "material", role: "img", "aria-label": `ahead by ${words}`, title: `Ahead by ${words}` },
        more.flatMap((piece) => Array.from({ length: lead(piece) }, () => picture(this.face, piece.letter, 1 - seat))),
        points > 0 && h("b", {}, `+${points}`),
      ),
    ];
  }

  invitation(seat) {
    const ticket = held(this.id).invitations[seat];
    if (!ticket) return null;
    const hash = `#/table/${this.id}/join/${ticket}`;
    return button("Copy invitation", () => share(hash), {
      class: "small",
      "data-link": shareable(hash) ?? `${location.origin}/${hash}`,
    });
  }

  renderSide() {
    const { shown } = this;
    this.status.textContent = this.statusWords();
    this.status.classList.toggle("over", Boolean(shown.outcome));
    const others = shown.outcome ? [] : since(shown);
    const notes = [
      ...(others.length
        ? [
            `Since your turn: ${others.map((move) => `${shown.seats[move.seat].name} ${move.passes ? "skipped" : move.label}`).join(", ")}`,
          ]
        : []),
      ...shown.notes,
    ];
    this.notes.replaceChildren(...notes.map((note) => h("li", {}, note)));
    this.notes.hidden = !notes.length;
    this.crew.hidden = shown.seats.length === 2;
    if (!this.crew.hidden) {
      const mine = shown.seats[this.facing].side;
      const teams = [mine, 1 - mine].map((side) =>
        shown.seats.map((one, seat) => ({ ...one, seat })).filter((one) => one.side === side),
      );
      const yours = shown.seats.some((one) => one.yours);
      // A column for each team: its name, and whoever belongs to it.
      this.crew.style.setProperty("--rows", String(1 + Math.max(...teams.map((team) => team.length))));
      this.crew.replaceChildren(
        ...teams.flatMap((team, index) => [
          h(
            "li",
            { class: "team", style: { gridColumn: String(index + 1) } },
            index === 0 && yours
              ? "Your team"
              : index === 1 && yours
                ? "The others"
                : team.map((one) => one.name).join(" and "),
          ),
          ...team.map(({ seat }) =>
            h(
              "li",
              {
                class: !shown.outcome && shown.turn === seat ? "turn" : "",
                style: { gridColumn: String(index + 1) },
              },
              ...this.plate(seat),
            ),
          ),
        ]),
      );
    }
    const blind = shown.hidden && !shown.outcome;
    this.list.element.hidden = blind;
    this.steps.hidden = blind || !shown.moves.length;
    if (!blind) this.list.show(shown, this.looking, this.face.look);
    this.referee.hidden = !shown.hidden || (Boolean(shown.outcome) && !shown.heard.length);
    refereeLog(this.referee, shown, this.knowledge?.seat === shown.seat ? this.knowledge.follows() : []);
    this.typed.parentElement.hidden = !shown.legal.length;
    renderCount(this.count, this);
    this.renderOffer();
    this.renderControls();
    this.renderName();
    showTruth(this.extra, this);
  }

  /** What is said where whoever is to move is threatened; null: nothing. */
  check() {
    return this.shown.alarms.length ? this.face.look.check : null;
  }

  statusWords() {
    const { shown } = this;
    if (this.looking !== null)
      return `Viewing move ${Math.ceil(this.looking / shown.seats.length)} of ${Math.ceil(shown.moves.length / shown.seats.length)} – press End to go back to the game`;
    if (shown.failure) return shown.failure;
    if (shown.outcome) return ending(shown);
    if (shown.scoring) return "Both passed. Which stones are dead?";
    if (shown.thinking && shown.moves.at(-1)?.passes && shown.moves.at(-2)?.passes) return "Counting…";
    if (shown.seats.some((seat) => seat.vacant)) return "Waiting for your friend to join.";
    const one = shown.seats[shown.turn];
    const check = this.check() ? `${this.check().call} ` : "";
    const refused = refusedNow(shown)[0];
    if (one.yours && refused) return `${refused.label} was refused. Try another move.`;
    if (!one.yours && this.vacated() && held(this.id).secrets[shown.turn])
      return `${one.name} to move: press Switch player`;
    if (one.yours)
      return shown.seats.filter((seat) => seat.yours).length > 1 ? `${check}${one.name} to move` : `${check}Your move`;
    return one.player ? `${one.name} is thinking…` : `${one.name} to move`;
  }

  renderOffer() {
    const { offer, seats } = this.shown;
    this.offer.hidden = !offer && !this.shown.declined;
    if (!offer) {
      this.offer.replaceChildren(this.shown.declined ?? "");
      return;
    }
    const what = offer.kind === "draw" ? "a draw" : "to take back a move";
    this.offer.replaceChildren(
      ...(offer.mine
        ? [`You offered ${what}.`]
        : [
            `${seats[offer.by].name} offers ${what}. `,
            button("Agree", () => this.tell({ do: "answer", yes: true }), { class: "primary" }),
            button("Decline", () => this.tell({ do: "answer", yes: false })),
          ]),
    );
  }

  renderControls() {
    const { shown } = this;
    const playing = shown.seats.some((seat) => seat.yours) && !shown.outcome;
    const pass = shown.legal.find((step) => step.passes);
    const mine = shown.seats.some((seat) => seat.yours);
    refill(this.controls, [
      shown.outcome &&
        mine &&
        !guest() &&
        !shown.rematch &&
        button("Rematch", () => this.rematch(), { class: "primary" }),
      shown.rematch && h("a", { class: "button primary", href: `#/table/${shown.rematch}` }, "Join the rematch"),
      shown.outcome && !guest() && h("a", { class: "button", href: "#/" }, "New game"),
      pass && button("Pass", () => this.move(pass.text)),
      shown.failure && button("Try again", () => this.tell({ do: "retry" }), { class: "primary" }),
      shown.can_undo &&
        button(/ resigned$/.test(shown.outcome?.reason) ? "Take back resignation" : "Undo", () =>
          this.tell({ do: "undo" }),
        ),
      playing &&
        !guest() &&
        shown.legal.length > 0 &&
        button("Hint", () => this.hint(), { title: "What the usual player would do" }),
      playing &&
        !guest() &&
        this.face.look.stones &&
        !shown.scoring &&
        button("Estimate score", () => this.estimate(), { title: "Who leads, by random games" }),
      playing && !shown.scoring && button("Offer draw", () => this.tell({ do: "draw" })),
      playing && button(this.sure ? "Really resign?" : "Resign", () => this.resign(), { "data-resign": "" }),
      !shown.hidden &&
        button(
          "Flip",
          () => {
            this.facing = (this.facing + 1) % shown.seats.length;
            this.render();
          },
          { title: "Turn the board" },
        ),
      this.vacated() &&
        button("Switch player", () => this.changeChairs(), {
          class: shown.turn === shown.seat ? "" : "primary",
          title: "Hand the screen to the other side",
        }),
      !guest() &&
        (!shown.hidden || shown.outcome) &&
        h("a", { class: "button", href: `#/analyse/table/${this.id}` }, "Analyse"),
      (!shown.hidden || shown.outcome) &&
        h("a", { class: "button", href: `/api/tables/${this.id}/export`, download: "" }, "Save"),
      rulesButton(() => shown.game),
      button("Coordinates", () => {
        document.documentElement.dataset.coordinates =
          document.documentElement.dataset.coordinates === "no" ? "yes" : "no";
        memory.set("coordinates", document.documentElement.dataset.coordinates);
      }),
      button(
        "Copy link",
        async () => {
          const { watch } = await get(`/api/tables/${this.id}/link`);
          await share(`#/table/${this.id}/watch/${watch}`);
        },
        { title: "For others to watch", id: "copy-link" },
      ),
    ]);
  }

  /** Where people play each other, one may say what one is called. */
  renderName() {
    const { seats } = this.shown;
    this.naming.hidden = !seats.some((one) => one.yours) || seats.every((one) => one.player || one.yours);
  }

  async hint() {
    const { shown } = this;
    try {
      const told = await post(`/api/tables/${this.id}/hint`, { secret: held(this.id).secrets[shown.turn] });
      if (shown !== this.shown) return;
      if (told.to) this.board.arrows([{ start: told.start, to: told.to, weight: 1, rank: 1 }]);
      this.status.textContent = `Hint: ${told.label}`;
      announce(this.status.textContent);
    } catch (error) {
      this.complain(error.message);
    }
  }

  async estimate() {
    const { shown } = this;
    try {
      const told = await post(`/api/tables/${this.id}/estimate`, { secret: Object.values(held(this.id).secrets)[0] });
      if (shown !== this.shown || this.looking !== null) return;
      this.renderNow({ land: [told.black, told.white] });
      this.status.textContent = told.words;
      announce(told.words);
    } catch (error) {
      this.complain(error.message);
    }
  }

  /** The same players once more, with the other colours where there are two. */
  async rematch() {
    const { shown } = this;
    const two = shown.seats.length === 2,
      invited = {};
    const other = (seat) => (two ? 1 - seat : seat);
    const seats = shown.seats.map((_, seat) => {
      const one = shown.seats[other(seat)];
      return one.player
        ? { who: "player", player: one.player }
        : { who: one.yours || held(this.id).secrets[other(seat)] ? "me" : "open" };
    });
    try {
      const { start } = await get(`/api/tables/${this.id}/replay`);
      const clock = shown.time && { minutes: shown.time[0] / 60, increment: shown.time[1] };
      const made = await post("/api/tables", { game: shown.game, seats, start, clock });
      hold(made.id, made);
      for (const [seat, ticket] of Object.entries(made.invitations)) invited[other(Number(seat))] = ticket;
      if (Object.keys(invited).length) await this.tell({ do: "rematch", table: made.id, invitations: invited });
      location.hash = `#/table/${made.id}`;
    } catch (error) {
      this.complain(error.message);
    }
  }

  /** Asked twice, for it cannot be meant lightly; whatever else happens meanwhile, the question stands. */
  resign() {
    if (this.sure) {
      this.sure = false;
      return this.tell({ do: "resign" });
    }
    const ask = (sure) => {
      this.sure = sure;
      const focused = document.activeElement?.dataset.resign !== undefined;
      this.renderControls();
      if (focused) this.controls.querySelector("[data-resign]")?.focus();
    };
    ask(true);
    setTimeout(() => {
      if (this.sure) ask(false);
    }, 3000);
    return null;
  }

  /** Whether this browser holds another seat of a game that hides something. */
  vacated() {
    return this.shown.hidden && !this.shown.outcome && Object.keys(held(this.id).secrets).length > 1;
  }

  changeChairs() {
    const mine = Object.keys(held(this.id).secrets).map(Number);
    this.chair = mine.find((seat) => seat !== this.shown.seat);
    const name = this.shown.seats[this.chair].name;
    const curtain = h(
      "div",
      { class: "curtain", role: "dialog", "aria-label": "Hand over" },
      h("p", {}, `Hand the screen to ${name}.`),
      button(
        `I'm ${name} – show my board`,
        () => {
          curtain.remove();
          this.sit();
        },
        { class: "primary big" },
      ),
    );
    document.body.append(curtain);
    curtain.querySelector("button").focus();
  }

  look(number) {
    const { shown } = this;
    if (shown.hidden && !shown.outcome) return;
    this.looking = number >= shown.moves.length ? null : Math.max(0, number);
    this.render();
  }

  key(event) {
    if (!this.shown || event.target.closest("input, textarea, select, svg.board, [role=dialog]")) return;
    const at = this.looking ?? this.shown.moves.length;
    if (event.key === "Home") {
      this.look(0);
      event.preventDefault();
    } else if (event.key === "End") {
      this.look(Infinity);
      event.preventDefault();
    } else if (event.key === "ArrowLeft") this.look(at - 1);
    else if (event.key === "ArrowRight") this.look(at + 1);
    else if (event.key === "f" && !this.shown.hidden) {
      this.facing = (this.facing + 1) % this.shown.seats.length;
      this.render();
    }
  }

  tick() {
    const { shown } = this;
    if (!shown?.running || shown.outcome) return;
    const one = shown.seats[shown.turn];
    const left = Math.max(0, one.clock - (performance.now() - this.received) / 1000);
    for (const face of this.root.querySelectorAll(`[data-clock="${shown.turn}"]`)) {
      face.textContent = clockText(left);
      face.classList.toggle("short", left < 20);
    }
  }
}

/** What the others have moved since my last turn, where there are several of them. */
function since(shown) {
  if (shown.seats.length === 2 || !shown.seats.some((seat) => seat.yours)) return [];
  const moves = [];
  for (let at = shown.moves.length - 1; at >= 0 && !shown.seats[shown.moves[at].seat].yours; at -= 1)
    moves.unshift(shown.moves[at]);
  return moves;
}

/** In a game that hides moves: my own last one. */
function ownLast(shown) {
  return shown.heard.findLast((one) => one.mine);
}

function ending(shown) {
  const mine = shown.seats.filter((seat) => seat.yours);
  const value = mine.length ? shown.outcome.values[mine[0].side] : 0;
  const one = new Set(mine.map((seat) => seat.side)).size === 1;
  return `${shown.outcome.words}${one && value > 0 ? " You win!" : one && value < 0 ? " You lose." : ""}`;
}

function clockText(seconds) {
  const whole = Math.floor(seconds);
  const tail = seconds < 10 ? `.${Math.floor(10 * (seconds - whole))}` : "";
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}${tail}`;
}

/** Copy a link that works where it will be opened, or say that there is none. */
async function share(hash) {
  const link = shareable(hash);
  if (link) return copy(link);
  await copy(`${location.origin}/${hash}`);
  return toast("Copied, but only this computer can open it. For others, start the studio with --host 0.0.0.0.", "bad");
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied");
  } catch {
    prompt("Copy this:", text);
  }
}
