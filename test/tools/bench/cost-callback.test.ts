import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { callsOf } from '../../../tools/bench/cost/round-trips.ts';
import { GroupStore } from '../../../core/confirmations/groups/group-store.ts';
import { bodyOf } from '../../../core/callbacks/callback-message.ts';
import { CallbackQueue } from '../../../core/callbacks/callback-queue.ts';
import { CallbackStore } from '../../../core/callbacks/callback-store.ts';
import { ReceiverCaller } from '../../../core/outbound/call-receiver.ts';
import { CallComposer } from '../../../core/callbacks/compose-call.ts';
import { OpenedSecrets } from '../../../core/outbound/opened-secrets.ts';
import { WaitingStore } from '../../../core/callbacks/waiting-store.ts';
import { logger } from '../../../core/kernel/observability.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { createHandler } from '../../../lambdas/deliver-callback/handler.ts';
import { clientId, PushWorld } from '../../support/push-world.ts';

jest.spyOn(logger, 'info').mockReturnValue();

let database: DynamoDBDocumentClient;
let website: Server;
const received: (string | undefined)[] = [];
const calls: string[] = [];
beforeAll(async () => {
  database = await PushWorld.database();
  website = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await once(website.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void website.close());

/** A client whose website was quick the last time. */
async function quickReceiver(tenantId: string): Promise<CallbackStore> {
  const store = new CallbackStore(database, 'tenants');
  const { port } = website.address() as AddressInfo;
  const secrets = [{ sealed: 'sealed', createdAt: 1 }];
  const registered = { clientId, tenantId, url: `http://127.0.0.1:${port}/`, secrets };
  const client = { Put: { TableName: 'tenants', Item: { ...tenantKeys.client(clientId), tenantId } } };
  const TransactItems = [client, store.registration('callback', registered, 1)];
  await database.send(new TransactWriteCommand({ TransactItems }));
  const Key = tenantKeys.clientCallback(clientId);
  const values = { ':fast': true };
  await database.send(
    new UpdateCommand({
      TableName: 'tenants',
      Key,
      UpdateExpression: 'SET fast = :fast',
      ExpressionAttributeValues: values,
    }),
  );
  return store;
}

/** The local stack's tests count requests. There, the first callback of a receiver takes another way. */
test('a callback costs two reads and no write, and opens a secret once', async () => {
  const world = new PushWorld(database);
  await world.addDevice('phone', 1);
  const sentAt = Date.now() - 5_000;
  const { challengeId, messageHash } = await world.send({ nonce: 'a-nonce-of-its-own' }, sentAt);
  const claims = { challengeId, messageHash, decision: 'confirm' } as const;
  await world.answer('phone', claims, 'the signed answer', sentAt + 1_000);
  const opened: string[] = [];
  const open = async (sealed: string): Promise<string> => {
    opened.push(sealed);
    return await Promise.resolve(`whsec_${Buffer.from('a secret of the website').toString('base64')}`);
  };
  const noQueue = new CallbackQueue(new SQSClient({ region: 'eu-central-1' }), 'https://queue.invalid');
  const handle = createHandler({
    confirmations: world.confirmations,
    groups: new GroupStore(database, 'confirmations'),
    receivers: await quickReceiver(world.tenantId),
    waiting: new WaitingStore(database, 'attempts'),
    composer: new CallComposer(new OpenedSecrets({ open })),
    caller: new ReceiverCaller(true),
    queue: noQueue,
    retries: noQueue,
  });
  database.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        calls.push(`deliver-callback: ${commandName.replace(/Command$/, '')}`);
        return await next(args);
      },
    { step: 'initialize' },
  );
  const recordOf = (eventId: string) => ({
    messageId: eventId,
    receiptHandle: eventId,
    body: bodyOf({ kind: 'callback', tenantId: world.tenantId, challengeId, eventId }),
    attributes: { ApproximateReceiveCount: '1' },
  });
  for (const eventId of ['one', 'two']) {
    calls.length = 0;
    const event = { Records: [recordOf(eventId)] } as unknown as SQSEvent;
    expect(await handle(event)).toEqual({ batchItemFailures: [] });
    expect(calls).toEqual(callsOf('callback'));
  }
  expect(received).toEqual(['one', 'two']);
  expect(opened).toEqual(['sealed']);
});
