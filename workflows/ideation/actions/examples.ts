import type { Idea } from "../artifacts";

/**
 * Six published prompting methods written as ideas, in our own words. They show proposers the form (spec, step 2). Sources, in order:
 * Yasunaga et al. 2023, Madaan et al. 2023, Weller et al. 2023, Weston and Sukhbaatar 2023, Zheng et al. 2023, Dhuliawala et al. 2023.
 */
export const EXAMPLES: readonly Idea[] = [
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
