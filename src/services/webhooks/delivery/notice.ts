import { summaryOf } from "#core/events";
import type { Webhook } from "../message-schema";

/** A message for a person, from which a message for Slack or a mail is made. Its texts are as people and models wrote them: not escaped. */
export interface Notice {
  /** One line. */
  heading: string;
  /** Labels and values, one line each. */
  facts: [label: string, value: string][];
  /** May have several lines. */
  texts: string[];
  link: { label: string; url: string } | null;
  /** The address of the question's assignee; null: none is known. */
  assignee_email: string | null;
}

const HEADINGS: Partial<Record<Webhook["type"], string>> = {
  "run.input_required": "Your answer is needed",
  "run.input_reassigned": "A question was addressed to you",
  "run.input_reminder": "Reminder: your answer is needed soon",
  "run.completed": "Completed",
  "run.failed": "Failed",
  "schedule.failed": "A schedule started no run",
};

/** Where the console shows what a message about no run is about. */
const PAGES: Partial<Record<Webhook["type"], string>> = {
  "schedule.failed": "templates",
  "budget.reached": "usage",
  "model.retiring": "templates",
  "webhook_endpoint.disabled": "webhooks",
};

/** Characters of one text. */
const MAX_TEXT_LENGTH = 2000;
const MAX_QUESTIONS = 10;

/**
 * A webhook as a message for people.
 * @param origin where the console is; null: the deployment does not know
 */
export function noticeOf(webhook: Webhook, origin: string | null): Notice {
  const words =
    webhook.type === "budget.reached"
      ? `${webhook.data.percent} % of this month's budget is spent`
      : webhook.type === "model.retiring"
        ? `${webhook.data.model} will be shut down on ${webhook.data.shutdown_date}`
        : (HEADINGS[webhook.type] ?? summaryOf(webhook.type).replace(/\.$/, ""));
  const { data } = webhook;
  if (!("run" in data)) {
    const { event: _, ...rest } = data;
    const page = PAGES[webhook.type];
    const link = origin !== null && page ? { label: "Open the console", url: `${origin}/console/${page}` } : null;
    return { heading: words, facts: factsOf(rest), texts: [], link, assignee_email: null };
  }
  const { run } = data;
  const question = "interaction" in data ? data.interaction : null;
  const facts: Notice["facts"] = [
    ["Workflow", run.workflow],
    ["Run", run.id],
    ...present("Asked by", run.requested_by),
    ...present("Answer by", question && formatTime(question.expires_at)),
    ...present("Addressed to", question?.assignee && (question.assignee.name ?? question.assignee.email)),
    ...("stop_reason" in data.event.data ? present("Result", data.event.data.stop_reason) : []),
  ];
  const subject = oneLine(run.about.title || run.about.excerpt).slice(0, 120);
  const error = "error" in data.event.data ? data.event.data.error : null;
  return {
    heading: `${run.mode === "test" ? "[Test] " : ""}${words}${subject && `: ${subject}`}`,
    facts: facts.map(([label, value]) => [label, oneLine(value)]),
    texts: [
      ...(error ? [`${error.title}. ${error.detail}`] : []),
      ...(question?.prompt ? [question.prompt] : []),
      ...(question?.questions ?? []).slice(0, MAX_QUESTIONS).map(({ text }) => `• ${text}`),
    ].map((text) => shorten(text, MAX_TEXT_LENGTH)),
    link: question?.callback_url
      ? { label: "Answer", url: question.callback_url }
      : origin === null
        ? null
        : { label: "Open the run", url: `${origin}/console/runs/${run.id}` },
    assignee_email: question?.assignee?.email ?? null,
  };
}

const present = (label: string, value: string | null | undefined): Notice["facts"] => (value ? [[label, value]] : []);

/** The fields of a message about no run, the inner ones too. */
function factsOf(data: object): Notice["facts"] {
  return Object.entries(data).flatMap(([name, value]): Notice["facts"] =>
    Array.isArray(value)
      ? factsOf({ [name]: value.length > 0 ? value.join(", ") : null })
      : value !== null && typeof value === "object"
        ? factsOf(value)
        : value === null
          ? []
          : [[name.replaceAll("_", " "), shorten(oneLine(String(value)), MAX_TEXT_LENGTH)]],
  );
}

/** `2026-11-28 09:30 UTC`. */
const formatTime = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

/** Without line breaks and other control characters, with which a text could pose as another line or as a header. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();

export const shorten = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
