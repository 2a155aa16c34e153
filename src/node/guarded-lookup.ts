import dns, { type LookupAddress } from "node:dns";
import { isPublicAddress } from "#core/outbound/url-policy";

type Done = (error: Error | null, addresses?: string | LookupAddress[], family?: number) => void;
type Lookup = (name: string, options: { all?: boolean }, done: Done) => void;

/**
 * Refuses connections of this process to private networks, where the Worker on Cloudflare has no route either: the check of a URL comes
 * before the connection, and its name may resolve to another address by then. Node asks `dns.lookup` for the address of each connection
 * by name; addresses in URLs are checked with their text.
 * @param allowed names that the operator has configured: these may be private
 */
export function guardLookups(allowed: Pick<ReadonlySet<string>, "has">): void {
  const lookup = dns.lookup as unknown as Lookup;
  const guarded: Lookup = (name, options, done) => {
    if (allowed.has(name)) return lookup(name, options, done);
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error);
      const addresses = found as LookupAddress[];
      const hidden = addresses.find(({ address }) => !isPublicAddress(address));
      const [first] = addresses;
      if (hidden) return done(new Error(`${name} resolves to ${hidden.address}, which is not a public address.`));
      if (options.all) return done(null, addresses);
      return done(null, first!.address, first!.family);
    });
  };
  dns.lookup = guarded as unknown as typeof dns.lookup;
}
