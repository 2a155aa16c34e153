/** Parts of mock ideas: approaches to any topic in different words, so that only repetitions are similar. */

export interface Mechanism {
  name: string;
  problem: (topic: string) => string;
  existing: string;
  motivation: string;
  method: string;
  plan: string;
}

export const MECHANISMS: readonly Mechanism[] = [
  {
    name: "Two-Ledger Prompting",
    problem: (topic) =>
      `On ${topic}, assertions and their support drift apart: nobody keeps books on which claim rests on what.`,
    existing: "Citation generation and attribution scores audit finished paragraphs only.",
    motivation: "Double-entry accounting exposes mistakes because every amount is written twice.",
    method:
      "One call posts claims as debits, a second posts evidence as credits; unbalanced rows are struck out before a closing statement is drafted.",
    plan: "Balance sheets for 300 ASQA questions; count unmatched rows, citation recall and FactScore.",
  },
  {
    name: "Annealed Rewriting",
    problem: (topic) => `Rewrites concerning ${topic} freeze too early in a mediocre form.`,
    existing: "Self-Refine polishes greedily; best-of-n ignores neighbours.",
    motivation: "Slow cooling lets metals escape bad crystal structures.",
    method:
      "Temperature falls from 1.2 to 0 along eight rewrites; worse versions survive with a probability that shrinks by schedule.",
    plan: "Sweep four cooling schedules; report pairwise preference, edit distance, token cost.",
  },
  {
    name: "Devil's Jury",
    problem: (topic) => `A single voice decides about ${topic}, and its blind spots go unchallenged.`,
    existing: "Multi-agent debate tends towards polite agreement.",
    motivation: "Courts appoint an advocate whose duty is dissent.",
    method:
      "Six jurors vote secretly; whoever stands alone must be answered in writing until a fresh ballot repeats the verdict.",
    plan: "StrategyQA and MoralChoice; measure flips, calibration error, length of deliberation.",
  },
  {
    name: "Counterfactual Twin Inputs",
    problem: (topic) => `Whether a system really understands ${topic}, or follows surface cues, stays invisible.`,
    existing: "Contrast sets are built by hand; augmentation needs retraining.",
    motivation: "Twin studies separate nature from nurture by changing one factor.",
    method:
      "For every input an editor flips exactly one attribute; both twins are solved side by side and the difference must be justified.",
    plan: "Generate 500 twins from BBQ and Winogender; consistency rate, justified-change rate.",
  },
  {
    name: "Scaffold Fading",
    problem: (topic) => `Hints that help a model at ${topic} also make it dependent on them.`,
    existing: "Few-shot exemplars are all or nothing.",
    motivation: "Teachers withdraw support step by step once pupils manage.",
    method:
      "Exemplars lose one reasoning line per round; the loop stops at the shortest context that still solves three probes.",
    plan: "GSM8K, MATH and ARC; accuracy against remaining exemplar length.",
  },
  {
    name: "Error Museum",
    problem: (topic) => `Blunders about ${topic} are repeated, since no session remembers former failures.`,
    existing: "Reflexion stores verbal feedback for one episode.",
    motivation: "Aviation became safe by collecting crash reports.",
    method:
      "Wrong outputs are catalogued as exhibits with a diagnosis; retrieval shows the three closest exhibits as warnings ahead of solving.",
    plan: "Grow the catalogue on a training split of HumanEval; repeated-mistake rate, pass@1.",
  },
  {
    name: "Dialect Bridging",
    problem: (topic) => `Wording that is far from the training data spoils results regarding ${topic}.`,
    existing: "Back-translation and paraphrase ensembling treat all phrasings alike.",
    motivation: "Interpreters pass through a pivot both sides know well.",
    method:
      "A query travels over three registers, plain, technical, childlike; agreement among the returned versions selects the final phrasing.",
    plan: "FLORES, AfriQA and IndicGLUE subsets; chrF, exact match, variance over registers.",
  },
  {
    name: "Budgeted Curiosity",
    problem: (topic) => `Clarifying questions would settle much about ${topic}, yet asking costs patience.`,
    existing: "ClarQ-style generators ask without weighing price.",
    motivation: "Explorers with little fuel chart where uncertainty is largest.",
    method:
      "An allowance of five tokens of curiosity is spent on questions ranked by expected information gain, estimated from sampled replies.",
    plan: "Simulated users from AmbigNQ; success per question asked, regret versus an oracle.",
  },
  {
    name: "Immune Memory Filter",
    problem: (topic) => `Hostile prompts keep finding new disguises where ${topic} matters.`,
    existing: "Keyword blocks, perplexity filters, adversarial fine-tuning.",
    motivation: "B cells recognise mutated intruders through approximate matching.",
    method:
      "Detector prompts are cloned and mutated after each attack; those that bind to fresh variants without harming benign traffic remain.",
    plan: "AdvBench, JailbreakBench, XSTest; attack success, false refusals, generations to recovery.",
  },
  {
    name: "Confidence Auction",
    problem: (topic) => `Stated certainty about ${topic} hardly reflects being right.`,
    existing: "Verbalised probabilities, semantic entropy, temperature scaling.",
    motivation: "Bidders reveal what they believe once money is at stake.",
    method:
      "Sampled answers bid chips under a second-price rule; unpaid overbids bankrupt a persona, and clearing prices become probabilities.",
    plan: "TriviaQA plus SciQ; expected calibration error, Brier score, AUROC of selective answering.",
  },
  {
    name: "Reverse Blueprinting",
    problem: (topic) => `Plans made ahead for ${topic} miss constraints which only a finished product shows.`,
    existing: "Plan-and-solve, least-to-most decomposition.",
    motivation: "Architects draw the building after use to learn what was needed.",
    method:
      "From a hasty prototype a specification is reverse-engineered, repaired where it contradicts the order, and compiled into code again.",
    plan: "MBPP, DS-1000, SWE-bench Lite; resolved share, specification coverage, iterations.",
  },
  {
    name: "Sensory Grounding Cues",
    problem: (topic) => `Abstract language hides contradictions in texts on ${topic}.`,
    existing: "Chain of thought remains verbal; visual sketching needs extra models.",
    motivation: "Memory champions turn digits into vivid rooms.",
    method:
      "Every statement must be placed in an imagined scene with position, colour and time; clashes within the scene trigger revision.",
    plan: "bAbI, CLUTRR, SpartQA; deduction accuracy, clash detection precision.",
  },
  {
    name: "Gradient-Free Curriculum",
    problem: (topic) => `Hard cases of ${topic} overwhelm context while easy ones teach nothing.`,
    existing: "Random or similarity-based exemplar selection.",
    motivation: "Pianists climb graded études.",
    method:
      "A bandit orders exemplars by observed difficulty, promoting a tier after two consecutive successes and demoting after a miss.",
    plan: "BIG-Bench Hard; area under the learning curve, regret, exemplar count.",
  },
  {
    name: "Silent Stakeholders",
    problem: (topic) => `Groups affected by ${topic} are absent from the conversation that concerns them.`,
    existing: "Persona prompting speaks as majorities imagine others.",
    motivation: "Planning law demands hearing neighbours prior to building.",
    method:
      "Before responding, a registrar lists who is touched, drafts an objection for each, and publishes how objections altered the reply.",
    plan: "BOLD, StereoSet, HolisticBias; regard gap, objection coverage, helpfulness kept.",
  },
  {
    name: "Checksum Reasoning",
    problem: (topic) => `Slips in long derivations around ${topic} go unnoticed until the end.`,
    existing: "Process reward models, majority voting.",
    motivation: "ISBN digits reveal a typing mistake at once.",
    method:
      "Alongside each step runs a cheap invariant, parity, units or order of magnitude; a broken invariant rolls back to the latest sound line.",
    plan: "MATH level 5 and SciBench; rollback precision, corrected slips, latency.",
  },
  {
    name: "Market of Subtasks",
    problem: (topic) => `Fixed pipelines for ${topic} assign work to whoever is next rather than whoever is apt.`,
    existing: "Static role assignment in CAMEL or MetaGPT.",
    motivation: "Contract-net protocols let suppliers tender for jobs.",
    method:
      "A broker announces subtasks; agents tender with a sample and a price, reputations update after acceptance tests.",
    plan: "GAIA and TravelPlanner; completion, spend, reputation drift, ablation without tenders.",
  },
];

/** Where a mechanism is tried; each changes the name, and a sentence of problem and plan. */
export const SETTINGS: readonly { name: string; problem: string; plan: string }[] = [
  { name: "", problem: "", plan: "" },
  {
    name: "for Small Models",
    problem: "Models under ten billion parameters suffer most.",
    plan: "Llama and Qwen below 8B.",
  },
  {
    name: "over Long Contexts",
    problem: "Beyond thirty thousand tokens it grows worse.",
    plan: "LongBench, RULER at 64k.",
  },
  { name: "across Turns", problem: "Over several turns early slips compound.", plan: "MT-Bench, ten-turn rollouts." },
  {
    name: "without Examples",
    problem: "Labelled demonstrations are missing in practice.",
    plan: "Strict zero-shot protocol.",
  },
  {
    name: "under Distribution Shift",
    problem: "What was tuned last year fails on fresh data.",
    plan: "Time-split test sets.",
  },
];
