import type { RunEvent } from "#core/events";
import type { Secrets } from "#core/secrets";
import type { DeliveryContent } from "#store/deliveries";
import type { Part, StreamResponse } from "../a2a/shapes";
import {
  agentMessage,
  artifactOfEvent,
  askingParts,
  contextOf,
  dataPart,
  failureParts,
  STATES,
} from "../a2a/task-parts";
import { presentEvent } from "../../fields/present-event";
import { presentOpened } from "./opened";

/** As of other webhooks. Bytes of UTF-8. */
const BODY_LIMIT = 20_000;

/** The push notification of A2A that a delivery is (specification, 4.3.3), built from data that never changes. */
export const a2aBody = (content: DeliveryContent, secrets: Secrets): string =>
  JSON.stringify(responseOf(content, secrets));

function responseOf(content: DeliveryContent, secrets: Secrets): StreamResponse {
  if (content.is === "message") {
    const { id, type, data } = content.message;
    return { message: { messageId: id, role: "ROLE_AGENT", parts: [dataPart({ type, ...JSON.parse(data) })] } };
  }
  const { event: row, run, interaction } = content;
  const event = presentEvent(row);
  const about = { id: run.id, metadata: JSON.parse(run.metadata) as Record<string, string> };
  const task = { taskId: run.id, contextId: contextOf(about) };
  if (event.type === "run.artifact_created")
    return {
      artifactUpdate: { ...task, artifact: artifactOfEvent(run.origin, event), append: false, lastChunk: true },
    };
  const parts = interaction
    ? asking(askingParts(presentOpened(interaction, event.data, run, secrets)), interaction.id)
    : why(event);
  const message = parts.length > 0 && { message: agentMessage(about, interaction?.id ?? event.id, parts) };
  const status = { state: STATES[event.data.status], timestamp: event.created_at, ...message };
  const metadata = { workflow: run.workflow, mode: run.mode, stage: row.stage, event: event.type };
  return { statusUpdate: { ...task, status, metadata } };
}

const why = (event: RunEvent): Part[] => (event.type === "run.failed" ? failureParts(event.data.error) : []);

/** Of a long question only the id, with which the task shows it. */
const asking = (parts: Part[], id: string): Part[] =>
  Buffer.byteLength(JSON.stringify(parts)) < BODY_LIMIT ? parts : [dataPart({ interaction_id: id })];
