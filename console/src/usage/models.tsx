import type { Model } from "@parley/sdk";
import { useQuery } from "@tanstack/react-query";
import { useParley } from "../parley.ts";
import { formatCost } from "../shared/amounts.ts";
import { DataTable } from "../shared/data-table.tsx";
import { ProblemBox } from "../shared/problem.tsx";

/** Providers' answers are kept for as long by the server. Milliseconds. */
const FRESH_MS = 10 * 60_000;

/** The default model, and the models that their providers will shut down. */
export function ModelsSection() {
  const parley = useParley();
  const { data, error } = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => parley.models.list({ signal }),
    staleTime: FRESH_MS,
  });
  return (
    <section>
      <h2>Models</h2>
      {error && <ProblemBox error={error} />}
      {data && (
        <>
          <DataTable
            title="The default model, and models that will be shut down"
            rows={data.data.filter((model) => model.default || model.shutdown_date !== null)}
            keyOf={({ model }) => model}
            empty="No provider has announced the shutdown of a model."
            columns={[
              ["Model", (one) => <ModelName of={one} />],
              ["Shut down on", ({ shutdown_date }) => shutdown_date ?? "not announced"],
              ["#Input, 1M tokens", ({ price }) => (price ? formatCost(price.input) : "no price")],
              ["#Output, 1M tokens", ({ price }) => (price ? formatCost(price.output) : "no price")],
            ]}
          />
          {data.unavailable.map(({ provider, reason }) => (
            <p key={provider} className="quiet">
              {provider} is not in this list. {reason}
            </p>
          ))}
        </>
      )}
    </section>
  );
}

const ModelName = ({ of: { model, default: isDefault } }: { of: Model }) => (
  <>
    <code>{model}</code>
    {isDefault && " (default)"}
  </>
);
