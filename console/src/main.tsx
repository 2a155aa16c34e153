import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "@parley/sdk";
import { Console } from "./console.tsx";
import { takeKeyFromFragment } from "./session.ts";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/parts.css";
import "./styles/forms.css";
import "./styles/run.css";
import "./styles/methods.css";

const linked = takeKeyFromFragment(); // before the router reads the address

/** The SDK repeats what may be repeated; the page tries a failed read twice more, so that it outlives a restart of the server. */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => !(error instanceof ApiError) && failures < 2,
      staleTime: 1000,
    },
  },
});

createRoot(document.getElementById("console")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Console linked={linked} />
    </QueryClientProvider>
  </StrictMode>,
);
