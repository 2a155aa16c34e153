import { bold, dim, green, indent, red, say, table } from "../lib/terminal.mjs";

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
    text: "At common law an offeror may withdraw an offer at any time before acceptance, even one promised to stay open, unless the promise was paid for.",
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

/** @param {string} [question] of your own: it is open, and debated without evidence */
export const request = (question) => ({
  workflow: "debate",
  input: question
    ? { question }
    : { question: QUESTION, choices: CHOICES, jurisdiction: "US", language: "en", evidence: EVIDENCE },
  options: { cross_examiner: true, human_review: true },
});

export const subject = ({ input }) => input.question;

/** What is answered when nobody says otherwise: the briefs go to the judge as they are. */
export const suggestions = { answer: ({ default: given }) => given ?? "", feedback: () => "" };

/** Prints who defended what, the citations with what was found of them, and the report's place. */
export async function show(output, artifacts, content) {
  const of = (kind) => artifacts.filter((artifact) => artifact.kind === kind).map(content);
  const [assigned] = await Promise.all(of("position_assignment"));
  const [check] = await Promise.all(of("citation_check"));
  if (assigned) {
    say(bold("Positions"));
    for (const { debater, label, statement } of assigned.positions)
      say(`  ${debater} ${dim(`${label})`)} ${statement}`);
    say();
  }
  const { answer, confidence, rationale, winner, stop_reason } = output;
  say(bold(`Answer ${dim(`(${stop_reason}${winner ? `, best argued by ${winner}` : ""})`)}`));
  say(
    `\n${indent(answer ?? "none")}${confidence === null ? "" : dim(`  confidence ${Math.round(confidence * 100)} %`)}\n`,
  );
  for (const [index, point] of rationale.entries()) say(`  ${index + 1}. ${point}`);
  say();
  if (check?.citations.length) {
    say(bold("Citations"));
    const mark = (right) => (right ? green("yes") : red("no"));
    const row = (it) => [
      it.cited_by,
      it.authority === "shown" ? green("shown") : red("invented"),
      mark(it.quote_found),
      it.supported === null ? dim("?") : mark(it.supported),
      it.foreign ? red("foreign") : "",
      it.quote.length > 60 ? `${it.quote.slice(0, 60)} …` : it.quote,
    ];
    say(table(["by", "authority", "quote", "supports", "", ""], check.citations.map(row)));
    say();
  }
}
