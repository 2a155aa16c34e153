/** The TypeScript SDK in Node, against the served Worker. */
import { afterAll, beforeAll, describe } from "vitest";
import { sdkSuite } from "../support/sdk-suite";
import { Served } from "../support/served";

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served.close());

describe("the SDK in Node", () =>
  sdkSuite({
    get baseURL() {
      return served.url;
    },
    fetch: (url, init) => fetch(url, init),
    newKey: async () => served.test_key,
  }));
