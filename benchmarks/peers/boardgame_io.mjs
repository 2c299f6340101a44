// boardgame.io: a move through its reducer, state as JSON in and out, and through its server over socket.io.
// It has no games of its own. This one is written as its tutorial writes tic-tac-toe: five in a row on 15 x 15.
import { createRequire } from "node:module";
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { CreateGameReducer, InitializeGame } = require("boardgame.io/internal");
const { INVALID_MOVE } = require("boardgame.io/core");

const SIDE = 15, PLIES = 80, MIDDLE = 32, CONNECTIONS = 32;
const WAYS = [[0, 1], [1, 0], [1, 1], [1, -1]];

// Whether the stone that was placed last is one of five in a row.
function wins({ cells, last }, player) {
  const run = (dr, dc) => {
    let n = 0, r = Math.floor(last / SIDE) + dr, c = (last % SIDE) + dc;
    for (; r >= 0 && r < SIDE && c >= 0 && c < SIDE && cells[r * SIDE + c] === player; r += dr, c += dc) n++;
    return n;
  };
  return last !== null && WAYS.some(([dr, dc]) => run(dr, dc) + 1 + run(-dr, -dc) >= 5);
}

const game = {
  name: "five",
  setup: () => ({ cells: Array(SIDE * SIDE).fill(null), last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID }, id) => {
      if (G.cells[id] !== null) return INVALID_MOVE;
      G.cells[id] = playerID;
      G.last = id;
    },
  },
  endIf: ({ G, ctx }) => (wins(G, ctx.currentPlayer) ? { winner: ctx.currentPlayer } : undefined),
};

// A line of play in which nobody ever wins: stones of a colour lie in twos.
const colour = (id) => ((Math.floor((id % SIDE) / 2) + Math.floor(id / SIDE)) % 2);
const ids = [...Array(SIDE * SIDE).keys()];
const [mine, yours] = [0, 1].map((each) => ids.filter((id) => colour(id) === each));
const LINE = yours.flatMap((id, n) => (n < mine.length ? [mine[n], id] : []));

const move = (id, player) => ({ type: "MAKE_MOVE", payload: { type: "place", args: [id], playerID: player } });
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6; // seconds
};
const mover = (ply) => String(ply % 2);

function reduced(seconds) {
  const reducer = CreateGameReducer({ game });
  let state = InitializeGame({ game, numPlayers: 2 });
  const plies = [];
  for (let n = 0; n < PLIES; n++) {
    const action = move(LINE[n], mover(n));
    plies.push([JSON.stringify(state), action]);
    state = reducer(state, action);
    if (state.ctx.turn !== n + 2) throw new Error("a legal move was refused");
  }
  const { error } = console;
  console.error = () => {};
  const refused = reducer(state, move(LINE[0], mover(PLIES)));
  if (refused.ctx.turn !== state.ctx.turn) throw new Error("an illegal move was taken");
  console.error = error;
  const asked = plies.slice((PLIES - MIDDLE) / 2, (PLIES + MIDDLE) / 2);
  let rate = 0;
  for (const length of [seconds / 2, seconds]) {
    const begin = cpu();
    let count = 0;
    while (cpu() - begin < length)
      for (const [text, action] of asked) {
        JSON.stringify(reducer(JSON.parse(text), action));
        count++;
      }
    rate = count / (cpu() - begin);
  }
  return { rate, bytes: asked.reduce((sum, [text]) => sum + text.length, 0) / asked.length };
}

// -- the server, a process of its own; its matches are in its memory ----------------------------------------------

async function serve() {
  console.log = console.info = () => {};
  const { Server } = require("boardgame.io/server");
  const { appServer } = await Server({ games: [game], origins: [/127\.0\.0\.1/] }).run({ port: 0 });
  process.on("message", () => process.send(cpu())); // what it has used, for whoever asks
  process.send(appServer.address().port);
}

async function served(seconds) {
  const server = fork(fileURLToPath(import.meta.url), ["serve"]);
  const told = () =>
    new Promise((resolve, reject) => {
      server.once("message", resolve);
      server.once("exit", () => reject(new Error("the server ended")));
    });
  try {
    const port = await told();
    const used = () => (server.send("cpu"), told());
    return { rate: await moved(port, seconds, used) };
  } finally {
    server.kill();
  }
}

async function moved(port, seconds, used) {
  const { io } = require("socket.io-client");
  let count = 0, until = 0;
  const running = [...Array(CONNECTIONS).keys()].map(async (number) => {
    const socket = io(`http://127.0.0.1:${port}/five`, { transports: ["websocket"], forceNew: true });
    await new Promise((resolve) => socket.once("connect", resolve));
    for (let match = 0; !until || performance.now() < until; match++) {
      const id = `${number}-${match}`;
      const synced = new Promise((resolve) => socket.once("sync", resolve));
      socket.emit("sync", id, "0", undefined, 2);
      await synced;
      for (let ply = 0; ply < LINE.length && (!until || performance.now() < until); ply++) {
        const told = new Promise((resolve) => socket.once("update", (_, state) => resolve(state)));
        socket.emit("update", move(LINE[ply], mover(ply)), ply, id, mover(ply));
        if ((await told).ctx.turn !== ply + 2) throw new Error("a move was refused");
        count++;
      }
    }
    socket.close();
  });
  while (count < 10 * CONNECTIONS) await new Promise((resolve) => setTimeout(resolve, 50)); // these do not count
  const before = await used();
  count = 0;
  until = performance.now() + seconds * 1000;
  await Promise.all(running);
  return count / ((await used()) - before);
}

if (process.argv[2] === "serve") await serve();
else {
  const seconds = Number(process.argv[2]);
  const reducer = reduced(seconds);
  const server = { ...(await served(seconds)), bytes: reducer.bytes };
  console.log(JSON.stringify({ "boardgame.io, reducer": reducer, "boardgame.io, server": server }));
  process.exit(0);
}
