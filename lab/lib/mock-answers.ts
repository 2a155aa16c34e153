import type { Client } from "./client.ts";

/**
 * The model's answer in each step of a mock run. A live run that gets these answers takes the same path.
 * @param api of a test key
 * @param run that has ended
 */
export async function mockAnswers(api: Client, run: string): Promise<[step: string, content: string][]> {
  const artifacts = await api.all(`/v1/runs/${run}/artifacts`);
  const made = artifacts.filter(({ model }) => model !== null);
  return Promise.all(
    made.map(async ({ id, step, kind }) => {
      const { content } = await api.get(`/v1/runs/${run}/artifacts/${id}`);
      const answer = kind === "agent_result" ? content.value : content;
      return [step, typeof answer === "string" ? answer : JSON.stringify(answer)] as [string, string];
    }),
  );
}
