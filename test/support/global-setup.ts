import type { TestProject } from "vitest/node";
import { startMcp, startModernMcp } from "./mcp";
import { startModel } from "./model";

/** Starts one fake model endpoint with webhook receiver, and two MCP servers, for all test files of a project. Tests use them over HTTP. */
export default async function setup(project: TestProject) {
  const model = await startModel();
  const mcp = await startMcp();
  const modernMcp = await startModernMcp();
  project.provide("modelUrl" as never, model.url as never);
  project.provide("mcpUrl" as never, mcp.url as never);
  project.provide("modernMcpUrl" as never, modernMcp.url as never);
  return async () => {
    await model.close();
    await mcp[Symbol.asyncDispose]();
    await modernMcp[Symbol.asyncDispose]();
  };
}
