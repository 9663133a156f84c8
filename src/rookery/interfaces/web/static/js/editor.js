// Setting up a position by hand.

import { Board } from "./board.js";
import { button, h, toast } from "./dom.js";
import { levelChoice, offerLevels, playOn } from "./onward.js";
import { picture } from "./pieces.js";
import { board as boardOf, get, post } from "./server.js";

export async function openEditor(root, game) {
  const [geometry, start] = await Promise.all([boardOf(game.name, 0), get(`/api/games/${game.name}/start`)]);
  const men = new Map(start.frames[0].men.map((man) => [man.cell, man]));
  let brush = null;
  let turn = 0;
  const board = new Board({
    title: "Set up the position: choose a piece, then squares.",
    tap: (cell) => {
      if (brush) men.set(cell, { cell, ...brush });
      else men.delete(cell);
      draw();
    },
  });
  const draw = () => {
    text.value = "";
    board.show({ men: [...men.values()] });
  };
  const tools = [];
  const tool = (label, content, next) => {
    const one = button(
      content,
      () => {
        brush = next;
        for (const other of tools) other.setAttribute("aria-pressed", String(other === one));
      },
      { "aria-label": label, "aria-pressed": "false", title: label },
    );
    tools.push(one);
    return one;
  };
  const palettes = game.seats.map((name, seat) =>
    h(
      "div",
      { class: "palette", role: "group", "aria-label": name },
      geometry.face.pieces.map((piece) =>
        tool(`${name} ${piece.name}`, picture(geometry.face, piece.letter, seat), { kind: piece.letter, seat }),
      ),
    ),
  );
  const eraser = tool("Eraser", "Eraser", null);
  eraser.setAttribute("aria-pressed", "true");
  const level = levelChoice();
  offerLevels(level, game);
  // What is typed or pasted appears on the board, and what is put down by hand takes its place again.
  const show = async () => {
    if (!text.value.trim()) return;
    try {
      const { start: at } = await post("/api/import", { game: game.name, text: text.value.trim() });
      const { frame } = await post("/api/position", { game: game.name, start: at });
      men.clear();
      for (const man of frame.men) men.set(man.cell, man);
      mover.value = String((turn = frame.turn));
      board.show({ men: [...men.values()] });
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  const text = h("input", {
    type: "text",
    "aria-label": "Position as text",
    placeholder: `Or paste ${game.formats}`,
    onchange: show,
    onpaste: () => setTimeout(show),
  });
  const mover = h(
    "select",
    {
      onchange: (event) => {
        turn = Number(event.target.value);
        text.value = "";
      },
    },
    game.seats.map((name, seat) => h("option", { value: String(seat) }, name)),
  );
  const position = async () =>
    text.value.trim()
      ? (await post("/api/import", { game: game.name, text: text.value.trim() })).start
      : (await post("/api/setup", { game: game.name, men: [...men.values()], turn })).position;
  const then = (act) => async () => {
    try {
      await act(await position());
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  root.append(
    h("h1", {}, `Board editor: ${game.title}`),
    h(
      "section",
      { class: "table" },
      h("div", { class: "stage" }, board.element),
      h(
        "aside",
        { class: "side" },
        palettes,
        h(
          "div",
          { class: "field" },
          h(
            "div",
            { class: "controls" },
            eraser,
            button("Empty board", () => {
              men.clear();
              draw();
            }),
            button("Starting position", () => {
              men.clear();
              for (const man of start.frames[0].men) men.set(man.cell, man);
              draw();
            }),
          ),
        ),
        h("label", { class: "field row" }, h("span", {}, "To move"), mover),
        h("div", { class: "field" }, text),
        h(
          "div",
          { class: "controls" },
          button(
            "Analyse",
            then((at) => {
              location.hash = `#/analyse/position/${game.name}/${encodeURIComponent(at)}`;
            }),
            { class: "primary", disabled: game.hidden },
          ),
          button(
            "Play from here",
            then((at) => playOn(game, turn, level.value, { start: at })),
          ),
          level,
        ),
      ),
    ),
  );
  board.lay(geometry, game.seats);
  draw();
}
