import { capitalized, clip, plain } from "#workflow-kit/text";
import type { RoughIdea } from "../artifacts";

/** What an actor does with the system, as a verb phrase. */
export interface Feature {
  actor: string;
  does: string;
}

/** What the mock model reads in an idea or a draft: two patterns of sentences, no understanding. There is always an actor. */
export interface Concept {
  name: string;
  actors: string[];
  features: Feature[];
}

/** A rule for the system: an answer, a remark, or the outcome of a check. */
export const ruleSentence = (origin: string, says: string): string =>
  `The system shall keep to what ${origin}: ${says}.`;

/** A requirement in a draft, which `understand` reads again. */
export const requirementSentence = ({ actor, does }: Feature): string =>
  `The system shall allow ${withArticle(actor)} to ${does}.`;

const REQUIREMENT = /^\s*R\d+\s+The system shall allow an? (.+?) to (.+?)\.(?=\s|$)/gmu;

/** Reads a rough idea, or a draft made from one. Any text gives a concept. */
export function understand(text: string, title?: string | null): Concept {
  const words = plain(text);
  const stated = [...words.matchAll(REQUIREMENT)].map(([, actor, does]) => ({ actor: actor!, does: does! }));
  const name = nameOf(text, words, title);
  const features = stated.length > 0 ? stated : featuresIn(words, name);
  return { name, actors: [...new Set(features.map(({ actor }) => actor))], features };
}

export const understandIdea = (idea: RoughIdea): Concept =>
  understand([idea.idea, idea.background ?? ""].join("\n"), idea.title);

/** A name of a system, without a word on what it does. */
export const isOnlyName = (idea: RoughIdea): boolean => !idea.background && idea.idea.trim().split(/\s+/u).length <= 5;

/** "lets neighbours share tools", or a part that begins with people: "owners list their tools". */
const ACTION =
  /(?:^|\b(?:lets?|allows?|helps?|enables?|where|so that)\s+)(?<actors>[\p{L}-]{3,}s) (?:to )?(?!is |are |was |were |have |of |for |in |to |and |or |with )(?<does>[a-z]+(?: .+)?)$/iu;

const ARTICLE = /^(?:an?|the)\s/iu;
const uncapitalized = (text: string): string => text[0]!.toLowerCase() + text.slice(1);

/** The features of an idea, each once, and the usual ones of a system with an administrator. */
function featuresIn(words: string, name: string): Feature[] {
  const parts = words
    .split(/[\n.!?;:,()。！？；：，、]+/u)
    .map((part) => clip(part.replace(/^\s*(?:and|or|then)\s/iu, ""), 80))
    .filter((part, _, all) => /\p{L}{2,}/u.test(part) && !(part === name && all.length > 1));
  const found: Feature[] = [];
  for (const part of parts.slice(0, 8)) {
    const { actors, does } = ACTION.exec(part)?.groups ?? {};
    const last = found.at(-1);
    if (actors) found.push({ actor: actors.toLowerCase().replace(/s$/u, ""), does: does! });
    // "members find, reserve and return tools": verbs of one actor, whose object comes last.
    else if (last && /^\p{L}+(?:, \p{L}+)*$/u.test(last.does)) last.does += `, ${part}`;
    else found.push({ actor: "user", does: ARTICLE.test(part) ? `use ${uncapitalized(part)}` : `have this: ${part}` });
  }
  if (found.every(({ actor }) => actor === "user"))
    for (const does of ["enter a request", "withdraw a request"]) found.push({ actor: "user", does });
  found.push({ actor: "administrator", does: "see who changed what and when" });
  return [...new Map(found.map((feature) => [feature.does, feature])).values()];
}

function nameOf(text: string, words: string, title?: string | null): string {
  const heading = /^#\s+(?:[^:\n]*:\s*)?(.+)$/mu.exec(text)?.[1];
  const given = plain(title ?? heading ?? "");
  if (given) return capitalized(clip(given, 80));
  const first = words.split(/[\n.!?;:,。！？；，、]/u).find((part) => /[\p{L}\p{N}]/u.test(part));
  const subject = (first ?? words).trim().replace(/^(?:(?:i|we) (?:want|need) )?(?:an?|the|our|my)\s+/iu, "");
  return capitalized(clip(subject.split(/\s+(?:that|where|which|who|so|with|to|lets|for)\s+/iu)[0]!, 60)) || "Unnamed";
}

/** "a member", "an administrator". */
export const withArticle = (noun: string): string => `${/^[aeio]|^u(?!se|ni)/iu.test(noun) ? "an" : "a"} ${noun}`;

const longWords = (text: string): string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];

export const shareWords = (text: string, other: string): boolean =>
  longWords(other).some((word) => longWords(text).includes(word));
