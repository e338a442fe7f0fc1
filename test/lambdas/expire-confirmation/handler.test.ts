import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSRecord } from 'aws-lambda';
import { ConfirmationStore } from '../../../core/confirmations/confirmation-store.ts';
import { ExpiryQueue } from '../../../core/confirmations/expiry-queue.ts';
import type { Confirmation } from '../../../core/confirmations/confirmation.ts';
import { retention } from '../../../core/kernel/retention.ts';
import { sha256 } from '../../../core/kernel/identifiers.ts';
import { logger } from '../../../core/kernel/observability.ts';
import { confirmationAndDeviceDeps } from '../../../core/lambda/wiring.ts';
import { createHandler, type Deps } from '../../../lambdas/expire-confirmation/handler.ts';
import { LocalQueue } from '../../support/local-queue.ts';
import { PushWorld } from '../../support/push-world.ts';

let queue: LocalQueue;
let database: DynamoDBDocumentClient;
let world: PushWorld;
const info = jest.spyOn(logger, 'info').mockReturnValue();
const error = jest.spyOn(logger, 'error').mockReturnValue();
jest.spyOn(logger, 'warn').mockReturnValue();

beforeAll(async () => {
  database = await PushWorld.database();
  queue = await LocalQueue.start();
});
beforeEach(async () => {
  queue.reset();
  info.mockClear();
  error.mockClear();
  world = new PushWorld(database);
  await world.addDevice('phone', 1);
});
afterAll(async () => await queue.close());

const nonce = 'a-nonce-of-its-own';
const expired = ['PushNotificationSentEvent', 'PushNotificationExpiredEvent'];

/** Sent so many seconds ago, with a lifetime of 30 s. */
const sent = async (secondsAgo: number): Promise<Confirmation> =>
  await world.send({ nonce, expiresIn: 30 }, Date.now() - secondsAgo * 1_000);

const typesOf = async ({ challengeId }: Confirmation): Promise<string[]> =>
  (await world.events(challengeId)).map(({ metadata }) => metadata.type);

const messageOf = (
  { tenantId, challengeId, expiresAt }: Pick<Confirmation, 'tenantId' | 'challengeId' | 'expiresAt'>,
  receives = 1,
): SQSRecord => recordOf(JSON.stringify({ tenantId, challengeId, expiresAt }), receives);

const recordOf = (body: string, receives = 1, messageId = 'message'): SQSRecord =>
  ({
    messageId,
    receiptHandle: `receipt of ${messageId}`,
    body,
    attributes: { ApproximateReceiveCount: String(receives) },
  }) as SQSRecord;

async function handle(Records: SQSRecord[], deps: Partial<Deps> = {}): Promise<string[]> {
  const handler = createHandler({
    ...confirmationAndDeviceDeps(database, {
      DEVICES_TABLE: 'devices',
      CONFIRMATIONS_TABLE: 'confirmations',
      EVENTS_TABLE: 'events',
    }),
    baseUrl: 'https://omi.example.org',
    queue: new ExpiryQueue(queue.client, queue.url),
    ...deps,
  });
  const { batchItemFailures } = await handler({ Records }, { awsRequestId: 'request' } as Context);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

const held = () =>
  queue.entries('ChangeMessageVisibilityBatch').map(({ VisibilityTimeout }) => Number(VisibilityTimeout));
const outcomes = () => info.mock.calls.map(([, details]) => (details as { outcome: string }).outcome);

/** DynamoDB that does not answer. */
class FailingStore extends ConfirmationStore {
  override find(): Promise<never> {
    return Promise.reject(new Error('a message that quotes an item'));
  }
}

describe('a confirmation that nobody polled', () => {
  test('is recorded as expired, with the time of its expiry', async () => {
    const confirmation = await sent(31);
    expect(await handle([messageOf(confirmation)])).toEqual([]);
    expect(await typesOf(confirmation)).toEqual(expired);
    const [, { metadata } = { metadata: undefined }] = await world.events(confirmation.challengeId);
    expect(metadata).toMatchObject({
      occurredTime: new Date(confirmation.expiresAt).toISOString(),
      traceId: 'request',
    });
    expect(metadata).not.toHaveProperty('hostIp');
    expect((await world.poll(nonce, Date.now()))?.status).toBe('expired');
  });

  test('is recorded once, however often its message is delivered', async () => {
    const confirmation = await sent(31);
    const message = messageOf(confirmation);
    expect(await handle([message, message])).toEqual([]);
    expect(await handle([message])).toEqual([]);
    expect(await typesOf(confirmation)).toEqual(expired);
  });

  test('is recorded once if a website polls at the same time', async () => {
    const confirmation = await sent(31);
    const asking = Array.from({ length: 5 }, async () => await world.poll(nonce, Date.now()));
    expect(await handle([messageOf(confirmation)])).toEqual([]);
    for (const asked of await Promise.all(asking)) expect(asked?.status).toBe('expired');
    expect(await typesOf(confirmation)).toEqual(expired);
  });

  test('waits if the message comes too early', async () => {
    // The clock stands still: what is left is told to the second.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    try {
      const confirmation = await sent(10);
      expect(await handle([messageOf(confirmation)])).toEqual(['message']);
      expect(await typesOf(confirmation)).toEqual(['PushNotificationSentEvent']);
    } finally {
      clock.mockRestore();
    }
    expect(held()).toEqual([20]);
    expect(outcomes()).toEqual(['early']);
  });
});

