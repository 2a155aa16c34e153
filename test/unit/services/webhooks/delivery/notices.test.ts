/** Messages for people: hostile texts do nothing in Slack or in a mail, and both stay within their bounds. */
import { describe, expect, it } from "vitest";
import { attempt } from "#services/webhooks/delivery/attempt";
import { mailOf } from "#services/webhooks/delivery/mail";
import { type Notice, noticeOf } from "#services/webhooks/delivery/notice";
import { slackMessage } from "#services/webhooks/delivery/slack";
import type { Webhook } from "#services/webhooks/message-schema";

const HOSTILE =
  "<!channel> <@U1> <https://evil.example|Answer> *bold* & <script>alert(1)</script>\"'\r\nBcc: all@example.com";

const asked = (text: string): Webhook =>
  ({
    type: "run.input_required",
    timestamp: "2026-11-21T09:30:00.000Z",
    data: {
      event: { data: {} },
      run: { id: "run_1", workflow: "plain", mode: "live", about: { title: text, excerpt: "" }, requested_by: text },
      interaction: {
        prompt: text,
        questions: [{ id: "q1", text, type: "text", required: true }],
        expires_at: "2026-11-28T09:30:00.000Z",
        assignee: { name: text, email: null },
        callback_url: "https://parley.example/v1/callbacks/int_1.a.b",
      },
    },
  }) as unknown as Webhook;

const textsIn = (value: unknown): string[] =>
  value !== null && typeof value === "object"
    ? Object.values(value).flatMap(textsIn)
    : typeof value === "string"
      ? [value]
      : [];

describe("a hostile question", () => {
  const notice = noticeOf(asked(HOSTILE), "https://parley.example");

  it("is text in Slack: no mention, link or formatting", () => {
    const message = slackMessage(notice) as any;
    for (const text of textsIn(message)) expect(text, text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
    expect(message).toMatchObject({ mrkdwn: false, unfurl_links: false });
    expect(JSON.stringify(message)).not.toContain('"type":"mrkdwn"');
    const links = JSON.stringify(message).match(/"url":"[^"]*"/g);
    expect(links).toEqual(['"url":"https://parley.example/v1/callbacks/int_1.a.b"']);
  });

  it("is text in a mail, and adds no header", () => {
    const mail = mailOf(notice, "Parley <p@example.com>", "ada@example.com");
    expect(mail.html).not.toMatch(/<script|<https|<!channel/);
    expect(mail.html.match(/<a /g)).toHaveLength(1);
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.text).toContain("https://parley.example/v1/callbacks/int_1.a.b");
  });
});

it("a message stays within Slack's limits, and no entity is cut", () => {
  const notice: Notice = {
    ...noticeOf(asked("&".repeat(30_000)), null),
    heading: "&".repeat(5000),
  };
  const { blocks } = slackMessage(notice) as { blocks: any[] };
  expect(blocks.length).toBeLessThanOrEqual(50);
  for (const { type, text } of blocks) {
    if (!text) continue;
    expect(text.text.length).toBeLessThanOrEqual(type === "header" ? 150 : 3000);
    expect(text.text).toMatch(/^(&amp;|[^&])*$/);
  }
});

it("a failed run's message has its error and its page, and one about no run its fields", () => {
  const failed = {
    type: "run.failed",
    data: {
      event: { data: { error: { title: "No calls left", detail: "Raise the limit." } } },
      run: {
        id: "run_1",
        workflow: "plain",
        mode: "test",
        about: { title: null, excerpt: "Lend tools" },
        requested_by: null,
      },
    },
  } as unknown as Webhook;
  expect(noticeOf(failed, "https://parley.example")).toMatchObject({
    heading: "[Test] Failed: Lend tools",
    texts: ["No calls left. Raise the limit."],
    link: { url: "https://parley.example/console/runs/run_1" },
  });
  const ping = { type: "webhook.ping", data: { event: { id: "evt_1" }, endpoint: { id: "whe_1", run_id: null } } };
  expect(noticeOf(ping as unknown as Webhook, null)).toMatchObject({ facts: [["id", "whe_1"]], link: null });
});

describe("a mail by Cloudflare's binding", () => {
  const request = (send: () => Promise<void>) => () => ({ url: "mailto:a@example.com", headers: {}, body: "{}", send });
  const policy = { allow_private: true, resolver_url: "http://127.0.0.1:9", own_host: null };

  it("is delivered when the binding takes it, and fails with its reason when not", async () => {
    expect(
      await attempt(
        request(async () => {}),
        policy,
      ),
    ).toMatchObject({ error: null, response_status: null });
    const refused = request(() => Promise.reject(new Error("sender not allowed")));
    expect(await attempt(refused, policy)).toMatchObject({ error: "Not delivered: sender not allowed" });
    const slow = await attempt(
      request(() => new Promise(() => {})),
      policy,
      30,
    );
    expect(slow.error).toBe("No answer within 0.03 s.");
  });
});

it("a spent budget and a failed schedule are told in words, with a link to their page of the console", () => {
  const about = (type: string, data: object, origin: string | null = null) =>
    noticeOf({ type, data: { event: { id: "evt_1" }, ...data } } as unknown as Webhook, origin);
  expect(about("budget.reached", { percent: 80, budget_usd: 100 })).toMatchObject({
    heading: "80 % of this month's budget is spent",
    link: null,
  });
  expect(about("schedule.failed", { name: "Daily" }).heading).toBe("A schedule started no run");
  const linkOf = (type: string) => about(type, {}, "https://parley.example").link;
  expect(linkOf("schedule.failed")?.url).toBe("https://parley.example/console/templates");
  expect(linkOf("budget.reached")?.url).toBe("https://parley.example/console/usage");
  expect(linkOf("webhook.ping")).toBeNull();
});
