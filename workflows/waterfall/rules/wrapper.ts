/**
 * Programs that need no expert, because one agent does everything: code writes them. The agent gets the user's request whole, and its answer is
 * the response word for word.
 */

/** The task of an agent that answers a request on its own. */
const ANSWER_TASK =
  "Answer the user's request, whole. Your answer goes to the user exactly as you write it, so write nothing but the answer.";

/** The form of an answer for a caller with functions. */
const CALLS_FORM =
  'Answer with one JSON object and nothing else: {"answer": "<what you tell the user>", "calls": [{"name": "<function>", "arguments": {…}}]}. The ' +
  "arguments fit the JSON Schema of the function, with values from the request and its context; `calls` is empty when none is needed.";

/** The task of an agent that answers a caller with functions on its own. */
const CALLS_TASK = `Find out which calls of the user's functions carry out the request. ${CALLS_FORM}`;

/** The task of an agent that writes its answer again after its verifier read it. */
const REVISION_TASK =
  "Write the answer to the user's request again, better. The input holds your draft and what a critical reader says of it. Put right what the reader " +
  "objects to, and take each suggestion that serves the request; leave one aside that is mistaken or would break a limit of the request. Keep what is good " +
  "in the draft, and the role, tone, length and form that the request asks for. Your answer goes to the user exactly as you write it: the whole new answer, " +
  "with nothing about the draft or the reader.";

/** The task of an agent whose answer was accepted, and that a reader would better: it names passages, so that the rest stays word for word. */
const IMPROVEMENT_TASK =
  "A critical reader accepted your answer to the user's request, and suggests changes. The input holds your draft and the suggestions. Take each suggestion " +
  "that serves the request; leave one aside that is mistaken, breaks a limit of the request or makes the answer longer without making it better. Answer with " +
  'one JSON array and nothing else: [{"passage": "<words of the draft, copied letter by letter, long enough to be in the draft only once>", "instead": "<the ' +
  'words that take their place; "" removes them>"}]. All passages are looked up in the draft as it is; to move words, remove them in one passage and put them into another. What no passage holds stays as it is; [] changes nothing.';

/** Whether a task asks for changed passages of an accepted answer. */
export const isImprovementTask = (task: string): boolean => task === IMPROVEMENT_TASK;

/** Whether a task asks for calls of the user's functions as JSON. */
export const isCallsTask = (task: string): boolean => task.endsWith(CALLS_FORM);

/** Whether a task asks for the answer that the user reads, word for word. */
export const isAnswerTask = (task: string): boolean => task === ANSWER_TASK || task === REVISION_TASK;

/** A program with one call, which passes on all that the user gave. */
const program = (comment: string, agent: string, task: string, more = ""): string =>
  [
    `// ${comment}`,
    "export default async function main(agents, { requirement, context, functions, revision }) {",
    `  const task = ${JSON.stringify(task)};`,
    `  return agents.call(${JSON.stringify(agent)}, task, { requirement, context, functions${more} });`,
    "}",
  ].join("\n");

/** The program of a plan with one agent. */
export const answeringProgram = (agent: string, withFunctions: boolean): string =>
  program("One agent does the whole work.", agent, withFunctions ? CALLS_TASK : ANSWER_TASK);

/**
 * The program by which an agent betters an accepted answer. A passage that is not in the draft exactly once changes nothing, and changes that
 * would break a JSON answer are dropped as a whole.
 */
export const improvingProgram = (agent: string): string =>
  `// The agent that wrote the answer names passages to change; the rest stays word for word.
export default async function main(agents, { requirement, context, revision }) {
  const task = ${JSON.stringify(IMPROVEMENT_TASK)};
  const answer = await agents.call(${JSON.stringify(agent)}, task, { requirement, context, ...revision });
  const changes = JSON.parse(answer.slice(answer.indexOf("["), answer.lastIndexOf("]") + 1));
  const text = changed(revision.draft, changes);
  return isJson(revision.draft) && !isJson(text) ? revision.draft : text;
}

/** All passages are looked up in the draft, so that a sentence can be moved; of two that overlap, the first one counts. */
function changed(draft, changes) {
  let text = "";
  let from = 0;
  for (const { at, passage, instead } of placesOf(draft, changes)) {
    if (at < from) continue;
    text += draft.slice(from, at) + instead;
    from = at + passage.length;
  }
  return text + draft.slice(from);
}

/** The passages that are in the draft exactly once, in its order. */
function placesOf(draft, changes) {
  return changes
    .filter(({ passage, instead }) => typeof passage === "string" && passage.trim() !== "" && typeof instead === "string")
    .filter(({ passage }) => draft.split(passage).length === 2)
    .map(({ passage, instead }) => ({ at: draft.indexOf(passage), passage, instead }))
    .sort((one, other) => one.at - other.at);
}

function isJson(text) {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}`;

/** The program by which an agent writes its answer again; `given.revision` holds the draft and the remarks. */
export const revisingProgram = (agent: string, withFunctions: boolean): string =>
  program(
    "The agent that wrote the answer writes it again.",
    agent,
    withFunctions ? `${REVISION_TASK} ${CALLS_FORM}` : REVISION_TASK,
    ", ...revision",
  );
