import type { Artifact } from "#workflow-kit/artifact";
import type { Contents, Kind } from "../artifacts";
import { leadsTo } from "./migration";
import type { Addressee } from "../roles";

/** An artifact of a known kind. */
export type ArtifactOf<K extends Kind> = Artifact<Contents[K]> & { kind: K };

/**
 * The shared workspace of artifacts (MARE, II-C, Fig. 3): an agent sees the artifacts addressed to its role. It is immutable, so that a stage
 * can be replayed; `with` returns a workspace with more artifacts.
 */
export class Workspace {
  constructor(private readonly artifacts: readonly Artifact[] = []) {}

  with(...added: readonly Artifact[]): Workspace {
    return new Workspace([...this.artifacts, ...added]);
  }

  /**
   * The inbox of an agent for `action`.
   * @throws Error when no artifact addressed to its role leads to the action
   */
  inbox(action: { name: string; role: string }): RoleInbox {
    const received = this.artifacts.filter((artifact) => artifact.send_to.includes(action.role));
    if (!received.some((artifact) => leadsTo(actionBehind(artifact), action.name))) {
      throw new Error(`Nothing addressed to ${action.role} leads to ${action.name}; see the table in migration.ts`);
    }
    return new RoleInbox(action.role as Addressee, received);
  }

  /** The newest artifact of each of these kinds and each subject. */
  newest(kinds: readonly Kind[]): Artifact[] {
    return newest(this.artifacts.filter((artifact) => kinds.some((kind) => kind === artifact.kind)));
  }
}

/** The newest artifacts addressed to one role. Artifacts that are taken from it become the inputs of the action. */
export class RoleInbox {
  private readonly taken = new Set<Artifact>();

  constructor(
    private readonly role: Addressee,
    private readonly received: readonly Artifact[],
  ) {}

  /** Takes the newest artifact of each subject, in the order of their first versions. */
  takeAll<K extends Kind>(kind: K): ArtifactOf<K>[] {
    const found = newest(this.received.filter((artifact) => artifact.kind === kind)) as ArtifactOf<K>[];
    for (const artifact of found) this.taken.add(artifact);
    return found;
  }

  /** Takes the newest artifact, of `subject` if that is given; undefined when there is none. */
  takeIfAny<K extends Kind>(kind: K, subject?: string): ArtifactOf<K> | undefined {
    const found = this.received.findLast(
      (artifact) => artifact.kind === kind && (subject === undefined || artifact.subject === subject),
    ) as ArtifactOf<K> | undefined;
    if (found) this.taken.add(found);
    return found;
  }

  /** Takes the newest artifact. @throws Error when there is none */
  take<K extends Kind>(kind: K, subject?: string): ArtifactOf<K> {
    const found = this.takeIfAny(kind, subject);
    if (!found) throw new Error(`No ${kind} is addressed to ${this.role}; see send_to in artifacts.ts`);
    return found;
  }

  get inputs(): readonly Artifact[] {
    return [...this.taken];
  }
}

/** The action that made an artifact. A person's edit has `caused_by: human_interaction`, but keeps the name of the step. */
const actionBehind = (artifact: Artifact): string => /\/([^#/]+)#/.exec(artifact.step)?.[1] ?? artifact.caused_by;

function newest(artifacts: readonly Artifact[]): Artifact[] {
  const bySubject = new Map<string, Artifact>();
  for (const artifact of artifacts) bySubject.set(`${artifact.kind}\n${artifact.subject}`, artifact);
  return [...bySubject.values()];
}
