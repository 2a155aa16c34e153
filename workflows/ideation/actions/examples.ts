import type { Idea } from "../artifacts";

/**
 * Published methods written as ideas, in our own words, which show proposers the form. The first of each set is complete, the others are
 * shortened.
 */

/** For ideas on prompting: Dhuliawala et al. 2023, Yasunaga et al. 2023, Zheng et al. 2023. */
const PROMPTING: readonly Idea[] = [
  {
    name: "Chain-of-Verification: questions asked apart from the draft",
    problem:
      "In long answers, models state plausible facts that are false: names in a list that do not belong there, dates in a biography that nobody can find. The reader cannot tell them from the true ones, because the style is the same. Answers of one sentence are far more often right than the same facts inside a page of text.",
    existing_methods:
      "Few-shot prompting and chain of thought do not look back at what was said. Retrieval helps where a corpus is at hand. Filters on token probabilities need access to the model. Self-critique in the same context tends to repeat the error, since the draft stands before the critic's eyes. Data: list questions made from Wikidata, MultiSpanQA, long biographies scored by FactScore.",
    motivation:
      "A model often answers a short, direct question rightly where it erred within a long text, because there the surrounding sentences pull towards what fits the style. If the question is asked where the draft cannot be seen, its errors cannot be copied. The claim fails if questions asked apart from the draft are answered no better than with the draft in view.",
    proposed_method:
      "The core: the facts of a draft are turned into short questions, and each is answered where the draft cannot be seen.\n1. Draft. The model answers the request as usual. Out: the draft.\n2. Plan. The model reads request and draft, and writes questions, each of which checks one fact (\"In which year was the treaty signed?\"), without the draft's answer in the question. A few worked examples show the form. Out: five to fifteen questions.\n3. Answer. Each question is asked in a call of its own that contains neither the draft nor the other questions. Out: a short answer to each.\n4. Compare. For each question a call sees the draft's statement and the new answer, and says whether they agree, contradict each other, or are about different things. Out: a verdict for each fact.\n5. Rewrite. The model gets the request, the draft and the verdicts. It keeps what was confirmed, replaces what was contradicted by the new answer, and leaves out what stayed open. Out: the final answer.\nIn the worked case of a list question, the draft names six politicians born in a city; six questions ask for the birthplace of each; two answers name another city; the final list has four names. Step 3 is the core: in a variant for comparison, all questions are answered in one call that contains the draft, and everything else stays as it is. The cost is one call for the draft, one for the questions, and two for each question.",
    experiment_plan:
      "Decisive first: on 50 list questions, steps 3 with and without the draft in view, everything else equal; if the precision of the lists does not differ, the project ends. Then: Wikidata and QUEST lists (precision, number of right and wrong names), MultiSpanQA (F1), biographies (FactScore, number of facts). Baselines with the same base model: zero-shot, few-shot, chain of thought, self-critique in one context, and the best of as many samples as the method makes calls. Two models of different size. What is removed: the separation of step 3, the comparison of step 4, the number of questions. Bootstrap intervals over questions; a gain counts from five points of precision at no more than a tenth fewer right names. A count by hand of 50 changed facts tells how many changes were for the worse.",
  },
  {
    name: "Analogical Prompting",
    problem:
      "Worked examples help a model to reason, but somebody has to find and label fitting ones for each kind of task.",
    existing_methods: "Zero-shot and few-shot chain of thought on GSM8K, MATH and Codeforces problems.",
    motivation: "People who meet a problem recall a similar one that they have solved, and carry its solution over.",
    proposed_method:
      "The core: the model makes its own worked examples. In one call it recalls three relevant problems, different from each other, explains their solutions, and then solves the new one.",
    experiment_plan:
      "Accuracy against zero-shot and few-shot chain of thought on the same benchmarks with three models; recalled problems are replaced by unrelated ones to show that they do the work.",
  },
  {
    name: "Step-Back Prompting",
    problem: "Questions full of details lead models astray, although they know the principle that would answer them.",
    existing_methods: "Chain of thought and take-a-deep-breath prompts on MMLU physics and chemistry, TimeQA, MuSiQue.",
    motivation: "Experts first ask which law or concept a case belongs to, and reason from there.",
    proposed_method:
      "The core: first the principle, then the case. One call asks and answers a more general question; the second answers the original question from that principle.",
    experiment_plan:
      "Accuracy against the baselines, with an analysis of which of the two steps fails when the answer is wrong.",
  },
];

