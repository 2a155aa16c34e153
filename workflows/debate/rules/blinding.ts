/** Hides from a blind judge which model wrote a text. Names that the question or the evidence uses stay: they are part of the case. */

import { normalForm } from "#workflow-kit/text";

/** Replaces hidden words, in any language. */
const LEFT_OUT = "[…]";

const asName = (source: string, flags: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, flags);

/** Names of well-known models and makers that have no other meaning, in any case. */
const NAMES = [
  String.raw`(?:chat)?gpt[\s-]?\d[\w.-]*|chatgpt`,
  String.raw`o[1-9]-(?:mini|pro|preview)`,
  String.raw`claude[\s-]?(?:\d[\w.-]*|opus|sonnet|haiku|instant)(?:[\s-]?(?:\d[\w.-]*|opus|sonnet|haiku))*`,
  String.raw`gemini[\s-]?(?:\d+[\w.-]*\d|pro|flash|ultra|nano)(?:[\s-]?(?:pro|flash|ultra|nano))*|gemini-\d[\w.-]*`,
  String.raw`mistral[\s-]?(?:large|small|medium|\d[\w.-]*)(?:[\s-]\d[\w.-]*)?|mixtral[\w.-]*`,
  String.raw`gemma-?\d[\w.-]*|llama-?\d[\w.-]*|grok-?\d[\w.-]*|sabi[aá]-\d+`,
  String.raw`qwen[\w.-]*|deepseek[\w.-]*|glm-?\d[\w.-]*|phi-\d[\w.-]*|command-r\+?`,
  "openai|anthropic|deepmind|mistral ai|meta ai|moonshot ai|zhipu|alibaba cloud|maritaca ai",
].map((source) => asName(source, "giu"));

/**
 * Names that are also words ("sabia", "se llama", "to cohere"): only as written for a model, or with a version. First names of people
 * stay where a surname follows or a hyphen precedes.
 */
const WORDLIKE = [
  String.raw`(?:Llama|LLaMA|LLAMA|Gemma|Grok|Sabiá)\s\d[\w.-]*|Command R\+?|Maritaca`,
  String.raw`(?<!-)(?:Claude|Gemini|Mistral|Gemma|Grok|Kimi|Cohere|x\.AI|xAI)(?!(?:\s|-)\p{Lu})`,
].map((source) => asName(source, "gu"));