test('an answered confirmation does not change', async () => {
  const confirmation = await sent(31);
  const { challengeId, messageHash, expiresAt } = confirmation;
  await world.answer('phone', { challengeId, messageHash, decision: 'confirm' }, 'jws', expiresAt - 1);
  expect(await handle([messageOf(confirmation)])).toEqual([]);
  expect(await typesOf(confirmation)).toEqual([
    'PushNotificationSentEvent',
    'PushNotificationConfirmedEvent',
  ]);
  expect(outcomes()).toEqual(['decided']);
});

test.each([
  [
    'that never existed',
    async () => await Promise.resolve({ tenantId: 'tenant', challengeId: sha256('no'), expiresAt: 1 }),
  ],
  ['that was deleted', async () => await sent(31 + retention.confirmation / 1_000)],
])('nothing happens for one %s', async (_, confirmation) => {
  expect(await handle([messageOf(await confirmation())])).toEqual([]);
  expect(outcomes()).toEqual(['missing']);
});

describe('a message while DynamoDB is unavailable', () => {
  const confirmations = () => new FailingStore(database, 'confirmations');

  test.each([
    [1, 2],
    [5, 32],
    [9, 300],
    [299, 300],
  ])('is repeated after being received %d times and a pause of %d s', async (receives, seconds) => {
    const confirmation = await sent(31);
    const messages = [messageOf(confirmation, receives)];
    expect(await handle(messages, { confirmations: confirmations() })).toEqual(['message']);
    expect(held()).toEqual([seconds]);
    expect(await handle(messages)).toEqual([]);
    expect(await typesOf(confirmation)).toEqual(expired);
  });

  test("is logged with the error, without the error's message", async () => {
    await handle([messageOf(await sent(31))], { confirmations: confirmations() });
    expect(error).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(error.mock.calls)).toContain('"name":"Error"');
    expect(JSON.stringify(error.mock.calls)).not.toContain('quotes an item');
  });

  test('is repeated even if SQS is unavailable, too', async () => {
    queue.faults.add({ service: 'sqs', fault: 'unavailable' });
    expect(await handle([messageOf(await sent(31))], { confirmations: confirmations() })).toEqual([
      'message',
    ]);
  });
});

test('a malformed message becomes a dead letter, and does not delay others', async () => {
  const confirmation = await sent(31);
  const stray = recordOf('{"challengeId":"?"}', 1, 'stray');
  expect(await handle([stray, messageOf(confirmation)])).toEqual(['stray']);
  expect(await typesOf(confirmation)).toEqual(expired);
  expect(error.mock.calls).toEqual([['unreadable', { messageId: 'stray' }]]);
});

test('the log has only the ids of a confirmation', async () => {
  const { tenantId, challengeId } = await sent(31);
  await handle([messageOf({ tenantId, challengeId, expiresAt: 1 })]);
  expect(info.mock.calls).toEqual([['expiry', { outcome: 'expired', tenantId, challengeId }]]);
});
