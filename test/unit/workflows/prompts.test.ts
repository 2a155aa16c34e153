import Mustache from "mustache";
import { describe, expect, test } from "vitest";
import { PROFILES } from "#core/vocabulary";
import { promptParts, renderPrompt } from "#engine/calls/prompt";
import { inProfile } from "#workflow-kit/action";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { workflows } from "#workflows/index";
import { bareInputs as bareOfDebate, rehearsedInputs as inputsOfDebate } from "./debate/rehearsed";
import { bareInputs as bareOfIdeation, rehearsedInputs as inputsOfIdeation } from "./ideation/rehearsed";
import { bareInputs, IDEAS, rehearsedInputs } from "./requirements/rehearsed";
import { bareInputs as bareOfWaterfall, rehearsedInputs as inputsOfWaterfall } from "./waterfall/rehearsed";

/** Inputs of every action: `full` with all parts, `bare` without the optional parts. */
const SAMPLES: Record<keyof typeof workflows, { full: Record<string, unknown>; bare: Record<string, unknown> }> = {
  ideation: { full: inputsOfIdeation(IDEAS["a paragraph"]!), bare: bareOfIdeation(IDEAS["a paragraph"]!) },
  requirements: { full: rehearsedInputs(IDEAS["a paragraph"]!), bare: bareInputs(IDEAS["a paragraph"]!) },
  waterfall: { full: inputsOfWaterfall(IDEAS["a paragraph"]!), bare: bareOfWaterfall(IDEAS["a paragraph"]!) },
  debate: { full: inputsOfDebate(IDEAS["a paragraph"]!), bare: bareOfDebate(IDEAS["a paragraph"]!) },
};

type Token = [type: string, name: string, start: number, end: number, children?: Token[]];
type Context = Record<string, unknown>;

/** Evaluates a template with its variables: finds names without a variable, and variables without use. */
class Usage {
  readonly missing: string[] = [];
  private readonly used = new Map<object, Set<string>>();

  constructor(template: string, variables: Context) {
    this.walk(Mustache.parse(template) as Token[], [variables]);
  }

  unused(value: unknown, path = ""): string[] {
    if (Array.isArray(value))
      return value
        .flatMap((item) => this.unused(item, `${path}[]`))
        .filter((one, index, all) => all.indexOf(one) === index);
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) =>
      this.used.get(value)?.has(key) ? this.unused(inner, `${path}.${key}`) : [`${path}.${key}`],
    );
  }

  private walk(tokens: Token[], contexts: Context[]): void {
    for (const [type, name, , , children] of tokens) {
      if (!["name", "&", "#", "^"].includes(type)) continue;
      const value = this.lookUp(name, contexts);
      if (type === "^") this.walk(children!, contexts);
      if (type !== "#") continue;
      for (const item of Array.isArray(value) ? value : [value]) {
        this.walk(children!, typeof item === "object" && item !== null ? [...contexts, item as Context] : contexts);
      }
    }
  }

  private lookUp(name: string, contexts: Context[]): unknown {
    if (name === ".") return undefined;
    const [first, ...rest] = name.split(".");
    const owner = contexts.findLast((context) => Object.hasOwn(context, first!));
    if (!owner) return void this.missing.push(name);
    this.mark(owner, first!);
    return rest.reduce<unknown>((value, key) => {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, key))
        return void this.missing.push(name);
      this.mark(value, key);
      return (value as Context)[key];
    }, owner[first!]);
  }

  private mark(owner: object, key: string): void {
    this.used.set(owner, (this.used.get(owner) ?? new Set()).add(key));
  }
}

const everyAction = Object.entries(workflows as Record<string, WorkflowDefinition>).flatMap(([workflow, { actions }]) =>
  actions.flatMap((action) =>
    PROFILES.filter((profile) => profile === "default" || action.paper).map((profile) => ({
      workflow: workflow as keyof typeof workflows,
      action: inProfile(action, profile),
      title: `${workflow}/${action.name} (${profile})`,
    })),
  ),
);

describe.each(everyAction)("the prompt of $title", ({ workflow, action }) => {
  const { full, bare } = SAMPLES[workflow];

  test("has a system part and a user part", () => {
    const { system, user } = promptParts(action.prompt);
    expect(system).not.toBe("");
    expect(user).not.toBe("");
  });

  test("uses only its variables, and all of them", () => {
    const variables = action.variables(full[action.name]);
    const usage = new Usage(action.prompt, variables);
    expect(usage.missing).toEqual([]);
    expect(usage.unused(variables)).toEqual([]);
  });

  test.each([
    ["full", full],
    ["bare", bare],
  ])("renders a %s input without remains of the template", (_name, inputs) => {
    const { system, user } = renderPrompt(action, inputs[action.name]);
    expect(system).not.toMatch(/\{\{|undefined|\[object/);
    expect(user).not.toMatch(/\{\{|undefined|\[object|\bnull\b/);
    expect(user.length).toBeGreaterThan(20);
  });
});

const hostile: Record<keyof typeof workflows, Record<string, unknown>> = {
  ideation: inputsOfIdeation(IDEAS.hostile!),
  requirements: rehearsedInputs(IDEAS.hostile!),
  waterfall: inputsOfWaterfall(IDEAS.hostile!),
  debate: inputsOfDebate(IDEAS.hostile!),
};

describe("material of prompts", () => {
  test.each(everyAction)("$title: text that closes the tag stays inside", ({ workflow, action }) => {
    const { user } = renderPrompt(action, hostile[workflow][action.name]);
    expect(user.match(/<\/material/g)?.length).toBe(user.match(/^<material name="[a-z: ]+[0-9]*">$/gm)?.length);
    expect(user.match(/<material/g)?.length).toBe(user.match(/<\/material>$/gm)?.length);
  });
});
