import { defineAction } from "#workflow-kit/action";
import answerQuestionPrompt from "../../../prompts/requirements/answer_question.md";
import paperAnswerQuestionPrompt from "../../../prompts/requirements/paper/answer_question.md";
import paperSpeakUserStoriesPrompt from "../../../prompts/requirements/paper/speak_user_stories.md";
import speakUserStoriesPrompt from "../../../prompts/requirements/speak_user_stories.md";
import { answerSchema, userStoriesSchema, type Answers, type UserStories } from "../artifacts";
import type { AnswerQuestionInput, SpeakUserStoriesInput } from "../inputs";
import { mockAnswers, mockStories } from "../mock/interview";
import type { Stakeholder } from "../contract";
import { IDENTITIES } from "../roles";
import { blanks, ideaValues, line, escapeUntrusted, repeated } from "./prompt-values";

const { profile, goal } = IDENTITIES.stakeholder;
const role = { profile, goal };

/** Under `profile: paper` the stakeholder itself has the role's name and profile (MARE, Table I). */
const identityOf = (stakeholder: Stakeholder) => ({
  name: line(stakeholder.name),
  profile: line(stakeholder.profile),
  goal,
});

export const speakUserStories = defineAction<SpeakUserStoriesInput, UserStories>({
  name: "speak_user_stories",
  role: "stakeholder",
  kind: "user_stories",
  summary: "Tells what one stakeholder needs from the system, and why.",
  prompt: speakUserStoriesPrompt,
  output: userStoriesSchema,
  variables: ({ idea, stakeholder, count, for_all }) => ({
    role,
    ...ideaValues(idea),
    stakeholder_name: line(stakeholder.name),
    stakeholder_profile: escapeUntrusted(stakeholder.profile),
    count,
    for_all,
  }),
  check: ({ stories }, { count }) => [
    ...blanks(stories.map((story, index) => [`Story ${index + 1}`, story])),
    ...repeated(
      "story",
      stories.map((story) => story.trim()),
    ),
    ...(stories.length > count
      ? [`There are ${stories.length} stories, and ${count} were asked for. Keep the most important ${count}.`]
      : []),
  ],
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockStories(input, feedback),
  paper: {
    prompt: paperSpeakUserStoriesPrompt,
    variables: ({ idea, stakeholder, count }) => ({
      role: identityOf(stakeholder),
      idea: ideaValues(idea).idea,
      count,
    }),
  },
});

export const answerQuestion = defineAction<AnswerQuestionInput, Answers>({
  name: "answer_question",
  role: "stakeholder",
  kind: "stakeholders_answer",
  summary: "Answers the Collector's questions of one round as one stakeholder.",
  prompt: answerQuestionPrompt,
  output: answerSchema,
  variables: ({ idea, stakeholder, for_all, stories, answered, questions }) => ({
    role,
    ...ideaValues(idea),
    stakeholder_name: line(stakeholder.name),
    stakeholder_profile: escapeUntrusted(stakeholder.profile),
    for_all,
    told: stories.length > 0 && { stories: stories.map(line) },
    answered: answered.length > 0 && {
      exchanges: answered.map(({ question, answer }) => ({ question: line(question), answer: line(answer) })),
    },
    questions: questions.map(({ id, topic, question }) => ({
      id: line(id),
      topic: line(topic),
      question: line(question),
    })),
  }),
  check({ answers }, { questions }) {
    const asked = questions.map(({ id }) => id);
    const answered = answers.map(({ question }) => question);
    return [
      ...asked.filter((id) => !answered.includes(id)).map((id) => `Question ${id} has no answer.`),
      ...answered
        .filter((id) => !asked.includes(id))
        .map((id) => `There is no question "${id}". Questions are: ${asked.join(", ")}.`),
      ...repeated("question", answered),
      ...blanks(answers.map(({ question, answer }) => [`The answer to ${question}`, answer])),
    ];
  },
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockAnswers(input, feedback),
  paper: {
    prompt: paperAnswerQuestionPrompt,
    variables: ({ idea, stakeholder, questions }) => ({
      role: identityOf(stakeholder),
      idea: ideaValues(idea).idea,
      questions: questions.map(({ id, question }) => ({ id: line(id), question: line(question) })),
    }),
  },
});
