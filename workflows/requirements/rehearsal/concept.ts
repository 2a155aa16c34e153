import { add, featuresInText, isModifier } from "./features-in-text";
import { DOMAINS } from "./domains";
import { withArticle } from "./text";
import { capitalized, clip, plain } from "#workflow-kit/text";
import * as vocabulary from "./vocabulary";
import type { Feature } from "./feature";

/** The rehearsal's understanding of a text. */
export interface Concept {
  /** Name of the system, with an initial capital. */
  name: string;
  /** People and other systems, in the singular; never empty. */
  actors: string[];
  features: Feature[];
  /** The objects of the features. */
  things: string[];
  devices: string[];
}

const MAX_FEATURES = 8;

/** The sentence about a device in a rehearsed draft. */
export const DEVICE_LINE = ": read or driven by the system.";

/** A rule for the system: an answer, a remark, or the outcome of a check. */
export const ruleSentence = (origin: string, says: string): string =>
  `The system shall keep to what ${origin}: ${says}.`;

/** A requirement in a rehearsed draft. `understand` parses these sentences, except those that state rules. */
export function requirementSentence({ actor, does, statement }: Feature): string {
  if (statement) return `The system shall provide for the following: ${does}.`;
  return actor ? `The system shall allow ${withArticle(actor)} to ${does}.` : `The system shall ${does}.`;
}

const REQUIREMENT =
  /The system shall (?!keep to what )(?:provide for the following: (?<statement>.+?)|allow an? (?<actor>.+?) to (?<does>.+?)|(?<own>.+?))\.(?=\s|$)/gu;

/**
 * Reads a rough idea, or a draft made from one. Any text gives a concept: missing parts are filled with usual ones.
 * @param title name of the system, if known
 */
export function understand(text: string, title?: string | null): Concept {
  const words = plain(text);
  const stated = statedRequirements(words);
  const name = nameOf(text, words, title);
  const features =
    stated.length > 0 ? stated : complete(isEnglish(words) ? featuresInText(words) : statements(words, name), words);
  const actors = features.flatMap(({ actor, statement }) => actor ?? (statement ? "user" : []));
  const things = thingsOf(features);
  return {
    name: isVague(name) && things[0] ? `${name} for ${things[0]}` : name,
    actors: actors.length > 0 ? [...new Set(actors)] : ["user"],
    features,
    things,
    devices: stated.length > 0 ? statedDevices(words) : devicesOf(words, name),
  };
}

/** The requirements of a rehearsed draft, without quality requirements. */
function statedRequirements(words: string): Feature[] {
  const found: Feature[] = [];
  for (const line of words.split("\n").filter((one) => /^\s*R\d+\s/u.test(one))) {
    for (const { groups } of line.matchAll(REQUIREMENT)) {
      if (groups?.statement) found.push({ actor: null, does: groups.statement, statement: true });
      else if (groups?.actor) found.push({ actor: groups.actor, does: groups.does! });
      else if (groups?.own) found.push({ actor: null, does: groups.own });
    }
  }
  return found;
}

function nameOf(text: string, words: string, title?: string | null): string {
  if (title) return capitalized(clip(plain(title), 80) || "Unnamed system");
  const heading = /^#\s+(?:[^:\n]*:\s*)?(.+)$/mu.exec(text)?.[1];
  if (heading && plain(heading)) return capitalized(clip(plain(heading), 80));
  const first = (words.split(/[\n.!?;:,。！？；，、]/u).find((part) => /[\p{L}\p{N}]/u.test(part)) ?? "").trim();
  if (!first) return /\p{Extended_Pictographic}/u.test(words) ? clip(words, 20) : "Unnamed system";
  const subject = first
    .replace(
      /^(?:(?:i|we) (?:want|need|would like|have)|please|build|create|make|design|develop|imagine)\s+(?:to (?:build|create|make|have)\s+)?(?:me |us )?/iu,
      "",
    )
    .replace(/^(?:an?|the|our|my|some)\s+/iu, "");
  const head = subject.split(/\s+(?:that|where|which|who|so|with|to|lets|for|helping|allowing|in which)\s+/iu)[0]!;
  const named = isVague(head) && !isEnglish(words) ? subject.split(/\s+/u).slice(0, 7).join(" ") : beforeVerb(head);
  return capitalized(clip(named.replace(/[^\p{L}\p{N})!?]+$/u, ""), 60));
}

/** "small web app", "tool" */
const isVague = (name: string): boolean =>
  name
    .split(/\s+/u)
    .every((word) => vocabulary.SYSTEM_WORDS.has(word.toLowerCase()) || vocabulary.VAGUE.has(word.toLowerCase()));

