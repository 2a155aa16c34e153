import { until } from "./parley";

/** A question with four choices, and evidence of two jurisdictions. */
export const QUESTION = {
  question:
    "A merchant offers in a signed writing to sell a van, promises to hold the offer open for ten days, and withdraws it on the fourth day. The buyer accepts on the fifth. Is there a contract?",
  choices: [
    { label: "A", text: "Yes, because a firm offer of a merchant is not revocable during the time stated." },
    { label: "B", text: "No, because the promise to hold the offer open lacks consideration." },
    { label: "C", text: "Yes, because the buyer relied on the promise." },
    { label: "D", text: "No, because an offer lapses when a reasonable time has run." },
  ],
  jurisdiction: "US",
  language: "en",
};

/** More evidence than is shown before the debate, so that debaters can request some. */
export const EVIDENCE = [
  {
    source: "Firm offer statute",
    jurisdiction: "US",
    text: "An offer by a merchant to buy or sell goods in a signed writing is not revocable for lack of consideration during the time stated.",
  },
  {
    source: "Restatement on options",
    jurisdiction: "US",
    text: "A promise to hold an offer open that lacks consideration can be withdrawn at any time before acceptance of the offer.",
  },
  {
    source: "Restatement on reliance",
    jurisdiction: "US",
    text: "An offer on which the buyer has relied, because the promise invited it, binds as an option contract to the extent needed.",
  },
  {
    source: "Código Civil, art. 427",
    jurisdiction: "BR",
    text: "A proposta de contrato obriga o proponente. The offer binds the merchant who has made the promise to sell.",
  },
  {
    source: "Rule of lapse",
    jurisdiction: "US",
    text: "An offer lapses when the time stated in it has run, and otherwise when a reasonable time has run for the buyer to accept.",
  },
  {
    source: "Rule of notice",
    jurisdiction: "US",
    text: "A revocation takes effect when notice of it reaches the buyer.",
  },
  {
    source: "Rule of writing",
    jurisdiction: "US",
    text: "A contract for a van needs a writing that the seller has signed.",
  },
];

/** The choices of an open question. */
export const OPEN = { choices: undefined };

export interface Body {
  input?: object;
  options?: object;
  test?: object;
  models?: object;
  limits?: object;
}

/** A debate of the question on the evidence above, unless the body says otherwise. */
export const debateOf = ({ input, ...body }: Body = {}) => ({
  workflow: "debate",
  input: { ...QUESTION, evidence: EVIDENCE, ...input },
  ...body,
});

type Send = (method: string, path: string, body?: object) => Promise<{ status: number; body: any }>;

/** A corpus of texts, indexed; unlike a run's own evidence, which is shown whole, it leaves a debater something to request. */
export async function corpusOf(
  send: Send,
  pieces: readonly { source: string; jurisdiction: string; text: string; external_id?: string }[] = EVIDENCE,
): Promise<string> {
  const { body } = await send("POST", "/v1/corpora", { name: "Texts" });
  for (const piece of pieces) {
    const added = await send("POST", `/v1/corpora/${body.id}/documents`, piece);
    if (added.status >= 300) throw new Error(JSON.stringify(added.body));
  }
  await until("the corpus is indexed", async () => {
    const { body: found } = await send("GET", `/v1/corpora/${body.id}`);
    return found.status === "ready";
  });
  return body.id as string;
}
