import type { Demo } from "./demo.ts";

export const title = "lawyers debate a question on shared evidence, a judge decides, and every citation is checked";

const QUESTION =
  "A dealer offers in a signed letter to sell a van for 8,000 dollars, promises to hold the offer open for ten days, and withdraws it on the fourth day. The buyer accepts on the fifth. Is there a contract?";

const CHOICES = [
  { label: "A", text: "Yes, because a merchant's signed offer is not revocable during the time it states." },
  { label: "B", text: "No, because the promise to hold the offer open lacks consideration." },
  { label: "C", text: "Yes, because the buyer has relied on the promise." },
];

const EVIDENCE = [
  {
    source: "Uniform Commercial Code § 2-205",
    jurisdiction: "US",
    text: "An offer by a merchant to buy or sell goods in a signed writing which by its terms gives assurance that it will be held open is not revocable, for lack of consideration, during the time stated.",
  },
  {
    source: "Case note on options",
    jurisdiction: "US",
    text: "At common law a promise to hold an offer open that lacks consideration does not bind: the offeror may withdraw at any time before acceptance.",
  },
  {
    source: "Case note on reliance",
    jurisdiction: "US",
    text: "An offer that the offeror should expect to induce substantial reliance before acceptance, and that does, binds as an option to the extent that justice asks.",
  },
  {
    source: "Código Civil (Brasil), art. 427",
    jurisdiction: "BR",
    text: "A proposta de contrato obriga o proponente, se o contrário não resultar dos termos dela, da natureza do negócio, ou das circunstâncias do caso.",
  },
];

/** @param question your own question: open, and debated without evidence */
export const request: Demo["request"] = (question) => ({
  workflow: "debate",
  input: question
    ? { question }
    : { question: QUESTION, choices: CHOICES, jurisdiction: "US", language: "en", evidence: EVIDENCE },
  options: { cross_examiner: true, human_review: true },
});

export const subjectName = "Question";

/** The opinion, with its cautions and every citation. Without a person at the terminal the judge gets the briefs unchanged. */
export const documents: Demo["documents"] = ({ report, answer }) => [report?.text ?? answer];
