/** The page for answers in a real browser, as people meet it: with JavaScript off, on a desk and on a phone, in the light and in the dark. */
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM } from "../../support/chromium";
import { Served } from "../../support/served";

const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };
const PHONE: BrowserContextOptions = {
  viewport: { width: 375, height: 720 },
  hasTouch: true,
  isMobile: true,
  colorScheme: "dark",
};
const input = { idea: "A library that lends tools to neighbours" };

describe.skipIf(!CHROMIUM)("in Chromium", () => {
  let served: Served;
  let browser: Browser;
  beforeAll(async () => {
    [served, browser] = await Promise.all([
      Served.start(),
      chromium.launch({ executablePath: CHROMIUM!, args: ["--no-sandbox"] }),
    ]);
  });
  afterAll(() => Promise.all([served?.close(), browser?.close()]));

  /** A mock run that asks; its first question. */
  async function asking(options: object) {
    const { id } = await served.api("POST", "/v1/runs", served.test_key, { workflow: "requirements", input, options });
    const { interactions } = await served.status(id, "input_required", served.test_key);
    const read = () => served.api("GET", `/v1/interactions/${interactions[0]}`, served.test_key);
    return { run: id, read, url: (await read()).callback_url as string };
  }

  /** Visits a page; whatever the browser refuses under its policy is collected. */
  async function visit(url: string, how: BrowserContextOptions): Promise<{ page: Page; refusals: string[] }> {
    const context = await browser.newContext({ javaScriptEnabled: false, ...how });
    const page = await context.newPage();
    const refusals: string[] = [];
    page.on("console", (message) => {
      if (/Content.Security.Policy/i.test(message.text())) refusals.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) refusals.push(`loads ${request.url()}`);
    });
    await page.goto(url);
    return { page, refusals };
  }

  const fitsItsWidth = async (page: Page) => {
    const [content, window] = (await page.evaluate(
      "[document.documentElement.scrollWidth, window.innerWidth]",
    )) as number[];
    expect(content).toBeLessThanOrEqual(window!);
  };

  it.each([
    ["a desk", DESK],
    ["a phone", PHONE],
  ])("answers a clarification without JavaScript, on %s", async (_, how) => {
    const asked = await asking({ human_stakeholder: true });
    const { page, refusals } = await visit(asked.url, how);
    const boxes = page.locator('textarea[name^="answers"]');
    const count = await boxes.count();
    expect(count).toBeGreaterThan(0);
    await fitsItsWidth(page);

    await boxes.first().fill('Only members, <b>never</b> guests.\nAnd "friends".');
    await page.getByLabel("Your name").fill("Ada ".repeat(51));
    await page.getByRole("button", { name: "Send answer" }).click();
    const summary = page.getByRole("alert");
    expect(await summary.locator("a").count()).toBe(1);
    expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("alert");
    expect(await boxes.first().inputValue()).toBe('Only members, <b>never</b> guests.\nAnd "friends".');
    await fitsItsWidth(page);

    await summary.locator("a").first().click();
    expect(await page.evaluate("document.activeElement.name")).toBe("answered_by");
    await page.getByLabel("Your name").fill("Ada Lovelace");
    for (let at = 1; at < count; at++) await boxes.nth(at).fill(`Answer ${at}`);
    await page.getByRole("button", { name: "Send answer" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    const { answer, answered_by } = await asked.read();
    expect(Object.values(answer.answers)[0]).toBe('Only members, <b>never</b> guests.\nAnd "friends".');
    expect(answered_by).toBe("Ada Lovelace");
    expect(refusals).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["a desk", DESK],
    ["a phone", PHONE],
  ])("gives feedback on a draft without JavaScript, on %s: approval of what is read, and an edit", async (_, how) => {
    const asked = await asking({ reviews: ["requirement_draft"] });
    const { page, refusals } = await visit(asked.url, how);
    await page.getByRole("heading", { name: /^Requirements draft/ }).waitFor();
    await fitsItsWidth(page);
    const box = page.locator("[name=edited_content]");
    expect(await box.isVisible()).toBe(false);

    await page.getByText("Edit it yourself").click();
    const text = await box.inputValue();
    await box.fill(`${text}\nR99 The system shall be quiet.\n`);
    await page.getByLabel(/^Ask for changes/).check();
    await page.getByRole("button", { name: "Send answer" }).click();
    await page.getByRole("alert").waitFor();
    expect(await box.inputValue()).toContain("R99");
    await fitsItsWidth(page);

    await page.getByLabel(/^Approve/).check();
    await page.getByRole("button", { name: "Send answer" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    expect((await asked.read()).answer).toEqual({
      decision: "approve",
      edited_content: `${text}\nR99 The system shall be quiet.\n`,
    });
    const run = await served.status(asked.run, "completed", served.test_key);
    expect(run.output.draft.text).toContain("R99 The system shall be quiet.");
    expect(refusals).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["a desk", DESK],
    ["a phone", PHONE],
  ])("edits a list in a form without JavaScript, on %s: changes one entry, removes one, adds one", async (_, how) => {
    const asked = await asking({ reviews: ["user_stories"] });
    const { page, refusals } = await visit(asked.url, how);
    const boxes = page.locator('textarea[name^="edited_content"]');
    const count = await boxes.count();
    expect(count).toBeGreaterThan(2);
    expect(await boxes.first().isVisible()).toBe(false);
    await page.getByText("Edit it yourself").click();
    await boxes.first().fill("As a lender, I want rules.");
    await page.getByLabel("Remove Story 2").check();
    await page.getByRole("button", { name: "Add another" }).click();
    await page.getByRole("heading", { name: "Your feedback is needed" }).waitFor();
    expect(await boxes.count()).toBe(count);
    await boxes.last().fill("As a guest, I want a bench.");
    await fitsItsWidth(page);
    await page.getByLabel(/^Approve/).check();
    await page.getByRole("button", { name: "Send answer" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    const { stories } = (await asked.read()).answer.edited_content;
    expect(stories).toHaveLength(count);
    expect([stories[0], stories.at(-1)]).toEqual(["As a lender, I want rules.", "As a guest, I want a bench."]);
    expect(refusals).toEqual([]);
    await page.context().close();
  });

  it("approves an unchanged text: it is no edit", async () => {
    const asked = await asking({ reviews: ["requirement_draft"] });
    const { page } = await visit(asked.url, DESK);
    await page.getByLabel(/^Approve/).check();
    await page.keyboard.press("Enter"); // the first button of the form sends it
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    expect((await asked.read()).answer).toEqual({ decision: "approve" });
    await page.context().close();
  });

  // axe is a script, so this one needs JavaScript on and the page's policy off.
  it.each([
    ["a desk, in the light", DESK],
    ["a phone, in the dark", PHONE],
  ])("axe finds no error in any state, on %s", async (_, how) => {
    const { page } = await visit((await asking({ reviews: ["user_stories"] })).url, {
      ...how,
      bypassCSP: true,
      javaScriptEnabled: true,
    });
    const violations = async () =>
      (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`);
    await page.getByText("Edit it yourself").click();
    expect(await violations()).toEqual([]);
    const story = page.locator('[name="edited_content[stories][0]"]');
    await story.fill("x".repeat(501));
    await page.getByRole("button", { name: "Send answer" }).click();
    await page.getByRole("alert").waitFor();
    expect(await violations()).toEqual([]);
    await story.fill("As a lender, I want rules.");
    await page.getByLabel(/^Approve/).check();
    await page.getByRole("button", { name: "Send answer" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    expect(await violations()).toEqual([]);
    await page.goto(`${page.url()}x`);
    expect(await violations()).toEqual([]);
    await page.goto((await asking({ human_stakeholder: true })).url);
    expect(await violations()).toEqual([]);
    await page.context().close();
  });
});
