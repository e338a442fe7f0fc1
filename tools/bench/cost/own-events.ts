/** The items of the events that a confirmation records, as the outbox writes them. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Item, Write } from '../../../core/aws/dynamodb-client.ts';
import { Outbox } from '../../../core/events/outbox-writer.ts';
import type { Confirmation } from '../../../core/confirmations/confirmation.ts';
import type { Device } from '../../../core/devices/device.ts';
import type { StateChange } from '../../../core/events/event.ts';
import {
  type Answer,
  confirmationEnded,
  confirmationSent,
} from '../../../core/confirmations/confirmation-events.ts';
import { deviceDeregistered, deviceRegistered } from '../../../core/enrolment/device-events.ts';
import type { LambdaName } from '../../../lambdas/registered.ts';

/** Milliseconds until the user answers. */
export const answerTime = 20_000;

/** Collects the items of a transaction instead of writing them. */
const written: Item[] = [];
const noCalls = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
noCalls.middlewareStack.add(
  () =>
    ({ input }) => {
      const { TransactItems = [] } = input as { TransactItems?: Write[] };
      written.push(...TransactItems.map(({ Put }): Item => Put?.Item ?? {}));
      return Promise.resolve({ output: { $metadata: {} }, response: {} });
    },
  { step: 'initialize', priority: 'high' },
);

type Moment = { lambda: LambdaName; now: number; hostIp: string };

async function itemOf(change: StateChange, { lambda, now, hostIp }: Moment): Promise<Item> {
  const producer = { instanceId: `omi-production-${lambda}`, version: '0.1.0' };
  written.length = 0;
  await new Outbox(noCalls, 'events', producer).commit([], [change], {
    now,
    origin: { traceId: 'a1B2c3D4e5F6g7h=', hostIp },
  });
  const [item] = written;
  if (item === undefined) throw new Error('The outbox wrote no event');
  return item;
}

/** The events of a device that is added and removed with a confirmation. The first has the receipt. */
export async function deviceEventItems(
  device: Device,
  { clientId, challengeId, createdAt: now }: Confirmation,
  hostIp: string,
): Promise<Item[]> {
  const authorization = { by: 'confirmation', challengeId, deviceId: device.deviceId } as const;
  return [
    await itemOf(deviceRegistered(device, clientId, authorization), { lambda: 'enrol-device', now, hostIp }),
    await itemOf(deviceDeregistered(device, clientId, authorization), {
      lambda: 'remove-device',
      now,
      hostIp,
    }),
  ];
}

/** The events of a push and of its confirmation. */
export async function ownEventItems(
  pending: Confirmation,
  answer: Answer,
  hostIp = '203.0.113.42',
): Promise<[Item, Item]> {
  const now = pending.createdAt;
  return [
    await itemOf(confirmationSent(pending), { lambda: 'send-to-device', now, hostIp }),
    await itemOf(confirmationEnded(pending, 'confirm', { answer }), {
      lambda: 'answer-challenge',
      now: now + answerTime,
      hostIp,
    }),
  ];
}
