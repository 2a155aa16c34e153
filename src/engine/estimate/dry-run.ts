import { z } from "zod";
import { newId } from "#core/ids";
import { type Action, type Feedback, inProfile } from "#workflow-kit/action";
import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import type { ChildRuns } from "#workflow-kit/children";
import type { Dataset, Datasets } from "#workflow-kit/datasets";
import type { DryCall, DryChild, DryRequest, DryResult } from "#workflow-kit/dry-run";
import type { AgentResult, Programs } from "#workflow-kit/programs";
import { seedOf } from "#workflow-kit/programs";
import type { Clarification, ClarificationReply, Consultation, ConsultationReply } from "#workflow-kit/questions";
import type { EvidenceText, Retrieved } from "#workflow-kit/retrieval";
import {
  type StepOptions,
  type StepResult,
  type RecordEntry,
  reference,
  type Run,
  type RunInfo,
  type RunModels,
  type RunRetrieval,
} from "#workflow-kit/run";
import { renderPrompt } from "../calls/prompt";
import { parallel } from "../durable/parallel";
import type { RunDependencies } from "../instance/instance";
import { runExecution } from "../programs/execution";

/** The engine's dependencies that a dry run needs. */
export type DryDependencies = Pick<RunDependencies, "agents" | "papers" | "runProgram"> & {
  dataset(owner: DryRequest["owner"], id: string): Promise<Dataset>;
};

/** Most calls that are counted: rendering their prompts must fit into one request. */
const MAX_CALLS = 2000;

/** Characters of a passage that is retrieved. */
const PASSAGE = 1500;

/** Ends a dry run that has counted enough: its children, or as many calls as it may. */
const ENOUGH = new Error("The dry run has counted enough.");

/** Runs a workflow with mock answers in memory, and lists the model calls that it would make. */
export async function dryRun(deps: DryDependencies, request: DryRequest): Promise<DryResult> {
  const run = new DryRun(deps, request);
  let is_cut = false;
  try {
    await request.workflow.run(run, request.input, request.options);
  } catch (error) {
    if (error !== ENOUGH) throw error;
    is_cut = run.childRuns.length === 0;
  }
  return { calls: run.calls, children: run.childRuns, is_cut };
}

class DryRun implements Run {
  readonly id = newId("run");
  readonly calls: DryCall[] = [];
  readonly childRuns: DryChild[] = [];
  readonly isTestMode: boolean;
  readonly testSettings = null;
  readonly seed: number | null;
  readonly info: RunInfo;
  readonly models: RunModels;
  private readonly artifacts = new Map<string, Artifact>();
  private stageName = "";
  private stageIteration = 1;
  private evidence: readonly EvidenceText[] = [];

  constructor(
    private readonly deps: DryDependencies,
    private readonly request: DryRequest,
  ) {
    const { owner, workflow, models } = request;
    this.isTestMode = owner.mode === "test";
    this.info = { created_at: null, workflow_version: workflow.version, code_version: "" };
    this.seed = models.seed;
    this.models = {
      of: (role, member) => this.modelFor(role, member),
      default: models.default,
      embedding: models.embedding,
    };
  }

  async stage<T>(name: string, fn: () => Promise<T>, { iteration = 1 }: { iteration?: number } = {}): Promise<T> {
    this.stageName = name;
    this.stageIteration = iteration;
    return fn();
  }

  async step<Input, Output>(
    written: Action<Input, Output>,
    input: Input,
    options: StepOptions = {},
  ): Promise<Artifact<Output>> {
    const action = inProfile(written, this.request.options.profile);
    const content = this.mockOutput(action, input, this.modelFor(action.role, options.member));
    return this.keep({ action: action.name, kind: action.kind, role: action.role, content, ...options });
  }

  async tryStep<Input, Output>(
    action: Action<Input, Output>,
    input: Input,
    options?: StepOptions,
  ): Promise<StepResult<Output>> {
    return { artifact: await this.step(action, input, options), failure: null };
  }

  async record<T>(entry: RecordEntry<T>): Promise<Artifact<T>> {
    return this.keep(entry);
  }

  async compute<T>(entry: Omit<RecordEntry<T>, "content">, make: () => T | Promise<T>): Promise<Artifact<T>> {
    return this.keep({ ...entry, content: await make() });
  }

  /** Made of nothing: no step reads it. */
  recordLater(entry: Omit<RecordEntry<unknown>, "content">): DocumentReference {
    return reference(this.keep({ ...entry, content: null }))!;
  }

  async read<T>(references: readonly DocumentReference[]): Promise<Artifact<T>[]> {
    return references.map(({ artifact_id }) => this.artifacts.get(artifact_id) as Artifact<T>);
  }

  readonly retrieval: RunRetrieval = {
    /** Nothing is embedded: encoders cost little, and similarity by words leads to as many calls. */
    embed: async () => null,

    indexEvidence: async (evidence) => {
      this.evidence = evidence;
      const documents = evidence.map(({ source }, index) => ({ document_id: `doc_${index}`, source, passages: 1 }));
      return this.keep({ action: "index_evidence", kind: "evidence", role: "retriever", content: { documents } });
    },

    /** The run's own evidence, and passages of the usual length for as many as a search of corpora returns. */
    search: async ({ query, limit, corpus_ids, whole_evidence }) => {
      const own = whole_evidence ? this.evidence : this.evidence.slice(0, limit);
      const found = corpus_ids.length ? Array.from({ length: limit }, () => ({ source: "Corpus", text: "" })) : [];
      const excerpts = [...own, ...found].map((entry, index) => excerptOf(entry, index));
      const content: Retrieved = { query, method: "bm25", embedding_model: null, excerpts, missing_corpora: [] };
      return this.keep({ action: "retrieve", kind: "authorities", role: "retriever", content });
    },

    /** As in test mode: no source is called. */
    searchPapers: async (query, limit) => {
      const content = await this.deps.papers.search(query, limit, "test");
      return this.keep({ action: "search_papers", kind: "paper_search", role: "librarian", content });
    },
  };

