/** The TypeScript SDK in workerd, against the real Worker. */
import { exports } from "cloudflare:workers";
import { describe } from "vitest";
import { sdkSuite } from "../support/sdk-suite";
import { makeTenant } from "../support/parley";

describe("the SDK in workerd", () =>
  sdkSuite({
    baseURL: "http://parley.test",
    fetch: (url, init) => (exports as any).default.fetch(url, init),
    newKey: async () => (await makeTenant()).test,
  }));
