import { z } from "zod";
import { configurationError, flag, readVariables, wholeNumber } from "#core/configuration";
import type { Mode } from "#core/vocabulary";

/** How the deployment sends mail, and to whom. */
export interface MailSettings {
  /** The sender, such as `Parley <parley@example.com>`; null: it sends no mail. */
  from: string | null;
  /** An HTTP mail provider; null: mail goes through the binding `EMAIL`, which is Cloudflare's, or SMTP on Node. */
  api: { url: string; token: string } | null;
  /** Domains that mail goes to: `example.com`, `*.example.org` for its subdomains, `*` for any. */
  domains: readonly string[];
  in_test_mode: boolean;
  /** Mails that one tenant may send within a minute; 0: no limit. */
  per_minute: number;
}

const DOMAIN = /^(\*|(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*)$/;

/** Variables about mail. */
export const mailVariables = z.object({
  EMAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]*$/, "must be a sender, such as Parley <parley@example.com>")
    .optional(),
  /** Takes `{from, to, subject, html, text}` as JSON, with a bearer token. */
  EMAIL_API_URL: z
    .url({ protocol: /^https?$/, error: "must be the URL of a mail provider's API" })
    .default("https://api.resend.com/emails"),
  EMAIL_API_TOKEN: z.string().optional(),
  /** The Node host alone sends by SMTP (scripts/serve/smtp.ts). */
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      error: "must be the URL of a mail server, such as smtp://user:password@mail.example.com:587",
    })
    .optional(),
  /** By default the domain of EMAIL_FROM. */
  EMAIL_ALLOWED_DOMAINS: z
    .string()
    .transform((text) =>
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    )
    .refine((domains) => domains.every((domain) => DOMAIN.test(domain)), {
      error: "must list domains like example.com or *.example.org, separated by commas; * allows any",
    })
    .optional(),
  EMAIL_IN_TEST_MODE: flag,
  EMAILS_PER_MINUTE: wholeNumber(0).default(20),
});

/** @throws ConfigurationError */
export function readMailSettings(vars: Record<string, unknown>): MailSettings {
  const variables = readVariables(mailVariables, vars);
  const { EMAIL_FROM: from = null, EMAIL_API_URL: url, EMAIL_API_TOKEN: token, SMTP_URL } = variables;
  if (SMTP_URL && from === null) throw configurationError("SMTP_URL", "needs EMAIL_FROM, the sender");
  if (SMTP_URL && token) throw configurationError("SMTP_URL", "and EMAIL_API_TOKEN are two ways to send mail: set one");
  return {
    from,
    api: token ? { url, token } : null,
    domains: variables.EMAIL_ALLOWED_DOMAINS ?? (from === null ? [] : [domainOf(from.replace(/>\s*$/, ""))]),
    in_test_mode: variables.EMAIL_IN_TEST_MODE,
    per_minute: variables.EMAILS_PER_MINUTE,
  };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/** Why no mail goes to strangers: an address of another domain, in a sentence; null: mail may go there. */
export function addressRefusal({ domains }: MailSettings, address: string): string | null {
  const domain = domainOf(address);
  const isAllowed = domains.some(
    (allowed) => allowed === "*" || (allowed.startsWith("*.") ? domain.endsWith(allowed.slice(1)) : domain === allowed),
  );
  if (isAllowed) return null;
  return `This deployment sends no mail to ${domain}, only to ${domains.join(", ")}; its operator allows others (EMAIL_ALLOWED_DOMAINS).`;
}

/** Why no mail is sent for a tenant's keys of this mode, in a sentence; null: it is. */
export const modeRefusal = ({ in_test_mode }: MailSettings, mode: Mode): string | null =>
  mode === "test" && !in_test_mode
    ? "This deployment sends no mail in test mode, unless its operator allows it (EMAIL_IN_TEST_MODE)."
    : null;
