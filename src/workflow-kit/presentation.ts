/** How artifacts are shown to the people who are asked about them: ids become names. */

/** An artifact of the same run, made before the one that is shown. */
export interface EarlierArtifact {
  kind: string;
  subject: string;
  iteration: number;
  content: any;
}

/** What a presenter knows besides the content. */
export interface PresentationContext<Input = any, Options = any> {
  input: Input;
  options: Options;
  /** The artifact's own subject. */
  subject: string;
  /** Artifacts of the kinds that the presenter refers to, oldest first. */
  earlier: readonly EarlierArtifact[];
}

export interface PresentedPart {
  title: string;
  text: string;
  /** Beside the other parts that are. */
  beside: boolean;
}

export interface Presentation {
  /** Shown in place of the content: JSON, laid out as names with values, and lists. Ids in it are replaced or explained. */
  content?: unknown;
  /** Markdown texts under titles, shown in place of the content; those that are to be compared are beside each other where there is room. */
  parts?: readonly PresentedPart[];
  /** The subject in words. */
  subject?: string;
  /** What ids stand for: labels of the answer's choices, and of the parts of an edit. */
  names?: Readonly<Record<string, string>>;
}

/** Shows the artifacts of one kind. */
export interface Presenter<Content = any, Input = any, Options = any> {
  /** Kinds of artifacts that the content refers to. */
  refers_to: readonly string[];
  present(content: Content, surroundings: PresentationContext<Input, Options>): Presentation;
}

/** The contents of the earlier artifacts of a kind, oldest first. */
export const contentsOf = <T>({ earlier }: Pick<PresentationContext, "earlier">, kind: string): T[] =>
  earlier.filter((artifact) => artifact.kind === kind).map(({ content }) => content as T);

/** The name behind an id, or the id itself. */
export const nameOf = (names: Readonly<Record<string, string>>, id: string): string =>
  Object.hasOwn(names, id) ? names[id]! : id;
