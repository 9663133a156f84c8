// Talking to the server: requests, and sockets that come back by themselves.

export class Refused extends Error {}

async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused("The server does not answer. Is it still running?");
  }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(told.error ?? `The server answered with error ${answer.status}.`);
  return told;
}

export const get = (path) => ask("GET", path);
export const remove = (path) => ask("DELETE", path);
export const post = (path, body) => ask("POST", path, body ?? {});

const kept = new Map();

/** Ask once, and remember the answer. */
export function once(path) {
  if (!kept.has(path)) {
    const answer = get(path);
    answer.catch(() => kept.delete(path));
    kept.set(path, answer);
  }
  return kept.get(path);
}

const boards = new Map();

/** How a game looks, whatever the position. */
export const face = (game) => once(`/games/${game}/face`);

/** A board as one seat sees it: where everything lies, and the face of its game. */
function boardOf(game, seat) {
  const path = `/games/${game}/board/${seat}`;
  if (!boards.has(path)) {
    const both = Promise.all([once(path), face(game)]).then(([geometry, look]) => ({ ...geometry, face: look }));
    both.catch(() => boards.delete(path));
    boards.set(path, both);
  }
  return boards.get(path);
}

/** A board seen from a seat; the other seats' boards come along for when it is turned. */
export function board(game, seat, seats = 1) {
  const found = boardOf(game, seat);
  found.then(
    () => {
      for (let other = 0; other < seats; other += 1) boardOf(game, other).catch(() => {});
    },
    () => {},
  );
  return found;
}

/** A WebSocket that reconnects until it is closed. */
export class Line {
  constructor(path, { open, message, lost }) {
    this.path = path;
    this.handlers = { open, message, lost };
    this.tries = 0;
    this.closed = false;
    this.connect();
    this.heart = setInterval(() => this.socket.readyState === 1 && this.pings && this.send({ do: "ping" }), 25000);
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.socket.onopen = () => {
      this.tries = 0;
      this.handlers.open?.(this);
    };
    this.socket.onmessage = (event) => this.handlers.message(JSON.parse(event.data));
    this.socket.onclose = () => {
      if (this.closed) return;
      this.handlers.lost?.();
      this.tries += 1;
      this.timer = setTimeout(() => this.connect(), Math.min(4000, 250 * 2 ** this.tries));
    };
  }

  send(message) {
    if (this.socket.readyState !== 1) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    clearInterval(this.heart);
    clearTimeout(this.timer);
    this.socket.close();
  }
}
