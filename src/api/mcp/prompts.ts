/** One prompt for each workflow: it tells a coding agent how to start it and see it through. */
import { type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Services } from "#services/services";
import { parse } from "../in-process/runs";

export const listPrompts = ({ workflows }: Services, names: readonly string[]): Prompt[] =>
  names.map((name) => ({
    name,
    title: `Start a run: ${workflows[name]!.title}`,
    description: workflows[name]!.summary,
    arguments: [{ name: "about", description: "What the run is about, in a sentence or more.", required: true }],
  }));

const getSchema = z.looseObject({ name: z.string(), arguments: z.looseObject({ about: z.string() }).optional() });

export function getPrompt({ workflows }: Services, names: readonly string[], params: unknown) {
  const { name, arguments: { about } = { about: "" } } = parse(getSchema, params);
  if (!names.includes(name))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no prompt "${name}"; there is ${names.join(", ")}.`,
    );
  if (!about.trim())
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "The prompt needs the argument `about`: say what the run is about.",
    );
  const text = [
    `Start a ${name} run (${workflows[name]!.title}) about:`,
    about,
    `Call start_${name} with an input that says this in the tool's form. Then call get_run until the run has ended. When it is input_required, show me its questions (list_questions) and send my answers with answer_question. At the end show me the output.`,
  ].join("\n\n");
  return { description: workflows[name]!.summary, messages: [{ role: "user", content: { type: "text", text } }] };
}