/** "Town library lends books" is about a town library. */
function beforeVerb(words: string): string {
  const parts = words.split(/\s+/u);
  const verb = parts.findIndex(
    (word, index) =>
      index > 0 && word.endsWith("s") && vocabulary.verbOf(word.toLowerCase()) && !vocabulary.roleOf(word),
  );
  return verb === -1 || verb === parts.length - 1 ? words : parts.slice(0, verb).join(" ");
}

function isEnglish(words: string): boolean {
  const tokens = words.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  const latin = tokens.filter((token) => /^[a-z0-9']+$/u.test(token));
  const common = latin.filter(vocabulary.isCommonEnglish);
  return latin.length >= tokens.length / 2 && (tokens.length <= 6 || common.length >= tokens.length / 12);
}

/** The parts of a text in a language whose verbs the rehearsal does not know. */
function statements(words: string, name: string): Feature[] {
  const parts = words
    .split(/[\n.!?;:,。！？；：，、]+/u)
    .map((part) => clip(part, 80))
    .filter((part) => /\p{L}{2,}/u.test(part));
  const rest = parts.length > 1 ? parts.filter((part) => part !== name) : parts;
  return [...new Set(rest)].map((does) => ({ actor: null, does, statement: true }));
}

/** The found features, completed with usual ones when they are few. */
function complete(found: readonly Feature[], words: string): Feature[] {
  const features = new Map<string, Feature>();
  for (const feature of found.slice(0, MAX_FEATURES)) add(features, feature);
  const usual = features.size === 0 ? (DOMAINS.find(({ pattern }) => pattern.test(words))?.features ?? USUAL) : [];
  for (const [actor, does] of usual) add(features, { actor: actor || null, does });
  const [thing] = thingsOf([...features.values()]);
  if (thing && features.size < 3) {
    const actor = found.find((feature) => feature.actor)?.actor ?? "user";
    add(features, { actor, does: `review earlier entries about ${thing}` });
    add(features, { actor, does: `withdraw an entry about ${thing}` });
  }
  if (![...features.values()].some(({ actor, statement }) => actor || statement)) {
    add(features, { actor: mentionedRole(words) ?? "operator", does: "see the present state and change the settings" });
  }
  add(features, { actor: "administrator", does: "see who changed what and when" });
  return [...features.values()];
}

const mentionedRole = (words: string): string | undefined =>
  (words.toLowerCase().match(/[\p{L}-]+/gu) ?? []).map(vocabulary.roleOf).find((role) => role !== undefined);

const USUAL: readonly (readonly [string, string])[] = [
  ["user", "enter a request"],
  ["user", "see the state of a request"],
  ["user", "withdraw a request"],
  ["", "tell the user when a request is done"],
];

function thingsOf(features: readonly Feature[]): string[] {
  const things = features
    .filter(({ statement, actor }) => !statement && actor !== "administrator")
    .map(({ does }) => upToPreposition(does.split(/\s+/u).slice(1)))
    .map((object) =>
      object
        .filter((word) => !vocabulary.DETERMINERS.has(word.toLowerCase()))
        .slice(0, 2)
        .join(" "),
    )
    .filter((thing) => /\p{L}{3,}/u.test(thing) && thing !== "user" && !vocabulary.PRONOUNS.has(thing.toLowerCase()));
  return [...new Set(things)].slice(0, 6);
}

function upToPreposition(words: readonly string[]): readonly string[] {
  const ends = (word: string) =>
    vocabulary.AFTER_OBJECT.has(word) || (vocabulary.WEAK_EDGES.has(word) && !vocabulary.DETERMINERS.has(word));
  const end = words.findIndex((word, index) => index > 0 && ends(word.toLowerCase()));
  return end === -1 ? words : words.slice(0, end);
}

/** Devices that a text names, without the system itself; usual devices when it names none. */
function devicesOf(words: string, name: string): string[] {
  const found = words.split(/[\n.!?;:,()"]+/u).flatMap((part) => {
    const tokens = part.toLowerCase().match(/[\p{L}-]+/gu) ?? [];
    return tokens.flatMap((word, index) => {
      const device = vocabulary.deviceOf(word);
      return device ? [isModifier(tokens[index - 1]) ? `${tokens[index - 1]} ${device}` : device] : [];
    });
  });
  const others = [...new Set(found)].filter((device) => !name.toLowerCase().includes(device));
  return (others.length > 0 ? others : (DOMAINS.find(({ pattern }) => pattern.test(words))?.devices ?? [])).slice(0, 6);
}

/** Devices in a rehearsed draft. */
function statedDevices(words: string): string[] {
  return words
    .split("\n")
    .flatMap((line) => new RegExp(`^(.+)${DEVICE_LINE}$`, "u").exec(line)?.[1]?.toLowerCase() ?? []);
}
