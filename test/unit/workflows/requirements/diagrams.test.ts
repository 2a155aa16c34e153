import { describe, expect, test } from "vitest";
import type { RequirementModel } from "#workflows/requirements/artifacts";
import { diagramOf, toMermaid, toPlantuml, toSvg } from "#workflows/requirements/reports/diagrams/index";
import type { Box } from "#workflows/requirements/reports/diagrams/geometry";
import { crosses } from "#workflows/requirements/reports/diagrams/labels";
import { place } from "#workflows/requirements/reports/diagrams/layout";
import { METAMODELS } from "#workflows/requirements/rules/built-in-metamodels";
import { allowedPairs } from "#workflows/requirements/rules/pairs";
import { IDEAS } from "../ideas";
import { fullInputs } from "#workflows/requirements/samples";
import { xmlError } from "./xml";

const HOSTILE = [
  `"]; <script>alert(1)</script>`,
  "line one\nline two\r\n@enduml\nend\n--> e2",
  `\`markdown\` **bold** __under__ //italic// ~~strike~~ <b>x</b> <U+0041> %date() !include /etc/passwd $x`,
  `#quot; &amp; &lt; ' " \\n \\ | {{x}} [[x]] ((x))`,
  "control \u0000\u0007\u001b\ufffe\uffff lone \ud800 surrogate",
  "面向社区老人的陪诊预约小程序 🚲🍕 ﷽",
  "x".repeat(5000),
  "   ",
];

const model = (
  kind: string,
  names: readonly string[],
  relations: RequirementModel["relations"],
  types: readonly string[],
): RequirementModel => ({
  model_kind: kind,
  title: names[0] ?? "Empty",
  entities: names.map((name, index) => ({
    id: `e${index + 1}`,
    type: types[index % types.length]!,
    name,
    description: "",
  })),
  relations,
  pairs: null,
});

const hostile = [
  model(
    "use_case",
    HOSTILE,
    [
      { type: "association", from: "e1", to: "e2" },
      { type: "include", from: "e2", to: "e4" },
    ],
    ["actor", "use_case"],
  ),
  model(
    "custom",
    HOSTILE,
    [
      { type: "talks_to", from: "e1", to: "e2" },
      { type: "talks_to", from: "e2", to: "e1" },
    ],
    ["person", "数据 item"],
  ),
];

/** A model with every entity type and relation type of a metamodel. */
function fullModel(kind: keyof typeof METAMODELS, each: number): RequirementModel {
  const metamodel = METAMODELS[kind];
  const entities = metamodel.entity_types
    .flatMap(({ name }) =>
      Array.from({ length: each }, (_, index) => ({
        type: name,
        name: `${name} number ${index + 1}`,
        description: "",
      })),
    )
    .map((entity, index) => ({ id: `e${index + 1}`, ...entity }));
  const relations = allowedPairs(entities, metamodel).flatMap(({ choices }, index) =>
    index % 3 === 0 ? choices[index % choices.length]! : [],
  );
  return { model_kind: kind, title: `All of ${kind}`, entities, relations, pairs: null };
}

const KINDS = Object.keys(METAMODELS) as (keyof typeof METAMODELS)[];

const overlap = (one: Box, other: Box): boolean =>
  Math.abs(one.x - other.x) < (one.width + other.width) / 2 &&
  Math.abs(one.y - other.y) < (one.height + other.height) / 2;

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'" };
const decoded = (xml: string): string => xml.replace(/&\w+;/g, (entity) => ENTITIES[entity]!);

