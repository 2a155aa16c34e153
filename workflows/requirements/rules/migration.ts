/**
 * Action migration (MARE, II-D, Fig. 4): which action may follow, by the `caused_by` of what lies in the workspace.
 * A step starts one action out of each of its groups, side by side. The drawing of the figure is not in the paper's
 * text: the table is our reading of II-B to II-D. `derive_acceptance_criteria`, `extract_model`, `merge_model` and
 * `draw_diagram` are additions of ours.
 */
const MIGRATION = {
  human_interaction: [["speak_user_stories"], ["derive_acceptance_criteria"]],
  speak_user_stories: [["propose_question", "write_req_draft"]],
  derive_acceptance_criteria: [["check_requirement"]],
  propose_question: [["answer_question"]],
  answer_question: [["propose_question", "write_req_draft"]],
  write_req_draft: [["extract_entity", "extract_model"]],
  extract_entity: [["extract_relation", "merge_model"]],
  extract_relation: [["merge_model"]],
  extract_model: [["merge_model"]],
  merge_model: [["draw_diagram"], ["check_requirement"]],
  draw_diagram: [],
  check_requirement: [["write_srs", "write_check_report"]],
  write_srs: [],
  write_check_report: [["write_req_draft", "propose_question"]],
} as const satisfies Record<string, readonly (readonly string[])[]>;

export type ActionName = keyof typeof MIGRATION;

const STEPS: Readonly<Record<ActionName, readonly (readonly ActionName[])[]>> = MIGRATION;
const isAction = (name: string): name is ActionName => Object.hasOwn(STEPS, name);

/** Whether an artifact caused by `causedBy` may lead a role to `action`. */
export const leadsTo = (causedBy: string, action: string): boolean =>
  isAction(causedBy) && STEPS[causedBy].some((group) => group.some((next) => next === action));

/**
 * What is wrong with the order in which artifacts came about, a sentence for each; empty when the table allows it.
 * Artifacts of one action that stand side by side (stakeholders, entity types, batches, redone versions) are one step.
 * What a person adds later (`caused_by: human_interaction`) stands in for the artifact it amends and moves nothing.
 */
export function checkTrace(trace: readonly { caused_by: string }[]): string[] {
  const faults: string[] = [];
  /** Steps that were made, newest of each action, with the groups that still wait for one of their actions. */
  const made = new Map<ActionName, (readonly ActionName[])[]>();
  trace.forEach(({ caused_by: action }, index) => {
    const at = `Artifact ${index + 1} (${action})`;
    if (!isAction(action)) return void faults.push(`${at} was caused by no action of this workflow.`);
    const isStart = action === "human_interaction";
    if (isStart ? made.has(action) : made.get(action)?.length === STEPS[action].length) return;

    let led = isStart;
    for (const [by, waiting] of made) {
      const left = waiting.filter((group) => !group.includes(action));
      led ||= left.length < waiting.length;
      made.set(by, left);
    }
    if (!led) faults.push(`${at}: nothing before it leads there.`);
    made.set(action, [...STEPS[action]]);
  });
  return faults;
}
