import type { MatchNamesInput } from "../inputs/judging";

/** @param outcome `same_names`: equal names match, whatever their case; `nothing`: none do */
export function mockMatches({ found, right }: MatchNamesInput, outcome: string) {
  const left = [...right];
  const pairs = found.flatMap(({ id, name }) => {
    const at = left.findIndex((other) => other.name.toLowerCase() === name.toLowerCase());
    return at < 0 ? [] : [{ found: id, right: left.splice(at, 1)[0]!.id }];
  });
  return { pairs: outcome === "nothing" ? [] : pairs };
}
