import { z } from "zod";
import { readVariables } from "#core/configuration";

/** How the deployment sends mail. */
export interface MailSettings {
  /** The sender, such as `Parley <parley@example.com>`; null: it sends no mail. */
  from: string | null;
  /** An HTTP mail provider; null: mail goes through Cloudflare's binding `EMAIL`. */
  api: { url: string; token: string } | null;
}

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
});

/** @throws ConfigurationError */
export function readMailSettings(vars: Record<string, unknown>): MailSettings {
  const { EMAIL_FROM: from = null, EMAIL_API_URL: url, EMAIL_API_TOKEN: token } = readVariables(mailVariables, vars);
  return { from, api: token ? { url, token } : null };
}
