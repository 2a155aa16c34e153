/** The tools that agents can use, with their purposes. MCP servers add more. */
export const TOOLS = {
  calculator: "Exact arithmetic.",
  date_arithmetic: "Exact dates, durations and time zones.",
  http_request: "Requests to the hosts of HTTP_ALLOW_LIST.",
  web_search: "Searches the web; needs BRAVE_SEARCH_API_KEY or TAVILY_API_KEY.",
} as const;

export type ToolName = keyof typeof TOOLS;

export const TOOL_NAMES = Object.keys(TOOLS) as [ToolName, ...ToolName[]];
