import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { anyIdentical } from "./personas";
import type { Configuration } from "./presets";

type Check = NonNullable<WorkflowDefinition["check"]>;

/**
 * Refuses critics with the same prompt, persona and model at temperature 0 (spec, ambiguity 11): seeds do not change their output, and
 * each call costs.
 */
export function identicalCritics(
  { critics, critic_personas }: Pick<Configuration, "critics" | "critic_personas">,
  roles: Parameters<Check>[0]["roles"],
): ReturnType<Check> {
  const models = Array.from({ length: critics }, (_, index) => roles[`critic_${index + 1}`] ?? roles.critic);
  const greedy = models.flatMap((model, index) =>
    model?.temperature === 0 ? [{ model, persona: critic_personas[index]! }] : [],
  );
  const groups = Map.groupBy(greedy, ({ model: { seed: _, ...model } }) =>
    JSON.stringify(Object.entries(model).toSorted()),
  );
  const identical = [...groups.values()].some((group) => anyIdentical(group.map(({ persona }) => persona)));
  if (!identical) return [];
  return [
    {
      path: "options.critics",
      code: "identical_critics",
      message:
        "Some critics have the same persona and the same model at temperature 0, so they would say the same. Give them a temperature above 0 (models.roles.critic.temperature), personas that differ (options.critic_personas), or ask for one critic.",
    },
  ];
}
