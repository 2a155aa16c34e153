/** Clients of our A2A server: of the official package, and one that posts what it is given. */
import {
  type Client,
  ClientFactory,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { Role } from "@a2a-js/sdk";
import type { Message, Part, SendMessageRequest } from "@a2a-js/sdk";

export interface A2aClientOptions {
  /** Base of the server. */
  url: string;
  key: string;
  fetch?: typeof fetch;
}

/** A client that has read the agent card. */
export function connectA2a({ url, key, fetch: send = fetch }: A2aClientOptions): Promise<Client> {
  const fetchImpl = createAuthenticatingFetchWithRetry(send, {
    headers: async () => ({ authorization: `Bearer ${key}` }),
    shouldRetryWithHeaders: async () => undefined,
  });
  return new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl: send }),
  }).createFromUrl(url);
}

const part = (content: NonNullable<Part["content"]>): Part => ({
  content,
  metadata: undefined,
  filename: "",
  mediaType: content.$case === "text" ? "text/plain" : "application/json",
});
export const text = (value: string): Part => part({ $case: "text", value });
export const data = (value: object): Part => part({ $case: "data", value });

/** A request that sends a message. */
export const messageOf = (
  parts: Part[],
  about: Partial<Message> = {},
  returnImmediately = false,
): SendMessageRequest => ({
  tenant: "",
  metadata: undefined,
  message: {
    messageId: crypto.randomUUID(),
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...about,
  },
  configuration: {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately,
  },
});

/** One request as it is. @returns the HTTP status with the answer */
export async function postA2a(
  { url, key, fetch: send = fetch }: A2aClientOptions,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; result?: any; error?: any; code?: string }> {
  const response = await send(new URL("/a2a", url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "a2a-version": "1.0",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return { status: response.status, headers: response.headers, ...(await response.json<object>()) };
}

/** The message of a user as JSON has it. */
export const userMessage = (parts: object[], about: object = {}) => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts, ...about },
  configuration: { returnImmediately: true },
});
