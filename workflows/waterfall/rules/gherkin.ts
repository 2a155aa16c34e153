import { AstBuilder, GherkinClassicTokenMatcher, Parser } from "@cucumber/gherkin";
import { type GherkinDocument, IdGenerator } from "@cucumber/messages";
import { codeBlocks } from "./program";

/** A syntax error. Lines and columns count from 1. */
export interface GherkinSyntaxError {
  line: number;
  column: number | null;
  message: string;
}

export type ParsedGherkin = { ok: true; ast: GherkinDocument } | { ok: false; errors: GherkinSyntaxError[] };

/** Parses a feature file with the parser of Cucumber, and returns all errors at once. */
export function parseGherkin(text: string): ParsedGherkin {
  const parser = new Parser(new AstBuilder(IdGenerator.incrementing()), new GherkinClassicTokenMatcher());
  try {
    return { ok: true, ast: parser.parse(text) };
  } catch (error) {
    const errors = (error as { errors?: unknown[] }).errors ?? [error];
    return { ok: false, errors: errors.map(errorOf) };
  }
}

/** Parses a requirement: it needs a feature, and scenarios with steps. */
export function readRequirement(text: string): ParsedGherkin {
  const parsed = parseGherkin(text);
  if (!parsed.ok) return parsed;
  const { feature } = parsed.ast;
  const refused = (message: string): ParsedGherkin => ({
    ok: false,
    errors: [{ line: feature?.location.line ?? 1, column: null, message }],
  });
  if (!feature) return refused("There is no Feature.");
  const children = feature.children.flatMap((child) => [child, ...(child.rule?.children ?? [])]);
  const scenarios = children.flatMap(({ scenario }) => scenario ?? []);
  if (scenarios.length === 0) return refused("The Feature has no Scenario.");
  const bare = scenarios.find(({ steps }) => steps.length === 0);
  if (bare) return refused(`The Scenario "${bare.name}" has no step.`);
  return parsed;
}

/** Extracts the feature file from an answer with other text or a code block. */
export function gherkinOf(text: string): string {
  return (codeBlocks(text).find((block) => block.includes(":")) ?? text).trim();
}

/** An error as a sentence. */
export const describeError = ({ line, column, message }: GherkinSyntaxError): string =>
  `Line ${line}${column === null ? "" : `, column ${column}`}: ${message}`;

function errorOf(error: unknown): GherkinSyntaxError {
  const { message, location } = error as Error & { location?: { line: number; column?: number } };
  return {
    line: location?.line ?? 1,
    column: location?.column ?? null,
    message: message.replace(/^\(\d+:\d+\):\s*/, ""),
  };
}
