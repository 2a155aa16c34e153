import { z } from "zod";
import type { FunctionCall } from "./artifacts";

/** A function of the caller's own. The run never calls it: it tells which calls it would make. */
export const functionSchema = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/, "Use letters, digits, `_`, `.` and `-`, up to 64."),
    description: z.string().max(5000).default(""),
    parameters: z
      .record(z.string(), z.unknown())
      .default({ type: "object", properties: {} })
      .describe("JSON Schema of the arguments, an object."),
  })
  .superRefine(({ parameters }, context) => {
    const fault = faultOfSchema(parameters);
    if (fault) context.addIssue({ code: "custom", path: ["parameters"], message: fault });
  });

export type FunctionSpec = z.infer<typeof functionSchema>;

const reader = (parameters: Record<string, unknown>): z.ZodType => z.fromJSONSchema(parameters as never);

function faultOfSchema(parameters: Record<string, unknown>): string | null {
  if (parameters.type !== "object") return 'Give a JSON Schema of type "object".';
  try {
    reader(parameters);
    return null;
  } catch (error) {
    return `This is no JSON Schema that we can check arguments against: ${(error as Error).message}`;
  }
}

const callSchema = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });

/** Reads calls out of what a program or a model made; each fault is a sentence that says what to mend. */
export function readCalls(
  value: unknown,
  functions: readonly FunctionSpec[],
): { calls: FunctionCall[]; faults: string[] } {
  const form = "`calls` must be a list of { name, arguments }, where `arguments` is an object.";
  if (!Array.isArray(value)) return { calls: [], faults: [form] };
  const calls: FunctionCall[] = [];
  const faults: string[] = [];
  value.forEach((one, index) => {
    const parsed = callSchema.safeParse(one);
    if (!parsed.success) return void faults.push(`Call ${index + 1}: ${form}`);
    calls.push(parsed.data);
    faults.push(...faultsOfCall(parsed.data, functions).map((fault) => `Call ${index + 1}: ${fault}`));
  });
  return { calls, faults };
}

function faultsOfCall(call: FunctionCall, functions: readonly FunctionSpec[]): string[] {
  const known = functions.find(({ name }) => name === call.name);
  if (!known) return [`there is no function "${call.name}"; there is ${functions.map(({ name }) => name).join(", ")}.`];
  const parsed = reader(known.parameters).safeParse(call.arguments);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => `${call.name}, ${path.join(".") || "arguments"}: ${message}.`);
}
