import type { CHECKLIST } from "../../artifacts";
import type { Options, StopReason } from "../../contract";

type Topology = Options["topology"];
type Point = (typeof CHECKLIST)[number];

/** Headings and fixed phrases of the report. Quoted texts keep their own language. */
export interface Translation {
  answer: string;
  noAnswer: string;
  confidence: string;
  voteShare: string;
  annex: string;
  decided: Record<StopReason, string>;
  caution: string;
  cautions: {
    unknown(id: string, by: string): string;
    notShown(source: string, by: string): string;
    misquoted(source: string, by: string): string;
    altered(source: string, by: string): string;
    unsupported(source: string, by: string): string;
    unjudged(source: string): string;
    foreign(source: string, jurisdiction: string): string;
    none: string;
    noCitations: string;
    fromMemory(law: string): string;
    unseenNumbers(numbers: string): string;
    otherWinner(by: string): string;
    otherSides: string;
    withdrawn: string;
    points(names: string): string;
    missing(corpora: string): string;
    notAllShown(sources: string): string;
  };
  why: string;
  options: string;
  issues: string;
  checklist: string;
  points: Record<Point, string>;
  met: string;
  notMet: string;
  note: string;
  question: string;
  jurisdiction: string;
  citations: string;
  columns: [string, string, string, string, string, string, string];
  quoteFound: string;
  quoteAbridged: string;
  quoteAltered: string;
  quoteMissing: string;
  supports: string;
  doesNotSupport: string;
  notJudged: string;
  unknownAuthority: string;
  otherJurisdiction: string;
  sides: string;
  review: string;
  reviewPrompt: string;
  newEvidence(sources: string): string;
  party(letter: string): string;
  /** Name of the agent, or of a sample, that answered without a debate. */
  alone(sample: string | null): string;
  defends: string;
  winner: string;
  prevailed: string;
  rule: string;
  round(round: number): string;
  opening: string;
  movedTo(position: string): string;
  application: string;
  rebuttals: string;
  concedes: string;
  cites: string;
  honest: string;
  questions: string;
  askedBy: Record<"cross_examiner" | "human", string>;
  noteBefore: string;
  evidence: string;
  noEvidence: string;
  askedFor(by: string, round: number): string;
  broughtBy: string;
  votes: string;
  invalidVotes: string;
  how: string;
  runName: string;
  counts(sides: number, rounds: number): string;
  sight: string;
  topologies: Record<Topology, string>;
  testMode: string;
  models: string;
  judge: string;
  /** `labeled_alike`: the judge saw the models, and all were the same. */
  judging: Record<"blind" | "labeled" | "labeled_alike", string>;
  disclaimer: string;
  drawing: {
    title: string;
    /** Text alternative of the whole drawing. */
    summary(sides: string, result: string): string;
    concedes(count: number): string;
    asked(count: number): string;
    rebuts: string;
    carries: string;
    citation: Record<"sound" | "abridged" | "invalid" | "invented" | "unjudged", string>;
  };
}
