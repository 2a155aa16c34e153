import type { Feature } from "./feature";
import { clip } from "#workflow-kit/text";
import * as vocabulary from "./vocabulary";

/** Features of a text: known verbs, each with the nearest person before it. */
export function featuresInText(words: string): Feature[] {
  const found = new Map<string, Feature>();
  let referent = ""; // the meaning of "it" and "them"
  for (const sentence of words.split(/[\n.!?;:()"]+/u)) {
    const tokens = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*|,/gu) ?? [];
    const lower = tokens.map((token) => token.toLowerCase());
    let actor: string | null | undefined;
    let waiting: Feature[] = []; // verbs whose object comes with a later one: "borrow and reserve books"
    let read = -1; // words up to here belong to an object: "remind me to water the plants"
    lower.forEach((word, index) => {
      const verb = index > read ? verbAt(lower, index) : undefined;
      if (!verb) return;
      const coordinated = [",", "and", "or"].includes(lower[index - 1] ?? "");
      if (!coordinated || actor === undefined) actor = actorBefore(lower, index);
      const { words: object, end } = objectAfter(tokens, lower, index, referent);
      const feature: Feature = { actor: object.startsWith("the user") ? null : actor, does: verb };
      if (object !== "") read = end;
      if (object !== "" && NOTICE.has(verb)) {
        add(found, { ...feature, does: `${verb} ${object}${clauseAfter(tokens, lower, end)}` });
      } else if (object === "" && ["and", "or", ","].includes(lower[index + 1] ?? "")) waiting.push(feature);
      else {
        if (object !== "" || vocabulary.INTRANSITIVE.has(verb)) {
          for (const one of [...waiting, feature]) add(found, { ...one, does: `${one.does} ${object}`.trim() });
        }
        if (object !== "") referent = object.split(/ (?:for|to|of|with|in|on) /u)[0]!;
        waiting = [];
      }
    });
    for (const feature of announcements(sentence)) add(found, feature);
  }
  return [...found.values()];
}

const ANNOUNCEMENT =
  /(?:^|[\s,])(?<whom>(?:(?:the|a|each|every) )?[\p{L}-]+) (?:is|are|gets?|be) (?<how>reminded|notified|warned|informed|alerted)\b(?<of>[^,]{0,80})/giu;

/** "Everybody is reminded when a tool is due": the system reminds everybody. */
function announcements(sentence: string): Feature[] {
  return [...sentence.matchAll(ANNOUNCEMENT)].map(({ groups }) => {
    const { whom, how, of } = groups as Record<"whom" | "how" | "of", string>;
    return { actor: null, does: clip(`${how.toLowerCase().replace(/(?:i)?ed$/u, "")} ${whom.toLowerCase()}${of}`, 90) };
  });
}

function verbAt(lower: readonly string[], index: number): string | undefined {
  const word = lower[index]!;
  const verb = vocabulary.verbOf(word);
  if (!verb) return undefined;
  const before = lower[index - 1];
  if (before === undefined) return index + 1 < lower.length ? verb : undefined;
  if (word.endsWith("ing") && word !== verb) return ["for", "by", "of"].includes(before) ? verb : undefined;
  if (vocabulary.DETERMINERS.has(before) && !vocabulary.BEFORE_VERB.has(before)) return undefined;
  if (
    before === "," ||
    (vocabulary.BEFORE_VERB.has(before) && !["for", "by", "of"].includes(before)) ||
    vocabulary.roleOf(before)
  )
    return verb;
  return word.endsWith("s") && vocabulary.DETERMINERS.has(lower[index + 1] ?? "") ? verb : undefined;
}

/** The actor of a feature; null is the system itself. */
function actorBefore(lower: readonly string[], index: number): string | null {
  for (let before = index - 1; before >= 0; before--) {
    const word = lower[before]!;
    const role = vocabulary.roleOf(word);
    if (role)
      return vocabulary.COMPOUND_ROLES.has(role) && isModifier(lower[before - 1])
        ? `${lower[before - 1]} ${role}`
        : role;
    if (vocabulary.SYSTEM_WORDS.has(word)) return ["to", "for"].includes(lower[index - 1]!) ? "user" : null;
  }
  return index > 0 && lower[index]!.endsWith("s") && vocabulary.DETERMINERS.has(lower[index + 1] ?? "") ? null : "user";
}

export const isModifier = (word: string | undefined): boolean =>
  word !== undefined &&
  /^\p{L}{3,}$/u.test(word) &&
  !vocabulary.DETERMINERS.has(word) &&
  !vocabulary.BEFORE_VERB.has(word) &&
  !vocabulary.AFTER_OBJECT.has(word) &&
  !vocabulary.WEAK_EDGES.has(word) &&
  !vocabulary.verbOf(word) &&
  !/(?:ful|ous|al|ive|ly|ed)$/u.test(word);

/** The object of a verb, and the index of its end; empty when there is none. */
function objectAfter(
  tokens: readonly string[],
  lower: readonly string[],
  index: number,
  referent: string,
): { words: string; end: number } {
  const object: string[] = [];
  let end = index;
  while (end + 1 < tokens.length && object.length < 6) {
    const word = lower[end + 1]!;
    if (word === "," || vocabulary.AFTER_OBJECT.has(word)) break;
    end += 1;
    if (word === "me" || word === "us") object.push("the user");
    else if (referent && object.length === 0 && (word === "it" || word === "them")) object.push(referent);
    else if (!POSSESSIVES.has(word)) object.push(tokens[end]!);
  }
  while (object.length > 0 && vocabulary.WEAK_EDGES.has(object.at(-1)!.toLowerCase())) object.pop();
  const isNamed = object.some(
    (word) => !vocabulary.PRONOUNS.has(word.toLowerCase()) && !vocabulary.WEAK_EDGES.has(word.toLowerCase()),
  );
  return { words: isNamed ? object.join(" ") : "", end };
}

const NOTICE = new Set(["remind", "notify", "warn", "alert"]);

/** The condition of a notice: " when a tool is due". */
function clauseAfter(tokens: readonly string[], lower: readonly string[], end: number): string {
  if (!["when", "before", "after", "if", "that"].includes(lower[end + 1] ?? "")) return "";
  const rest = tokens.slice(end + 1, end + 10);
  const stop = rest.findIndex((token) => token === "," || token === "and");
  return ` ${(stop === -1 ? rest : rest.slice(0, stop)).join(" ")}`;
}

const POSSESSIVES = new Set(["my", "our", "your", "their", "his", "her", "its"]);

/** Adds a feature unless it is in the list. */
export const add = (found: Map<string, Feature>, feature: Feature) => {
  if (!found.has(feature.does)) found.set(feature.does, feature);
};
