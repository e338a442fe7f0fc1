import { randomUUID } from 'node:crypto';
import type { Backend } from '../../endpoint/http.ts';
import { createRingBuffer } from '../../endpoint/ring-buffer.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { asArray, asObject, jsonResponse, parseObject, strings } from '../../protocols/json.ts';

/** A mail that SES took. */
export type SentMail = { at: string; from: string; to: string[]; subject: string; text: string };

/** `list` has all mails, newest last, or those to one address. */
export type Mails = { list: (to?: string | null) => SentMail[] };

const mostKept = 1_000;

/** SES (API v2), which keeps every mail and sends none. Every address counts as verified. */
export function createSes(): { backend: Backend; mails: Mails } {
  const sent = createRingBuffer<SentMail>(mostKept);
  const backend: Backend = ({ method, url, body }) => {
    if (`${method} ${url}` !== 'POST /v2/email/outbound-emails')
      throw new AwsServiceError(404, 'NotFoundException', 'There is no such operation.');
    sent.push(mailIn(body));
    return jsonResponse(200, { MessageId: randomUUID() });
  };
  return {
    backend,
    mails: { list: (to) => sent.list().filter((mail) => !to || mail.to.includes(to)) },
  };
}

function mailIn(body: Buffer): SentMail {
  const { FromEmailAddress, Destination, Content } = parseObject(body);
  const to = strings(...asArray(asObject(Destination)['ToAddresses']));
  const { Subject, Body } = asObject(asObject(Content)['Simple']);
  const [subject] = strings(asObject(Subject)['Data']);
  const [text] = strings(asObject(asObject(Body)['Text'])['Data']);
  if (to.length === 0 || subject === undefined || text === undefined)
    throw new AwsServiceError(400, 'BadRequestException', 'The mail has no recipient, subject or text.');
  return { at: new Date().toISOString(), from: String(FromEmailAddress), to, subject, text };
}
