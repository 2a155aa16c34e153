import budgetPlanner from "./budget-planner.md";
import codeReviewer from "./code-reviewer.md";
import dataAnalyst from "./data-analyst.md";
import databaseExpert from "./database-expert.md";
import decisionAdviser from "./decision-adviser.md";
import editor from "./editor.md";
import eventPlanner from "./event-planner.md";
import extractor from "./extractor.md";
import factChecker from "./fact-checker.md";
import financialAnalyst from "./financial-analyst.md";
import fitnessAndNutritionCoach from "./fitness-and-nutrition-coach.md";
import generalAssistant from "./general-assistant.md";
import healthInformationGuide from "./health-information-guide.md";
import humanitiesScholar from "./humanities-scholar.md";
import legalInformationGuide from "./legal-information-guide.md";
import lessonPlanner from "./lesson-planner.md";
import literatureReviewer from "./literature-reviewer.md";
import localGuide from "./local-guide.md";
import mathematician from "./mathematician.md";
import mathsTutor from "./maths-tutor.md";
import newsResearcher from "./news-researcher.md";
import projectPlanner from "./project-planner.md";
import quizWriter from "./quiz-writer.md";
import rolePlayer from "./role-player.md";
import scienceExplainer from "./science-explainer.md";
import softwareDeveloper from "./software-developer.md";
import statistician from "./statistician.md";
import storyteller from "./storyteller.md";
import summariser from "./summariser.md";
import translator from "./translator.md";
import travelPlanner from "./travel-planner.md";
import writer from "./writer.md";
import { readAgent, type BuiltInAgent } from "./agent";

export type { BuiltInAgent } from "./agent";

/** The agents available to all tenants, by domain (WaAgents, 3.2: a collection over many domains, each entry tuned by hand). */
export const BUILT_IN: readonly BuiltInAgent[] = [
  mathsTutor,
  lessonPlanner,
  quizWriter,
  scienceExplainer,
  literatureReviewer,
  mathematician,
  humanitiesScholar,
  softwareDeveloper,
  codeReviewer,
  databaseExpert,
  dataAnalyst,
  statistician,
  writer,
  editor,
  translator,
  summariser,
  extractor,
  storyteller,
  financialAnalyst,
  budgetPlanner,
  newsResearcher,
  factChecker,
  travelPlanner,
  localGuide,
  healthInformationGuide,
  fitnessAndNutritionCoach,
  legalInformationGuide,
  rolePlayer,
  eventPlanner,
  projectPlanner,
  decisionAdviser,
  generalAssistant,
].map(readAgent);
