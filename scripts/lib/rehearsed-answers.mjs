/**
 * The model's answer in each act of a rehearsed run. A live run that gets these answers takes the same path.
 * @param {ReturnType<typeof import("./api.mjs").connect>} api of a test key
 * @param {string} run that has ended
 * @returns {Promise<[act: string, content: string][]>}
 */
export async function rehearsedAnswers(api, run) {
  const artifacts = await api.all(`/v1/runs/${run}/artifacts`);
  const made = artifacts.filter(({ model }) => model !== null);
  return Promise.all(
    made.map(async ({ id, act, kind }) => {
      const { content } = await api.get(`/v1/runs/${run}/artifacts/${id}`);
      const answer = kind === "agent_result" ? content.value : content;
      return /** @type {[string, string]} */ ([act, typeof answer === "string" ? answer : JSON.stringify(answer)]);
    }),
  );
}
