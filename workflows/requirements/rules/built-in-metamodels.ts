import type { Metamodel } from "./metamodel";

/** Use case diagram. Element and relation types of UML; meanings and examples are ours. */
const useCase: Metamodel = {
  entity_types: [
    {
      name: "actor",
      meaning:
        "Someone or something outside the system that uses it or is asked by it: a person's role, an organization, another system. A role, not a named person; never the system itself, and not a device that only reads, shows or prints for a person.",
      examples: ["Passenger", "Dispatcher", "Payment service"],
    },
    {
      name: "use_case",
      meaning:
        "What an actor gets done with the system, with a result of its own: a short verb phrase with its object. Steps, rules and failures are parts of a use case. Logging in, entering, choosing, scanning, checking, confirming, telling, recording and printing are such steps or means; one of them is a use case only where idea or background names it as a task of its own (what somebody does or can do), not where it tells how something else is done. Steps that bring a result only together (fill in a form, send it) are one. A function that time starts, or the system by itself, is a use case where idea or background names it.",
      examples: ["Book seat", "Report delay", "Cancel trip"],
    },
  ],
  relation_types: [
    {
      name: "association",
      meaning:
        "The actor starts the use case, or is asked by it; where time or the system starts it, the actor gets its result. Not for an actor that takes part only because another use case includes this one, unless idea or background say that it does this too.",
      from: ["actor"],
      to: ["use_case"],
    },
    {
      name: "include",
      meaning:
        "The first use case always performs the second as a part of itself, unless it fails before. A step of several is included by each, also where once is enough for all (one log-in, many orders).",
      from: ["use_case"],
      to: ["use_case"],
    },
    {
      name: "extend",
      meaning:
        "The first use case adds something to the second, under a condition only; the second is complete without it.",
      from: ["use_case"],
      to: ["use_case"],
    },
    {
      name: "generalization",
      meaning: "The first is a special kind of the second.",
      from: ["actor", "use_case"],
      to: ["actor", "use_case"],
      same_type: true,
    },
  ],
};

const DOMAINS = ["machine_domain", "physical_device", "environment_entity", "design_domain"] as const;

/** Problem diagram (problem frames). Types from the first author's repositories; meanings and examples are ours. */
const problem: Metamodel = {
  entity_types: [
    {
      name: "machine_domain",
      meaning:
        "The software and its computer that are to be built: the controller, the system itself. Most models have exactly one.",
      examples: ["Irrigation controller", "Lift controller"],
    },
    {
      name: "physical_device",
      meaning: "A device that the machine reads or drives: a sensor, an actuator, a display, an input device.",
      examples: ["Moisture sensor", "Valve", "Call button"],
    },
    {
      name: "environment_entity",
      meaning:
        "A part of the world that the requirements are about and that is not a device: a person, a thing, air, water, another organization.",
      examples: ["Gardener", "Soil of the bed", "Passenger"],
    },
    {
      name: "design_domain",
      meaning: "Information that the machine itself must keep: a record, a plan, a set of rules.",
      examples: ["Watering plan", "Fault log"],
    },
    {
      name: "requirement",
      meaning:
        "A condition in the world that must hold once the machine works: one sentence of at most fifteen words that says nothing of the machine's inside.",
      examples: ["The soil of each bed is moist at sunrise"],
    },
    {
      name: "shared_phenomena",
      meaning:
        "An event, state or value that the machine and another domain share: a measured value, a command, a signal.",
      examples: ["Soil moisture", "Valve open", "Floor called"],
    },
  ],
  relation_types: [
    {
      name: "interface",
      meaning: "The domain shares the phenomenon: it causes it, shows it, or observes it.",
      from: ["shared_phenomena"],
      to: DOMAINS,
    },
    {
      name: "requirement_reference",
      meaning: "The requirement speaks of the other, without demanding that it behaves in a certain way.",
      from: ["requirement"],
      to: [...DOMAINS, "shared_phenomena"],
    },
    {
      name: "requirement_constraint",
      meaning: "The requirement demands that the other behaves in a certain way.",
      from: ["requirement"],
      to: [...DOMAINS, "shared_phenomena"],
    },
  ],
};

const ACTORS = ["role", "agent"] as const;
const ELEMENTS = ["goal", "task_or_action", "quality", "resource"] as const;

/** Goal model after iStar 2.0, with roles, agents and actions, since the paper's text and its Table V disagree. */
const goal: Metamodel = {
  entity_types: [
    {
      name: "role",
      meaning: "A part that somebody plays towards the system, whoever that is.",
      examples: ["Passenger", "Ticket inspector"],
    },
    {
      name: "agent",
      meaning: "A concrete person, organization or system that acts and may play roles.",
      examples: ["City railway", "Booking software"],
    },
    {
      name: "goal",
      meaning: "A state of affairs that somebody wants and that is either reached or not.",
      examples: ["Every passenger has a seat"],
    },
    {
      name: "task_or_action",
      meaning: "Something that is done in order to reach a goal. A verb phrase.",
      examples: ["Announce the delay", "Check the ticket"],
    },
    {
      name: "quality",
      meaning: "How well something must be; it can be met more or less.",
      examples: ["Quick boarding", "Privacy of travel data"],
    },
    {
      name: "resource",
      meaning: "A thing or a piece of information that is needed to do something.",
      examples: ["Ticket", "Timetable"],
    },
  ],
  relation_types: [
    { name: "plays", meaning: "The agent plays the role.", from: ["agent"], to: ["role"] },
    { name: "is_a", meaning: "The first role is a special kind of the second.", from: ["role"], to: ["role"] },
    {
      name: "dependency",
      meaning:
        "The first needs the second: the goal reached, the task done, the quality met, the resource given, the other one to act.",
      from: ACTORS,
      to: [...ACTORS, ...ELEMENTS],
    },
    {
      name: "refinement_and",
      meaning: "The first is a part of the second that is needed together with its other parts.",
      from: ["goal", "task_or_action"],
      to: ["goal", "task_or_action"],
    },
    {
      name: "refinement_or",
      meaning: "The first is one of several ways to reach the second, any of which is enough.",
      from: ["goal", "task_or_action"],
      to: ["goal", "task_or_action"],
    },
    { name: "contribution", meaning: "The first helps or harms the quality.", from: ELEMENTS, to: ["quality"] },
    {
      name: "needed_by",
      meaning: "The resource is needed to do the task.",
      from: ["resource"],
      to: ["task_or_action"],
    },
    {
      name: "qualification",
      meaning: "The quality says how well the goal, task or resource must be.",
      from: ["quality"],
      to: ["goal", "task_or_action", "resource"],
    },
  ],
};

/** The built-in metamodels by model kind. */
export const METAMODELS = { use_case: useCase, problem, goal } as const satisfies Record<string, Metamodel>;
