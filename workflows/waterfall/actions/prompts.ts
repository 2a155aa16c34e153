import agentsBlock from "../../../prompts/waterfall/blocks/agents.md";
import briefBlock from "../../../prompts/waterfall/blocks/brief.md";
import failureBlock from "../../../prompts/waterfall/blocks/failure.md";
import functionsBlock from "../../../prompts/waterfall/blocks/functions.md";
import logBlock from "../../../prompts/waterfall/blocks/log.md";
import programBlock from "../../../prompts/waterfall/blocks/program.md";
import pseudocodeBlock from "../../../prompts/waterfall/blocks/pseudocode.md";
import tasksBlock from "../../../prompts/waterfall/blocks/tasks.md";

/** Parts that several prompts share: what agents can do, the request, the evidence of a failure, the rules of programs and pseudocode. */
const BLOCKS: Readonly<Record<string, string>> = {
  agents: agentsBlock,
  brief: briefBlock,
  failure: failureBlock,
  functions: functionsBlock,
  log: logBlock,
  program: programBlock,
  pseudocode: pseudocodeBlock,
  tasks: tasksBlock,
};

/** A prompt file with the blocks that it names: a line `{{> name}}` stands for `prompts/waterfall/blocks/name.md`. */
export const withBlocks = (prompt: string): string =>
  prompt.replace(/^\{\{> (\w+)\}\}$/gm, (_, name: string) => {
    const block = BLOCKS[name];
    if (block === undefined) throw new Error(`There is no block "${name}" for the prompts of the waterfall.`);
    return block.trim();
  });
