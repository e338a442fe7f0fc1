import type { Writers } from '../delivery/writer.ts';
import { DeliveryStreamWriter, firehoseClient } from './bucket/delivery-stream-writer.ts';
import { BusWriter } from './bus/bus-writer.ts';
import { AssumedRoleClient, stsClient } from './role/assumed-role-client.ts';
import { StreamWriter } from './stream/stream-writer.ts';
import { webhookCaller, type WebhookVariables } from './webhook/webhook-wiring.ts';
import { WebhookWriter } from './webhook/webhook-writer.ts';

/** The writer of each kind, for the bundles of the Lambdas that deliver. */
export function createWriters(env: WebhookVariables & { BASE_URL: string }): Writers {
  const roles = new AssumedRoleClient(stsClient());
  return {
    stream: new StreamWriter(roles),
    bucket: new DeliveryStreamWriter(firehoseClient()),
    bus: new BusWriter(roles, env.BASE_URL),
    webhook: new WebhookWriter(webhookCaller(env), env.BASE_URL),
  };
}
