import { describe, expect, test } from "vitest";
import { textWidth } from "#workflow-kit/drawing";
import { plots, plottedMeasures } from "#workflows/experiment/reports/plots/index";
import { figure, linearScale, logScale, signed } from "#workflows/experiment/reports/plots/numbers";
import { placeLabels } from "#workflows/experiment/reports/plots/scatter";
import { spreadOut } from "#workflows/experiment/reports/plots/spread";
import { analyse } from "#workflows/experiment/rules/analysis";
import { seededRandom } from "#workflow-kit/seeded-random";
import { experiment, itemIds, measure, trial, variant } from "./samples";

/** Debates with everything that is drawn, some variants with names of forty characters. */
function drawn(count: number) {
  const random = seededRandom(count);
  const names = Array.from({ length: count }, (_, index) =>
    index % 3 === 1 ? `${"a-name-of-forty-characters-for-a-variant".slice(0, 37)}-${index}` : `v${index}`,
  );
  const measures = ["accuracy", "precision_at.5", "precision_at.10", "precision_at.all"].map((name) => measure(name));
  const results = itemIds(20).flatMap((item) =>
    names.map((name, index) =>
      trial({
        variant: name,
        item,
        cost: 0.001 * (1 + (index % 7)) * (0.9 + 0.2 * random()),
        confidence: Math.round(random() * 10) / 10,
        answers_by_round: index === 0 ? null : ["A", random() < 0.5 ? "A" : "B", "A"],
        scores: Object.fromEntries(measures.map(({ name: of }) => [of, Number(random() < 0.6)])),
      }),
    ),
  );
  const input = experiment({
    variants: names.map((name, index) => variant(name, { options: index === 0 ? { strategy: "single_agent" } : {} })),
    measures,
    items: itemIds(20).map((id) => ({ id, tags: [], right_answers: ["A"] })),
    results,
    resamples: 1000,
  });
  return plots(input, analyse(input));
}

