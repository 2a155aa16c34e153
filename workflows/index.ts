import { debate } from "./debate/workflow";
import { ideation } from "./ideation/workflow";
import { requirements } from "./requirements/workflow";
import { waterfall } from "./waterfall/workflow";

/** Every workflow that runs can be made of, by name. */
export const workflows = { requirements, waterfall, debate, ideation } as const;
