/**
 * The program's environment: `agents`, `given`, `console`, a seeded `Math.random`, a `Date` without a clock. This source code is evaluated
 * inside QuickJS before the program; it takes the host's functions and returns the functions that the host calls.
 *
 * The program runs in the same realm and may redefine globals and prototypes. So all built-ins are captured first, and afterwards nothing
 * is looked up on a global or a prototype: no method calls, no iteration, no growing arrays. Only numbers, booleans and strings cross the
 * boundary; strings are JSON, because C strings end at a NUL.
 */
export const PRELUDE = String.raw`(function prelude(host, maxOutput, maxLine, seed, givenJson) {
  "use strict";
  const { parse, stringify } = JSON;
  const { defineProperty, freeze, keys } = Object;
  const { construct } = Reflect;
  const uncurry = (method) => Function.prototype.call.bind(method);
  const slice = uncurry(String.prototype.slice), getKind = uncurry(WeakMap.prototype.get), setKind = uncurry(WeakMap.prototype.set);
  const inherits = uncurry(Object.prototype.isPrototypeOf);
  const PlainDate = Date, PlainError = Error, PlainPromise = Promise, PlainString = String, PlainTypeError = TypeError;
  const anyError = Error.prototype, anyMap = Map.prototype, anyPromise = Promise.prototype, anySet = Set.prototype;
  const finite = Number.isFinite, multiply = Math.imul;

  // Our errors are recognised by identity, so a program cannot forge them.
  const kinds = new WeakMap();
  const fault = (kind, message) => {
    const error = new PlainTypeError(message);
    setKind(kinds, error, kind);
    return error;
  };

  // JSON.stringify silently drops or empties values that it cannot represent; here they are errors that name value and place.
  const unfit = (value) => {
    if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") return "a " + typeof value;
    if (typeof value === "number") return finite(value) ? null : "the number " + value;
    if (typeof value !== "object" || value === null) return null;
    if (inherits(anyPromise, value)) return "a Promise; was an await forgotten?";
    if (inherits(anyMap, value)) return "a Map; Object.fromEntries makes an object of it";
    if (inherits(anySet, value)) return "a Set; [...set] makes an array of it";
    return null;
  };
  const serialise = (value, what) => {
    if (value === undefined) throw fault("not_serialisable", what + " is undefined; it must be a JSON value");
    let text;
    try {
      text = stringify(value, (key, part) => {
        const why = unfit(part);
        if (why) throw fault("not_serialisable", what + " is not JSON: " + (key === "" ? "it" : stringify(key)) + " is " + why);
        return part;
      });
    } catch (error) {
      if (getKind(kinds, error)) throw error;
      throw fault("not_serialisable", what + " is not JSON: " + textOf(error));
    }
    if (text === undefined) throw fault("not_serialisable", what + " is not JSON: its toJSON gives nothing");
    if (text.length > maxOutput) host.tooLarge(what, new PlainError().stack);
    return text;
  };

  const textOf = (value) => {
    try {
      if (typeof value === "string") return value;
      if (typeof value === "object" && value !== null) {
        if (inherits(anyError, value)) return value.name + ": " + value.message;
        return stringify(value) ?? PlainString(value);
      }
      return PlainString(value);
    } catch {
      return "(a value that cannot be shown)";
    }
  };

  const pending = { __proto__: null };
  const call = (agent, task, input) => {
    const at = new PlainError().stack; // taken now: after an await the caller is unknown
    return new PlainPromise((resolve, reject) => {
      if (typeof agent !== "string" || typeof task !== "string") {
        throw new PlainTypeError("agents.call(agent, task, input) takes the agent's name and the task as strings");
      }
      const json = serialise(input === undefined ? null : input, "the input of agents.call");
      const id = host.call(stringify(agent), stringify(task), json, at);
      pending[id] = { __proto__: null, resolve, reject, at };
    });
  };
  const agents = freeze({ call: freeze(call) });
  defineProperty(globalThis, "agents", { __proto__: null, value: agents, enumerable: true });

  const console = {};
  let full = false;
  for (const level of ["debug", "info", "log", "warn", "error"]) {
    console[level] = (...values) => {
      if (full) return;
      let line = "";
      for (let i = 0; i < values.length && line.length <= maxLine; i++) line += (i ? " " : "") + textOf(values[i]);
      full = host.log(level, stringify(line.length > maxLine ? slice(line, 0, maxLine) + " …" : line));
    };
  }
  defineProperty(globalThis, "console", { __proto__: null, value: console, writable: true, configurable: true });

  // mulberry32: 32 bits of state suffice for values that are not secret.
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = multiply(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + multiply(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  // A clock would make a replay differ, and a fake clock would make wrong answers. Explicit dates work.
  const noClock = () => {
    throw new PlainError("There is no clock here: give Date a date, or ask an agent what day it is");
  };
  const DateWithoutClock = function Date(...parts) {
    return new.target && parts.length ? construct(PlainDate, parts, new.target) : noClock();
  };
  DateWithoutClock.prototype = PlainDate.prototype;
  DateWithoutClock.parse = PlainDate.parse;
  DateWithoutClock.UTC = PlainDate.UTC;
  DateWithoutClock.now = noClock;
  PlainDate.prototype.constructor = DateWithoutClock;
  globalThis.Date = DateWithoutClock;

  const frozen = (value) => {
    if (typeof value === "object" && value !== null) {
      for (const key of keys(value)) frozen(value[key]);
      freeze(value);
    }
    return value;
  };
  const given = frozen(parse(givenJson));

  return {
    /** Calls main of an evaluated module (or of the promise of one); returns its result as JSON. */
    async start(loading) {
      const { default: main } = await loading;
      if (typeof main !== "function") {
        throw fault("no_entry_point", "The program has no entry point: it must say export default async function main(agents, given) { … }");
      }
      return serialise(await main(agents, given), "what main returned");
    },
    settle(id, ok, json) {
      const { resolve, reject, at } = pending[id];
      delete pending[id];
      if (ok) return void resolve(parse(json));
      const error = new PlainError(parse(json));
      defineProperty(error, "name", { __proto__: null, value: "AgentError", writable: true, configurable: true });
      defineProperty(error, "stack", { __proto__: null, value: at, writable: true, configurable: true });
      reject(error);
    },
    /** Describes a thrown value as JSON; reading it may run getters of the program. */
    describe(error) {
      const read = (key, most) => {
        try {
          return typeof error[key] === "string" ? slice(error[key], 0, most) : "";
        } catch {
          return "";
        }
      };
      const isObject = typeof error === "object" && error !== null;
      const name = (isObject && read("name", 100)) || "Error";
      const message = (isObject && read("message", 4000)) || slice(textOf(error), 0, 4000);
      const kind = (isObject && getKind(kinds, error)) || null;
      return stringify({ __proto__: null, name, message, stack: isObject ? read("stack", 16000) : "", kind });
    },
  };
})`;
