// Plays a whole game of Zavandor by the client: node play.ts http://127.0.0.1:8000
// Prints the outcome as JSON.

import { Arbitr, filled, Refused, type Schemas } from "./client.ts";

type Action = Schemas["ZavandorAction"];

const game = { game: "zavandor" } as const;
const arbitr = new Arbitr({ base: process.argv[2] ?? "http://127.0.0.1:8000", language: "cs" });

// The same numbers in every run.
let seed = 4711;
function roll(below: number): number {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor((seed / 2147483648) * below);
}

const about = await arbitr.get("/v1/games/{game}", game);
const seats: Schemas["ZavandorSeatWish"][] = [
  { id: "ann", name: "Ann" },
  { id: "bob", name: "Bob" },
  { id: "cyd", automated: true },
];
const begun = await arbitr.post("/v1/games/{game}/states", game, {
  seats,
  chance: { mode: "seeded", seed: "typescript" },
});

let { state, seal, decisions, outcome } = begun;
let plies = 0;
let texts = 0;
while (outcome === null) {
  const listed = await arbitr.post("/v1/games/{game}/options", game, { state, seal });
  const option = listed.options[roll(listed.options.length)];
  if (option === undefined || decisions.length === 0) throw new Error(`nobody can act at ply ${plies}`);
  const action = filled(option) as unknown as Action;
  const judgement = await arbitr.post("/v1/games/{game}/adjudications", game, { state, seal, action });
  if (judgement.verdict !== "legal") throw new Error(JSON.stringify(judgement.violations));
  ({ state, seal, decisions, outcome } = judgement);
  texts += judgement.events.filter((event) => event.text.length > 0).length;
  plies += 1;
}

const wrong = { kind: "end-turn", actor: "ann" } as Action;
const after = await arbitr.post("/v1/games/{game}/adjudications", game, { state, seal, action: wrong });
const clause = after.verdict === "illegal" ? after.violations[0]?.rule : undefined;
const rule = await arbitr.get("/v1/games/{game}/rules/{rule}", { ...game, rule: clause ?? "none" });

let refused = "";
try {
  await arbitr.post("/v1/games/{game}/problems", game, { state: { ...state, turn: -1 } });
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  refused = error.places[0]?.pointer ?? "";
}

// A game in a token: nobody sees a state, and each key what its seat sees.
const held = await arbitr.post("/v1/games/{game}/states", game, { seats, hold: "token" as const });
const actor = held.decisions[0]?.actor ?? "";
const key = held.keys.seats[actor] ?? "";
const mine = await arbitr.post("/v1/games/{game}/options", game, { token: held.token, key });
const first = filled(mine.options[0] ?? (() => { throw new Error("nothing to do"); })()) as unknown as Action;
const turn = await arbitr.post("/v1/games/{game}/adjudications", game, { token: held.token, key, action: first });
if (turn.verdict !== "legal" || turn.view["seat"] !== actor) throw new Error(JSON.stringify(turn));

console.log(JSON.stringify({ kinds: about.actions.length, plies, texts, outcome, rule: rule.text, refused }));
