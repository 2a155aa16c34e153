/** The TypeScript SDK in Node, against the served Worker. */
import { afterAll, beforeAll, describe } from "vitest";
import { sdkSuite } from "../../support/sdk-suite";
import { Served } from "../../support/served";

let served: Served;
let key: string;
beforeAll(async () => {
  served = await Served.start();
  const wanted = { name: "sdk", mode: "test", scopes: ["admin"] };
  ({ key } = await served.api("POST", "/v1/keys", served.live_key, wanted));
}, 300_000);
afterAll(() => served.close());

describe("the SDK in Node", () =>
  sdkSuite({
    get baseURL() {
      return served.url;
    },
    fetch: (url, init) => fetch(url, init),
    newKey: async () => key,
  }));
