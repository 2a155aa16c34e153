import { newestOf, useContents } from "../run/use-artifacts.ts";
import { humanize, plural } from "../shared/amounts.ts";
import type { PictureProps } from "./method-picture.tsx";
import { ArtifactLink } from "./parts.tsx";

interface ExecutionLog {
  status: string;
  agent_calls: LoggedCall[];
  error?: { message?: string; line?: number | null } | null;
}

interface LoggedCall {
  agent: string;
  task: string;
  ok: boolean;
  value: string;
  line: number | null;
  artifact_id: string;
}

interface Plan {
  tasks: { task: string; primary_agent: string }[];
}

/** The generated program, line by line, with the calls of agents beside the lines that made them. */
export function WaterfallPicture({ run, artifacts }: PictureProps) {
  const code = newestOf(artifacts, "code");
  const log = newestOf(artifacts, "execution_log");
  const [source] = useContents<string>(run.id, code ? [code] : []);
  const [execution] = useContents<ExecutionLog>(run.id, log ? [log] : []);
  const [plan] = useContents<Plan>(run.id, artifacts.filter(({ kind }) => kind === "task_plan").slice(-1));
  const executions = artifacts.filter(({ kind }) => kind === "execution_log");
  if (!plan && !source) return null;
  return (
    <section>
      <h2>Plan and program</h2>
      {plan && (
        <ol>
          {plan.tasks.map(({ task, primary_agent }) => (
            <li key={task}>
              {task} <span className="quiet">{primary_agent}</span>
            </li>
          ))}
        </ol>
      )}
      {source && <Program source={source} calls={execution?.agent_calls ?? []} run={run.id} />}
      {executions.length > 0 && (
        <p>
          {plural(executions.length, "execution")}; the last one{" "}
          <ArtifactLink run={run.id} id={executions.at(-1)!.id}>
            {execution ? humanize(execution.status).toLowerCase() : "…"}
          </ArtifactLink>
          .
        </p>
      )}
    </section>
  );
}

function Program({ source, calls, run }: { source: string; calls: LoggedCall[]; run: string }) {
  return (
    <div className="scroll" role="region" aria-label="Program" tabIndex={0}>
      <table className="program">
        <tbody>
          {source.split("\n").map((text, at) => (
            <tr key={at}>
              <td className="number quiet">{at + 1}</td>
              <td>
                <code>{text}</code>
              </td>
              <td>
                {calls
                  .filter(({ line }) => line === at + 1)
                  .map(({ agent, ok, artifact_id, value }) => (
                    <p key={artifact_id} className={ok ? "verdict-good" : "verdict-bad"}>
                      <ArtifactLink run={run} id={artifact_id}>
                        {agent}
                      </ArtifactLink>{" "}
                      <span className="call-value">{value}</span>
                    </p>
                  ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
