export interface Body {
  input?: object;
  options?: object;
  test?: object;
  models?: object;
}

/** A run for one request, which asks a person unless the options say otherwise. */
export const waterfallOf = (body: Body = {}) => ({
  workflow: "waterfall",
  input: { requirement: "Plan a weekend in Lisbon, and add up what it costs" },
  ...body,
});

/** The same run, which infers what it would ask a person. */
export const waterfallAlone = ({ options, ...body }: Body = {}) =>
  waterfallOf({ options: { clarification: "infer", ...options }, ...body });
