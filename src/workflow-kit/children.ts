import type { FieldError } from "#core/errors";
import type { Usage } from "#llm";
import type { Artifact } from "./artifact";

/** A run that a workflow starts: the body of `POST /v1/runs` without the fields of a caller. */
export interface ChildRequest {
  workflow: string;
  input: unknown;
  options?: unknown;
  models?: unknown;
  limits?: unknown;
  test?: unknown;
  /**
   * From 0: which of several equal requests it is. A later run may use this child in place of one that is equal in workflow, code, prompts,
   * input, options, models, limits and repetition (`ChildRuns.findReusable`); absent: it may not.
   */
  repetition?: number;
}

/**
 * All errors of a run that a workflow would start, as the body of `POST /v1/runs` would get them, and that the caller's key may not start such a
 * run. Without `models` it has the default model of the request. Paths begin with the field: `input.question`, `options.rounds`, `models.default`. `input`, `options`, `models` and `limits` are
 * each checked once for each object: pass the same ones again.
 */
export type ValidateChild = (child: Omit<ChildRequest, "test" | "repetition">) => Promise<readonly FieldError[]>;

export interface ChildrenRequest {
  /** Distinguishes the groups of children of a stage. */
  key: string;
  /** Names of the children, each once. */
  children: readonly string[];
  /** The run behind a name. Called only for children that are not stored yet; the same name gives the same request. */
  request(child: string): ChildRequest;
  /** How many may be under way at once, within the tenant's own cap. */
  concurrency: number;
  /** How often a failed child is retried; what it has finished is not paid again. By default 0. */
  retries?: number;
}

/** How a child ended. */
export interface ChildResult {
  /** Its name. */
  key: string;
  run_id: string;
  status: "completed" | "failed" | "canceled";
  /** Code and words of its error; null unless it failed. */
  error: { code: string; detail: string } | null;
}

/** Output and usage of a child. */
export interface ChildOutcome {
  key: string;
  run_id: string;
  workflow_version: number;
  /** In the form of its workflow's output, documents as references; null when it did not complete. */
  output: unknown;
  usage: Usage;
  /** Time in which it was neither paused nor waiting, seconds. */
  seconds: number;
}

/** A completed run that stands for a child which would be equal to it. */
export interface ReusableRun {
  /** Name of the child. */
  key: string;
  run_id: string;
}

/** An artifact of a child, or of a run that stands for one. */
export interface ChildDocument {
  run_id: string;
  artifact_id: string;
}

/** Runs that a run starts. Only inside a stage. */
export interface ChildRuns {
  /**
   * Starts runs and waits until all have ended; the run lends its slot meanwhile. Each child is stored once, whatever crashes. Its calls count
   * towards this run's limits; cancel, pause, resume, retry and delete reach it.
   */
  run(request: ChildrenRequest): Promise<Artifact<ChildResult[]>>;

  /**
   * Completed children of the owner's earlier runs that are equal to children which this run would start; they are not started again. The
   * search is made once.
   */
  findReusable(request: Pick<ChildrenRequest, "key" | "children" | "request">): Promise<Artifact<ReusableRun[]>>;

  /**
   * Output and usage of children of this run, and of runs that stand for them, in the order of their ids; they must have ended. A run that was
   * removed meanwhile is left out.
   */
  outcomes(ids: readonly string[]): Promise<ChildOutcome[]>;

  /**
   * Contents of artifacts of such runs, in the order of the references; undefined: its run was removed meanwhile. The caller bounds how many
   * it holds at once.
   */
  contents(documents: readonly ChildDocument[]): Promise<unknown[]>;
}
