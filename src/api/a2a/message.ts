/** A caller's message, read from the parameters of SendMessage and SendStreamingMessage. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { parse } from "../in-process/runs";
import { A2aError } from "./protocol";
import { configSchema, type PushConfig } from "./push";

const metadata = z.looseObject({ skill: z.string().optional() }).nullish();

const partSchema = z.looseObject({
  text: z.string().optional(),
  data: z.unknown().optional(),
  mediaType: z.string().optional(),
});

const schema = z.looseObject({
  message: z.looseObject({
    messageId: z.string().min(1).max(1000),
    role: z.literal("ROLE_USER", "A message to an agent has the role ROLE_USER."),
    parts: z.array(partSchema).min(1),
    contextId: z.string().optional(),
    taskId: z.string().optional(),
    metadata,
  }),
  configuration: z
    .looseObject({
      returnImmediately: z.boolean().nullish(),
      historyLength: z.int().min(0).nullish(),
      taskPushNotificationConfig: configSchema.nullish(),
    })
    .nullish(),
  metadata,
});

export interface SentMessage {
  /** Null: it starts a task. */
  task: string | null;
  /** Null: the message names none. */
  context: string | null;
  /** The `Idempotency-Key` of what the message does, so that a repeated message does it once. */
  key: string;
  /** The texts, apart by blank lines; empty when there is none. */
  text: string;
  /** The fields of the data parts; null when there is none. */
  data: Record<string, unknown> | null;
  skill: string | null;
  /** The webhook that the task shall notify. */
  push: PushConfig | null;
  returns_immediately: boolean;
  history: number;
}

/** @throws A2aError | OperationError */
export function readSentMessage(params: unknown): SentMessage {
  const { message, configuration, metadata: about } = parse(schema, params);
  const { messageId, parts, contextId, taskId } = message;
  parts.forEach(assertReadable);
  const data = parts.filter((part) => part.data !== undefined && part.data !== null).map((part) => part.data);
  return {
    task: taskId || null,
    context: contextId || null,
    key: `a2a-${hashOf(messageId)}`,
    text: parts
      .flatMap(({ text }) => text ?? [])
      .join("\n\n")
      .trim(),
    data: data.length ? Object.assign({}, ...data) : null,
    skill: about?.skill ?? message.metadata?.skill ?? null,
    push: configuration?.taskPushNotificationConfig ?? null,
    returns_immediately: configuration?.returnImmediately ?? false,
    history: configuration?.historyLength ?? 0,
  };
}

const TEXTS = /^text\//;
const DATA = /^application\/([\w.-]+\+)?json\b/;

function assertReadable({ text, data, mediaType = "" }: z.infer<typeof partSchema>): void {
  const isText = text !== undefined && (!mediaType || TEXTS.test(mediaType));
  const isData = typeof data === "object" && data !== null && !Array.isArray(data);
  if (isText || (isData && (!mediaType || DATA.test(mediaType)))) return;
  throw new A2aError(
    "content_type_not_supported",
    "A part is a text, or `data` that is a JSON object. Files go to a corpus first: POST /v1/corpora.",
  );
}

/** The context of a message that names none: the same when the message is repeated. */
export const newContext = ({ key }: SentMessage): string => key.replace("a2a-", "ctx-");

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 40);
