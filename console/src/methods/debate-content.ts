/** What the console reads of the contents of a debate's artifacts. */

export interface Citation {
  authority_id: string;
  quote: string;
  proposition: string;
}

/** A turn: a brief, a question or an answer. */
export interface Turn {
  claims?: string[];
  application?: string;
  rebuts?: { claim?: string; answer?: string; target?: string; rebuttal?: string }[];
  citations?: Citation[];
  question?: string;
  answer?: string;
}

export interface Excerpt {
  id: string;
  source: string;
  title: string | null;
  jurisdiction: string | null;
  excerpt: string;
}

export interface Authorities {
  excerpts: Excerpt[];
}

export interface CheckedCitation extends Citation {
  cited_by: string;
  quote_match: "verbatim" | "abridged" | "altered" | "missing" | null;
  supported: boolean | null;
  note: string | null;
}

export interface CitationCheck {
  citations: CheckedCitation[];
}

export interface DebateRecord {
  parties?: { party: string; debater: string }[];
  authorities?: { label: string; authority_id: string }[];
}

export interface Verdict {
  answer: string;
  rationale?: string[];
  confidence?: number;
}

/** A citation with the passage that it names, and what the check of it found. */
export interface ResolvedCitation extends Citation {
  passage: Excerpt | undefined;
  check: CheckedCitation | undefined;
}

/**
 * Passages and checks of a turn's citations. Debaters cite by labels, `S1` for the first authority shown; the record names them, and before it is
 * kept their order does.
 */
export function resolveCitations(
  citations: readonly Citation[],
  debater: string,
  {
    excerpts,
    record,
    checks,
  }: { excerpts: readonly Excerpt[]; record: DebateRecord | undefined; checks: readonly CheckedCitation[] },
): ResolvedCitation[] {
  return citations.map((citation) => {
    const label = citation.authority_id;
    const named = record?.authorities?.find((authority) => authority.label === label)?.authority_id ?? label;
    const place = /^S(\d+)$/.exec(label);
    const passage = excerpts.find(({ id }) => id === named) ?? (place ? excerpts[Number(place[1]) - 1] : undefined);
    const check = checks.find(
      ({ quote, cited_by, authority_id }) =>
        quote === citation.quote && cited_by === debater && (authority_id === named || authority_id === passage?.id),
    );
    return { ...citation, passage, check };
  });
}
