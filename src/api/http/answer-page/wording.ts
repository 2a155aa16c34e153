import { fitsForm } from "#services/interactions/fits-form";
import type { Field, NamedField, Option } from "#services/interactions/form-fields";
import { type PersonView } from "#services/interactions/show-to-person";

/** The effects of decisions about one artifact. In other consultations the workflow's prompt explains them. */
const DECISIONS: Record<string, { label: string; hint: string }> = {
  approve: { label: "Approve", hint: "The run continues with this version." },
  revise: { label: "Ask for changes", hint: "Your comment goes back, and another version is made." },
  reject: { label: "Reject", hint: "The run ends here." },
};

/** The fields of the answer; those that every answer has get our own labels. */
export function wordedFields({ fields, artifacts }: PersonView): NamedField[] {
  const isReview = fields.some(({ name }) => name === "edited_content");
  return fields.map((item): NamedField => {
    switch (item.name) {
      case "decision":
        if (item.field.is !== "choice") return item;
        return {
          ...item,
          label: "What should happen next?",
          field: { is: "choice", options: item.field.options.map((option) => worded(option, isReview)) },
        };
      case "comment":
        return { ...item, hint: isReview ? "If something should change, describe it here." : undefined };
      case "answered_by":
        return {
          ...item,
          label: "Your name",
          hint: "Kept with the answer.",
          field: { is: "text", long: false, longest: 200 },
        };
      case "edited_content": {
        const field = editorFor(item.field, artifacts[0]);
        const unfit =
          field.is === "json" ? " It is shown as JSON, because a form has no place for some of its parts." : "";
        return {
          ...item,
          label: "As it should read",
          hint: `Your changes become its next version. Without changes it stays as it is.${unfit}`,
          field,
          required: true,
        };
      }
      default:
        return item;
    }
  });
}

/** The field for editing an artifact: as JSON, unless a form can hold exactly this artifact. */
function editorFor(field: Field, artifact: PersonView["artifacts"][number] | undefined): Field {
  if (artifact?.media_type !== "application/json") return field;
  // A JSON artifact may be a single text, which is still edited as JSON.
  return field.is !== "text" && fitsForm(field, JSON.parse(artifact.text)) ? field : { is: "json" };
}

function worded(option: Option, isReview: boolean): Option {
  const known = DECISIONS[String(option.value)];
  return { ...option, label: known?.label ?? option.label, hint: isReview ? known?.hint : undefined };
}
