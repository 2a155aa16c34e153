/** The input of each action (MARE, Table II), a file for each role: artifacts from the agent's inbox, and configured knowledge. */
export * from "./checker";
export * from "./collector";
export * from "./documenter";
export { A_PERSON, PERSON, SIMULATED, STOOD_IN, type Round, type StoriesOf } from "./interview";
export * from "./modeler";
export * from "./stakeholder";
