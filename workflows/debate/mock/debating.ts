import type { Feedback } from "#workflow-kit/action";
import type { Brief, SnippetRequest } from "../artifacts";
import type { RequestSnippetInput, SideInput, WriteRebuttalInput } from "../inputs";
import { phrasesFor, mockCitations, short, shortPosition } from "./words";

/** Confidence of a mock debater: higher for a position that was more probable before the debate. */
const confidence = ({ probability }: SideInput["position"]): number =>
  Number((0.5 + (probability ?? 0.4) / 2).toFixed(3));

export function mockOpening(input: SideInput, outcome: string, feedback?: Feedback<Brief>): Brief {
  const { question, authorities, position } = input;
  const phrases = phrasesFor(question);
  const stated = shortPosition(position);
  const citations = mockCitations(question, authorities, position.statement, outcome);
  const source = authorities.find(({ label }) => label === citations[0]?.authority_id)?.source;
  return {
    claims: [
      phrases.premise(stated),
      source ? phrases.bearing(short(source, 120)) : phrases.withoutAuthority,
      ...(outcome === "tell_who" ? [phrases.whoAmI] : []),
      ...(feedback ? [phrases.remark(short(feedback.comment))] : []),
    ],
    rebuts: [],
    application: phrases.facts(short(question.text, 300)),
    citations,
    concedes: outcome === "concede" ? [phrases.conceded(stated)] : [],
    switches_to: null,
    confidence: confidence(position),
  };
}

/** @param outcome `switch`: the debater switches to the first position, so that all that switch agree */
export function mockRebuttal(input: WriteRebuttalInput, outcome: string, feedback?: Feedback<Brief>): Brief {
  const phrases = phrasesFor(input.question);
  const target = outcome === "switch" ? input.open_positions.toSorted(byLabel)[0] : undefined;
  const position = target ?? input.position;
  const brief = mockOpening({ ...input, position }, outcome, feedback);
  const corrections = input.own.at(-1)?.misconceptions ?? [];
  const opponent = input.opponents.at(-1);
  return {
    ...brief,
    claims: [...brief.claims, ...corrections.slice(0, 2).map(({ correction }) => phrases.examined(short(correction)))],
    rebuts: opponent
      ? [
          {
            point: short(opponent.brief.claims[0] ?? ""),
            answer: phrases.met(shortPosition(position)),
          },
        ]
      : [],
    concedes: outcome === "concede" && opponent ? [phrases.conceded(shortPosition(opponent.position))] : brief.concedes,
    switches_to: target && target.label !== input.position.label ? target.label : null,
  };
}

const byLabel = (one: { label: string }, other: { label: string }): number => (one.label < other.label ? -1 : 1);

/** Requests evidence for its position; with feedback, for the comment. */
export function mockRequest(
  { position, most, opponents }: RequestSnippetInput,
  outcome: string,
  feedback?: Feedback<SnippetRequest>,
): SnippetRequest {
  if (feedback) return { queries: [short(feedback.comment)] };
  if (outcome === "no_request") return { queries: [] };
  const wanted = [position.statement, ...opponents.map((opponent) => opponent.position.statement)];
  return { queries: wanted.slice(0, most).map((text) => short(text, 300)) };
}
