/** Objects of A2A as JSON has them: the SDK's types describe its decoded form. Fields without a value are left out. */
import type { Role, TaskState } from "@a2a-js/sdk";

export type State = Exclude<keyof typeof TaskState, "UNRECOGNIZED">;
type Metadata = Record<string, unknown>;

export interface Part {
  text?: string;
  url?: string;
  data?: unknown;
  mediaType?: string;
  filename?: string;
}

export interface Message {
  messageId: string;
  role: Exclude<keyof typeof Role, "UNRECOGNIZED">;
  parts: Part[];
  contextId?: string;
  taskId?: string;
}

export interface Artifact {
  artifactId: string;
  name: string;
  description?: string;
  parts: Part[];
  metadata?: Metadata;
}

export interface TaskStatus {
  state: State;
  timestamp: string;
  message?: Message;
}

export interface Task {
  id: string;
  contextId: string;
  status: TaskStatus;
  artifacts?: Artifact[];
  history?: Message[];
  metadata: Metadata;
}

/** One of these is in each event of a stream and in each push notification. */
export type StreamResponse =
  | { task: Task }
  | { message: Message }
  | { statusUpdate: { taskId: string; contextId: string; status: TaskStatus; metadata: Metadata } }
  | { artifactUpdate: { taskId: string; contextId: string; artifact: Artifact; append: false; lastChunk: true } };
