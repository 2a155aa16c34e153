/** The hypotheses about debates, as far as the variants can test them. */
export interface Hypotheses {
  /** Accuracy a token, against self-consistency at as many tokens. */
  h1: null;
  h2: null;
  h3: null;
}
