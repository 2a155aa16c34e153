import { isDeepStrictEqual } from "node:util";
import type { Attempt } from "../lib/client.ts";
import type { Json } from "../../scripts/lib/json.ts";
import { linearize, type Model, type Operation } from "./linearizable.ts";

/** Histories of concurrent clients: each attempt of a request with its answer, judged by what its object allows one after the other. */

const isUnknown = ({ status }: Output) => status === 0 || status >= 500;
/** The server was down: the request had no effect. */
const isRefused = ({ status, body }: Output) => status === 0 && /ECONNREFUSED/.test(body);
const isInFlight = ({ body }: Output) => body?.code === "idempotency_key_in_flight";

type Output = Pick<Attempt["answer"], "status" | "body">;

const ENDED = ["completed", "failed", "canceled"];

interface RunState {
  ended: string | null;
  paused: boolean;
}

/** A run, as far as its clients control it. It ends by itself at any time. */
const RUN: Model<RunState> = {
  initial: { ended: null, paused: false },
  keyOf: ({ ended, paused }) => `${ended} ${paused}`,
  step: (state, operation) =>
    withEnds(state).flatMap((before) => {
      const after = afterVerb(before, operation);
      return after ? [after] : [];
    }),
};

/** The state, and those that it may turn into by itself. */
const withEnds = (state: RunState): RunState[] =>
  state.ended === null ? [state, ...["completed", "failed"].map((ended) => ({ ...state, ended }))] : [state];

/** @returns the state after an operation; null: it cannot have had this output */
function afterVerb(state: RunState, { input, output, to }: Operation): RunState | null {
  const { ended, paused } = state;
  const allowed: Record<string, boolean> = {
    cancel: ended === null,
    pause: ended === null && !paused,
    resume: ended === null && paused,
    retry: ended === "failed" || ended === "canceled",
  };
  const changed: Record<string, RunState> = {
    cancel: { ended: "canceled", paused },
    pause: { ended, paused: true },
    resume: { ended, paused: false },
    retry: { ended: null, paused: false },
  };
  if (input === "read") return shows(state, output.body.status) ? state : null;
  const isDone = output.status === 200 || to === Infinity;
  if (isDone) return (allowed[input] && changed[input]) || null;
  return allowed[input] ? null : state;
}

function shows({ ended, paused }: RunState, status: string) {
  if (ended !== null || ENDED.includes(status)) return ended === status;
  return status === "input_required" || paused === (status === "paused");
}

/** An interaction: open or answered once and for ever. It closes by itself at any time, and a retry of its run opens it again. */
const INTERACTION: Model<{ is: string; answer: Json }> = {
  initial: { is: "open", answer: null },
  keyOf: (state) => JSON.stringify(state),
  step({ is, answer: stored }, { input, output, to }) {
    const open = { is: "open", answer: null };
    const isOpen = is === "open";
    if (input === "read") {
      const { status, answer } = output.body;
      if (status === "answered") return !isOpen && isSame(stored, answer) ? [{ is, answer: stored }] : [];
      return isOpen ? [open] : [];
    }
    const answer = contentOf(input);
    const isStored = !isOpen && isSame(stored, answer);
    if (output.status === 200 || to === Infinity) return isOpen || isStored ? [{ is: "answered", answer }] : [];
    if (output.status === 409) return isOpen || isStored ? [] : [{ is, answer: stored }];
    return output.status === 410 && isOpen ? [open] : [];
  },
};

const contentOf = ({ answered_by: _, ...content }: Json) => content;
const isSame = (one: unknown, other: unknown) => isDeepStrictEqual(one, other);

/** Records the attempts of clients, and judges them. */
export class Histories {
  attempts: Attempt[] = [];

  record = (attempt: Attempt) => void this.attempts.push(attempt);

  /** @returns violations */
  judge(): string[] {
    return [...this.#runs(), ...this.#interactions(), ...this.#keys()];
  }

  #runs() {
    return this.#judgeObjects(/^\/v1\/runs\/(run_\w+)(?:\/(cancel|pause|resume|retry))?$/, RUN, ({ method }, verb) =>
      method === "GET" ? "read" : verb,
    );
  }

  #interactions() {
    const answers = /^\/v1\/(?:interactions|callbacks)\/(int_[0-9A-Z]{26})[^/]*?(?:\/(answer))?$/;
    // The fields of a form have no types: that answer is compared by the law that it is stored.
    return this.#judgeObjects(answers, INTERACTION, ({ method, body }) => (method === "GET" ? "read" : body));
  }

  #judgeObjects<State>(
    pattern: RegExp,
    model: Model<State>,
    inputOf: (attempt: Attempt, verb: string | undefined) => Json,
  ) {
    const objects = Map.groupBy(
      this.attempts.flatMap((attempt) => {
        const [, id, verb] = pattern.exec(attempt.path) ?? [];
        return id && !isInFlight(attempt.answer) && !isRefused(attempt.answer)
          ? [{ id, attempt, input: inputOf(attempt, verb) }]
          : [];
      }),
      ({ id }) => id,
    );
    return [...objects].flatMap(([id, of]) => {
      if (of.some(({ attempt }) => attempt.body instanceof URLSearchParams)) return [];
      const result = linearize(operationsOf(of), model);
      return result.ok
        ? []
        : [`the history of ${id} is not linearizable: none of ${result.stuck.map(shown).join("; ")} can come next`];
    });
  }

  /** Requests under one key have one answer. */
  #keys() {
    const keyed = Map.groupBy(
      this.attempts.filter(
        ({ key, method, answer }) => key && method === "POST" && !isUnknown(answer) && !isInFlight(answer),
      ),
      ({ path, key }) => `${path} under ${key}`,
    );
    return [...keyed].flatMap(([name, attempts]) => {
      const answers = new Set(attempts.map(({ answer }) => `${answer.status} ${answer.body?.id}`));
      return answers.size > 1 ? [`POST ${name} had ${answers.size} answers: ${[...answers].join(", ")}`] : [];
    });
  }
}

/** An attempt on one object, with its input for the object's model. */
interface Judged {
  attempt: Attempt;
  input: Json;
}

/**
 * Attempts as operations. Those under one key are one operation, which ends with its first answer; an attempt without an answer may take
 * effect later.
 */
function operationsOf(attempts: Judged[]): Operation[] {
  const groups = Map.groupBy<string | number, Judged>(attempts, ({ attempt }, index) => attempt.key ?? index);
  return [...groups.values()].flatMap((group) => {
    const known = group.find(({ attempt }) => !isUnknown(attempt.answer));
    const { input, attempt: first } = group[0] as Judged;
    const from = Math.min(...group.map(({ attempt }) => attempt.from));
    if (known) return [{ from, to: known.attempt.to, input, output: known.attempt.answer }];
    return input === "read" ? [] : [{ from, to: Infinity, input, output: first.answer }];
  });
}

const shown = ({ input, output, from, to }: Operation) =>
  `${typeof input === "string" ? input : `answer ${JSON.stringify(input)}`} -> ${output.status} ${output.body?.status ?? ""} (${from} to ${to})`;
