import { z } from "zod";
import { callRefusal, isListed, urlRefusal, type UrlPolicy } from "#core/outbound/url-policy";
import { readBody } from "./read-body";
import { defineTool, type Tool, ToolError } from "./tool";

const MAX_BODY_BYTES = 512 * 1024;
const READABLE = /^(text\/|application\/(.+\+)?(json|xml|yaml|x-yaml|javascript|x-ndjson|csv|graphql))/i;

const parameters = z.strictObject({
  url: z.string().max(4000).describe("Absolute; https."),
  method: z.enum(["GET", "HEAD", "POST"]).default("GET"),
  accept: z.string().max(200).optional().describe("The media type that is wanted."),
  body: z.string().max(50_000).optional().describe("For POST."),
  content_type: z.string().max(200).default("application/json").describe("Of the body."),
});

/** Sends requests to hosts that the operator allows, without secrets. Redirects are not followed, because they could lead to other hosts. */
export function httpRequest(options: {
  settings: { http_allow_list: readonly string[]; timeout_ms: number };
  url_policy: UrlPolicy;
}): Tool {
  const { http_allow_list } = options.settings;
  const url_policy = { ...options.url_policy, reserved_hosts: [] }; // the operator lists the hosts
  return defineTool({
    name: "http_request",
    description: `Makes an HTTP request and gives back status and body. Only these hosts can be called: ${http_allow_list.join(", ")}.`,
    parameters,
    async call({ url, method, accept, body, content_type }, signal) {
      await refuse(url, http_allow_list, url_policy, signal);
      if (body !== undefined && method !== "POST") throw new ToolError("Only POST takes a body.");
      const response = await fetch(url, {
        method,
        headers: {
          "User-Agent": "Parley",
          ...(accept === undefined ? {} : { Accept: accept }),
          ...(body === undefined ? {} : { "Content-Type": content_type }),
        },
        body,
        redirect: "manual",
        signal,
      });
      return describeResponse(response);
    },
  });
}

async function refuse(url: string, allowed: readonly string[], policy: UrlPolicy, signal: AbortSignal): Promise<void> {
  const refused = urlRefusal(url, policy);
  if (refused) throw new ToolError(`The URL was not called. ${refused}`);
  const { host, username, password } = new URL(url);
  if (username || password) throw new ToolError("The URL was not called. It must not contain a user name or password.");
  if (!allowed.some((entry) => isListed(entry, host))) {
    throw new ToolError(`The URL was not called. ${host} is not among the hosts that can be: ${allowed.join(", ")}.`);
  }
  // Last, because a lookup discloses the name to the resolver.
  const hidden = await callRefusal(url, policy, signal);
  if (hidden) throw new ToolError(`The URL was not called. ${hidden}`);
}

async function describeResponse(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  const lines = [`Status: ${response.status}`, ...(type ? [`Content-Type: ${type}`] : [])];
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    return [...lines, `Location: ${response.headers.get("location") ?? "(none)"}`, "Redirects are not followed."].join(
      "\n",
    );
  }
  const bytes = await readBody(response, MAX_BODY_BYTES);
  if (bytes.length === 0) return [...lines, "", "(no body)"].join("\n");
  if (type && !READABLE.test(type)) return [...lines, "", `(${bytes.length} bytes that are not text)`].join("\n");
  return [...lines, "", new TextDecoder().decode(bytes)].join("\n");
}