describe("the SVG", () => {
  test.each(hostile.map((one) => [one.model_kind, one] as const))(
    "is well-formed XML whatever entities are called (%s)",
    (_kind, one) => {
      const svg = toSvg(diagramOf(one));
      expect(xmlError(svg)).toBeNull();
      expect(svg).not.toMatch(/<script|<b>|javascript:|href|<foreignObject|\son\w+=/i);
      expect(svg).toContain("&lt;script&gt;");
    },
  );

  test.each(Object.entries(IDEAS))("is well-formed for the mock output for the idea: %s", (_name, idea) => {
    for (const kind of KINDS)
      expect(xmlError(toSvg(diagramOf(fullInputs(idea, kind).check_requirement.model)))).toBeNull();
  });

  test.each(KINDS)("of %s draws every entity and every relation", (kind) => {
    const full = fullModel(kind, 3);
    const svg = toSvg(diagramOf(full));
    expect(svg.match(/<g><title>/g)).toHaveLength(full.entities.length);
    const placed = place(diagramOf(full));
    expect(placed.edges).toHaveLength(full.relations.length);
    for (const { points } of placed.edges) expect(points.length).toBeGreaterThanOrEqual(2);
  });

  test.each(KINDS)("of %s has no overlapping entities, and nothing outside of the picture", (kind) => {
    for (const each of [1, 4, 40]) {
      const { nodes, edges, width, height } = place(diagramOf(fullModel(kind, each)));
      for (const [index, node] of nodes.entries()) {
        expect(
          nodes
            .slice(index + 1)
            .filter((other) => overlap(node, other))
            .map(({ label }) => `${node.label} / ${label}`),
        ).toEqual([]);
      }
      for (const { x, y } of [...nodes, ...edges.flatMap(({ points }) => points)]) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(width);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(height);
      }
    }
  });

  test("of use cases keeps actors outside of the system's boundary and use cases inside", () => {
    const { nodes, boundary } = place(diagramOf(fullModel("use_case", 5)));
    for (const { type, x, y, width, height } of nodes) {
      const box = {
        x: boundary!.x + boundary!.width / 2,
        y: boundary!.y + boundary!.height / 2,
        width: boundary!.width,
        height: boundary!.height,
      };
      expect(overlap({ x, y, width, height }, box)).toBe(type === "use case");
      if (type === "actor") expect(x + width / 2).toBeLessThan(boundary!.x);
    }
  });

  test("of use cases shows actors beside the system, and not above or below it", () => {
    const names = ["Customer", "Operator", "Withdraw cash", "Deposit money", "Refill cash", "Verify PIN"];
    const lines = [
      [1, 3],
      [1, 4],
      [2, 5],
    ].map(([from, to]) => ({ type: "association", from: `e${from}`, to: `e${to}` }));
    const includes = [3, 4].map((from) => ({ type: "include", from: `e${from}`, to: "e6" }));
    const atm = model(
      "use_case",
      names,
      [...lines, ...includes],
      ["actor", "actor", ...Array<string>(4).fill("use_case")],
    );
    const { nodes, boundary } = place(diagramOf(atm));
    for (const { y, label } of nodes) {
      expect(y, label).toBeGreaterThan(boundary!.y);
      expect(y, label).toBeLessThan(boundary!.y + boundary!.height);
    }
  });

  /** A model whose relations name entities. */
  const drawn = (kind: string, entities: Record<string, string[]>, relations: [string, string, string][]) => {
    const named = Object.entries(entities).flatMap(([type, names]) => names.map((name) => ({ type, name })));
    const idOf = (name: string) => `e${named.findIndex((entity) => entity.name === name) + 1}`;
    return model(
      kind,
      named.map(({ name }) => name),
      relations.map(([type, from, to]) => ({ type, from: idOf(from), to: idOf(to) })),
      named.map(({ type }) => type),
    );
  };

  const ATM = drawn(
    "use_case",
    {
      actor: ["Customer", "Operator", "Bank computer", "Auditor"],
      use_case: [
        "Withdraw cash",
        "Deposit money",
        "Transfer money",
        "Check balance",
        "Verify PIN",
        "Print receipt",
        "Refill cash",
        "Ask the bank",
        "Help",
      ],
    },
    [
      ...["Withdraw cash", "Deposit money", "Transfer money", "Check balance"].flatMap(
        (name): [string, string, string][] => [
          ["association", "Customer", name],
          ["include", name, "Verify PIN"],
        ],
      ),
      ["association", "Operator", "Refill cash"],
      ["association", "Bank computer", "Ask the bank"],
      ["association", "Bank computer", "Verify PIN"],
      ["include", "Withdraw cash", "Ask the bank"],
      ["extend", "Print receipt", "Withdraw cash"],
    ],
  );

  test("explains every line of a use case diagram in the legend, include and extend too", () => {
    const legend = toSvg(diagramOf(ATM)).split("\n").at(-2)!;
    for (const word of ["association", "include", "extend"]) expect(legend).toContain(`>${word}</text>`);
  });

  test.each([
    ["the ATM", ATM] as const,
    ...[1, 3, 6].map((each) => [`${each} of each`, fullModel("use_case", each)] as const),
  ])("of use cases keeps all lines clear of the boundary's title (%s)", (_name, one) => {
    const { edges, boundary } = place(diagramOf(one));
    const title = { x: boundary!.x + boundary!.width / 2, y: boundary!.y + 14, width: boundary!.width, height: 26 };
    expect(edges.filter(({ points }) => crosses(points, title)).map(({ from, to }) => `${from} ${to}`)).toEqual([]);
  });

  test("has no line through another's label where there is room", () => {
    const { edges } = place(diagramOf(ATM));
    for (const edge of edges.filter(({ at }) => at)) {
      const others = edges.filter((other) => other !== edge && crosses(other.points, edge.at!));
      expect(others.map(({ from, to }) => `${from} ${to}`)).toEqual([]);
    }
  });

  test("of goals bends lines beside labels, and not at them", () => {
    const goals = drawn(
      "goal",
      {
        role: ["Organiser"],
        goal: ["Meeting held", "Date agreed", "Room booked", "People told"],
        task_or_action: ["Ask", "Choose"],
      },
      [
        ["dependency", "Organiser", "Meeting held"],
        ...["Date agreed", "Room booked", "People told"].map((name): [string, string, string] => [
          "refinement_and",
          name,
          "Meeting held",
        ]),
        ["refinement_or", "Ask", "Date agreed"],
        ["refinement_or", "Choose", "Date agreed"],
      ],
    );
    const { edges } = place(diagramOf(goals));
    expect(edges.filter(({ points }) => points.length > 2).length).toBeGreaterThan(3);
    for (const { at, points, from, to } of edges)
      expect(
        points.filter((bend) => overlap(at!, { ...bend, width: 0, height: 0 })),
        `${from} ${to}`,
      ).toEqual([]);
  });

  test("keeps the ends of lines on one side of a shape apart", () => {
    const { nodes, edges } = place(diagramOf(ATM));
    const { id } = nodes.find(({ label }) => label === "Verify PIN")!;
    const ends = edges.filter(({ to }) => to === id).map(({ points }) => points.at(-1)!.y);
    const gaps = ends.toSorted((a, b) => a - b).map((y, index, all) => y - (all[index - 1] ?? -Infinity));
    expect(ends).toHaveLength(5);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(11);
  });

  test("places what has no relation: actors in their column, use cases below the others and inside, domains in a row below", () => {
    const { nodes, boundary } = place(diagramOf(ATM));
    const [auditor, customer, help] = ["Auditor", "Customer", "Help"].map((name) =>
      nodes.find(({ label }) => label === name)!,
    );
    expect(auditor!.x).toBe(customer!.x);
    expect(help!.y).toBeGreaterThan(
      Math.max(...nodes.filter(({ inside, label }) => inside && label !== "Help").map(({ y }) => y)),
    );
    expect(help!.y + help!.height / 2).toBeLessThan(boundary!.y + boundary!.height);

    const problem = drawn(
      "problem",
      {
        machine_domain: ["Controller"],
        shared_phenomena: ["Reading"],
        physical_device: ["Thermometer", "Lamp"],
        environment_entity: ["Resident"],
      },
      [
        ["interface", "Controller", "Reading"],
        ["interface", "Thermometer", "Reading"],
      ],
    );
    const { nodes: domains } = place(diagramOf(problem));
    const [below, above] = [
      ["Lamp", "Resident"],
      ["Controller", "Reading", "Thermometer"],
    ].map((names) => domains.filter(({ label }) => names.includes(label)));
    expect(Math.min(...below!.map(({ y, height }) => y - height / 2))).toBeGreaterThan(
      Math.max(...above!.map(({ y, height }) => y + height / 2)),
    );
    expect(new Set(below!.map(({ y }) => y)).size).toBe(1);
    expect(new Set(below!.map(({ shape }) => shape)).size).toBe(2);
  });

  test.each(KINDS)("of %s has a dark colour for each of its colours", (kind) => {
    const svg = toSvg(diagramOf(fullModel(kind, 2)));
    const [, style] = /<style>(@media \(prefers-color-scheme:dark\).*?)<\/style>/.exec(svg)!;
    const colours = new Set([...svg.matchAll(/(?:fill|stroke)="(#[0-9a-f]{6})"/g)].map(([, colour]) => colour!));
    expect(colours.size).toBeGreaterThan(4);
    for (const colour of colours) expect(style).toContain(`="${colour}"`);
  });

  test("has the names of the entities, character for character", () => {
    const names = HOSTILE.slice(0, 4).map((name) => name.replace(/\s+/g, " "));
    const titles = [...toSvg(diagramOf(hostile[0]!)).matchAll(/<g><title>(.*?)<\/title>/g)].map(([, title]) =>
      decoded(title!),
    );
    expect(titles.slice(0, 4)).toEqual(
      names.map((name, index) => `${index % 2 === 0 ? "actor" : "use case"}: ${name}`),
    );
  });

  test("of an empty model says so", () => {
    const svg = toSvg(diagramOf(model("goal", [], [], ["goal"])));
    expect(xmlError(svg)).toBeNull();
    expect(svg).toContain("The model has no elements.");
  });

  test("has a title and a description for screen readers", () => {
    const svg = toSvg(diagramOf(fullModel("problem", 1)));
    expect(svg).toContain('<title id="title">All of problem</title>');
    expect(svg).toMatch(/<desc id="desc">Problem diagram with 6 elements and \d+ relations\.<\/desc>/);
  });
});

