/** How a run's question reaches the person at the client: as a form when it is flat and short, else as the URL of the answer page. */
import {
  acceptedContent,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type InputRequest,
  inputRequired,
} from "@modelcontextprotocol/server";
import type { Question } from "#core/vocabulary";
import type { PresentedInteraction } from "#services/interactions/schema";

/** Questions that a form of a client has room for, and characters of one. */
const MAX_QUESTIONS = 12;
const MAX_QUESTION_LENGTH = 600;

/** The request that asks an open interaction; null when the client can show neither a form nor a page. */
export function inputRequestOf(interaction: PresentedInteraction, client: ClientCapabilities): InputRequest | null {
  const { elicitation } = client;
  if (!elicitation) return null;
  const url = elicitation.url && interaction.callback_url;
  const takesForm = elicitation.form !== undefined || !elicitation.url;
  const message = messageOf(interaction);
  if (takesForm && (isFlat(interaction) || !url)) {
    const requestedSchema = formOf(interaction);
    if (requestedSchema) return inputRequired.elicit({ message, requestedSchema });
  }
  return url ? inputRequired.elicitUrl({ message, url }) : null;
}

/** The requests that ask the open questions which the client can show, by interaction. */
export const inputRequestsOf = (
  open: readonly PresentedInteraction[],
  client: ClientCapabilities,
): Record<string, InputRequest> =>
  Object.fromEntries(
    open.flatMap((interaction) => {
      const request = inputRequestOf(interaction, client);
      return request ? [[interaction.id, request] as const] : [];
    }),
  );

/** The body that answers an interaction; null when the person gave no answer here: the question stays open. */
export function answerOf(
  { id, kind }: PresentedInteraction,
  responses: Record<string, unknown> | undefined,
): Record<string, unknown> | null {
  const content = acceptedContent(responses, id);
  if (!content) return null;
  return kind === "clarification" ? { answers: content } : content;
}

const isFlat = ({ kind, questions }: PresentedInteraction) =>
  kind === "clarification" &&
  questions.length <= MAX_QUESTIONS &&
  questions.every(({ text }) => text.length <= MAX_QUESTION_LENGTH);

/** A flat schema of the answer; null when the answer needs more than a decision and a comment. */
function formOf(interaction: PresentedInteraction): ElicitRequestFormParams["requestedSchema"] | null {
  const { kind, questions, answer_schema } = interaction;
  if (kind === "clarification") {
    return {
      type: "object",
      properties: Object.fromEntries(questions.map((question) => [question.id, fieldOf(question)])),
      required: questions.filter(({ required }) => required).map(({ id }) => id),
    };
  }
  const { properties = {}, required = [] } = answer_schema as AnswerSchema;
  if (!properties.decision?.enum || required.some((name) => name !== "decision")) return null;
  const decision = { type: "string" as const, title: "Decision", enum: properties.decision.enum };
  const comment = { type: "string" as const, title: "Comment", description: "With `revise`: what to change." };
  return { type: "object", properties: { decision, ...(properties.comment && { comment }) }, required: ["decision"] };
}

interface AnswerSchema {
  properties?: { decision?: { enum?: string[] }; comment?: object };
  required?: string[];
}

function fieldOf({ text, type, choices = [], default: preset }: Question) {
  const about = { title: text, ...(preset !== undefined && preset !== null && { default: preset }) } as object;
  switch (type) {
    case "choice":
      return { type: "string" as const, enum: choices, ...about };
    case "boolean":
      return { type: "boolean" as const, ...about };
    case "number":
      return { type: "number" as const, ...about };
    case "text":
      return { type: "string" as const, ...about };
  }
}

const messageOf = ({ prompt, run_id, artifacts }: PresentedInteraction): string =>
  [prompt, ...artifacts.map((id) => `About parley://runs/${run_id}/artifacts/${id}`)].join("\n");
