import { cleanLabel } from "#workflow-kit/drawing";
import type { Entity, RequirementModel } from "../../artifacts";

/** How an entity is drawn. */
export type Shape =
  | "stick_figure"
  | "ellipse"
  | "machine" // box with a double bar: the machine of a problem diagram
  | "designed" // box with a single bar: a designed domain
  | "box"
  | "soft_box" // a domain of the environment: box with round corners
  | "dashed_ellipse" // a requirement of a problem diagram
  | "pill"
  | "hexagon"
  | "cloud"; // drawn as a box with soft corners and a dashed border

export interface Node {
  id: string;
  label: string;
  /** Entity type, in words. */
  type: string;
  shape: Shape;
  /** Nodes of higher layers are drawn further right. */
  layer: number;
  /** Inside of the system's boundary. */
  inside: boolean;
}

export interface LineStyle {
  line: "solid" | "dashed";
  head: "none" | "open" | "triangle";
  /** Label of the line; null when the legend explains it. */
  label: string | null;
  /** Within a layer, the end is drawn left of the start: a parent before its children. */
  leftward?: true;
}

export interface Edge extends LineStyle {
  from: string;
  to: string;
  /** Relation type, in words. */
  type: string;
}

/** The drawing of a requirements model, from which Mermaid, PlantUML and SVG are written. */
export interface Diagram {
  title: string;
  subtitle: string;
  /** Name on the boundary around the inner nodes; null when the notation has no boundary. */
  boundary: string | null;
  nodes: Node[];
  edges: Edge[];
}

interface Notation {
  subtitle: string;
  boundary?: true;
  entities: Readonly<Record<string, { shape: Shape; layer: number; inside?: true }>>;
  relations: Readonly<Record<string, LineStyle>>;
}

const line = (label: string | null, head: LineStyle["head"] = "none"): LineStyle => ({ line: "solid", head, label });
const dashed = (label: string | null, head: LineStyle["head"] = "none"): LineStyle => ({ line: "dashed", head, label });

/** UML for use cases, problem frames for problem diagrams, and the boxes and lines of iStar 2.0 for goals. */
const NOTATIONS: Readonly<Record<string, Notation>> = {
  use_case: {
    subtitle: "Use case diagram",
    boundary: true,
    entities: { actor: { shape: "stick_figure", layer: 0 }, use_case: { shape: "ellipse", layer: 1, inside: true } },
    relations: {
      association: line(null),
      include: dashed("«include»", "open"),
      extend: { ...dashed("«extend»", "open"), leftward: true },
      generalization: { ...line(null, "triangle"), leftward: true },
    },
  },
  problem: {
    subtitle: "Problem diagram",
    entities: {
      machine_domain: { shape: "machine", layer: 0 },
      shared_phenomena: { shape: "pill", layer: 1 },
      design_domain: { shape: "designed", layer: 2 },
      physical_device: { shape: "box", layer: 2 },
      environment_entity: { shape: "soft_box", layer: 2 },
      requirement: { shape: "dashed_ellipse", layer: 3 },
    },
    relations: {
      interface: line(null),
      requirement_reference: dashed(null),
      requirement_constraint: dashed(null, "open"),
    },
  },
  goal: {
    subtitle: "Goal model",
    entities: {
      agent: { shape: "machine", layer: 1 },
      role: { shape: "stick_figure", layer: 0 },
      goal: { shape: "pill", layer: 2 },
      task_or_action: { shape: "hexagon", layer: 3 },
      quality: { shape: "cloud", layer: 3 },
      resource: { shape: "box", layer: 4 },
    },
    relations: {
      plays: line("plays", "open"),
      is_a: { ...line(null, "triangle"), leftward: true },
      dependency: line("needs", "open"),
      refinement_and: { ...line("and", "open"), leftward: true },
      refinement_or: { ...line("or", "open"), leftward: true },
      contribution: dashed("contributes", "open"),
      needed_by: line("needed by"),
      qualification: dashed("qualifies"),
    },
  },
};

/** Notation of other model kinds: labelled boxes and arrows. */
const PLAIN: Notation = { subtitle: "Requirements model", entities: {}, relations: {} };

/** Longer names are truncated. Characters. */
const MAX_LABEL_LENGTH = 160;

/** A name as one line that every format accepts. */
const labelled = (text: string): string => cleanLabel(text, MAX_LABEL_LENGTH);

const humanize = (name: string): string => name.replaceAll("_", " ");

/** The diagram of a model. Relations to unknown entities are left out. */
export function diagramOf(model: RequirementModel): Diagram {
  const notation = NOTATIONS[model.model_kind] ?? PLAIN;
  const known = new Set(model.entities.map(({ id }) => id));
  const title = labelled(model.title);
  return {
    title,
    subtitle: notation.subtitle,
    boundary: notation.boundary ? title : null,
    nodes: model.entities.map((entity) => node(entity, notation)),
    edges: model.relations
      .filter(({ from, to }) => known.has(from) && known.has(to))
      .map(({ type, from, to }) => ({
        from,
        to,
        type: humanize(type),
        ...(notation.relations[type] ?? line(labelled(humanize(type)), "open")),
      })),
  };
}

function node({ id, type, name }: Entity, notation: Notation): Node {
  const { shape, layer, inside } = notation.entities[type] ?? { shape: "box", layer: 0 };
  // Without a notation only the label shows the type.
  const label = notation === PLAIN ? `${labelled(name)} «${labelled(humanize(type))}»` : labelled(name);
  return { id, label, type: humanize(type), shape, layer, inside: inside ?? false };
}
