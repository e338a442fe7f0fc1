import type { ReceiverKind } from '../../core/callbacks/receiver.ts';
import { WaitingStore } from '../../core/callbacks/waiting-store.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { clientId, exampleClient } from '../ids.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { fields } from '../text-table.ts';
import { requireClient } from './client-store.ts';
import { type Authentication, authenticationOf, clientView } from './describe-client.ts';
import { describeReceiver, describeTest, receiverView } from './describe-receiver.ts';
import type { TenantClient } from './tenant-client.ts';

export const showClientCommand = defineCommand<{ client: string }>({
  name: 'show',
  description:
    'Shows a client: its tenant, its scopes, how it authenticates itself, and the state of its callbacks.',
  ids: [clientId],
  examples: [`client show ${exampleClient}`],
  run: showClient,
});

async function showClient(session: Session, { client: id }: { client: string }): Promise<void> {
  const deployment = await session.deployment();
  const client = await requireClient(deployment, id);
  const tenant = await requireTenant(deployment, client.tenantId);
  const settings = { numberMatching: client.numberMatching ?? tenant.settings.numberMatching };
  const source = client.numberMatching ? "the client's own" : "the tenant's";
  const { callback, notification } = client;
  const waiting = {
    callback: callback ? await waitingFor(deployment, 'callback', id) : 0,
    notification: notification ? await waitingFor(deployment, 'ping', id) : 0,
  };
  session.print(
    {
      ...clientView(client),
      tenantName: tenant.name,
      settings,
      authentication: authenticationOf(client),
      ...(callback && {
        callback: {
          ...receiverView(callback),
          waiting: waiting.callback,
          secrets: callback.secrets.length,
        },
      }),
      ...(notification && { notification: { ...receiverView(notification), waiting: waiting.notification } }),
    },
    fields({
      client: client.clientId,
      name: client.name,
      tenant: `${client.tenantId} ${tenant.name}`,
      'number matching': `${settings.numberMatching} (${source} setting)`,
      'return origins': client.returnOrigins?.join(' '),
      scopes: client.scopes?.join(' '),
      'OpenID Connect': describeAuthentication(client),
      resource: client.oauth?.resource,
      callbacks: callback && `${describeReceiver(callback)}, ${waiting.callback} waiting`,
      'last test call': callback && describeTest(callback),
      notifications: notification && `${describeReceiver(notification)}, ${waiting.notification} waiting`,
    }),
  );
}

const waitingFor = async ({ clients, tables }: Deployment, kind: ReceiverKind, id: string): Promise<number> =>
  await new WaitingStore(clients.dynamodb, tables.attempts).count({ kind, clientId: id });

const authentications: Record<Authentication, string> = {
  private_key_jwt: 'private_key_jwt',
  client_secret: 'client_secret_basic or client_secret_post',
  none: 'no. For a client of the user pool, "omi client rotate" makes a secret that is valid here, too. For your own issuer, create another client with --jwks',
};

function describeAuthentication(client: TenantClient): string {
  const keys = (client.oauth?.keys ?? []).map(({ kid, alg }) => `${kid ?? 'without kid'} ${alg}`);
  const text = authentications[authenticationOf(client)];
  return keys.length === 0 ? text : `${text} (${keys.join(', ')})`;
}