describe("the Mermaid text", () => {
  test.each(hostile.map((one) => [one.model_kind, one] as const))(
    "has one line a node and a relation, whatever entities are called (%s)",
    (_kind, one) => {
      const lines = toMermaid(diagramOf(one)).split("\n");
      const isNode = /^ {2,4}e\d+(?:\[\/|\(\[|\[)"[\p{L}\p{M}\p{N} .,:…«»'’()/+#;-]+"(?:\\\]|\]\)|\])$/u;
      expect(lines.filter((line) => isNode.test(line))).toHaveLength(HOSTILE.length);
      expect(lines.filter((line) => /^ {2}e\d+ (?:---|-->|-\.-|-\.->)(?:\|"[^"]*"\|)? e\d+$/.test(line))).toHaveLength(
        one.relations.length,
      );
      expect(lines.join("\n")).not.toContain("<");
    },
  );

  test.each(KINDS)("of %s names every entity", (kind) => {
    const full = fullModel(kind, 2);
    const text = toMermaid(diagramOf(full));
    for (const { name } of full.entities) expect(text).toContain(`"${name.replaceAll("_", "#95;")}"`);
  });
});

describe("the PlantUML text", () => {
  test.each(hostile.map((one) => [one.model_kind, one] as const))(
    "has one line a node and a relation, whatever entities are called (%s)",
    (_kind, one) => {
      const lines = toPlantuml(diagramOf(one)).trim().split("\n");
      expect(lines.at(0)).toBe("@startuml");
      expect(lines.indexOf("@enduml")).toBe(lines.length - 1);
      expect(lines.filter((line) => /^ *(?:actor|usecase|rectangle) "[^"]+" as e\d+$/.test(line))).toHaveLength(
        HOSTILE.length,
      );
      expect(lines.filter((line) => /^e\d+ (?:--|\.\.)\|?>? e\d+(?: : .+)?$/.test(line))).toHaveLength(
        one.relations.length,
      );
      expect(lines.join("\n")).not.toMatch(/[%!$~\\`|]|<(?!U\+[0-9A-F]{4}>|<)/);
    },
  );
});
