import { rfc3339 } from '../../../core/kernel/time.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { type Finding, type Probe, withoutCrowd } from '../probe.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { receiver, type Receiver } from '../../../core/callbacks/receiver.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { scan } from '../../deployment/table-client.ts';

/** The receiver of an item, or the item's key if it is malformed. */
type ListedReceiver = { kind: string; receiver: Receiver } | { malformed: string };

const sortKeys = {
  ':callback': tenantKeys.clientCallback('').sk,
  ':notification': tenantKeys.clientNotification('').sk,
};

/** The receivers of all clients. Scans the tenants table: it has no index for them. */
async function listReceivers(client: DynamoDBDocumentClient, table: string): Promise<ListedReceiver[]> {
  const items = await scan(client, table, 'sk IN (:callback, :notification)', sortKeys);
  return items.map((item) => {
    const { success, output } = v.safeParse(receiver, item);
    const kind = item['sk'] === sortKeys[':callback'] ? 'callbacks' : 'notifications';
    return success
      ? { kind, receiver: output }
      : { malformed: `${String(item['pk'])} ${String(item['sk'])}` };
  });
}

/** Where callbacks and CIBA notifications go. A receiver that fails gets them again, so it is only a warning. */
export const receiversProbe: Probe = {
  name: 'callbacks',
  check: async (deployment) => {
    const { clients, tables } = deployment;
    const receivers = await listReceivers(clients.dynamodb, tables.tenants);
    const findings = receivers.map((listed) => findingOf(listed, deployment));
    return withoutCrowd(findings, 'receivers', 'are active');
  },
};

function findingOf(listed: ListedReceiver, { selector }: Deployment): Finding {
  if ('malformed' in listed)
    return {
      subject: listed.malformed,
      ok: false,
      detail: 'the item is malformed, and its client gets no callbacks',
      fix: 'Register the URL again with "omi client set".',
    };
  const { kind, receiver } = listed;
  const { clientId, state, since, reason, secrets } = receiver;
  const subject = `${clientId} ${kind}`;
  if (state === 'active' && secrets.length > 1)
    return {
      ...{ subject, ok: true, warning: true },
      detail: 'has two secrets: their rotation is half done',
      fix: `omi client rotate ${clientId} --callback --finish, or --cancel ${selector}`,
    };
  if (state === 'active') return { subject, ok: true, detail: 'is active' };
  const detail = `is ${state} since ${rfc3339(since)}${reason === undefined ? '' : `: ${reason}`}`;
  if (state === 'failing')
    return { subject, ok: true, warning: true, detail, fix: `omi client show ${clientId} ${selector}` };
  return { subject, ok: false, detail, fix: `omi client test-callback ${clientId} ${selector}` };
}
