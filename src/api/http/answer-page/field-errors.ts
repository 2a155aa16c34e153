import type { FieldError } from "#core/errors";
import type { Field, NamedField } from "#services/interactions/form-fields";

/** A control of the form, where errors of an answer are shown. */
export interface Place {
  /** Dotted path of its value in the answer, like the path of an error. */
  path: string;
  /** Name of the form field. */
  name: string;
  label: string;
  field: Field;
  /** True for an entry of a list, whose label precedes those of its fields. */
  entry?: true;
}

/** An error in words for people. */
export interface PlacedError {
  message: string;
  /** The control that shows it; null when no control holds its value. */
  place: Place | null;
}

/** Every control, groups and entries of lists included, each before the controls within it. */
export function placesOf(fields: readonly NamedField[], body: unknown): Place[] {
  const within = (inner: readonly NamedField[], above: Place | null, values: unknown): Place[] =>
    inner.flatMap((item) => {
      const path = above ? `${above.path}.${item.name}` : item.name;
      const name = above ? `${above.name}[${item.name}]` : item.name;
      const label = above?.entry ? `${above.label}, ${item.label}` : item.label;
      return below({ path, name, label, field: item.field }, valueAt(values, item.name));
    });
  const below = (place: Place, value: unknown): Place[] => {
    const { field } = place;
    if (field.is === "group") return [place, ...within(field.fields, place, value)];
    if (field.is !== "list" || !Array.isArray(value)) return [place];
    const entries = value.flatMap((entry, at) => {
      const label = entryLabel(place.label, at);
      return below(
        { path: `${place.path}.${at}`, name: `${place.name}[${at}]`, label, field: field.of, entry: true },
        entry,
      );
    });
    return [place, ...entries];
  };
  return within(fields, null, body);
}

/** Errors in the order of the form, each at the innermost control that holds its value. */
export function placeErrors(errors: readonly FieldError[], places: readonly Place[]): PlacedError[] {
  const order = new Map(places.map(({ path }, at) => [path, at]));
  const placed = errors.map((fieldError) => {
    const at = pathsAround(fieldError.path).find((path) => order.has(path));
    const place = at === undefined ? null : places[order.get(at)!]!;
    return { place, message: wordsFor(fieldError, place) };
  });
  const orderOf = ({ place }: PlacedError) => (place ? order.get(place.path)! : places.length);
  return placed.sort((a, b) => orderOf(a) - orderOf(b));
}

/** Parts of a path that are looked at. */
const MAX_PARTS = 50;

/** A path and the paths of the values around it, from the inside out. */
function pathsAround(path: string): string[] {
  const ends = Array.from(path.matchAll(/\./g).take(MAX_PARTS), ({ index }) => path.slice(0, index));
  return [path, ...ends.toReversed()];
}

function wordsFor({ path, code, message }: FieldError, place: Place | null): string {
  if (!place) return `${path}: ${message}`;
  const { field } = place;
  if (place.name === "comment" && code === "required") return "Say what to change.";
  if (code === "not_json") return message;
  if (path === place.path && field.is === "list" && code === "too_small") return "Leave at least one.";
  if (path !== place.path) return `${path.slice(place.path.length + 1)}: ${message}`;
  if (field.is === "choice") return "Choose one of the options.";
  if (field.is === "boolean") return "Choose yes or no.";
  if (field.is === "number" && (code === "required" || code === "invalid_type"))
    return "Enter a number, such as 12 or 2.5.";
  if (field.is === "text" && code === "too_big" && field.longest)
    return `Shorten this to ${field.longest.toLocaleString("en")} characters at most.`;
  if (code === "required") return "Fill this in.";
  return message;
}

/** `Questions` has the entries `Question 1`, `Question 2`. @param at from 0 */
export function entryLabel(list: string, at: number): string {
  const one = list.replace(/([^aeiou])ies$/, "$1y");
  return `${one !== list ? one : list.replace(/([^isu])s$/, "$1")} ${at + 1}`;
}

export const valueAt = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
