import type { Artifact } from "#workflow-kit/artifact";
import { checkSupport } from "../actions";
import type { Authority, CheckedCitation, Supports } from "../artifacts";
import type { Context } from "../context";
import type { JudgedCitation } from "../inputs";
import { isInvented, labelOf, type Numbered } from "../rules/citations";

/**
 * The clerk reads every citation of a debate or a baseline, in one call: whether the authority supports the proposition. Invented ones
 * need no reading.
 * @param key distinguishes the calls of a run
 */
export async function checkWithClerk(
  { run, question }: Context,
  authorities: readonly Authority[],
  citations: readonly JudgedCitation[],
  { key, inputs }: { key: string; inputs: readonly Artifact[] },
): Promise<Supports> {
  const known = [
    ...new Map(
      citations.filter(({ authority_known }) => authority_known).map((citation) => [citation.number, citation]),
    ).values(),
  ];
  if (known.length === 0) return [];
  const { content } = await run.step(
    checkSupport,
    { question, authorities, citations: known },
    { key, iteration: Number(key), inputs },
  );
  return content.citation_checks;
}

/** A citation as the clerk reads it, where no names have to be hidden. */
export const readByClerk = (
  { number, citation }: Pick<Numbered, "number" | "citation">,
  authorities: readonly Authority[],
): JudgedCitation => ({
  ...asCited(citation),
  number,
  authority_id: labelOf(citation.authority_id, authorities),
  authority_known: !isInvented(citation),
  support: null,
});

const asCited = ({ quote, proposition, foreign, quote_match }: CheckedCitation) => ({
  quote,
  proposition,
  foreign,
  quote_match,
});
