import { beforeAll, expect, jest, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSRecord } from 'aws-lambda';
import { callsOf } from '../../../tools/bench/cost/round-trips.ts';
import { ExpiryQueue } from '../../../core/confirmations/expiry-queue.ts';
import type { AnswerClaims } from '../../../core/devices/protocol/claims.ts';
import { logger } from '../../../core/kernel/observability.ts';
import { confirmationAndDeviceDeps } from '../../../core/lambda/wiring.ts';
import { createHandler } from '../../../lambdas/expire-confirmation/handler.ts';
import { PushWorld } from '../../support/push-world.ts';

jest.spyOn(logger, 'info').mockReturnValue();

let database: DynamoDBDocumentClient;
const calls: string[] = [];
beforeAll(async () => {
  database = await PushWorld.database();
  database.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        calls.push(`expire-confirmation: ${commandName.replace(/Command$/, '')}`);
        return await next(args);
      },
    { step: 'initialize' },
  );
});

/** The local stack's tests count all other requests. For this one they would wait for half a minute. */
test('the expiry message of an answered confirmation costs one read', async () => {
  const world = new PushWorld(database);
  await world.addDevice('phone', 1);
  const sentAt = Date.now() - 31_000;
  const confirmation = await world.send({ nonce: 'a-nonce-of-its-own', expiresIn: 30 }, sentAt);
  const { challengeId, messageHash } = confirmation;
  const claims: AnswerClaims = { challengeId, messageHash, decision: 'confirm' };
  await world.answer('phone', claims, 'the signed answer', sentAt + 1_000);
  const handle = createHandler({
    ...confirmationAndDeviceDeps(database, {
      DEVICES_TABLE: 'devices',
      CONFIRMATIONS_TABLE: 'confirmations',
      EVENTS_TABLE: 'events',
    }),
    baseUrl: 'https://omi.example.org',
    queue: new ExpiryQueue(new SQSClient({ region: 'eu-central-1' }), 'https://queue.invalid'),
  });
  const record = {
    messageId: 'message',
    body: JSON.stringify(confirmation),
    attributes: { ApproximateReceiveCount: '1' },
  } as SQSRecord;

  calls.length = 0;
  expect(await handle({ Records: [record] }, { awsRequestId: 'request' } as Context)).toEqual({
    batchItemFailures: [],
  });
  expect(calls).toEqual(callsOf('alarm'));
});
