/**
 * Action migration (MARE, II-D, Fig. 4): the actions that may follow an action. One action of each group follows, the groups in parallel.
 * The paper's text does not contain the drawing of the figure: the table is our reading of II-B to II-D. We added
 * `derive_acceptance_criteria`, `revise_req_draft`, `list_relations`, `extract_model`, and what code does: `apply_changes`, `merge_model`,
 * `draw_diagram` and `assemble_specification`. A person's draft (`provide_draft`) takes the place of stories and interview.
 */
const MIGRATION = {
  human_interaction: [["speak_user_stories", "provide_draft"], ["derive_acceptance_criteria"]],
  provide_draft: [["extract_entity", "extract_model", "merge_model"]],
  speak_user_stories: [["propose_question", "write_req_draft"]],
  derive_acceptance_criteria: [["check_requirement"]],
  propose_question: [["answer_question"]],
  answer_question: [["propose_question", "write_req_draft", "revise_req_draft", "extract_entity", "extract_model"]],
  write_req_draft: [["extract_entity", "extract_model", "merge_model"]],
  revise_req_draft: [["apply_changes"]],
  apply_changes: [["extract_entity", "extract_model", "merge_model"]],
  extract_entity: [["extract_relation", "list_relations", "merge_model"]],
  extract_relation: [["merge_model"]],
  list_relations: [["merge_model"]],
  extract_model: [["merge_model"]],
  merge_model: [["draw_diagram"], ["check_requirement"]],
  draw_diagram: [],
  check_requirement: [["write_srs", "write_check_report"]],
  write_srs: [["assemble_specification"]],
  assemble_specification: [],
  write_check_report: [
    ["write_req_draft", "revise_req_draft", "propose_question", "extract_entity", "extract_model", "write_srs"],
  ],
} as const satisfies Record<string, readonly (readonly string[])[]>;

export type ActionName = keyof typeof MIGRATION;

const STEPS: Readonly<Record<ActionName, readonly (readonly ActionName[])[]>> = MIGRATION;
const isAction = (name: string): name is ActionName => Object.hasOwn(STEPS, name);

/** Whether `action` may follow the action `causedBy`. */
export const leadsTo = (causedBy: string, action: string): boolean =>
  isAction(causedBy) && STEPS[causedBy].some((group) => group.some((next) => next === action));

/**
 * Checks the order of a run's artifacts against the table.
 * Artifacts of one action that belong together (stakeholders, entity types, batches, revisions) are one step. A person's later edit
 * (`caused_by: human_interaction`) replaces the artifact that it amends, and leads to no action.
 * @returns one sentence for each violation
 */
export function checkTrace(trace: readonly { caused_by: string }[]): string[] {
  const errors: string[] = [];
  /** The newest step of each action, with the groups of which no action has followed yet. */
  const steps = new Map<ActionName, (readonly ActionName[])[]>();
  trace.forEach(({ caused_by: action }, index) => {
    const subject = `Artifact ${index + 1} (${action})`;
    if (!isAction(action)) return void errors.push(`${subject} was caused by no action of this workflow.`);
    const isStart = action === "human_interaction";
    if (isStart ? steps.has(action) : steps.get(action)?.length === STEPS[action].length) return;

    let isAllowed = isStart;
    for (const [previous, waiting] of steps) {
      const stillWaiting = waiting.filter((group) => !group.includes(action));
      isAllowed ||= stillWaiting.length < waiting.length;
      steps.set(previous, stillWaiting);
    }
    if (!isAllowed) errors.push(`${subject}: nothing before it leads there.`);
    steps.set(action, [...STEPS[action]]);
  });
  return errors;
}
