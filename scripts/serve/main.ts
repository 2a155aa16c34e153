/** The program that `npm run serve` and the Docker image run: dist/serve/parley.mjs. */
import { join, resolve } from "node:path";
import migrations from "parley:migrations";
import * as worker from "parley:worker";
import { ConfigurationError } from "#core/configuration";
import { checkConfiguration, VARIABLES } from "#services/configuration";
import { readUrlPolicy } from "#services/settings";
import { installMetrics } from "#services/telemetry/metrics";
import { addProcessMetrics, prometheus } from "#services/telemetry/prometheus";
import { completeGlobals } from "../../src/node/globals";
import { hostsIn, isListed } from "#core/outbound/url-policy";
import { guardLookups } from "../../src/node/guarded-lookup";
import { Server } from "../../src/node/server";
import { command, refuse } from "../lib/command.ts";
import { defaultModelWarning } from "../lib/default-model.ts";
import { keysMigration, keysOfState, recordSecrets } from "../lib/local-keys.ts";
import { pickVariables } from "../lib/pick-variables.ts";
import { onStop } from "../lib/stopping.ts";
import { SERVE } from "./about.ts";
import { smtpSender } from "./smtp.ts";
import { backUp } from "./backup.ts";
import { checkFolder, KEYS } from "./check-folder.ts";

const { values, positionals } = command(SERVE);

completeGlobals();
installMetrics(prometheus);
addProcessMetrics();

function portOf(text: string): number {
  const port = Number(text);
  if (!(Number.isInteger(port) && port >= 0 && port < 65_536)) throw new Error(`${text} is no port number.`);
  return port;
}

const withoutPort = (entry: string): string => entry.replace(/:\d+$/, "");

/** @throws Error with one line for each error */
function check(variables: Record<string, string>): void {
  try {
    checkConfiguration(variables);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new Error(error.errors.join("\n"), { cause: error });
  }
}

/** Without committers: the host itself commits what runs write at the same time together (src/node/group-commit.ts). */
const { COMMITTERS: _, ...NAMESPACES } = DURABLE_OBJECTS;

async function serve(): Promise<void> {
  const data = resolve(values.data);
  const port = portOf(values.port);
  const given = pickVariables(process.env, VARIABLES);
  check({ PARLEY_SECRET: "-".repeat(32), ...given }); // before anything is written
  if (given.ALLOW_PRIVATE_URLS !== "true") {
    const own = hostsIn(given).add(values.listen);
    const { private_hosts = [] } = readUrlPolicy(given);
    guardLookups({ has: (name) => own.has(name) || private_hosts.some((entry) => isListed(withoutPort(entry), name)) });
  }
  await checkFolder(data, migrations, given.PARLEY_SECRET !== undefined);
  const file = join(data, KEYS);
  const keys = keysOfState(file);
  const secrets = recordSecrets(file, keys, given);
  if (!given.PUBLIC_URL && !/^(127\.|::1$|localhost$)/.test(values.listen))
    process.stderr.write(
      "PUBLIC_URL is not set: callback URLs begin with the Host that each request names. Set it to the address that people reach.\n",
    );
  const server = await Server.start({
    worker: worker as never,
    namespaces: NAMESPACES,
    variables: { VERSION, ...given, ...secrets },
    bindings: given.SMTP_URL ? { EMAIL: smtpSender(given.SMTP_URL) } : {},
    data,
    migrations: [...migrations, keysMigration(keys)],
    assets: join(import.meta.dirname, "assets"),
    address: values.listen,
    port,
    behind_proxy: values["behind-proxy"],
    paused: values.paused,
    onDiskFailure(error) {
      console.error("The disk failed, and this process ends; a new one continues with what is stored:", error);
      process.exit(1);
    },
  });
  const seconds = (performance.now() / 1000).toFixed(2);
  const { url } = server;
  const { test_key, live_key } = keys;
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ url, test_key, live_key })}\n`
      : `Parley is ${values.paused ? "paused" : "ready"} on ${url} (${seconds} s). Data: ${data}, keys: ${file}, process: ${process.pid}\n`,
  );
  void defaultModelWarning(given).then((warning) => warning && console.error(warning));
  let stops = 0;
  onStop(() => {
    if (++stops > 1) process.exit(1);
    void server.stop().then(() => process.exit(0));
  });
}

async function main(): Promise<void> {
  process.umask(0o077);
  const [verb, target, ...rest] = positionals;
  if (verb === undefined) await serve();
  else if (verb === "backup" && target && rest.length === 0) {
    const objects = await backUp(resolve(values.data), resolve(target));
    process.stdout.write(
      `${resolve(target)} is a copy, with ${objects} objects. It holds secrets: keep it as safe as the server.\n`,
    );
  } else refuse(SERVE.name, `This does not take ${positionals.join(" ")}`);
}

process.on("unhandledRejection", (error) => console.error("A promise was rejected, and nothing handled it:", error));
await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
