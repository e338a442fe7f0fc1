import type { TenantWriters } from '../delivery/send-test-event.ts';
import { DeliveryStreamWriter, firehoseClient } from './bucket/delivery-stream-writer.ts';
import { BusWriter } from './bus/bus-writer.ts';
import { AssumedRoleClient, stsClient } from './role/assumed-role-client.ts';
import { StreamWriter } from './stream/stream-writer.ts';
import { openedSecrets, webhookCaller, type WebhookVariables } from './webhook/webhook-wiring.ts';
import { WebhookWriter } from './webhook/webhook-writer.ts';

export type TenantVariables = WebhookVariables & { BASE_URL: string };

/** The writer of each kind that a tenant's target may have. */
export function createTenantWriters(env: TenantVariables, secrets = openedSecrets(env)): TenantWriters {
  const roles = new AssumedRoleClient(stsClient());
  return {
    stream: new StreamWriter(roles),
    bucket: new DeliveryStreamWriter(firehoseClient()),
    bus: new BusWriter(roles, env.BASE_URL),
    webhook: new WebhookWriter(webhookCaller(env, secrets), env.BASE_URL),
  };
}
