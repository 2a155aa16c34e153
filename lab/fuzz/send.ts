import { Agent, request as httpRequest } from "node:http";

/** An event stream is closed after this time. Milliseconds. */
const STREAM_FOR = 150;
/** Every other response must end within this time. Milliseconds. */
const ANSWER_WITHIN = 60_000;

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** an event stream that had not ended */
  open: boolean;
}

/**
 * Sends a request unchanged: no HTTP client normalises it.
 * @param base URL of the server
 */
export function send(
  base: string,
  draft: { method: string; path: string; headers: Record<string, string>; body: Buffer | null },
): Promise<Answer> {
  const { method, path, headers, body } = draft;
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const length = body ? { "content-length": String(body.length) } : {};
    const request = httpRequest(
      { agent, hostname, port, method, path, headers: { ...headers, ...length } },
      (response) => {
        const chunks: Buffer[] = [];
        const done = (open: boolean) => {
          clearTimeout(timer);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string>,
            body: Buffer.concat(chunks),
            open,
          });
        };
        const streams = response.headers["content-type"]?.startsWith("text/event-stream");
        const timer = setTimeout(
          () => (streams ? (done(true), request.destroy()) : request.destroy(new Error("The response did not end."))),
          streams ? STREAM_FOR : ANSWER_WITHIN,
        );
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => done(false));
        response.on("error", reject);
      },
    );
    request.setTimeout(ANSWER_WITHIN, () =>
      request.destroy(new Error(`No response within ${ANSWER_WITHIN / 1000} s.`)),
    );
    request.on("error", (error) => {
      // The server may close an idle connection just when it is reused; on a new connection a reset is the server's fault.
      const stale = request.reusedSocket && "code" in error && error.code === "ECONNRESET";
      return stale ? resolve(send(base, draft)) : reject(error);
    });
    request.end(body ?? undefined);
  });
}

export const closeConnections = () => agent.destroy();
