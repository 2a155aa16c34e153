import { DEFAULT_OPENAI_MODEL } from "#llm/default-model";

/**
 * The model that the environment names; with an endpoint of one's own and no name, the first that it serves.
 * @returns null: there is no API key
 */
export async function liveModel(signal: AbortSignal): Promise<string | null> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL: model } = process.env;
  if (!OPENAI_API_KEY) return null;
  if (model || !OPENAI_BASE_URL) return model || DEFAULT_OPENAI_MODEL;
  const url = `${OPENAI_BASE_URL.replace(/\/$/, "")}/models`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${OPENAI_API_KEY}` }, signal });
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}: set OPENAI_MODEL.`);
  const { data } = (await response.json()) as { data: [{ id: string }] };
  return data[0].id;
}