  ask(question: Clarification): Promise<ClarificationReply>;
  ask<Additions>(question: Consultation<Additions>): Promise<ConsultationReply<Additions>>;
  async ask(question: Clarification | Consultation<unknown>): Promise<ClarificationReply | ConsultationReply<unknown>> {
    if (question.kind === "clarification") return { status: "expired" };
    const additions = question.additions.parse({});
    return { status: "answered", decision: "approve", additions, comment: null, answered_by: null };
  }

  readonly programs: Programs = {
    agents: async (ids) => {
      const content = await this.deps.agents.load(this.request.owner, ids);
      return this.keep({ action: "read_registry", kind: "agent_profiles", role: "registry", content });
    },

    execute: async (request) => {
      const seed = seedOf(`${this.id}/${request.key}`);
      let completed = 0;
      const log = await runExecution(this.deps.runProgram, request, seed, async (call) => {
        const { agent, task, input, line } = call;
        const assigned = request.assign(call);
        const outcome =
          "refused" in assigned
            ? { ok: false, value: assigned.refused }
            : assigned.read(
                this.mockOutput(
                  inProfile(assigned.action, this.request.options.profile),
                  assigned.input,
                  assigned.agent.model ?? this.modelFor(assigned.action.role),
                ),
              );
        const content: AgentResult = { agent, task, input, line, tool_calls: [], ...outcome };
        const kept = this.keep({ action: "agent_result", kind: "agent_result", role: "agent", content });
        return { ...kept, completed_seq: ++completed };
      });
      return this.keep({ action: "execution", kind: "execution_log", role: "workflow", content: log });
    },
  };

  readonly children: ChildRuns = {
    run: async ({ children, request }) => {
      this.childRuns.push(...children.map((key) => ({ key, request: request(key) })));
      throw ENOUGH;
    },

    /** Earlier runs do not stand for children here: the estimate is what the run costs without them. */
    findReusable: async () => this.keep({ action: "find_played", kind: "child_runs", role: "engine", content: [] }),

    outcomes: () => Promise.reject(ENOUGH),
    contents: () => Promise.reject(ENOUGH),
  };

  readonly datasets: Datasets = {
    get: (id) => this.deps.dataset(this.request.owner, id),
  };

  parallel<T, R>(items: readonly T[], fn: (item: T, index: number) => Promise<R>, limit?: number): Promise<R[]> {
    return parallel(items, fn, limit ?? items.length);
  }

  private modelFor(role: string, member?: number): string {
    const { roles } = this.request.models;
    return (roles[`${role}_${member}`] ?? roles[role])!.model;
  }

  /** The mock answer of a call, which is counted. @throws ENOUGH */
  private mockOutput<Input, Output>(action: Action<Input, Output>, input: Input, model: string): Output {
    if (this.calls.length >= MAX_CALLS) throw ENOUGH;
    const outcome = this.request.outcomes[action.name] ?? action.outcomes[0];
    const feedback: Feedback<Output> | undefined = undefined;
    const { system, user } = renderPrompt(action, input, feedback);
    const output = action.mock(input, outcome, feedback);
    const text = typeof output === "string" ? output : JSON.stringify(output);
    // Test mode sends no schema.
    const schema = this.isTestMode ? 0 : lengthOfSchema(action);
    this.calls.push({
      action: action.name,
      model,
      input: system.length + user.length + schema,
      output: text.length,
    });
    const read = action.output ? action.output.parse(JSON.parse(text)) : output;
    return action.tidy ? action.tidy(read) : read;
  }

  private keep<T>(entry: RecordEntry<T>): Artifact<T> {
    const { action, kind, role, content, key, subject = "", sentFrom = role } = entry;
    const iteration = entry.iteration ?? this.stageIteration;
    const artifact: Artifact<T> = {
      id: newId("art"),
      kind,
      role,
      content,
      caused_by: action,
      sent_from: sentFrom,
      send_to: this.request.workflow.kinds[kind]?.send_to ?? [],
      subject,
      iteration,
      step: `${this.stageName}/${action}#${key ?? iteration}`,
    };
    this.artifacts.set(artifact.id, artifact);
    return artifact;
  }
}

const lengths = new WeakMap<object, number>();

/** Characters of the JSON Schema of an action's output, which is sent with its prompt; 0: the output is a text. */
function lengthOfSchema({ output }: Action): number {
  if (!output) return 0;
  const known =
    lengths.get(output) ?? JSON.stringify(z.toJSONSchema(output, { io: "output", unrepresentable: "any" })).length;
  lengths.set(output, known);
  return known;
}

const excerptOf = ({ source, text, ...entry }: EvidenceText, index: number): Retrieved["excerpts"][number] => ({
  id: `passage_${index}`,
  document_id: `doc_${index}`,
  corpus_id: null,
  external_id: null,
  source,
  title: entry.title ?? null,
  heading: "",
  jurisdiction: entry.jurisdiction ?? null,
  language: entry.language ?? null,
  date: entry.date ?? null,
  url: entry.url ?? null,
  excerpt: text || "A passage. ".repeat(PASSAGE / 11),
  start: 0,
  end: text.length || PASSAGE,
  score: 1,
});
