import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Mail } from './notice.ts';

const timeLimits = { connectionTimeout: 1_000, requestTimeout: 4_000, throwOnRequestTimeout: true };

/** Sends mails by SES from one address, which the operator has verified there. */
export class MailClient {
  readonly #client = new SESv2Client({ maxAttempts: 1, requestHandler: new NodeHttpHandler(timeLimits) });
  readonly #from: string;

  constructor(from: string) {
    this.#from = from;
  }

  /** @throws what SES answers; a mail whose answer was lost may have been sent */
  async send(to: string, { subject, text }: Mail): Promise<void> {
    await this.#client.send(
      new SendEmailCommand({
        FromEmailAddress: this.#from,
        Destination: { ToAddresses: [to] },
        Content: {
          Simple: {
            Subject: { Data: subject, Charset: 'UTF-8' },
            Body: { Text: { Data: text, Charset: 'UTF-8' } },
          },
        },
      }),
    );
  }
}
