import type { ReceiverCaller } from '../../outbound/call-receiver.ts';
import type { OpenedSecrets } from '../../outbound/opened-secrets.ts';
import { signatureHeaders } from '../../outbound/webhook-signature.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { contactContext, type Contact } from './contact.ts';
import type { MailClient } from './mail-client.ts';
import {
  mailOf,
  noticeBody,
  testBody,
  testMailOf,
  type Mail,
  type Notice,
  type TestNotice,
} from './notice.ts';
import type { OperatorBus } from './operator-bus-client.ts';

export type SendDeps = {
  bus: Pick<OperatorBus, 'put'>;
  /** Missing if the stage sends no mail. */
  mail: Pick<MailClient, 'send'> | undefined;
  caller: Pick<ReceiverCaller, 'call'>;
  secrets: Pick<OpenedSecrets, 'open'>;
};

/** The `detail-type` of notices on the operator's bus. */
export const noticeType = 'ExportTroubleNotice';

/** What came of it, in plain words. */
export type Outcome = { succeeded: boolean; reason: string };

/** To the operator's bus and, if the tenant has one, to its contact. @returns what failed, in plain words */
export async function sendNotice(
  deps: SendDeps,
  notice: Notice,
  contact: Contact | undefined,
): Promise<string | undefined> {
  const { id, tenant } = notice;
  const body = noticeBody(notice);
  const { succeeded, reason } = await outcomeOf(tenant.id, async () => {
    await deps.bus.put(noticeType, { id, ...body });
    return contact
      ? await tell(deps, contact, { id, tenantId: tenant.id, body, mail: mailOf(notice) })
      : { succeeded: true, reason: 'The operator was told.' };
  });
  return succeeded ? undefined : reason;
}

/** To the contact alone. */
export async function sendTest(deps: SendDeps, test: TestNotice, contact: Contact): Promise<Outcome> {
  const { id, tenant } = test;
  const message = { id, tenantId: tenant.id, body: testBody(test), mail: testMailOf(test) };
  return await outcomeOf(tenant.id, async () => await tell(deps, contact, message));
}

async function outcomeOf(tenantId: string, send: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await send();
  } catch (error) {
    logger.warn('notice not sent', { tenantId, fault: describeFault(error) });
    const name = error instanceof Error ? error.name : 'unknown';
    return { succeeded: false, reason: `AWS did not take the notice (${name}).` };
  }
}

type Message = { id: string; tenantId: string; body: object; mail: Mail };

async function tell(deps: SendDeps, contact: Contact, message: Message): Promise<Outcome> {
  if (contact.kind === 'webhook') return await call(deps, contact, message);
  if (!deps.mail)
    return { succeeded: false, reason: 'The stage sends no mail: its setting notices.mailFrom is missing.' };
  await deps.mail.send(contact.address, message.mail);
  return { succeeded: true, reason: 'Amazon SES took the mail.' };
}

async function call(
  { caller, secrets }: SendDeps,
  { url, secrets: sealed }: Contact & { kind: 'webhook' },
  { id, tenantId, body: content }: Message,
): Promise<Outcome> {
  const context = contactContext(tenantId);
  const opened = await Promise.all(sealed.map(async (one) => await secrets.open(one.sealed, context)));
  const body = JSON.stringify(content);
  const signature = signatureHeaders({ id, body, secrets: opened }, Date.now());
  const headers = { 'content-type': 'application/json', 'user-agent': 'OMI', ...signature };
  const { succeeded, reason } = await caller.call(url, { headers, body }, () => undefined);
  return { succeeded, reason };
}
