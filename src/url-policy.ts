import ipaddr from "ipaddr.js";

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
 * Says why we may not call a URL, in a sentence, or null when we may. Judged by the text alone: what a name resolves to is
 * not looked up here, so a public name that points to a private address passes.
 * @param options.allow_private local development: only the scheme is checked
 */
export function refuseUrl(url: string, options: { allow_private: boolean }): string | null {
  if (!URL.canParse(url)) return "It is not an absolute URL.";
  // The parser turns every spelling of an IPv4 address (decimal, hexadecimal, octal, full-width digits) into dotted form.
  const { protocol, username, password, hostname } = new URL(url);
  if (options.allow_private) return ["http:", "https:"].includes(protocol) ? null : "Its scheme must be http or https.";
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
