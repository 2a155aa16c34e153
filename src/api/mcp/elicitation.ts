/** How a run's question reaches the person at the client: as a form when it is flat and short, else as the URL of the answer page. */
import type { ClientCapabilities, ElicitRequestFormParams, ElicitRequestURLParams } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Question } from "#core/vocabulary";
import type { PresentedInteraction } from "#services/interactions/schema";
import { parse } from "../in-process/runs";

/** Questions that a form of a client has room for, and characters of one. */
const MOST_QUESTIONS = 12;
const LONGEST_QUESTION = 600;

export interface InputRequest {
  method: "elicitation/create";
  params: ElicitRequestFormParams | ElicitRequestURLParams;
}

const responseSchema = z.looseObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).nullish(),
});
export type InputResponse = z.infer<typeof responseSchema>;

/** The client's answer to an input request, if it gives one; answers under other names are not looked at. @throws Refusal */
export const responseTo = (id: string, params: unknown): InputResponse | undefined =>
  parse(z.looseObject({ inputResponses: z.looseObject({ [id]: responseSchema.optional() }).default({}) }), params)
    .inputResponses[id] as InputResponse | undefined;

/** The request that asks an open interaction; null when the client can show neither a form nor a page. */
export function inputRequestOf(interaction: PresentedInteraction, client: ClientCapabilities): InputRequest | null {
  const { elicitation } = client;
  if (!elicitation) return null;
  const url = elicitation.url && interaction.callback_url;
  const takesForm = elicitation.form !== undefined || !elicitation.url;
  const message = messageOf(interaction);
  if (takesForm && (isFlat(interaction) || !url)) {
    const requestedSchema = formOf(interaction);
    if (requestedSchema) return { method: "elicitation/create", params: { mode: "form", message, requestedSchema } };
  }
  // The version 2025-11-25 of URL elicitation, which the types describe too, has an id of its own.
  if (url) {
    const params = { mode: "url" as const, message, url, elicitationId: interaction.id };
    return { method: "elicitation/create", params };
  }
  return null;
}

/** The answers to all open questions that the client can show, by interaction. */
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
  { kind }: PresentedInteraction,
  { action, content }: InputResponse,
): Record<string, unknown> | null {
  if (action !== "accept" || !content) return null;
  return kind === "clarification" ? { answers: content } : content;
}

const isFlat = ({ kind, questions }: PresentedInteraction) =>
  kind === "clarification" &&
  questions.length <= MOST_QUESTIONS &&
  questions.every(({ text }) => text.length <= LONGEST_QUESTION);

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
