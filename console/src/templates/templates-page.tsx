import { useParley } from "../parley.ts";
import { Pager } from "../shared/pager.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { usePage } from "../shared/use-page.ts";
import { useTitle } from "../shared/use-title.ts";
import { NewTemplate } from "./new-template.tsx";
import { Schedules } from "./schedules.tsx";
import { TemplateCard } from "./template-card.tsx";

/** Saved requests, and the schedules that start them. */
export default function TemplatesPage() {
  useTitle("Templates");
  const parley = useParley();
  const { data, error } = usePage(["templates"], parley.templates.list);
  return (
    <>
      <header className="page-head">
        <h1>Templates and schedules</h1>
      </header>
      {error && <ProblemBox error={error} />}
      {data?.data.length === 0 && (
        <p className="empty">
          No request is saved yet. A template keeps one, with fields to fill in, so that a click or a schedule starts
          its runs.
        </p>
      )}
      <ul className="cards">
        {data?.data.map((template) => (
          <TemplateCard key={template.id} template={template} />
        ))}
      </ul>
      {data && <Pager next={data.next_cursor} />}
      <NewTemplate />
      <Schedules templates={data?.data ?? []} />
    </>
  );
}
