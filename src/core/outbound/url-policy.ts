import ipaddr from "ipaddr.js";
import { resolve } from "./resolver";

/** Rules for URLs that come from outside: of webhooks, `http_request`, MCP servers and paper sources. */
export interface UrlPolicy {
  /** Local development: only the scheme is checked. */
  allow_private: boolean;
  /**
   * Hosts that may be private, as the operator lists them: `hooks.internal`, `10.0.0.5:8080`, `*.corp.example` for subdomains. Without a port, all ports.
   * Of their URLs only the scheme is checked.
   */
  private_hosts?: readonly string[];
  /** Names in the operator's own URLs, such as those of model providers. They may be private, so nobody else may have them called. */
  reserved_hosts?: readonly string[];
  /** URL of the DNS-over-HTTPS resolver. */
  resolver_url: string;
  /** Host and port of this deployment, which nobody may have it call; absent: not known. */
  own_host?: string | null;
}

/** The part of the policy that the text of a URL is checked by. */
export type TextPolicy = Pick<UrlPolicy, "allow_private" | "private_hosts" | "reserved_hosts" | "own_host">;

/** Domain suffixes of local machines and networks (RFC 6761, 6762, 8375, and names common in offices and clouds). */
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

/** Ports below belong to services like mail and remote login, which take no HTTP. */
const FIRST_FREE_PORT = 1024;

/** Global unicast range of IPv6. All others are local, reserved, or embed an IPv4 address (NAT64, mapped, compatible). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Azure's host agent: a public address by number, but reachable from inside every Azure network. */
const HOST_AGENTS = ["168.63.129.16"];

/**
 * Checks a URL before each call: its text, and every address that its name resolves to now. A name that cannot be resolved is refused.
 * The platform resolves the name again when it connects, so a name that changes in between passes; that reaches only public addresses, because
 * on Cloudflare `fetch` has no route into a private network, and on Node the connection is refused (src/node/guarded-lookup.ts).
 * @returns why the call is refused, in a sentence; null when it is allowed
 */
export async function callRefusal(url: string, policy: UrlPolicy, signal: AbortSignal): Promise<string | null> {
  const refused = urlRefusal(url, policy);
  if (refused || mayBePrivate(new URL(url), policy)) return refused;
  const { hostname } = new URL(url);
  if (hostname.startsWith("[") || ipaddr.IPv4.isValidFourPartDecimal(hostname)) return null;
  return resolvedNameRefusal(hostname, policy.resolver_url, signal);
}

async function resolvedNameRefusal(name: string, resolver_url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const addresses = await resolve(name, resolver_url, signal);
    if (!addresses.length) return `Its host ${name} has no address.`;
    const hidden = addresses.find((address) => !isPublicAddress(address));
    return hidden === undefined ? null : `Its host ${name} resolves to ${hidden}, which is not a public address.`;
  } catch (error) {
    if (signal.aborted) throw error;
    return `Its host ${name} could not be resolved: ${(error as Error).message}`;
  }
}

/**
 * Checks the text of a URL only, for URLs that are stored: the name is resolved when the URL is called.
 * @param policy.allow_private local development: only the scheme is checked
 */
export function urlRefusal(url: string, policy: TextPolicy): string | null {
  // The parser would drop line breaks and encode blanks, but a stored URL is used as it was given.
  // oxlint-disable-next-line no-control-regex -- the pattern refuses control characters
  if (/[\u0000-\u0020\u007f]/.test(url)) return "It must not contain blanks, line breaks or control characters.";
  if (!URL.canParse(url)) return "It is not an absolute URL.";
  // The parser turns every spelling of an IPv4 address (decimal, hexadecimal, octal, full-width digits) into dotted form.
  const { protocol, username, password, host, hostname, port } = new URL(url);
  if (host === policy.own_host) return "It is an address of this server itself.";
  if (mayBePrivate(new URL(url), policy))
    return ["http:", "https:"].includes(protocol) ? null : "Its scheme must be http or https.";
  if (policy.reserved_hosts?.includes(hostname))
    return `Its host ${hostname} is one that this deployment uses itself; its operator allows it for others (ALLOW_PRIVATE_HOSTS).`;
  if (protocol !== "https:") return "Its scheme must be https.";
  if (port !== "" && Number(port) < FIRST_FREE_PORT) return "Its port must be 443, or 1024 or higher.";
  if (username || password) return "It must not contain a user name or password.";
  if (hostname.startsWith("[")) return addressRefusal(ipaddr.IPv6.parse(hostname.slice(1, -1)));
  if (ipaddr.IPv4.isValidFourPartDecimal(hostname)) return addressRefusal(ipaddr.IPv4.parse(hostname));
  return nameRefusal(hostname);
}

/** By a host of the operator's list, with or without a port; a URL leaves out the port of its scheme. */
const mayBePrivate = (
  { hostname, port, protocol }: Pick<URL, "hostname" | "port" | "protocol">,
  policy: TextPolicy,
): boolean => {
  const host = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  return (
    policy.allow_private ||
    (policy.private_hosts ?? []).some((entry) => isListed(entry, host) || isListed(entry, hostname))
  );
};

/** Whether an entry of a list names a host. `*.example.com` matches its subdomains at any depth, but not itself. */
export const isListed = (entry: string, host: string): boolean =>
  entry.startsWith("*.") ? host.endsWith(entry.slice(1)) : host === entry;

/** The hosts of all URLs in the values of variables. */
export function hostsIn(variables: Readonly<Record<string, unknown>>): Set<string> {
  const texts = Object.values(variables).filter((value) => typeof value === "string");
  const urls = texts.flatMap((text) => text.match(/(?:https?|smtps?):\/\/[^\s"'\\,]+/g) ?? []);
  return new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname));
}

/** Whether an address that a name was resolved to is one of the public Internet. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && addressRefusal(ipaddr.parse(address)) === null;

function addressRefusal(address: ipaddr.IPv4 | ipaddr.IPv6): string | null {
  const range = address.range();
  const shared =
    address instanceof ipaddr.IPv6 ? !address.match(GLOBAL_IPV6) : HOST_AGENTS.includes(address.toString());
  return range === "unicast" && !shared ? null : `Its host ${address.toString()} is not a public address.`;
}

function nameRefusal(name: string): string | null {
  if (name.endsWith(".")) return "Its host must not end in a dot.";
  const suffix = PRIVATE_SUFFIXES.find((it) => name === it || name.endsWith(`.${it}`));
  if (suffix) return `Its host ends in "${suffix}", which is not a public domain.`;
  if (!name.includes(".")) return "Its host is a name without a domain.";
  return null;
}
