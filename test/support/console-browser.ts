import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { CHROMIUM } from "./chromium";
import { Served } from "./served";

export const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };

/** A server, and a browser that opens its console. */
export class ConsoleBrowser {
  /** Refusals of the page's policy and errors of its scripts, of all pages. */
  readonly refusals: string[] = [];

  private constructor(
    readonly served: Served,
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<ConsoleBrowser> {
    const launched = chromium.launch({ executablePath: CHROMIUM!, args: ["--no-sandbox"] });
    return new ConsoleBrowser(await Served.start(), await launched);
  }

  close(): Promise<unknown> {
    return Promise.all([this.served.close(), this.browser.close()]);
  }

  /** An empty page with storage of its own. */
  async open(how: BrowserContextOptions = DESK): Promise<Page> {
    const page = await (await this.browser.newContext(how)).newPage();
    page.on("pageerror", (error) => this.refusals.push(error.message));
    page.on("console", (message) => {
      if (/Content.Security.Policy/i.test(message.text())) this.refusals.push(message.text());
    });
    return page;
  }

  /** A page of the console, signed in by the link that `npm run dev` prints. @param path below /console */
  async signedIn(path: string, how?: BrowserContextOptions, key = this.served.test_key): Promise<Page> {
    const page = await this.open(how);
    await page.goto(`${this.served.url}/console#key=${key}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    await page.goto(`${this.served.url}/console${path}`);
    return page;
  }

  /** @returns the id of a run that was started with the test key */
  start = async (request: object): Promise<string> =>
    (await this.served.api("POST", "/v1/runs", this.served.test_key, request)).id;

  /** @returns the id of a run that has completed */
  async completed(request: object): Promise<string> {
    const id = await this.start(request);
    await this.served.status(id, "completed", this.served.test_key);
    return id;
  }
}
