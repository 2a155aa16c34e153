import type { SealContext, Secrets } from "#core/secrets";

/** An MCP server in a request. */
export interface McpServerInput {
  name: string;
  url: string;
  /** Absent: the stored headers are kept. */
  headers?: Record<string, string> | undefined;
}

/** An MCP server in the row of its agent. */
export interface StoredMcpServer {
  name: string;
  url: string;
  header_names: string[];
  /** JSON of the headers, sealed; null when there are none. */
  sealed_headers: string | null;
}

export const storedMcpServers = (row: { mcp_servers: string }): StoredMcpServer[] =>
  JSON.parse(row.mcp_servers) as StoredMcpServer[];

/** The agent that servers belong to. */
type ServerOwner = { tenant: string; agent: string };

/** Headers are bound to the URL that they were given for. */
const placeOf = ({ tenant, agent }: ServerOwner, url: string): SealContext => ({
  table: "agents",
  tenant,
  id: agent,
  purpose: `headers for ${url}`,
});

/**
 * Seals the headers of requested servers for storage. A server without `headers` keeps its stored ones if its URL is unchanged: headers
 * must not be sent to another host than they were given for.
 */
export const sealMcpServers = (
  secrets: Secrets,
  owner: ServerOwner,
  requested: readonly McpServerInput[],
  before: readonly StoredMcpServer[] = [],
): StoredMcpServer[] =>
  requested.map(({ name, url, headers }) => {
    const stored = before.find((server) => server.name === name && server.url === url);
    if (headers === undefined && stored) return stored;
    const header_names = Object.keys(headers ?? {});
    return {
      name,
      url,
      header_names,
      sealed_headers: header_names.length ? secrets.seal(JSON.stringify(headers), placeOf(owner, url)) : null,
    };
  });

/** The decrypted headers of a server. @throws SealError */
export const openHeaders = (
  secrets: Secrets,
  owner: ServerOwner,
  { url, sealed_headers }: Pick<StoredMcpServer, "url" | "sealed_headers">,
): Record<string, string> =>
  sealed_headers === null
    ? {}
    : (JSON.parse(secrets.open(sealed_headers, placeOf(owner, url))) as Record<string, string>);

/** The same servers with their headers sealed by the key in use. Headers that cannot be opened stay, and are counted. */
export function resealMcpServers(
  secrets: Secrets,
  owner: ServerOwner,
  servers: readonly StoredMcpServer[],
): { servers: StoredMcpServer[]; unreadable: number } {
  let unreadable = 0;
  const resealed = servers.map((server) => {
    if (server.sealed_headers === null) return server;
    const sealed_headers = secrets.reseal(server.sealed_headers, placeOf(owner, server.url));
    if (sealed_headers === null) unreadable++;
    return sealed_headers === null ? server : { ...server, sealed_headers };
  });
  return { servers: resealed, unreadable };
}
