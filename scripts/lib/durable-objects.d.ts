/** Classes of Durable Objects by the names of their bindings; `forNode` (worker-bundle.ts) defines it. */
declare const DURABLE_OBJECTS: Readonly<Record<string, string>>;
