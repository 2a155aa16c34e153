import type { Secrets } from "#core/secrets";

/** An MCP server as a request names it. */
export interface McpServerInput {
  name: string;
  url: string;
  /** Absent: the stored headers stay. */
  headers?: Record<string, string> | undefined;
}

/** An MCP server as the row of its agent keeps it. */
export interface StoredMcpServer {
  name: string;
  url: string;
  header_names: string[];
  /** JSON of the headers, sealed; null when there are none. */
  sealed_headers: string | null;
}

export const storedMcpServers = (row: { mcp_servers: string }): StoredMcpServer[] =>
  JSON.parse(row.mcp_servers) as StoredMcpServer[];

/**
 * What to keep of the servers that a request names. One that says nothing of headers keeps those that it had, if its URL is
 * the same too: they must not go to another host than they were given for.
 */
export const sealMcpServers = (
  secrets: Secrets,
  requested: readonly McpServerInput[],
  before: readonly StoredMcpServer[] = [],
): StoredMcpServer[] =>
  requested.map(({ name, url, headers }) => {
    const same = before.find((server) => server.name === name && server.url === url);
    if (headers === undefined && same) return same;
    const header_names = Object.keys(headers ?? {});
    return {
      name,
      url,
      header_names,
      sealed_headers: header_names.length ? secrets.seal(JSON.stringify(headers)) : null,
    };
  });

/** The headers of a server, opened. */
export const openHeaders = (secrets: Secrets, server: StoredMcpServer): Record<string, string> =>
  server.sealed_headers === null ? {} : (JSON.parse(secrets.open(server.sealed_headers)) as Record<string, string>);
