import type { ToolName } from "../tools/tool-names";

/** An agent available to all tenants. Its id is `builtin:<slug>`; it uses the model of the run's role `agent`. */
export interface BuiltInAgent {
  slug: string;
  name: string;
  description: string;
  capabilities: string[];
  when_to_use: string;
  input: string;
  output: string;
  tools: ToolName[];
  instructions: string;
}

const MARKDOWN = /^---\n(?<head>.*?)\n---\n\n(?<instructions>.*)\n$/s;
const LINE = /^(?:(?<key>\w+):(?: (?<text>.+))?| {2}- (?<item>.+))$/;

/**
 * Reads an agent from Markdown: front matter, then the instructions. The front matter is the part of YAML that these files need, lines
 * `key: text`, `key: ["a", "b"]` and `  - item`: a YAML library takes 20 to 100 ms for all of them, at every start of the Worker.
 * @throws Error at a line that is none of these, or that YAML would read in another way
 */
export function readAgent(markdown: string): BuiltInAgent {
  const { head, instructions } = MARKDOWN.exec(markdown)?.groups ?? {};
  if (head === undefined) throw new Error(`This is no agent: ${markdown.slice(0, 80)}`);
  const agent: Record<string, unknown> = { instructions };
  let list: unknown[] = [];
  for (const line of head.split("\n")) {
    const { key, text, item } = LINE.exec(line)?.groups ?? {};
    if (key !== undefined) agent[key] = text === undefined ? (list = []) : valueOf(text);
    else if (item !== undefined) list.push(valueOf(item));
    else throw new Error(`This line of front matter is no field and no item of a list: ${line}`);
  }
  return agent as unknown as BuiltInAgent;
}

function valueOf(text: string): unknown {
  if (/^["[]/.test(text)) return JSON.parse(text);
  if (/: | #|:$|^\W/.test(text)) throw new Error(`YAML needs quotes here: ${text}`);
  return text;
}
