/** `npm run serve`, and the program of the Docker image. */
export const SERVE = {
  name: "serve",
  takes: "[backup <copy>]",
  what: `Serves Parley on Node alone, from one folder. \`backup <copy>\` copies the folder of a server, running or not; the copy is a folder to
serve from.`,
  options: {
    data: {
      type: "string",
      value: "FOLDER",
      default: process.env.PARLEY_STATE || ".parley-node",
      help: "of all that is stored",
    },
    port: { type: "string", value: "PORT", default: process.env.PORT || "8787", help: "0: a free one" },
    listen: { type: "string", value: "ADDRESS", default: "127.0.0.1", help: "address to listen on; 0.0.0.0 for all" },
    "behind-proxy": {
      type: "boolean",
      help: "address and scheme of a client are those that the nearest proxy names (X-Forwarded-For, X-Forwarded-Proto)",
    },
    paused: {
      type: "boolean",
      help: "requests are answered, but nothing runs and nothing is sent: to look at a restored copy before it takes over",
    },
    json: { type: "boolean", help: "the ready line is JSON" },
  },
  example: "--data /srv/parley --port 8080",
} as const;
