import { Agent, request as httpRequest } from "node:http";

/** A stream of events is left after so long; anything else must have ended by then. Milliseconds. */
const STREAM_FOR = 150;
const ANSWER_WITHIN = 60_000;

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/**
 * Sends a request as it stands: no client tidies it up.
 * @param {string} base URL of the server
 * @param {{method: string, path: string, headers: Record<string, string>, body: Buffer | null}} request
 * @returns {Promise<{status: number, headers: Record<string, string>, body: Buffer, left: boolean}>} `left`: a stream that goes on
 */
export function send(base, asked) {
  const { method, path, headers, body } = asked;
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const length = body ? { "content-length": String(body.length) } : {};
    const request = httpRequest(
      { agent, hostname, port, method, path, headers: { ...headers, ...length } },
      (response) => {
        const chunks = [];
        const done = (left) => {
          clearTimeout(timer);
          resolve({
            status: response.statusCode ?? 0,
            headers: /** @type {Record<string, string>} */ (response.headers),
            body: Buffer.concat(chunks),
            left,
          });
        };
        const streams = response.headers["content-type"]?.startsWith("text/event-stream");
        const timer = setTimeout(
          () => (streams ? (done(true), request.destroy()) : request.destroy(new Error("The answer did not end."))),
          streams ? STREAM_FOR : ANSWER_WITHIN,
        );
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => done(false));
        response.on("error", reject);
      },
    );
    request.setTimeout(ANSWER_WITHIN, () =>
      request.destroy(new Error(`No answer came within ${ANSWER_WITHIN / 1000} s.`)),
    );
    request.on("error", (error) => {
      // A connection that stood idle may be closed just when it is used again; on a new one a server that hangs up is to blame.
      const stale = request.reusedSocket && "code" in error && error.code === "ECONNRESET";
      return stale ? resolve(send(base, asked)) : reject(error);
    });
    request.end(body ?? undefined);
  });
}

export const closeConnections = () => agent.destroy();
