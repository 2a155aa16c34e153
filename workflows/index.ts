import { debate } from "./debate/workflow";
import { experiment } from "./experiment/workflow";
import { ideation } from "./ideation/workflow";
import { plain } from "./plain/workflow";
import { requirements } from "./requirements/workflow";
import { waterfall } from "./waterfall/workflow";

/** All workflows by name. */
export const workflows = { requirements, waterfall, debate, ideation, plain, experiment } as const;