/** For other ideas, from three fields: Shental et al. 2020, Frankle and Carbin 2019, Abadie et al. 2010. */
const GENERAL: readonly Idea[] = [
  {
    name: "One-Round Pooled Testing: each sample in several overlapping pools",
    problem:
      "In an epidemic, laboratories cannot test everybody: reagents and machine time are short, while fewer than one sample in a hundred is positive. Testing samples in pools saves tests, but a positive pool has to be opened and tested again, which takes a second day, and carriers infect others meanwhile. Wanted: all carriers after a single round.",
    existing_methods:
      "Dorfman's two-stage pools save most at low prevalence, but need the second round. Array designs pool the rows and columns of a plate and become ambiguous with two carriers. Group testing theory has designs with few tests whose decoders assume noise that a real assay does not have. Benchmarks: number of tests per sample, share of carriers missed, hours to the result.",
    motivation:
      "If each sample lies in several pools, and no two samples share the same pools, then the set of positive pools is a fingerprint of the carriers. When carriers are rare, few sets of carriers explain a given fingerprint, as in compressed sensing. It should work as long as one positive sample still shows in a pool of about fifty, which is a question for the assay and can be refuted by it in a day.",
    proposed_method:
      "The core: every sample goes into several pools by a fixed design, and the carriers are computed from which pools are positive.\n1. Design. For 384 samples, 48 pools are laid out by a Reed-Solomon code: each sample enters six pools, each pool holds 48 samples, and two samples share few pools. In: numbers of samples and pools. Out: a table that a pipetting robot reads.\n2. Pool. The robot distributes each sample over its six pools. Out: 48 tubes, and a log of what was pipetted.\n3. Test. Each pool passes the usual PCR once. Out: a cycle number or none for each pool.\n4. Decode. A Bayesian decoder looks for the set of carriers that explains the cycle numbers best; it knows the rate at which a pool with one carrier stays negative, and the prevalence of the day. A sample in six positive pools is called a carrier, a sample with two negative pools is not; in between the decoder weighs viral loads. Out: carriers with a probability each.\n5. Guard. If more pools are positive than the design can resolve (about five carriers of 384), the result says so, and the samples of positive pools are tested singly.\nOne case: samples 17 and 203 are positive; eleven pools turn out positive, since they share one; only these two samples lie in positive pools alone. A variant with random pools in place of the code shows what the design adds.",
    experiment_plan:
      "Decisive first: dilute 20 known positive samples of different loads 1:48 in negative ones; if more than one in twenty is lost, pools of this size are out. Then simulations of 10,000 plates at a prevalence of 0.1 to 3 percent with the measured loss: carriers missed, false alarms, tests per sample. Then 1,000 stored samples with known results, blind, against single tests, two-stage pools and row-column arrays at the same number of tests. Primary measure: sensitivity, where a loss of up to five points against single tests is accepted for an eightfold saving. What is removed: the code (random pools), the cycle numbers (positive or negative only), the knowledge of the loss. Hours and reagents are counted from the robot's log.",
  },
  {
    name: "Lottery Tickets: small networks that were there from the start",
    problem: "Pruned networks are small and accurate, but training a small network from scratch fails to reach them.",
    existing_methods: "Pruning after training, distillation, small networks with random starts; MNIST and CIFAR-10.",
    motivation:
      "Pruning may find a part whose starting weights happened to suit it. Then the same part with other starting weights must fail.",
    proposed_method:
      "The core: train, prune the smallest weights, set the remaining ones back to their starting values, train again; repeat, a fifth of the weights at a time.",
    experiment_plan:
      "Accuracy and steps to convergence against the same part with random starting weights, at 50 down to 2 percent of the weights; three architectures, five seeds.",
  },
  {
    name: "Synthetic Control: a comparison case made of many",
    problem: "The effect of one law in one region cannot be estimated when no other region is like it.",
    existing_methods: "Difference in differences with chosen neighbours; regression over all regions.",
    motivation:
      "A weighted mix of regions can follow the treated one for decades before the law, though no single region does. Where it does not, the method must not be used.",
    proposed_method:
      "The core: weights that are not negative and sum to one are fitted to the years before the law; the gap afterwards is the effect.",
    experiment_plan:
      "Cigarette sales in one state against a mix of 38; the same is done for every other state as a placebo, and the effect counts if it is among the largest gaps.",
  },
];

