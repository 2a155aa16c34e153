import type { Clarification, ClarificationReply } from "#workflow-kit/questions";
import { dimensionsOf, type Form, type RatingOptions } from "./options";
import type { PlacedSubject } from "./plan";
import type { Rating } from "./ratings";

type Question = Clarification["questions"][number];
type AnswerValue = Extract<ClarificationReply, { status: "answered" }>["answers"][string];

const PAIR_CHOICES = ["Answer 1", "Answer 2", "Equally good"] as const;
const SCALE = ["1 Very poor", "2 Poor", "3 Fair", "4 Good", "5 Very good"] as const;

const QUESTIONS: Record<Form, string> = {
  pairs: "Which answer is better?",
  likert: "How good is the answer?",
  binary: "Does the source support the statement?",
};

const TASKS: Record<Form, string> = {
  pairs:
    "Read each request and the two answers to it, then choose the better answer. Answers are in random order, and nobody tells you whose they are.",
  likert: "Read each request and the answer to it, then rate the answer. Nobody tells you whose it is.",
  binary:
    "Read each statement and the words of the source that was cited for it. Say whether these words support the statement as it stands, not whether it is true.",
};

export const questionOf = ({ form, question }: Pick<RatingOptions, "form" | "question">): string =>
  question ?? QUESTIONS[form];

/** The introduction of a page, above its questions. */
export const promptOf = (
  { form }: Pick<RatingOptions, "form">,
  { rater, number, of }: { rater: string; number: number; of: number },
): string =>
  `For ${rater}: page ${number} of ${of}. ${TASKS[form]} Your ratings are saved once, when you send the page.`;

const idOf = (place: number, dimension: string): string => `rating_${place + 1}_${dimension}`;

const humanize = (name: string): string => name.replaceAll("_", " ");

/** The questions of a page, about the artifacts that show what is rated, in the order of its places. */
export function questionsOn(options: RatingOptions, artifacts: readonly { id: string }[]): Question[] {
  const { form } = options;
  const asked = questionOf(options);
  return artifacts.flatMap(({ id: artifact_id }, place) =>
    dimensionsOf(options).map((dimension): Question => {
      const shared = { id: idOf(place, dimension), artifact_id, required: true };
      const number = `${place + 1}. `;
      if (form === "pairs") return { ...shared, type: "choice", text: number + asked, choices: [...PAIR_CHOICES] };
      if (form === "binary") return { ...shared, type: "boolean", text: number + asked };
      return {
        ...shared,
        type: "choice",
        text: `${number}${asked} ${humanize(dimension).replace(/^./u, (letter) => letter.toUpperCase())}:`,
        choices: [...SCALE],
      };
    }),
  );
}

/** The ratings in the answers of a page. */
export function ratingsIn(
  options: RatingOptions,
  { rater, places }: { rater: number; places: readonly PlacedSubject[] },
  answers: Readonly<Record<string, AnswerValue>>,
): Rating[] {
  return places.flatMap(({ subject, swapped }, place) =>
    dimensionsOf(options).flatMap((dimension) => {
      const value = valueOf(options.form, answers[idOf(place, dimension)], swapped);
      return value === null ? [] : [{ rater, subject, dimension, value }];
    }),
  );
}

function valueOf(form: Form, answer: AnswerValue | undefined, swapped: boolean): number | null {
  if (answer === undefined || answer === null) return null;
  if (form === "binary") return Number(answer === true);
  if (form === "likert") return Number.parseInt(String(answer), 10);
  const side = PAIR_CHOICES.indexOf(String(answer) as (typeof PAIR_CHOICES)[number]);
  if (side === 2) return 0.5;
  return Number((side === 0) !== swapped);
}
