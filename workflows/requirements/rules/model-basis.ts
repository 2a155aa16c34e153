import type { Artifact } from "#workflow-kit/artifact";
import type { CheckMessage, Entity } from "../artifacts";
import { changedIds, modelChanges, type LineChanges } from "./draft-lines";
import { normalized } from "./requirement-model";
import type { Workspace } from "./workspace";

/** What changed of that on which the decisions of a model rest: lines of the draft, and findings about the model. */
export interface ModelBasis {
  isChanged: boolean;
  changes: LineChanges;
  /**
   * The entities whose relations are decided anew: changed ones, those that a finding names (all when it names none), and for each changed
   * requirement the entities that rest on it and on the fewest others: an actor of many functions stays settled when one of them changes.
   */
  concerned(entities: readonly Entity[], changed: readonly Entity[]): Entity[];
}

export function modelBasis(workspace: Workspace, draftBefore: string): ModelBasis {
  const [draft] = workspace.newest(["requirement_draft"]) as [Artifact<string>];
  const [check] = workspace.newest(["check_message"]) as [Artifact<CheckMessage>];
  const changes = modelChanges(draftBefore, draft.content);
  const ids = changedIds(changes);
  const findings = check.content.smells.filter(({ concerns }) => concerns !== "draft");
  return {
    isChanged: changes.added.length > 0 || changes.removed.length > 0 || findings.length > 0,
    changes,
    concerned(entities, changed) {
      const named = findings.map(({ location, explanation }) => {
        const words = ` ${normalized(`${location} ${explanation}`)} `;
        return entities.filter(({ name }) => words.includes(normalized(name)));
      });
      if (named.some((found) => found.length === 0)) return [...entities];
      const resting = new Set([...ids].flatMap((id) => closestTo(id, entities)));
      return entities.filter(
        (entity) => changed.includes(entity) || named.some((found) => found.includes(entity)) || resting.has(entity),
      );
    },
  };
}

/** Of the entities that name a requirement, those that name the fewest. */
function closestTo(id: string, entities: readonly Entity[]): Entity[] {
  const naming = entities.filter(({ requirements }) => requirements?.includes(id));
  const fewest = Math.min(...naming.map(({ requirements }) => requirements!.length));
  return naming.filter(({ requirements }) => requirements!.length === fewest);
}
