import type { Scenario } from "#workflow-kit/scenario";

export const scenarios: readonly Scenario[] = [
  {
    name: "review",
    input: {
      question:
        "A dealer offers in a signed letter to sell a van, promises to hold the offer open, and withdraws it. Is there a contract?",
      choices: [
        { label: "A", text: "Yes, because a merchant's signed offer is not revocable during the time it states." },
        { label: "B", text: "No, because the promise to hold the offer open lacks consideration." },
      ],
      language: "en",
      evidence: [
        {
          source: "Uniform Commercial Code § 2-205",
          text: "A signed offer by a merchant to buy or sell goods is not revocable.",
        },
        {
          source: "Case note on options",
          text: "At common law an offeror may withdraw an offer at any time before acceptance.",
        },
      ],
    },
    options: { solvers: 0, cross_examiner: true, human_review: true, rounds: 2, reviews: ["option_ranking"] },
    additions: (_, note) => ({ questions: [{ debater: "debater_2", question: `What of the signature? ${note}` }] }),
  },
];
