import type { TestProject } from "vitest/node";
import { startModel } from "./model";

/** One fake model endpoint and webhook receiver for all test files of a project; tests reach it over HTTP like the Worker does. */
export default async function setup(project: TestProject) {
  const model = await startModel();
  project.provide("modelUrl" as never, model.url as never);
  return () => model.close();
}
