import { setTimeout as sleep } from "node:timers/promises";
import type { Plan } from "./runs.ts";
import type { Json } from "../../scripts/lib/json.ts";
import type { Scenario } from "./scenarios.ts";
import type { Answer, Client } from "../lib/client.ts";
import { between } from "./roll.ts";

/**
 * People who answer: once, twice, two at the same time, late, through the API and through the callback URL. The content of every answer keeps
 * the run on the mock path; a note in it identifies the answer.
 */

/** How people answer; `late` answers after the first question has expired. `absent`, which never answers in time, is chosen separately. */
export const BEHAVIOURS = ["api", "callback", "form", "twice", "rivals", "slow", "late"];

const VALUES: Record<string, (question: Json, note: string) => unknown> = {
  text: (_, note) => `As is usual. ${note}`,
  choice: ({ choices }) => choices[0],
  boolean: () => true,
  number: () => 3,
};

/**
 * The content of an answer, which depends only on the interaction and its artifact: the first version of an artifact is sent back, its
 * revision is approved.
 * @param artifact the first artifact of the interaction, if any
 * @param note a text that only this answer has
 */
export function contentFor(interaction: Json, artifact: Json, scenario: Scenario, note: string) {
  if (interaction.kind === "clarification") {
    const answers = interaction.questions.map((question: Json) => [
      question.id,
      VALUES[question.type]?.(question, note),
    ]);
    return { answers: Object.fromEntries(answers), comment: note };
  }
  const { decision, additions } = interaction.answer_schema.properties;
  if (additions) return { decision: "approve", comment: note, additions: scenario.additions?.(additions, note) ?? {} };
  const isFirst = decision.enum.includes("revise") && !artifact.step.includes("~revision");
  return { decision: isFirst ? "revise" : "approve", comment: note };
}

/** Waits until an interaction has expired; a retry of its run may have opened it again for longer. */
async function expiryOf({ id, expires_at }: Json, api: Client) {
  await sleep(Math.max(0, Date.parse(expires_at) - Date.now()) + 200);
  const now = await api.get(`/v1/interactions/${id}`);
  if (now.status === "open" && Date.parse(now.expires_at) > Date.now()) await expiryOf(now, api);
}

/** The form fields of an answer, as the HTML page sends them. */
function formOf(content: object) {
  const fields = (value: unknown, name: string): string[][] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => fields(inner, name ? `${name}[${key}]` : key))
      : [[name, String(value)]];
  return new URLSearchParams(fields(content, ""));
}

/** An answer that was accepted. */
export interface Accepted {
  interaction: string;
  answer: Json;
  note: string;
}

/**
 * Answers one interaction, as one person or as two.
 * @returns the accepted answer; null when all came too late
 */
export async function answer(question: {
  interaction: Json;
  /** the first artifact of the interaction, if any */
  artifact: Json;
  /** of the run */
  plan: Plan;
  api: Client;
  report: (violation: string) => void;
}): Promise<Accepted | null> {
  const { interaction, artifact, plan, api, report } = question;
  const { seed, index, behaviour, scenario } = plan;
  const by = (person: number): Accepted => {
    const note = `${plan.name}, ${interaction.id}, ${person}.`;
    const content = contentFor(interaction, artifact, scenario, note);
    return { interaction: interaction.id, answer: { ...content, answered_by: `Person of ${note}` }, note };
  };
  const [first, second] = [by(1), by(2)];
  const byApi = (body: object) => api.send("POST", `/v1/interactions/${interaction.id}/answer`, { body });
  const callback = new URL(interaction.callback_url).pathname;
  const byCallback = (body: object) => api.send("POST", callback, { body, key: null });
  const byForm = (body: object) => api.send("POST", callback, { form: formOf(body), key: null });
  /** Whether an answer was accepted; a run that has failed meanwhile refuses it with 410. */
  const isAccepted = (channel: string, { status, body }: Answer) => {
    if (status !== 200 && status !== 410)
      report(`an answer through ${channel} to ${interaction.id} got ${status} ${body?.code}: ${body?.detail}`);
    return status === 200;
  };

  await sleep(between(50, 600, seed, index, interaction.stage, "think"));
  switch (behaviour) {
    case "api":
      return isAccepted("the API", await byApi(first.answer)) ? first : null;
    case "callback":
      return isAccepted("the callback URL", await byCallback(first.answer)) ? first : null;
    case "form":
      return isAccepted("a form", await byForm(first.answer)) ? first : null;
    case "slow":
      await sleep(between(2000, 8000, seed, index, "slow"));
      return isAccepted("the callback URL", await byCallback(first.answer)) ? first : null;
    case "twice": {
      if (!isAccepted("the API", await byApi(first.answer))) return null;
      const repeated = await byCallback(first.answer);
      if (repeated.status !== 200) report(`the same answer again to ${interaction.id} got ${repeated.status}`);
      const changed = await byApi(second.answer);
      if (changed.status !== 409) report(`another answer to ${interaction.id} got ${changed.status}`);
      return first;
    }
    case "rivals": {
      const replies = await Promise.all([byApi(first.answer), byCallback(second.answer)]);
      const statuses = replies.map(({ status }) => status);
      const both = statuses.toSorted().join(" and ");
      if (both === "410 and 410") return null;
      if (both !== "200 and 409")
        report(`one of two simultaneous answers to ${interaction.id} must be accepted: ${both}`);
      return statuses[0] === 200 ? first : second;
    }
    case "late":
    case "absent": {
      await expiryOf(interaction, api);
      const { status } = await byCallback(first.answer);
      if (status !== 410) report(`a late answer to ${interaction.id} got ${status}`);
      return null;
    }
    default:
      throw new Error(`Unknown behaviour: ${behaviour}.`);
  }
}