interface Rectangle {
  words: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The texts of a drawing as rectangles, by their estimated widths; the heading is outside of the moved group, and both are kept apart. */
function textsOf(svg: string): Rectangle[] {
  const body = svg.slice(svg.indexOf("<g transform"));
  return [...body.matchAll(/<text x="([-\d.]+)" y="([-\d.]+)" font-size="(\d+)" ([^>]*)>([^<]*)<\/text>/gu)].map(
    ([, x, y, size, attributes, words]) => {
      const width = textWidth(words!.replace(/&\w+;/gu, "x"), Number(size)) * 0.92;
      const shift = attributes!.includes('"middle"') ? width / 2 : attributes!.includes('"end"') ? width : 0;
      const left = Number(x) - shift;
      return { words: words!, left, right: left + width, top: Number(y) - Number(size) * 0.75, bottom: Number(y) + 1 };
    },
  );
}

const overlaps = (one: Rectangle, other: Rectangle): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** XML without text: every element that opens also closes. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  for (const [, close, name, rest] of svg.matchAll(/<(\/?)([\w:]+)((?:[^<>"]|"[^"<]*")*)>/gu)) {
    if (close) {
      if (open.pop() !== name) return false;
    } else if (!rest!.endsWith("/")) open.push(name!);
  }
  return open.length === 0 && !/&(?!(?:amp|lt|gt|quot|apos);)/u.test(svg);
}

describe.each([2, 6, 20])("plots of %i variants", (count) => {
  const all = drawn(count);

  test("are of means, differences, costs, precision at N, rounds and corrections", () => {
    expect(all.map(({ name }) => name)).toEqual([
      "means-accuracy",
      "differences-accuracy",
      "cost-accuracy",
      "precision-at",
      "rounds",
      "correction",
    ]);
  });

  test("have no labels that overlap, and none outside of the drawing", () => {
    for (const { name, svg } of all) {
      const texts = textsOf(svg);
      expect(texts.length).toBeGreaterThan(6);
      const width = Number(/width="([\d.]+)"/u.exec(svg)![1]) - 28;
      const clashes = texts.flatMap((one, index) =>
        texts
          .slice(index + 1)
          .flatMap((other) => (overlaps(one, other) ? [`${name}: ${one.words} / ${other.words}`] : [])),
      );
      expect(clashes).toEqual([]);
      expect(
        texts.filter(({ left, right }) => left < -28 || right > width).map(({ words }) => `${name}: ${words}`),
      ).toEqual([]);
    }
  });

  test("say in words what they show, in light and dark, without scripts or addresses", () => {
    for (const { svg, alt, title, table } of all) {
      expect(isWellFormed(svg)).toBe(true);
      expect(svg).toMatch(/role="img" aria-labelledby="title desc"/u);
      expect(/<desc id="desc">(.+?)<\/desc>/u.exec(svg)![1]!.length).toBeGreaterThan(20);
      expect(svg).toContain("prefers-color-scheme:dark");
      expect(svg).not.toMatch(/<script|href=|url\(|NaN|undefined|Infinity/u);
      expect(alt).toMatch(/\d/u);
      expect(title).not.toBe("");
      expect(table.rows.every((row) => row.length === table.head.length)).toBe(true);
      expect(table.rows.length).toBeGreaterThan(0);
    }
  });

  test("mark verdicts and series by shapes, not by colour alone", () => {
    const shapes = (svg: string) => svg.replace(/(?:fill|stroke)="#[0-9a-f]{6}"/gu, "");
    const correction = shapes(all.at(-1)!.svg);
    const [corrected, broken] = [/<g><title>corrected[^]*?<\/g>/u, /<g><title>broken[^]*?<\/g>/u].map(
      (one) => one.exec(correction)![0],
    );
    expect(corrected).toContain("<circle");
    expect(broken).not.toContain("<circle");
  });
});

test("a plot names hostile variants and measures as text", () => {
  const input = experiment({
    variants: [variant(`<script>alert("x")</script>`)],
    measures: [measure("a & <b>")],
    results: [trial({ variant: `<script>alert("x")</script>`, item: "q1", scores: { "a & <b>": 1 } })],
  });
  const [plot] = plots(input, analyse(input));
  expect(isWellFormed(plot!.svg)).toBe(true);
  expect(plot!.svg).not.toContain("<script");
});

describe("scales", () => {
  test("have round ticks that hold all values, within the bounds of a measure", () => {
    expect(linearScale([0.61, 0.93], [0, 1]).ticks).toEqual([0.6, 0.7, 0.8, 0.9, 1]);
    expect(linearScale([-0.03, 0.21]).ticks).toEqual([-0.05, 0, 0.05, 0.1, 0.15, 0.2, 0.25]);
    for (const value of [0, 1]) {
      const scale = linearScale([value, value], [0, 1]);
      expect(scale.place(value)).toBeGreaterThanOrEqual(0);
      expect(scale.place(value)).toBeLessThanOrEqual(1);
      expect([scale.from >= 0, scale.to <= 1]).toEqual([true, true]);
    }
    expect(linearScale([7, 7]).place(7)).toBeGreaterThan(0);
  });

  test("of costs may be logarithmic", () => {
    const scale = logScale([0.0004, 0.03], String);
    expect(scale.ticks).toEqual([0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05]);
    expect(scale.place(0.0002)).toBe(0);
    expect(scale.place(0.05)).toBeCloseTo(1, 9);
  });

  test("write numbers with three digits that say something", () => {
    expect([0.8426, 12.44, 1530.4, 0, -0.25, 0.00004].map(figure)).toEqual([
      "0.843",
      "12.4",
      "1,530",
      "0.000",
      "−0.250",
      "4e−5",
    ]);
    expect([signed(0.1), signed(-0.1), signed(0)]).toEqual(["+0.100", "−0.100", "0.000"]);
  });
});

describe("labels", () => {
  test("along a line keep their order and distance, near to where they belong", () => {
    expect(spreadOut([50, 10, 12], 10, [0, 100])).toEqual([50, 6, 16]);
    const crowded = spreadOut([90, 91, 92, 93], 10, [0, 100]);
    expect(crowded).toEqual([70, 80, 90, 100]);
  });

  test("around points overlap neither each other nor points, also where points coincide", () => {
    const points = Array.from({ length: 12 }, () => ({ x: 200, y: 150, width: 20 }));
    const placed = placeLabels(points, { x: 0, y: 0, width: 400, height: 300 });
    const boxes = placed.map(({ x, y, width, height }) => ({
      words: "",
      left: x,
      right: x + width,
      top: y,
      bottom: y + height,
    }));
    const clashes = boxes.flatMap((one, index) => boxes.slice(index + 1).filter((other) => overlaps(one, other)));
    expect(clashes).toEqual([]);
  });
});

test("plots begin with a metric's whole or its F1, and leave out parts by type where there are many", () => {
  const names = ["m.actor_f1", "m.f1", "m.precision", "m.recall", "m.use_case_f1", "m.z_f1", "m.y_f1", "accuracy"];
  const input = experiment({
    variants: [variant("a")],
    measures: names.map((name) => measure(name)),
    results: [trial({ variant: "a", item: "q1", scores: Object.fromEntries(names.map((name) => [name, 1])) })],
  });
  expect(plottedMeasures(input, analyse(input)).map(({ name }) => name)).toEqual([
    "m.f1",
    "m.precision",
    "m.recall",
    "m.actor_f1",
    "m.use_case_f1",
    "accuracy",
  ]);
});

test("plots that are shown alone say that they are of the mock model, or partial", () => {
  const of = (more: object) => {
    const input = {
      ...experiment({
        variants: [variant("a")],
        measures: [measure("accuracy")],
        results: [trial({ variant: "a", item: "q1", scores: { accuracy: 1 } })],
      }),
      ...more,
    };
    return plots(input, analyse(input))[0]!;
  };
  expect(of({ is_test_mode: true, partial: true }).svg).toMatch(
    />Test mode: no model answered\. Partial\. Mean over items/u,
  );
  expect(of({ is_test_mode: true }).alt).toMatch(/^Test mode/u);
  expect(of({}).svg).not.toMatch(/Test mode|Partial/u);
});

test("variants that differ in their rounds alone make a line of each measure", () => {
  const names = ["r1", "r2", "r2-full", "r3"];
  const input = experiment({
    variants: names.map((name) =>
      variant(name, { options: { rounds: Number(name[1]), ...(name.endsWith("full") && { topology: "full" }) } }),
    ),
    measures: [measure("accuracy")],
    results: names.flatMap((name) => [trial({ variant: name, item: "q1", scores: { accuracy: 1 } })]),
  });
  const plot = plots(input, analyse(input)).find(({ name }) => name === "rounds-accuracy")!;
  expect(plot.svg).toContain("<title>r1, r2, r3</title>");
  expect(plot.svg).toContain("<title>r2-full</title>");
  expect(plot.table.rows.map(([name]) => name)).toEqual(["r1", "r2", "r2-full", "r3"]);
});

test("equal scores have Wilson's interval or no whisker, and one item is not called items", () => {
  const of = (score: number) => {
    const results = ["a", "b"].map((name) => trial({ variant: name, item: "q1", scores: { accuracy: score } }));
    const input = experiment({ variants: [variant("a"), variant("b")], measures: [measure("accuracy")], results });
    return plots(input, analyse(input)).find(({ name }) => name === "means-accuracy")!;
  };
  expect(of(1).alt).toContain("a: 1.000 [0.207, 1.000], 1 item. b:");
  expect(of(0.5).alt).toContain("a: 0.500 (all equal), 1 item.");
  const whiskers = (svg: string) => svg.match(/v8M/gu)?.length ?? 0;
  expect([whiskers(of(1).svg), whiskers(of(0.5).svg)]).toEqual([2, 0]);
  expect(of(0.5).svg).not.toMatch(/NaN|null/u);
});
