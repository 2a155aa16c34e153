import { type Client, planFromMock } from "./parley";
import type { Plan } from "./plans";

export const TOPIC = "novel prompting methods that can better quantify uncertainty of large language models";

/** A run's note on its papers when the filter `novelty` is off. */
export const UNSEEN = "Whether the ideas are new was not looked up; the filter `novelty` does.";

export interface Body {
  input?: object;
  options?: object;
  test?: object;
  models?: object;
}

/** A run on the topic above that looks for no papers, unless the body says otherwise. */
export const ideationOf = ({ options, ...body }: Body = {}) => ({
  workflow: "ideation",
  input: { topic: TOPIC },
  options: { paper_source: "none", ...options },
  ...body,
});

/** A plan as the mock run of the same body answers. A step that the mock run did not have is a match, and its first idea wins. */
export const planOfIdeation = async (client: Client, body: object): Promise<Plan> => ({
  ...(await planFromMock(client, body)),
  "*": [
    {
      content: JSON.stringify({
        problem: "Equal.",
        novelty_and_soundness: "The first.",
        evidence: "The first.",
        reason: "It is clearer.",
        accepted: "A",
      }),
    },
  ],
});
