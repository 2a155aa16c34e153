import type { Artifact } from "#workflow-kit/artifact";
import type { Contents, Kind } from "../artifacts";
import { leadsTo } from "./migration";
import type { Addressee } from "../roles";

/** An artifact of a known kind. */
export type ArtifactOf<K extends Kind> = Artifact<Contents[K]> & { kind: K };

/**
 * The shared workspace (MARE, II-C, Fig. 3): agents put artifacts there and take what is addressed to their role.
 * Immutable, so that a stage can be entered again from its top; `with` gives the workspace that holds more.
 */
export class Workspace {
  constructor(private readonly artifacts: readonly Artifact[] = []) {}

  with(...added: readonly Artifact[]): Workspace {
    return new Workspace([...this.artifacts, ...added]);
  }

  /** What lies before an agent when it turns to `action`. Throws when no artifact addressed to its role leads there. */
  inbox(action: { name: string; role: string }): RoleInbox {
    const received = this.artifacts.filter((artifact) => artifact.send_to.includes(action.role));
    if (!received.some((artifact) => leadsTo(actionBehind(artifact), action.name))) {
      throw new Error(`Nothing addressed to ${action.role} leads to ${action.name}; see the table in migration.ts`);
    }
    return new RoleInbox(action.role as Addressee, received);
  }

  /** Newest artifact of each of these kinds and subject, as a stage returns them: what later stages still read. */
  keep(kinds: readonly Kind[]): Artifact[] {
    return newest(this.artifacts.filter((artifact) => kinds.some((kind) => kind === artifact.kind)));
  }
}

/** The newest artifacts addressed to one role. It remembers which were taken: they are the inputs of the action. */
export class RoleInbox {
  private readonly taken = new Set<Artifact>();

  constructor(
    private readonly role: Addressee,
    private readonly received: readonly Artifact[],
  ) {}

  /** The newest of each subject, in the order of their first versions. */
  all<K extends Kind>(kind: K): ArtifactOf<K>[] {
    const found = newest(this.received.filter((artifact) => artifact.kind === kind)) as ArtifactOf<K>[];
    for (const artifact of found) this.taken.add(artifact);
    return found;
  }

  /** The newest, of a subject if one is given; undefined when there is none. */
  maybe<K extends Kind>(kind: K, subject?: string): ArtifactOf<K> | undefined {
    const found = this.received.findLast(
      (artifact) => artifact.kind === kind && (subject === undefined || artifact.subject === subject),
    ) as ArtifactOf<K> | undefined;
    if (found) this.taken.add(found);
    return found;
  }

  /** The newest, which must be there. */
  one<K extends Kind>(kind: K, subject?: string): ArtifactOf<K> {
    const found = this.maybe(kind, subject);
    if (!found) throw new Error(`No ${kind} is addressed to ${this.role}; see send_to in artifacts.ts`);
    return found;
  }

  get inputs(): readonly Artifact[] {
    return [...this.taken];
  }
}

/** The action that an artifact stands for. A person's edit of it is caused by `human_interaction`, and keeps the act's name. */
const actionBehind = (artifact: Artifact): string => /\/([^#/]+)#/.exec(artifact.act)?.[1] ?? artifact.caused_by;

function newest(artifacts: readonly Artifact[]): Artifact[] {
  const bySubject = new Map<string, Artifact>();
  for (const artifact of artifacts) bySubject.set(`${artifact.kind}\n${artifact.subject}`, artifact);
  return [...bySubject.values()];
}
