/** Which agents planners and designers see, and which names of a plan they may use. */
import { describe, expect, it } from "vitest";
import {
  agentsForProgram,
  agentsOfPlan,
  findAgent,
  firstOf,
  isSmall,
  LARGE_REGISTRY,
  nearestNames,
  rankAgents,
  soleAgent,
  unknownAgents,
  withoutUnknownAlternatives,
} from "#workflows/waterfall/rules/registry";
import { agent, AGENTS } from "#workflows/waterfall/samples";

describe("the registry as planners see it", () => {
  const many = Array.from({ length: LARGE_REGISTRY }, (_, index) => agent(`Helper ${index}`));
  const poet = agent("Poet", { description: "Writes sonnets and other verse.", capabilities: ["rhyme"] });
  const wordy = Array.from({ length: 30 }, (_, index) => agent(`Clerk ${index}`, { instructions: "x".repeat(20_000) }));

  it("is shown whole when it is small, in number and in bytes", () => {
    expect(isSmall(AGENTS)).toBe(true);
    expect(isSmall([...many, poet])).toBe(false);
    expect(isSmall(wordy)).toBe(false);
  });

  it("is a shortlist when it is large, within a stage's result", () => {
    expect(firstOf([...many, poet]).length).toBeLessThan(LARGE_REGISTRY);
    const listed = firstOf([poet, ...wordy]);
    expect(listed[0]).toBe(poet);
    expect(JSON.stringify(listed).length).toBeLessThan(201_000);
    expect(listed.length).toBeGreaterThan(5);
  });

  it("ranks in the same order every time, whatever the text", () => {
    for (const text of ["", "…", "a sonnet"])
      expect(rankAgents([...many, poet], text)).toEqual(rankAgents([...many, poet], text));
  });

  it("ranks by words that name a field, in singular and plural alike", () => {
    const traveller = agent("Travel Planner", { description: "Plans trips." });
    const guide = agent("Guide", { description: "Says what is on a plate, and how much it is for you." });
    expect(rankAgents([guide, traveller], "Say what it is, and plan a trip for the two of us.")[0]).toBe(traveller);
  });

  it("finds a name, ignoring case and blanks", () => {
    expect(findAgent(AGENTS, " maths  TUTOR ")?.name).toBe("Maths Tutor");
    expect(findAgent(AGENTS, "Maths")).toBeUndefined();
  });

  it("names the nearest of an unknown name", () => {
    expect(nearestNames(AGENTS, "Math Teacher")[0]).toBe("Maths Tutor");
    expect(nearestNames(AGENTS, "Writer of copy")[0]).toBe("Copy Writer");
  });

  it("finds unknown primaries and alternatives of a plan, each once", () => {
    const task = { task: "t", primary_agent: "Nobody", alternative_agents: ["Maths Tutor", "Nobody", "Ghost Writer"] };
    expect(unknownAgents({ tasks: [task, task] }, AGENTS).map(({ name }) => name)).toEqual(["Nobody", "Ghost Writer"]);
    const planned = agentsOfPlan({ tasks: [task] }, AGENTS, { alternatives: true });
    expect(planned.map(({ name }) => name)).toEqual(["Maths Tutor"]);
  });

  const task = (primary_agent: string, ...alternative_agents: string[]) => ({
    task: "t",
    primary_agent,
    alternative_agents,
  });

  it("loses unknown alternatives of a plan, with a note; an unknown primary is an error", () => {
    const plan = { tasks: [task("Maths Tutor", "Nobody", "Copy Writer"), task("Copy Writer", "Nobody")] };
    expect(withoutUnknownAlternatives(plan, AGENTS)).toEqual({
      tasks: [task("Maths Tutor", "Copy Writer"), task("Copy Writer")],
      note: 'Left out, because no agent has this name: "Nobody".',
    });
    expect(withoutUnknownAlternatives({ tasks: [task("Maths Tutor", "Copy Writer")] }, AGENTS)).toBeNull();
    expect(withoutUnknownAlternatives({ tasks: [task("Nobody", "Ghost")] }, AGENTS)).toBeNull();
  });

  it("has one agent for a plan in which one does everything, whatever its alternatives", () => {
    expect(soleAgent({ tasks: [task("Maths Tutor", "Copy Writer"), task("maths tutor")] }, AGENTS)?.name).toBe(
      "Maths Tutor",
    );
    expect(soleAgent({ tasks: [task("Maths Tutor"), task("Copy Writer")] }, AGENTS)).toBeNull();
  });

  it("gives the writer of a program the cards of those whom the pseudocode names, and no alternatives", () => {
    const plan = { tasks: [task("Maths Tutor", "Copy Writer")] };
    const names = (pseudocode: string | null) => agentsForProgram(AGENTS, plan, pseudocode).map(({ name }) => name);
    expect(names('ask "Maths Tutor" to: add')).toEqual(["Maths Tutor"]);
    expect(names('ask "Travel Planner" to: plan')).toEqual(["Travel Planner"]);
    expect(names(null)).toEqual(["Maths Tutor", "Copy Writer"]);
  });
});
