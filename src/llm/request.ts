import type { Api, ModelCall, Usage } from "./types";

/** One request to a model and its answer, in terms of neither API: `chat.ts` and `responses.ts` translate them. */
export interface ModelRequest {
  messages: Message[];
  /** By the names that the API and the model accept. */
  parameters: Record<string, number | string>;
  /** Absent: plain text. */
  format?: AnswerFormat;
  tools?: readonly DeclaredTool[];
  /** Absent: the model chooses. */
  tool_choice?: "none";
  labels: ModelCall<unknown>["labels"];
  timeout_ms: number;
  /** The model's hidden reasoning is wanted in encrypted form, to pass it back with the next request. */
  wants_reasoning?: boolean;
}

export type Message =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: RequestedToolCall[]; items?: readonly object[] }
  | { role: "tool"; content: string; tool_call_id: string };

export type AnswerFormat =
  | { type: "json_object" }
  | { type: "json_schema"; name: string; schema: Record<string, unknown> };

export interface DeclaredTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  parameters: Record<string, unknown>;
}

/** A tool call that a model requests. */
export interface RequestedToolCall {
  id: string;
  name: string;
  /** JSON, as the model wrote it. */
  arguments: string;
}

export interface ModelReply {
  /** May be empty. */
  text: string;
  tool_calls: RequestedToolCall[];
  /** The output as the API sent it, where it holds encrypted reasoning: it is passed back in its order. Else empty. */
  items: readonly object[];
  /** Whether the output reached its bound before the end. */
  truncated: boolean;
  /** The model that the response names, which may be a dated version of the one that was asked; null: it names none. */
  response_model: string | null;
  usage: Usage;
}

/** All text of a request that the model reads. */
export const promptOf = ({ messages, tools = [], format }: ModelRequest): string[] => [
  ...messages.flatMap((message) => [
    message.content ?? "",
    ...("tool_calls" in message && message.tool_calls ? [JSON.stringify(message.tool_calls)] : []),
  ]),
  ...tools.map((tool) => JSON.stringify(tool)),
  ...(format ? [JSON.stringify(format)] : []),
];

/** All that a model wrote, for a guess at its tokens. */
export const outputOf = ({ text, tool_calls }: Pick<ModelReply, "text" | "tool_calls">): string =>
  text + tool_calls.map((call) => call.name + call.arguments).join("");

/** What a failure to read an answer calls the answer that was expected. */
export const ANSWER_OF: Record<Api, string> = { chat: "a chat completion", responses: "a response" };
