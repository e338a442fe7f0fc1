import type { CallResult, ReceiverCaller } from '../../outbound/call-receiver.ts';
import type { OpenedSecrets } from '../../outbound/opened-secrets.ts';
import { signatureHeaders } from '../../outbound/webhook-signature.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { contactContext, type Contact } from './contact.ts';
import type { MailClient } from './mail-client.ts';
import { mailOf, noticeBody, type Notice } from './notice.ts';
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

/** To the operator's bus and, if the tenant has one, to its contact. @returns what failed, in plain words */
export async function sendNotice(
  deps: SendDeps,
  notice: Notice,
  contact: Contact | undefined,
): Promise<string | undefined> {
  try {
    await deps.bus.put(noticeType, { id: notice.id, ...noticeBody(notice) });
    return contact && (await tell(deps, notice, contact));
  } catch (error) {
    logger.warn('notice not sent', { tenantId: notice.tenant.id, fault: describeFault(error) });
    return `AWS did not take the notice (${error instanceof Error ? error.name : 'unknown'}).`;
  }
}

async function tell(deps: SendDeps, notice: Notice, contact: Contact): Promise<string | undefined> {
  if (contact.kind === 'webhook') return faultIn(await call(deps, notice, contact));
  if (!deps.mail) return 'The stage sends no mail: its setting notices.mailFrom is missing.';
  await deps.mail.send(contact.address, mailOf(notice));
  return undefined;
}

const faultIn = ({ succeeded, reason }: CallResult): string | undefined => (succeeded ? undefined : reason);

async function call(
  { caller, secrets }: SendDeps,
  notice: Notice,
  { url, secrets: sealed }: Contact & { kind: 'webhook' },
): Promise<CallResult> {
  const context = contactContext(notice.tenant.id);
  const opened = await Promise.all(sealed.map(async (one) => await secrets.open(one.sealed, context)));
  const body = JSON.stringify(noticeBody(notice));
  const signature = signatureHeaders({ id: notice.id, body, secrets: opened }, Date.now());
  const headers = { 'content-type': 'application/json', 'user-agent': 'OMI', ...signature };
  return await caller.call(url, { headers, body }, () => undefined);
}
