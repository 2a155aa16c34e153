import type { PersonView } from "#services/interactions/show-to-person";
import type { ProblemObject } from "#core/errors";
import { humanize, isRecord } from "#services/interactions/form-fields";
import { Answer } from "./answer";
import { Artifacts } from "./artifacts";
import { AnswerForm, type Draft } from "./form";
import { Layout } from "./layout";
import { Time, timeLeft } from "./time";
import { Words } from "./words";

const ASKS = {
  clarification: "Your answer is needed",
  feedback: "Your feedback is needed",
  approval: "Your decision is needed",
} as const;

/** The page of an interaction that takes an answer. @param zone of the reader, such as `Europe/Lisbon`; null: unknown */
export const OpenPage = ({
  view,
  draft = null,
  zone,
}: {
  view: PersonView;
  draft?: Draft | null;
  zone: string | null;
}) => {
  const { interaction, artifacts, language } = view;
  const title = ASKS[interaction.kind];
  const asked = new Set(interaction.questions.map(({ artifact_id }) => artifact_id));
  const above = artifacts.filter(({ id }) => !asked.has(id));
  const decides = artifacts.length > 0 && interaction.kind !== "clarification";
  return (
    <Layout
      title={draft?.errors.length ? `Error: ${title}` : title}
      about={aboutOf(view)}
      wide={above.length < artifacts.length}
    >
      <h1>{title}</h1>
      <Subject view={view} />
      <Prompt view={view} />
      <p class="quiet">
        Please answer by <Time at={interaction.expires_at} zone={zone} />, {timeLeft(interaction.expires_at)}.{" "}
        {interaction.on_expiry === "proceed"
          ? "After that the run continues without an answer."
          : "After that the run fails, because it has no answer."}
      </p>
      {decides && (
        <p>
          <a href="#answer">Go to your answer</a>
        </p>
      )}
      {above.length > 0 && <Artifacts artifacts={above} language={language} decides={decides} />}
      <AnswerForm view={view} draft={draft} />
    </Layout>
  );
};

/** The page of an interaction that no longer takes an answer. */
export const ClosedPage = ({
  view,
  sent = null,
  zone,
}: {
  view: PersonView;
  sent?: Sent | null;
  zone: string | null;
}) => {
  const { interaction } = view;
  const { title, text } = outcomeOf(view, sent, zone);
  const refused = sent !== null && !sent.taken;
  return (
    <Layout title={title} about={aboutOf(view)}>
      <div class={refused ? "notice warning" : sent ? "notice success" : "notice"} role="status">
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
      <Subject view={view} />
      <Prompt view={view} />
      {interaction.answer && (
        <section aria-labelledby="given">
          <h2 id="given">{sent?.taken ? "Your answer" : "The answer"}</h2>
          <Answer view={view} answer={interaction.answer} />
          <p class="quiet">
            {interaction.answered_by ? `${interaction.answered_by}, ` : "Given on "}
            <Time at={interaction.answered_at!} zone={zone} />
          </p>
        </section>
      )}
      {refused && isRecord(sent.body) && (
        <section aria-labelledby="yours">
          <h2 id="yours">What you wrote</h2>
          <p class="quiet">It was not accepted. Copy it from here if you need it.</p>
          <Answer view={view} answer={sent.body} />
        </section>
      )}
    </Layout>
  );
};

/** An answer that was just sent, and whether it was accepted. */
export interface Sent {
  body: unknown;
  taken: boolean;
}

function outcomeOf(
  { interaction }: PersonView,
  sent: Sent | null,
  zone: string | null,
): { title: string; text: unknown } {
  const { status, expires_at, on_expiry, answered_by } = interaction;
  if (sent?.taken)
    return { title: "Thank you", text: "Your answer was accepted, and the run was notified. You can close this page." };
  if (status === "answered") {
    if (sent)
      return { title: "Somebody answered before you", text: "The first answer counts, and yours was not accepted." };
    return {
      title: "This has been answered",
      text: `${answered_by ?? "Somebody"} has answered; the first answer counts.`,
    };
  }
  if (status === "canceled")
    return {
      title: "No answer is needed any more",
      text: "The run that asked has ended, and nothing waits for this answer.",
    };
  if (status === "withdrawn")
    return {
      title: "No answer is needed any more",
      text: "The question was withdrawn, and the run continues without an answer.",
    };
  const then =
    on_expiry === "proceed" ? "The run continues without an answer." : "The run fails, because it has no answer.";
  const text = (
    <>
      It could be answered until <Time at={expires_at} zone={zone} />. {then}
    </>
  );
  return { title: "The time to answer is over", text };
}

/** The page of any other error. */
export const ProblemPage = ({ problem }: { problem: ProblemObject & { request_id: string } }) => {
  const { title, text } = wordsFor(problem);
  return (
    <Layout title={title}>
      <div class="notice warning">
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
      <p class="quiet">
        If you ask for help, quote the request <code>{problem.request_id}</code>.
      </p>
    </Layout>
  );
};

function wordsFor({ code, title, detail, status }: ProblemObject): { title: string; text: string } {
  if (status === 404)
    return {
      title: "This link opens nothing",
      text: "Perhaps a part of it is missing, or the run that asked was deleted. Open the link again from where you received it.",
    };
  if (code === "payload_too_large")
    return {
      title: "That was too much text",
      text: "An answer may have 1 MiB. Go back with your browser: what you typed is still there. Then shorten it, and send it again.",
    };
  return { title, text: detail };
}

/** What the run is about, and who asked for it. Callers wrote both. */
const Subject = ({ view: { interaction, language } }: { view: PersonView }) => {
  const { about, requested_by } = interaction;
  if (!about.title && !about.excerpt && !requested_by) return null;
  return (
    <div class="subject">
      {about.title && (
        <p class="subject-title" lang={language ?? undefined} dir="auto">
          {about.title}
        </p>
      )}
      {about.excerpt && (
        <p lang={language ?? undefined} dir="auto">
          {about.excerpt}
        </p>
      )}
      {requested_by && (
        <p class="quiet">
          Asked by <span dir="auto">{requested_by}</span>
        </p>
      )}
    </div>
  );
};

const Prompt = ({ view }: { view: PersonView }) => (
  <p class="prompt" lang={view.language ?? undefined} dir="auto">
    <Words text={view.interaction.prompt} />
  </p>
);

const aboutOf = ({ workflow, interaction }: PersonView) => ({
  workflow,
  stage: humanize(interaction.stage),
  run: interaction.run_id,
});
