// A client of Arbitr in TypeScript: fetch with the types that openapi-typescript makes from openapi.yaml.
// Copy it beside your own api.d.ts (`openapi-typescript openapi.yaml -o api.d.ts`); it needs nothing else.

import type { components, paths } from "./api.d.ts";

export type Schemas = components["schemas"];
export type Problem = Schemas["ProblemDetails"];

type Json = "application/json";
type Method = "get" | "post";

// The operation behind a path and a method, what it takes, and what it answers.
type Operation<P extends keyof paths, M extends Method> = paths[P] extends { [K in M]: infer O } ? O : never;
type Has<M extends Method> = {
  [P in keyof paths]: Operation<P, M> extends { responses: unknown } ? P : never;
}[keyof paths];
type Body<O> = O extends { requestBody: { content: { [K in Json]: infer B } } } ? B : never;
type Answer<O> = O extends { responses: { 200: { content: { [K in Json]: infer A } } } } ? A : never;
// What of it is of the game that the path names: its states say so, and what has no state is for every game.
type GameOf<I> = I extends { game: infer G } ? G : unknown;
type Of<G, T> = T extends { state: { game: infer N } } ? (N extends G ? T : never) : T;
// What is answered to a body: to a token, or where one is asked for, what a seat sees; else the state.
type Told<B, A> = B extends { token: string } | { hold: "token" } ? Exclude<A, { state: unknown }> : Exclude<A, { token: string }>;
type InPath<P extends keyof paths> = paths[P] extends { parameters: { path: infer V } } ? V : Record<never, never>;

/** An answer that is none: a problem document (RFC 9457). */
export class Refused extends Error {
  readonly problem: Problem;
  readonly requestId: string | null;

  constructor(problem: Problem, requestId: string | null) {
    super(`${problem.status} ${problem.title}: ${problem.detail}`);
    this.name = "Refused";
    this.problem = problem;
    this.requestId = requestId;
  }

  /** Every fault or problem that the answer lists, each with its place. */
  get places(): { pointer: string; message: string }[] {
    return [...(this.problem.errors ?? []), ...(this.problem.problems ?? [])];
  }
}

export interface Settings {
  /** Where the service is: http://127.0.0.1:8000 */
  base: string;
  /** The language of texts. */
  language?: "en" | "cs";
  /** How often a request that a limit refuses is sent again. */
  retries?: number;
}

export class Arbitr {
  readonly settings: Required<Settings>;

  constructor(settings: Settings) {
    this.settings = { language: "en", retries: 3, ...settings };
  }

  /** Read what is there: `get("/v1/games/{game}", { game: "zavandor" })`. */
  get<P extends Has<"get">>(path: P, inPath: InPath<P>): Promise<Answer<Operation<P, "get">>> {
    return this.#send("GET", path, inPath) as Promise<Answer<Operation<P, "get">>>;
  }

  /** Ask: `post("/v1/games/{game}/options", { game: "zavandor" }, { state, seal })`. */
  post<P extends Has<"post">, I extends InPath<P>, B extends Of<GameOf<I>, Body<Operation<P, "post">>>>(
    path: P,
    inPath: I,
    body: B,
  ): Promise<Told<B, Of<GameOf<I>, Answer<Operation<P, "post">>>>> {
    return this.#send("POST", path, inPath, body) as Promise<Told<B, Of<GameOf<I>, Answer<Operation<P, "post">>>>>;
  }

  async #send(method: string, path: string, inPath: unknown, body?: unknown): Promise<unknown> {
    const values: Record<string, unknown> = { ...(inPath as object) };
    const url = this.settings.base + path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(String(values[name])));
    const headers: Record<string, string> = { Accept: "application/json", "Accept-Language": this.settings.language };
    const request: RequestInit = { method, headers };
    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
      request.body = JSON.stringify(body);
    }
    for (let tried = 0; ; tried += 1) {
      const answer = await fetch(url, request);
      const limited = answer.status === 429 || answer.status === 503;
      if (limited && tried < this.settings.retries) {
        await answer.body?.cancel();
        await pause(Number(answer.headers.get("Retry-After") ?? "1"));
      } else if (answer.ok) {
        return answer.json();
      } else {
        throw new Refused((await answer.json()) as Problem, answer.headers.get("X-Request-Id"));
      }
    }
  }
}

/** The action of an option: `open`, `others_refused_by`, `text` and `notes` dropped, the examples filled in. */
export function filled(option: Schemas["Option"]): Record<string, unknown> {
  const { open, others_refused_by, text, notes, ...action } = option;
  const examples = Object.entries(open ?? {}).map(([name, shown]) => [name, shown["example"]]);
  return { ...action, ...Object.fromEntries(examples) };
}

function pause(seconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, seconds * 1000));
}
