import { createTransport } from "nodemailer";
import type { Mail } from "#services/platform";

/** A mail server that says nothing for so long has failed; the delivery is tried again. Milliseconds. */
const TIMEOUT = 10_000;

/**
 * The binding `EMAIL` of the Node host, with the method of Cloudflare's: sends mail by SMTP.
 * @param url of the mail server: `smtp://user:password@host:587` (STARTTLS when the server offers it) or `smtps://…`
 */
export function smtpSender(url: string) {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail: Mail): Promise<void> {
      await transport.sendMail(mail);
    },
  };
}
