import {
  answerQuestion,
  checkRequirement,
  deriveAcceptanceCriteria,
  extractEntity,
  listRelations,
  proposeQuestion,
  speakUserStories,
  writeCheckReport,
  writeReqDraft,
} from "./actions";
import type { RequirementModel, RoughIdea } from "./artifacts";
import { A_PERSON, SIMULATED } from "./inputs";
import { METAMODELS } from "./rules/built-in-metamodels";
import { allowedPairs } from "./rules/pairs";
import { describeRelations, mergeListedModel, numberEntities, titleOf } from "./rules/requirement-model";
import draftTemplate from "./templates/draft.md";
import srsTemplate from "./templates/srs.md";

export const roughIdea = (idea: string): RoughIdea => ({ idea, title: null, background: null });

const stakeholder = { name: "Alice", profile: "Wants it to work." };
const stakeholders = [stakeholder, { name: "Ben", profile: "Wants it to be cheap." }];

/**
 * The input of each action of a mock run, up to a check that finds smells and the improvement after it: every part of every input is
 * present.
 */
export function fullInputs(text: string, kind: keyof typeof METAMODELS = "use_case") {
  const idea = { ...roughIdea(text), background: "It has to be ready by spring." };
  const speak = { idea, stakeholder, count: 5, for_all: true };
  const stories = [{ stakeholder: stakeholder.name + SIMULATED, stories: speakUserStories.mock(speak, "ok").stories }];
  const firstQuestions = proposeQuestion.mock(
    { idea, stakeholders, stories, rounds: [], round: 1, rounds_planned: 2, rejection: null },
    "ok",
  ).questions;
  const answered = [{ question: "Who may use it?", answer: "I assume that members may." }];
  const answer = {
    idea,
    stakeholder,
    for_all: true,
    stories: stories[0]!.stories,
    answered,
    questions: firstQuestions,
  };
  const rounds = [
    {
      questions: firstQuestions,
      answers: [{ from: `Alice${SIMULATED}`, answers: answerQuestion.mock(answer, "ok").answers }],
    },
  ];
  const template = draftTemplate;
  const metamodel = METAMODELS[kind];
  const { criteria } = deriveAcceptanceCriteria.mock({ idea, stakeholders, metamodel }, "ok");
  const draft = writeReqDraft.mock({ idea, stakeholders, template, criteria, stories, rounds, rejection: null }, "ok");

  const types = metamodel.entity_types;
  const extract = { idea, draft, types, wanted: types };
  const entities = numberEntities(extractEntity.mock({ ...extract, improvement: null }, "ok").entities);
  const pairs = allowedPairs(entities, metamodel);
  const list = { idea, draft, metamodel, entities };
  const whole = { open: null, settled: [], dropped: [], findings: [] };
  const { relations } = listRelations.mock({ ...list, ...whole }, "ok");
  const model: RequirementModel = mergeListedModel(
    { model_kind: kind, title: titleOf(idea, draft) },
    entities,
    relations,
    metamodel,
  );

  const check = {
    idea,
    stakeholders,
    metamodel,
    accept_at: "minor" as const,
    criteria,
    stories,
    rounds,
    draft,
    changed: [] as readonly string[],
    model,
    earlier: null,
    iteration: 1,
  };
  const judged = { check: checkRequirement.mock(check, "reject"), iteration: 1 };
  const report = writeCheckReport.mock(judged, "ok");
  const rejection = { draft, report };
  const findings = judged.check.smells.map(({ explanation }) => explanation);
  const improvement = { previous: model.entities.map(({ name }) => name), findings };
  const firstRow = draft.split("\n").find((row) => row.includes("**R1**"));
  const changes = { removed: [firstRow!], added: [`${firstRow!} (assumed, A9)`] };
  return {
    speak_user_stories: speak,
    propose_question: { idea, stakeholders, stories, rounds, round: 2, rounds_planned: 2, rejection },
    answer_question: answer,
    write_req_draft: { idea, stakeholders, template, criteria, stories, rounds, rejection },
    revise_req_draft: { idea, stakeholders, rounds, draft, findings: judged.check.smells },
    extract_entity: { ...extract, wanted: types.slice(0, 1), improvement: { ...improvement, changes } },
    list_relations: {
      ...list,
      open: entities.slice(0, 2),
      settled: describeRelations(model).slice(0, 1),
      dropped: describeRelations(model).slice(1, 3),
      findings,
    },
    extract_relation: { idea, draft, metamodel, pairs, improvement, again: true },
    extract_model: { idea, draft, metamodel, improvement },
    derive_acceptance_criteria: { idea, stakeholders, metamodel },
    check_requirement: { ...check, changed: ["R1"], earlier: judged.check.smells, iteration: 2 },
    write_srs: {
      idea,
      template: srsTemplate,
      sources: [`Alice${SIMULATED}`, A_PERSON],
      draft,
      model,
      findings: judged.check.smells,
    },
    write_check_report: judged,
  };
}

/** The same inputs without their optional parts. */
export function bareInputs(text: string) {
  const full = fullInputs(text);
  const idea = roughIdea(text);
  return {
    ...full,
    speak_user_stories: { ...full.speak_user_stories, idea, for_all: false },
    propose_question: { ...full.propose_question, idea, rounds: [], rejection: null },
    answer_question: { ...full.answer_question, idea, for_all: false, stories: [], answered: [] },
    write_req_draft: { ...full.write_req_draft, idea, stakeholders: [], rounds: [], rejection: null },
    revise_req_draft: { ...full.revise_req_draft, idea, stakeholders: [], rounds: [] },
    extract_entity: { ...full.extract_entity, idea, wanted: full.extract_entity.types, improvement: null },
    list_relations: { ...full.list_relations, idea, open: null, settled: [], dropped: [], findings: [] },
    extract_relation: { ...full.extract_relation, idea, improvement: null, again: false },
    extract_model: { ...full.extract_model, idea, improvement: { previous: [], findings: [] } },
    derive_acceptance_criteria: { ...full.derive_acceptance_criteria, idea },
    write_srs: { ...full.write_srs, idea, sources: [], findings: [] },
    check_requirement: {
      ...full.check_requirement,
      idea,
      stakeholders: [],
      rounds: [],
      changed: [],
      earlier: null,
      iteration: 1,
    },
  };
}

/** Texts of inputs that need no fence: of a closed set of words, or an id that code made. By action and path. */
export const CLOSED =
  /\.(id|type|kind|severity|concerns)$|\/(wanted|types)\.\d+\.name$|_types\.\d+\.name$|\.(from|to)\.\d+$/;

/** Texts by which the caller or the deployment instructs the model: they stand outside of fences. */
export const INSTRUCTIONS = /\.(meaning|examples\.\d+)$|^(speak_user_stories|answer_question)\/stakeholder\./;

/** Lists that are never empty. */
export const FILLED =
  /\/(stakeholders|criteria|questions|pairs|types|wanted|entities|findings|check\.smells|stories(\.\d+\.stories)?)$|\/rounds\.\d+\.(questions|answers\.\d+\.answers)$|\/metamodel\.|\/model\.entities$/;
