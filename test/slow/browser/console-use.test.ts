/** The console as a person uses it: where the focus is, what is said and to whom, keys that end, and texts that are slow to parse. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM } from "../../support/chromium";
import { ConsoleBrowser, DESK } from "../../support/console-browser";
import { until } from "../../support/served";

const plain = (question: string) => ({ workflow: "plain", input: { question } });
const requirements = { workflow: "requirements", input: { idea: "A library that lends tools to neighbours" } };

/** What is read first after a key is pressed: the id of the focused element, else its text. */
const focused = (page: Page) => page.evaluate("document.activeElement.id || document.activeElement.textContent");

describe.skipIf(!CHROMIUM)("the console in use", () => {
  let served: ConsoleBrowser["served"];
  let on: ConsoleBrowser;
  beforeAll(async () => {
    on = await ConsoleBrowser.start();
    ({ served } = on);
  });
  afterAll(() => on?.close());

  it("moves the focus to the content of another page, shows it from its top, and leaves it on the tabs of a run", async () => {
    await on.completed(plain("How far is the lighthouse?"));
    const page = await on.signedIn("/runs", { viewport: { width: 900, height: 300 } });
    const link = page.getByRole("link", { name: "How far is the lighthouse?" });
    await link.waitFor();
    await page.evaluate("scrollTo(0, 200)");
    await link.press("Enter");
    await page.getByRole("heading", { name: "Result" }).waitFor();
    expect([await focused(page), await page.evaluate("scrollY")]).toEqual(["main", 0]);
    expect(await page.getByRole("status").getByText("The run is completed.").count()).toBe(1);
    await page.getByRole("link", { name: "Events" }).press("Enter");
    await page.locator(".events > li").first().waitFor();
    expect(await focused(page)).toBe("Events");
    await page.context().close();
  });

  it("asks for another key when its own is revoked, and continues at the same place", async () => {
    const request = { name: "Visitor", mode: "test", scopes: ["runs:read"] };
    const { id, key } = await served.api("POST", "/v1/keys", served.live_key, request);
    const page = await on.signedIn("/inbox", DESK, key);
    await page.getByText("Nobody has to answer anything").waitFor();
    const authorization = `Bearer ${served.live_key}`;
    await fetch(`${served.url}/v1/keys/${id}`, { method: "DELETE", headers: { authorization } });
    await page.getByText("The key is not accepted").waitFor({ timeout: 70_000 });
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    expect((await page.locator(".sign-in").boundingBox())!.width).toBeLessThan(500);
    await page.getByLabel("API key").fill(served.test_key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.context().close();
  });

  it("shows other pages when one cannot be loaded, and that one too once the page is loaded again", async () => {
    const page = await on.signedIn("/runs");
    const script = "**/usage-page-*.js";
    await page.route(script, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByText("This page could not be shown").waitFor();
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    await page.unroute(script);
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("button", { name: "Load the page again" }).click();
    await page.getByRole("heading", { name: "Usage" }).waitFor();
    await page.context().close();
  });

  it("opens a sign-in link in a page that is open already", async () => {
    const page = await on.signedIn("/runs");
    await page.getByText("Test data").waitFor();
    await page.evaluate(`location.hash = "key=${served.live_key}"`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Live data").waitFor();
    expect(page.url()).toBe(`${served.url}/console/runs`);
    await page.context().close();
  });

  it("says who must answer until when, with the time zone", async () => {
    const id = await on.start({ ...requirements, options: { reviews: ["user_stories"] } });
    const { interactions } = await served.status(id, "input_required", served.test_key);
    const path = `/v1/interactions/${interactions[0]}`;
    const page = await on.signedIn("/inbox", { ...DESK, locale: "en-GB", timezoneId: "Asia/Tokyo" });
    const card = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Answer" }) });
    await card.getByText("for anybody with its link").waitFor();
    const { expires_at } = await served.api("GET", path, served.test_key);
    const inTokyo = new Date(Date.parse(expires_at) + 9 * 3_600_000).toISOString();
    await card.getByText(`${inTokyo.slice(11, 19)} GMT+9`).waitFor();
    await card.getByText(/in 6 d 23 h/).waitFor();
    const assignee = { name: "Ada", email: "ada@example.com" };
    await served.api("POST", `${path}/reassign`, served.test_key, assignee);
    await card.getByText("for Ada (ada@example.com)").waitFor();
    await card.getByRole("link", { name: /lends tools/ }).click();
    const waits = page.locator(".box.waits").getByRole("listitem");
    await waits.getByText(`${inTokyo.slice(11, 19)} GMT+9`).waitFor();
    expect(await waits.textContent()).toContain("for Ada (ada@example.com), until");
    await page.getByRole("link", { name: "Runs", exact: true }).first().click();
    await page.getByLabel("Status").selectOption({ label: "needs an answer" });
    await page.getByRole("row", { name: /lends tools/ }).waitFor();
    await page.context().close();
  });

  it("keeps the amount of the budget when only the rest of it is changed", async () => {
    await served.api("PUT", "/v1/budget", served.live_key, { amount_usd: 12.5, at_limit: "alarm" });
    const page = await on.signedIn("/usage", DESK, served.live_key);
    await page.getByText("Of live runs. Days begin at midnight UTC.").waitFor();
    await page.getByText("Change the budget").click();
    await page.getByLabel("At 100 %").selectOption("refuse");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("At 100 % new live runs are refused").waitFor();
    expect(await served.api("GET", "/v1/budget", served.live_key)).toMatchObject({
      amount_usd: 12.5,
      at_limit: "refuse",
    });
    await page.context().close();
  });

  it("says what an empty page is for, and offers no schedule without a template", async () => {
    const page = await on.signedIn("/templates");
    await page.getByText("Save a template first").waitFor();
    expect(await page.getByText("New schedule").count()).toBe(0);
    await page.getByText("New template").click();
    await page.getByLabel("Name").first().fill("Tides");
    await page.getByLabel("Request").fill("{");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Request: this is not JSON yet.").waitFor();
    await page.goto(`${served.url}/console/webhooks`);
    await page.getByText("a Slack channel or a mailbox").waitFor();
    await page.context().close();
  });

  it("shows each role's share of all tokens of a run", async () => {
    const id = await on.completed(requirements);
    const page = await on.signedIn(`/runs/${id}/details`);
    const meters = page.getByRole("region", { name: "Cost by role" }).getByRole("meter");
    await meters.first().waitFor();
    const shares = await meters.evaluateAll((all) =>
      all.map((each) => each as unknown as { value: number; max: number }).map(({ value, max }) => value / max),
    );
    expect(shares.length).toBeGreaterThan(1);
    expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1);
    await page.context().close();
  });

  it("says how long a key that is replaced is still accepted", async () => {
    const request = { name: "Robot", mode: "test", scopes: ["runs:read"] };
    const { key } = await served.api("POST", "/v1/keys", served.live_key, request);
    const page = await on.signedIn("/keys", DESK, served.live_key);
    await page.getByRole("row", { name: /Robot/ }).getByRole("button", { name: "Replace" }).click();
    await page.getByText("Robot is accepted for a day more").waitFor();
    const { data } = await served.api("GET", "/v1/keys?limit=100", served.live_key);
    const replaced = data.find(
      ({ name, hint }: { name: string; hint: string }) => name === "Robot" && key.endsWith(hint),
    );
    const left = Date.parse(replaced.expires_at) - Date.now();
    expect(Math.round(left / 3_600_000)).toBe(24);
    await page.context().close();
  });

  it("asks before it closes a data set for ever", async () => {
    const { id } = await served.api("POST", "/v1/datasets", served.test_key, { name: "Tides", workflow: "plain" });
    const page = await on.signedIn(`/datasets/${id}`);
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "POST" && sent.push(new URL(request.url()).pathname));
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      return asked.length === 1 ? dialog.dismiss() : dialog.accept();
    });
    await page.getByRole("button", { name: "Close for ever" }).click();
    expect([asked.length, sent]).toEqual([1, []]);
    await page.getByRole("button", { name: "Close for ever" }).click();
    await until("it is sent", async () => sent.includes(`/v1/datasets/${id}/close`));
    await page.context().close();
  });

  it("selects what it may not copy", async () => {
    const id = await on.completed(plain("Which tide is today?"));
    const page = await on.signedIn(`/runs/${id}`);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
    await page.getByTitle("Copy").click();
    await page.getByText("selected: copy it with Ctrl-C").waitFor();
    expect(await page.evaluate("getSelection().toString()")).toBe(id);
    await page.context().close();
  });

  it("stays awake while a worker parses Markdown, and shows its source when that takes too long", async () => {
    const id = await on.completed(requirements);
    const { data } = await served.api("GET", `/v1/runs/${id}/artifacts?limit=100`, served.test_key);
    const draft = data.find(({ kind }: { kind: string }) => kind === "requirement_draft").id;
    const slow = "[a](".repeat(14_000);
    let content = slow;
    const page = await on.signedIn("/runs");
    await page.route(`**/v1/runs/${id}/artifacts/*`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), media_type: "text/markdown", content } });
    });
    await page.goto(`${served.url}/console/runs/${id}/artifacts?artifact=${draft}`);
    // The text takes a parser of Markdown some seconds.
    await page.evaluate(`(() => {
      window.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
      }).observe({ type: "longtask", buffered: true });
    })()`);
    await page.locator("article :is(pre.source, .markdown)").waitFor();
    expect(await page.evaluate("window.longest")).toBeLessThan(1000);
    content = "# Caf&eacute;\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    await page.reload();
    await page.locator("article .markdown h3").getByText("Café").waitFor();
    await page.locator("article .markdown td").getByText("2").waitFor();
    await page.route("**/markdown-worker-*.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body: "// It never answers." }),
    );
    await page.reload();
    await page.locator("article pre.source").getByText("Caf&eacute;").waitFor();
    await page.context().close();
  });

  it("breaks nothing of its own policy, and throws nothing", () => {
    expect(on.refusals).toEqual([]);
  });
});
