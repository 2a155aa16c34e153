import ipaddr from "ipaddr.js";
import { resolve } from "./resolver";

/** What guards every URL that somebody else names: of webhooks, `http_request`, MCP servers and paper sources. */
export interface UrlPolicy {
  /** Local development: only the scheme is checked. */
  allow_private: boolean;
  /** Who is asked for the addresses of a name, by DNS over HTTPS. */
  resolver_url: string;
}

/** Names that mean this machine or this network (RFC 6761, 6762, 8375, and what is common in offices and clouds). */
const PRIVATE_SUFFIXES = [
  "localhost",
  "local",
  "internal",
  "home.arpa",
  "localdomain",
  "lan",
  "home",
  "corp",
  "intranet",
];

/** Global unicast of IPv6. What lies outside is local, reserved, or carries an IPv4 address within (NAT64, mapped, compatible). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Public by its number, yet answered inside every Azure network: the host's own agent. */
const HOST_AGENTS = ["168.63.129.16"];

/**
 * Says why we may not call a URL now, in a sentence, or null when we may. Asked before each call: by the text, and by every address
 * that its name has at this moment. The platform resolves the name once more when it connects and takes no address from us, so
 * a name that changes in between passes; what that reaches is public on Cloudflare, where `fetch` has no way into a private network.
 * A name that cannot be resolved is not called.
 */
export async function refuseCall(url: string, policy: UrlPolicy, signal: AbortSignal): Promise<string | null> {
  const refused = refuseUrl(url, policy);
  if (refused || policy.allow_private) return refused;
  const { hostname } = new URL(url);
  if (hostname.startsWith("[") || ipaddr.IPv4.isValidFourPartDecimal(hostname)) return null;
  return refuseResolved(hostname, policy.resolver_url, signal);
}

async function refuseResolved(name: string, resolver_url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const addresses = await resolve(name, resolver_url, signal);
    if (!addresses.length) return `Its host ${name} has no address.`;
    const hidden = addresses.find((address) => !ipaddr.isValid(address) || refuseAddress(ipaddr.parse(address)));
    return hidden === undefined ? null : `Its host ${name} resolves to ${hidden}, which is not a public address.`;
  } catch (error) {
    if (signal.aborted) throw error;
    return `Its host ${name} could not be resolved: ${(error as Error).message}`;
  }
}

/**
 * The same by the text alone, for URLs that are to be kept: what a name resolves to is looked up when it is called.
 * @param policy.allow_private local development: only the scheme is checked
 */
export function refuseUrl(url: string, policy: Pick<UrlPolicy, "allow_private">): string | null {
  if (!URL.canParse(url)) return "It is not an absolute URL.";
  // The parser turns every spelling of an IPv4 address (decimal, hexadecimal, octal, full-width digits) into dotted form.
  const { protocol, username, password, hostname } = new URL(url);
  if (policy.allow_private) return ["http:", "https:"].includes(protocol) ? null : "Its scheme must be http or https.";
  if (protocol !== "https:") return "Its scheme must be https.";
  if (username || password) return "It must not contain a user name or password.";
  if (hostname.startsWith("[")) return refuseAddress(ipaddr.IPv6.parse(hostname.slice(1, -1)));
  if (ipaddr.IPv4.isValidFourPartDecimal(hostname)) return refuseAddress(ipaddr.IPv4.parse(hostname));
  return refuseName(hostname);
}

function refuseAddress(address: ipaddr.IPv4 | ipaddr.IPv6): string | null {
  const range = address.range();
  const shared =
    address instanceof ipaddr.IPv6 ? !address.match(GLOBAL_IPV6) : HOST_AGENTS.includes(address.toString());
  return range === "unicast" && !shared ? null : `Its host ${address.toString()} is not a public address.`;
}

function refuseName(name: string): string | null {
  if (name.endsWith(".")) return "Its host must not end in a dot.";
  const suffix = PRIVATE_SUFFIXES.find((it) => name === it || name.endsWith(`.${it}`));
  if (suffix) return `Its host ends in "${suffix}", which is not a public domain.`;
  if (!name.includes(".")) return "Its host is a name without a domain.";
  return null;
}