/**
 * The examples for a proposer: of prompting when the ideas are to be prompting methods, else of other fields.
 * @param method the kind of method that is asked for; null: any
 */
export const examplesOf = (method: string | null): readonly Idea[] =>
  /prompt/iu.test(method ?? "") ? PROMPTING : GENERAL;

/**
 * The paper's examples, for `profile: "paper"`: six published prompting methods (spec, step 2). Sources, in order:
 * Yasunaga et al. 2023, Madaan et al. 2023, Weller et al. 2023, Weston and Sukhbaatar 2023, Zheng et al. 2023, Dhuliawala et al. 2023.
 */
export const PAPER_EXAMPLES: readonly Idea[] = [
  {
    name: "Analogical Prompting",
    problem:
      "Worked examples help a model to reason, but somebody has to find and label fitting ones for each kind of task.",
    existing_methods: "Zero-shot and few-shot chain of thought on GSM8K, MATH and Codeforces problems.",
    motivation: "People who meet a problem recall a similar one that they have solved, and carry its solution over.",
    proposed_method:
      'The model is told first to recall three relevant problems and to solve them ("Recall three problems like this one, different from each other, and explain their solutions"), and then to solve the new one, all in one answer.',
    experiment_plan:
      "Accuracy against zero-shot and few-shot chain of thought on the same benchmarks with three models.",
  },
  {
    name: "Self-Refine",
    problem: "A model's first answer is seldom its best, and nobody is there to say what is wrong with it.",
    existing_methods: "Answering once; refiners that are trained with labelled corrections.",
    motivation: "Writers get better results by reading their own draft with a critical eye and mending it.",
    proposed_method:
      'One model plays three parts: it answers, it comments ("Say what could be better in this answer, point by point"), and it rewrites by the comment. This goes on until the comment finds nothing, or four times.',
    experiment_plan:
      "Preference of judges and task metrics on dialogue, code optimisation and acronym tasks, by number of rounds.",
  },
  {
    name: "According-To Prompting",
    problem: "Models mix what they have read with what they make up, and the reader cannot tell which is which.",
    existing_methods: "Retrieval before answering; no grounding at all.",
    motivation: 'Journalists write "according to …", and what follows then has a source.',
    proposed_method:
      'The prompt asks the model to answer with words of a corpus that it has surely read: "Answer using only what Wikipedia says about it". How much is quoted is measured by the overlap with the corpus.',
    experiment_plan:
      "Share of n-grams found in Wikipedia, and accuracy, on NaturalQuestions, TriviaQA and HotpotQA against the plain prompt.",
  },
  {
    name: "Selective Attention Prompting",
    problem: "Opinions and side remarks in a question sway the model's answer.",
    existing_methods: "Instructions to ignore what is irrelevant; chain of thought.",
    motivation: "Attention spreads over the whole context; what is not in it cannot mislead.",
    proposed_method:
      "The model first rewrites the question so that only what is needed remains, with opinions taken out; then it answers the rewritten question alone.",
    experiment_plan:
      "Accuracy on TriviaQA with misleading opinions added, and on GSM-IC with irrelevant sentences, against the baselines.",
  },
  {
    name: "Step-Back Prompting",
    problem: "Questions full of details lead models astray, although they know the principle that would answer them.",
    existing_methods: "Chain of thought and take-a-deep-breath prompts on MMLU physics and chemistry, TimeQA, MuSiQue.",
    motivation: "Experts first ask which law or concept a case belongs to, and reason from there.",
    proposed_method:
      'Two calls: the first asks a more general question ("Which principle lies behind this?") and answers it; the second answers the original question from that principle.',
    experiment_plan:
      "Accuracy against the baselines, with an analysis of which of the two steps fails when the answer is wrong.",
  },
  {
    name: "Chain-of-Verification",
    problem: "In long answers models state plausible facts that are false.",
    existing_methods:
      "Few-shot prompting and chain of thought on list questions from Wikidata, MultiSpanQA and biographies.",
    motivation: "The same model often answers a short direct question correctly where it erred within a long text.",
    proposed_method:
      "Four calls: draft an answer; write questions that check its facts; answer each question alone, without the draft; write the answer anew, keeping what was confirmed.",
    experiment_plan:
      "Precision of lists and FactScore of biographies against the baselines and against fewer of the steps.",
  },
];