/** "as an AI language model developed by …": the whole clause, in five languages. */
const SELF_DESCRIPTIONS = [
  // English
  /(?<!\p{L})(?:as|i am|i'm|being)\s+(?:an?|the)\s+(?:(?:large\s+)?language\s+model|(?:ai|artificial intelligence)(?:\s+(?:language\s+)?(?:model|assistant|system))?)(?:[\s,]+(?:(?:developed|created|made|trained|built)\s+)?(?:by|from)\s+[^\s,.;:!?]+)?/giu,
  // Portuguese
  /(?<!\p{L})(?:como|sou|sendo)\s+(?:um|uma|o|a)\s+(?:(?:grande\s+)?modelo\s+de\s+linguagem|(?:modelo|assistente|sistema)\s+de\s+(?:ia|inteligência\s+artificial)|ia|inteligência\s+artificial)(?:[\s,]+(?:(?:desenvolvid|criad|treinad|feit)[oa]\s+)?(?:pel[oa]|por|d[ao])\s+[^\s,.;:!?]+)?/giu,
  // Spanish
  /(?<!\p{L})(?:como|soy|siendo)\s+(?:un|una)\s+(?:(?:gran\s+)?modelo\s+de\s+lenguaje|(?:modelo|asistente|sistema)\s+de\s+(?:ia|inteligencia\s+artificial)|ia|inteligencia\s+artificial)(?:[\s,]+(?:(?:desarrollad|cread|entrenad|hech)[oa]\s+)?(?:por|de)\s+[^\s,.;:!?]+)?/giu,
  // French
  /(?<!\p{L})(?:en\s+tant\s+qu[e'’]|je\s+suis|étant)\s*(?:un|une)?\s+(?:(?:grand\s+)?modèle\s+de\s+langage|(?:modèle|assistant|système)\s+d['’](?:ia|intelligence\s+artificielle)|ia|intelligence\s+artificielle)(?:[\s,]+(?:(?:développé|créé|entraîné)e?\s+)?par\s+[^\s,.;:!?]+)?/giu,
  // German
  /(?<!\p{L})(?:als|ich\s+bin)\s+(?:ein(?:e)?\s+)?(?:(?:großes\s+)?sprachmodell|ki(?:-(?:modell|assistent|system))?|künstliche\s+intelligenz)(?:[\s,]+(?:von|durch)\s+[^\s,.;:!?]+)?/giu,
];

/** "Debater 2", "debatedor nº 2", "Agent #1": numbers that prompts never mention and models make up. */
const SEAT =
  /(?<![\p{L}\p{N}])(?:debater|debatedora?|debatiente|débatteur|diskutant|debattierer|agent[ea]?|participant[ea]?|speaker|orador)[\s_-]*(?:n(?:r|um|[ºo°])?\.?\s*)?#?\s*\d+(?![\p{L}\p{N}])/giu;

export interface BlindingContext {
  /** Models of this run, `<provider>/<model>`. */
  models: readonly string[];
  /** Question, choices and evidence: names in it are part of the case. */
  caseText: string;
}

/** Hides in a text what identifies its writer, except within `verbatim`; calls `onHidden` with the words that it hides. */
export type Blinder = (text: string, verbatim?: readonly string[], onHidden?: (words: string) => void) => string;

export function blinder({ models, caseText }: BlindingContext): Blinder {
  const normalizedCase = normalForm(caseText, "NFKC").toLowerCase();
  const inCase = (match: string) => normalizedCase.includes(normalForm(match, "NFKC").toLowerCase());
  const own = models.flatMap(namePatterns);
  const hide = (text: string, onHidden: (words: string) => void): string => {
    let hidden = text;
    for (const pattern of [...SELF_DESCRIPTIONS, SEAT, ...own, ...NAMES, ...WORDLIKE])
      hidden = hidden.replace(pattern, (match) => {
        if (inCase(match)) return match;
        onHidden(match);
        return LEFT_OUT;
      });
    return hidden.replace(/(?:\[…\][\s,]*){2,}/gu, `${LEFT_OUT} `);
  };
  return (text, verbatim = [], onHidden = () => {}) => changeOutside(text, verbatim, (part) => hide(part, onHidden));
}

/** A suffix of a model's name for its date, size or variant; a text may use the name without it. */
const VARIANT = /[-_.:](?:\d{4,}|latest|preview|mini|nano|small|large|instruct|chat|\d+b)$/iu;

/** A name of letters alone may be a word; with a capital it is a name. */
const WORD = /^\p{L}+$/u;
const capitalizedForms = (name: string): string => {
  const capitalised = name.charAt(0).toUpperCase() + name.slice(1);
  return [capitalised, name.toUpperCase()].map((form) => RegExp.escape(form)).join("|");
};

/** Patterns for a model's full name, the part after the provider, and that part without its suffixes, with any separators. */
function namePatterns(model: string): RegExp[] {
  const name = model.slice(model.indexOf("/") + 1);
  const names = [model, name, name.slice(name.lastIndexOf("/") + 1)];
  while (VARIANT.test(names.at(-1)!)) names.push(names.at(-1)!.replace(VARIANT, ""));
  return [...new Set(names)]
    .filter((form) => form.length > 2)
    .toSorted((one, other) => other.length - one.length)
    .map((form) => {
      if (WORD.test(form)) return asName(capitalizedForms(form), "gu");
      const parts = form.split(/[-_\s.:/]+/u).filter(Boolean);
      const loose = parts.map((part) => RegExp.escape(part)).join("[-_\\s.:/\u2010-\u2015]*");
      return asName(loose, "giu");
    });
}

/** Applies `change` to the parts of a text that lie outside the verbatim passages. */
function changeOutside(text: string, verbatim: readonly string[], change: (part: string) => string): string {
  const kept = [...new Set(verbatim)]
    .filter((passage) => passage.trim() !== "")
    .toSorted((one, other) => other.length - one.length);
  if (kept.length === 0) return change(text);
  const passages = new RegExp(`(${kept.map((passage) => RegExp.escape(passage)).join("|")})`, "gu");
  return text
    .split(passages)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");
}
