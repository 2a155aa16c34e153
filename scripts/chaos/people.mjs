import { setTimeout as sleep } from "node:timers/promises";
import { between } from "./roll.mjs";

/**
 * People who answer: once, twice, two at the same time, late, by the API and by the callback URL. Whatever they do, what they say leads
 * a run along the way that was rehearsed; a note in it tells who said it.
 */

/** How somebody answers; `late` lets the question expire first, and `absent` never answers in time. */
export const TEMPERS = ["api", "callback", "form", "twice", "rivals", "slow", "late"];

const VALUES = {
  text: (_, note) => `As is usual. ${note}`,
  choice: ({ choices }) => choices[0],
  boolean: () => true,
  number: () => 3,
};

/**
 * What a person says, by the question and the artifact that it is about alone: the first version of an artifact is sent back, its
 * revision is approved.
 * @param {any} interaction
 * @param {any} about artifact that it names first, if any
 * @param {import("./scenarios.mjs").Scenario} scenario
 * @param {string} note tells this answer from any other
 */
export function wordsFor(interaction, about, scenario, note) {
  if (interaction.kind === "clarification") {
    const answers = interaction.questions.map((question) => [question.id, VALUES[question.type](question, note)]);
    return { answers: Object.fromEntries(answers), comment: note };
  }
  const { decision, additions } = interaction.answer_schema.properties;
  if (additions) return { decision: "approve", comment: note, additions: scenario.additions?.(additions, note) ?? {} };
  const again = decision.enum.includes("revise") && !about.act.includes("~revision");
  return { decision: again ? "revise" : "approve", comment: note };
}

/** An answer as an HTML form sends it. */
export function formOf(words) {
  const fields = (value, name) =>
    typeof value === "object"
      ? Object.entries(value).flatMap(([key, inner]) => fields(inner, name ? `${name}[${key}]` : key))
      : [[name, String(value)]];
  return new URLSearchParams(fields(words, ""));
}

/**
 * One person, or two, at one question.
 * @param {object} it
 * @param {any} it.interaction
 * @param {any} it.about
 * @param {any} it.plan of the run
 * @param {import("./client.mjs").Client} it.api
 * @param {(what: string) => void} it.wrong told what should not have been
 * @returns {Promise<{interaction: string, answer: object, note: string} | null>} the answer that was taken; null: it came too late
 */
export async function answer({ interaction, about, plan, api, wrong }) {
  const { seed, index, temper, scenario } = plan;
  const say = (note) => ({ ...wordsFor(interaction, about, scenario, note), answered_by: `Person of ${note}` });
  const [mine, other] = [1, 2].map((which) => ({ note: `${plan.name}, ${interaction.id}, ${which}.` }));
  mine.answer = say(mine.note);
  other.answer = say(other.note);
  const byApi = (body) => api.send("POST", `/v1/interactions/${interaction.id}/answer`, { body });
  const callback = new URL(interaction.callback_url).pathname;
  const byCallback = (body) => api.send("POST", callback, { body, key: null });
  const byForm = (body) => api.send("POST", callback, { form: formOf(body), key: null });
  const taken = ({ answer: said, note }) => ({ interaction: interaction.id, answer: said, note });
  /** Whether it was taken; a run that failed meanwhile takes no answer any more. */
  const judge = (how, { status, body }) => {
    if (status === 200) return true;
    if (status !== 410) wrong(`an answer by ${how} to ${interaction.id} got ${status} ${body?.code}: ${body?.detail}`);
    return false;
  };

  await sleep(between(50, 600, seed, index, interaction.stage, "think"));
  switch (temper) {
    case "api":
      return judge("the API", await byApi(mine.answer)) ? taken(mine) : null;
    case "callback":
      return judge("the callback URL", await byCallback(mine.answer)) ? taken(mine) : null;
    case "form":
      return judge("a form", await byForm(mine.answer)) ? taken(mine) : null;
    case "slow":
      await sleep(between(2000, 8000, seed, index, "slow"));
      return judge("somebody slow", await byCallback(mine.answer)) ? taken(mine) : null;
    case "twice": {
      if (!judge("the API", await byApi(mine.answer))) return null;
      const again = await byCallback(mine.answer);
      if (again.status !== 200) wrong(`the same answer again to ${interaction.id} got ${again.status}`);
      const changed = await byApi(other.answer);
      if (changed.status !== 409) wrong(`another answer to ${interaction.id} got ${changed.status}`);
      return taken(mine);
    }
    case "rivals": {
      const replies = await Promise.all([byApi(mine.answer), byCallback(other.answer)]);
      const statuses = replies.map(({ status }) => status);
      const both = statuses.toSorted().join(" and ");
      if (both === "410 and 410") return null;
      if (both !== "200 and 409") wrong(`of two answers to ${interaction.id} at once one must be taken: ${both}`);
      return taken(statuses[0] === 200 ? mine : other);
    }
    case "late":
    case "absent": {
      await sleep(Math.max(0, Date.parse(interaction.expires_at) - Date.now()) + 200);
      const { status } = await byCallback(mine.answer);
      if (status !== 410) wrong(`a late answer to ${interaction.id} got ${status}`);
      return null;
    }
    default:
      throw new Error(`Nobody is ${temper}.`);
  }
}
