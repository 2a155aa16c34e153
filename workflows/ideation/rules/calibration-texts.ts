/**
 * Texts to calibrate an encoder with: four ideas on one topic that differ in their core, in the form of `comparedText`, each in two wordings that
 * follow each other.
 */
export const CALIBRATION_TEXTS: readonly string[] = [
  `Paraphrase Agreement
Problem: A language model states a wrong answer as firmly as a right one, so that users cannot tell when to check.
Existing Methods: Stated confidence, token probabilities, and agreement among repeated samples, on TriviaQA and Natural Questions.
Motivation: Whoever knows a fact gives the same answer however the question is put; whoever guesses follows the wording.
Proposed Method: The question is put in eight ways that keep its meaning, by changing order, voice and vocabulary. The model answers each once. Answers of the same meaning are grouped, and the share of the largest group is the confidence.
Experiment Plan: Calibration error and the area under the ROC curve against repeated sampling of the unchanged question, with the same number of calls.`,
  `Stable under Rewording
Problem: Readers have no sign by which to see that a chatbot errs, because its mistakes sound as certain as its correct statements.
Existing Methods: Asking for a percentage, reading logits, drawing several samples of one prompt; open question answering data.
Motivation: Knowledge does not depend on phrasing, while a guess is led by it, as polls with differently worded questions show.
Proposed Method: An editor prompt rewrites the query several times without altering what is asked. One reply is collected for every version. Replies that say the same are merged by entailment, and the fraction in the biggest cluster is reported as the probability of being correct.
Experiment Plan: Expected calibration error and AUROC, compared with sampling the original query equally often.`,
  `Placebo Names
Problem: A language model states a wrong answer as firmly as a right one, so that users cannot tell when to check.
Existing Methods: Stated confidence, token probabilities, and agreement among repeated samples, on TriviaQA and Natural Questions.
Motivation: A drug is judged against a placebo. What a model says of a person who does not exist shows how it answers without knowledge.
Proposed Method: The name in the question is replaced by invented names of the same kind. The distribution of answers to these questions is the model's guess from the form alone. The confidence is how far the answers to the real question depart from that distribution, as a local false discovery rate.
Experiment Plan: Calibration error on questions about rare entities; the invented names are exchanged for real, well-known ones to remove the core.`,
  `Null Entities as Controls
Problem: Readers have no sign by which to see that a chatbot errs, because its mistakes sound as certain as its correct statements.
Existing Methods: Asking for a percentage, reading logits, drawing several samples of one prompt; open question answering data.
Motivation: Controlled trials tell an effect from expectation by a group that gets nothing. A made-up entity is such a control for a model's knowledge.
Proposed Method: Fictitious entities with matching type and origin are put in place of the one asked about, which yields the answers that the template alone provokes. Comparing the replies for the true entity with this null distribution gives the chance that the reply rests on knowledge, estimated like a false discovery rate in statistics.
Experiment Plan: ECE for long-tail facts; as an ablation, famous entities serve in place of fictitious ones.`,
  `Seeded Faults
Problem: A language model states a wrong answer as firmly as a right one, so that users cannot tell when to check.
Existing Methods: Stated confidence, token probabilities, and agreement among repeated samples, on GSM8K and MATH.
Motivation: A proofreader who finds nine of ten planted errors has probably found nine of ten of the others as well.
Proposed Method: Copies of a solution get planted errors, one in each: a wrong sign, a skipped case, a changed number. The model reviews all copies without knowing which were altered. Its share of planted errors found, together with what it reports in the unaltered copy, estimates how many true errors are left.
Experiment Plan: Brier score of the estimate that a solution is right, against self-review without planted errors.`,
  `Bebugging the Chain of Thought
Problem: Readers have no sign by which to see that a chatbot errs, because its mistakes sound as certain as its correct statements.
Existing Methods: Asking for a percentage, reading logits, drawing several samples of one prompt; school and contest mathematics.
Motivation: Software testers insert known bugs and count how many the tests catch, which tells how many unknown bugs remain.
Proposed Method: Known mistakes are injected into duplicates of a derivation, such as flipped operators, dropped conditions or altered values. A blind check by the same model goes over every duplicate and over the original. The catch rate for injected mistakes scales its findings in the original to the number of undetected ones, and so to a probability of correctness.
Experiment Plan: Brier score against a plain self-check on the same derivations.`,
  `Side Bets
Problem: A language model states a wrong answer as firmly as a right one, so that users cannot tell when to check.
Existing Methods: Stated confidence, token probabilities, and agreement among repeated samples, on agent benchmarks with tools.
Motivation: Forecasters become calibrated because each forecast is settled soon and counted.
Proposed Method: While an agent works, it makes small predictions that its tools will settle: whether a test passes, how many rows a query returns. The record of settled predictions gives a map from stated to observed frequency, and this map corrects the confidence in the final answer, which nothing settles.
Experiment Plan: Calibration error of final answers over two hundred tasks, against the uncorrected number and a map from another task.`,
  `Self-Scoring Forecasts along the Way
Problem: Readers have no sign by which to see that a chatbot errs, because its mistakes sound as certain as its correct statements.
Existing Methods: Asking for a percentage, reading logits, drawing several samples of one prompt; software and data tasks with tool use.
Motivation: Weather services know how to trust their numbers since every day brings feedback on yesterday's.
Proposed Method: The working agent forecasts the outcomes of its own tool calls before it makes them, for instance exit codes or result sizes. Each forecast is checked at once. From these checks a recalibration curve is fitted within the session, and it is applied to the probability that the agent states for its end result, which cannot be verified.
Experiment Plan: ECE of end results on a few hundred tasks; baselines are the raw probability and a curve fitted elsewhere.`,
];
