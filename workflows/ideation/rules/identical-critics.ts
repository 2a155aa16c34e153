import type { WorkflowDefinition } from "#workflow-kit/workflow";
import { anyAlike } from "./personas";
import type { Configuration } from "./presets";

type Check = NonNullable<WorkflowDefinition["check"]>;

/**
 * Critics that would say the same: the same prompt, the same persona and the same model at temperature 0 (spec, ambiguity 11). Their seeds
 * change nothing, and each would be paid for.
 */
export function identicalCritics(
  { critics, critic_personas }: Pick<Configuration, "critics" | "critic_personas">,
  roles: Parameters<Check>[0]["roles"],
): ReturnType<Check> {
  const spoken = Array.from({ length: critics }, (_, index) => roles[`critic_${index + 1}`] ?? roles.critic);
  const greedy = spoken.flatMap((model, index) =>
    model?.temperature === 0 ? [{ model, persona: critic_personas[index]! }] : [],
  );
  const groups = Map.groupBy(greedy, ({ model: { seed: _, ...model } }) =>
    JSON.stringify(Object.entries(model).toSorted()),
  );
  const alike = [...groups.values()].some((group) => anyAlike(group.map(({ persona }) => persona)));
  if (!alike) return [];
  return [
    {
      path: "options.critics",
      code: "identical_critics",
      message:
        "Some critics have the same persona and the same model at temperature 0, so they would say the same. Give them a temperature above 0 (models.roles.critic.temperature), personas that differ (options.critic_personas), or ask for one critic.",
    },
  ];
}
