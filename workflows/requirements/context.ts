import type { Action } from "#workflow-kit/action";
import type { Artifact } from "#workflow-kit/artifact";
import type { StepOptions, RecordEntry, Run } from "#workflow-kit/run";
import type { Contents, Kind } from "./artifacts";
import type { Input, Options } from "./contract";
import type { RoleInbox, Workspace } from "./rules/workspace";

/** What the stages of a run share. */
export class Context {
  constructor(
    readonly run: Run,
    readonly input: Input,
    readonly options: Options,
  ) {}

  /** An agent reads the input of an action from its inbox and performs it. The artifacts that it took are the step's inputs. */
  perform<I, O>(
    workspace: Workspace,
    action: Action<I, O>,
    read: (inbox: RoleInbox) => I,
    options: Omit<StepOptions, "inputs"> = {},
  ): Promise<Artifact<O>> {
    const inbox = workspace.inbox(action);
    const input = read(inbox);
    return this.run.step(action, input, { ...options, inputs: inbox.inputs });
  }

  /** Records an artifact that no model made. */
  publish<K extends Kind>(
    kind: K,
    content: Contents[K],
    entry: Omit<RecordEntry<Contents[K]>, "kind" | "content">,
  ): Promise<Artifact<Contents[K]>> {
    return this.run.record({ ...entry, kind, content });
  }
}
