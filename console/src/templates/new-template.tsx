import type { CreateTemplate } from "@parley/sdk";
import { useState } from "react";
import { useParley } from "../parley.ts";
import { FoldedForm, TextField } from "../shared/form-fields.tsx";
import { parseJson } from "../shared/parse-json.ts";
import { useAction } from "../shared/use-page.ts";

/** Saves a request under a name. */
export function NewTemplate() {
  const parley = useParley();
  const [fieldError, setFailure] = useState<unknown>(null);
  const create = useAction((given: CreateTemplate) => parley.templates.create(given), ["templates"]);
  return (
    <FoldedForm
      title="New template"
      button="Save"
      busy={create.isPending}
      error={fieldError ?? create.error}
      onSend={({ name, description, request, fields }) => {
        try {
          setFailure(null);
          create.mutate({
            name,
            description,
            request: parseJson(request!, "Request"),
            ...(fields && { fields: parseJson(fields, "Fields") }),
          } as CreateTemplate);
        } catch (error) {
          setFailure(error);
        }
      }}
    >
      <TextField label="Name" name="name" required />
      <TextField label="Description" name="description" />
      <TextField
        label="Request"
        name="request"
        required
        rows={6}
        hint="The body of POST /v1/runs, as JSON. A text such as {{topic}} in it is a field to fill in."
      />
      <TextField
        label="Fields"
        name="fields"
        rows={3}
        hint='As JSON, such as {"topic": {"type": "string", "example": "tides"}}.'
      />
    </FoldedForm>
  );
}
