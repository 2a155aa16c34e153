import { z } from "zod";

/** Types of DNS records that hold an address: A and AAAA. */
const ADDRESS_TYPES = { A: 1, AAAA: 28 } as const;

/** DNS response codes that are handled: no error, and no such name (NXDOMAIN). */
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

const answerSchema = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
});

/**
 * Resolves a name to its current IPv4 and IPv6 addresses; empty when the name does not exist.
 * @param resolver_url URL of a DNS-over-HTTPS resolver that answers in JSON
 * @throws Error with a sentence when the resolver gives no usable answer
 */
export async function resolve(name: string, resolver_url: string, signal: AbortSignal): Promise<string[]> {
  const types = Object.keys(ADDRESS_TYPES) as (keyof typeof ADDRESS_TYPES)[];
  return (await Promise.all(types.map((type) => ask(name, type, resolver_url, signal)))).flat();
}

async function ask(
  name: string,
  type: keyof typeof ADDRESS_TYPES,
  resolver_url: string,
  signal: AbortSignal,
): Promise<string[]> {
  const url = new URL(resolver_url);
  url.searchParams.set("name", name);
  url.searchParams.set("type", type);
  const response = await fetch(url, { headers: { Accept: "application/dns-json" }, redirect: "manual", signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the resolver answered ${response.status}.`);
  }
  const answer = answerSchema.safeParse(JSON.parse(await response.text()));
  if (!answer.success) throw new Error("the resolver's answer could not be read.");
  const { Status, Answer } = answer.data;
  if (Status === NO_SUCH_NAME) return [];
  if (Status !== NO_ERROR) throw new Error(`the resolver failed with DNS code ${Status}.`);
  return Answer.filter((record) => record.type === ADDRESS_TYPES[type]).map(({ data }) => data);
}
