import type { AppContext } from "./context";

/** A static file, with further headers. */
export async function assetOf(c: AppContext, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const file = await c.env.ASSETS.fetch(
    new Request(new URL(path, c.req.url), { method: c.req.method, headers: c.req.raw.headers }),
  );
  if (file.status === 404) return c.notFound();
  const answer = new Response(file.body, file);
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}
