/** Attempts on DynamoDB Local, at a real receiver: when they are held, and when they end. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { transact } from '../../../core/aws/dynamodb-client.ts';
import { ReceiverCaller } from '../../../core/callbacks/call-receiver.ts';
import type { EndedMessage } from '../../../core/callbacks/callback-message.ts';
import type { CallbackQueue } from '../../../core/callbacks/callback-queue.ts';
import { CallbackStore } from '../../../core/callbacks/callback-store.ts';
import { CallComposer } from '../../../core/callbacks/compose-call.ts';
import { firstAttempt } from '../../../core/callbacks/first-attempt.ts';
import { furtherAttempt } from '../../../core/callbacks/further-attempt.ts';
import { OpenedSecrets } from '../../../core/outbound/opened-secrets.ts';
import { TurnStore } from '../../../core/callbacks/turn-store.ts';
import { WaitingStore } from '../../../core/callbacks/waiting-store.ts';
import { hours, seconds } from '../../../core/kernel/time.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { clientId, PushWorld } from '../../support/push-world.ts';

let database: DynamoDBDocumentClient;
let website: Server;
let status: number;
let calls: string[];

beforeAll(async () => {
  database = await PushWorld.database();
  website = createServer((request, response) => {
    calls.push(request.url ?? '');
    request.resume().on('end', () => response.writeHead(status).end());
  });
  await once(website.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void website.close());
beforeEach(() => {
  [status, calls] = [204, []];
});

/** Stands for KMS: what is sealed is known. */
const open = async (): Promise<string> => await Promise.resolve('whsec_c2VjcmV0');

/** A confirmation that ended, and a receiver that is known to be quick. */
async function world(age = 0) {
  const kind = 'callback' as const;
  const pushes = new PushWorld(database);
  const { tenantId, confirmations } = pushes;
  await pushes.addDevice('phone', 1);
  const now = Date.now() - age;
  const { challengeId, messageHash } = await pushes.send({ nonce: 'a-nonce-of-its-own' }, now - seconds);
  const claims = { challengeId, messageHash, decision: 'confirm' } as const;
  await pushes.answer('phone', claims, 'the signed answer', now);

  const receivers = new CallbackStore(database, 'tenants');
  const { port } = website.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/${kind}`;
  const registered = { clientId, tenantId, url, secrets: [{ sealed: 'secret', createdAt: 1 }] };
  const client = { ...tenantKeys.client(clientId), tenantId };
  const writes = [
    { Put: { TableName: 'tenants', Item: client } },
    receivers.registration(kind, registered, 1),
  ];
  await transact(database, writes);
  const receiver = await receivers.get(kind, clientId);
  if (receiver) await receivers.answered(kind, receiver, { isFast: true }, now);

  const waiting = new WaitingStore(database, 'attempts');
  const ref = { kind, clientId, challengeId, until: now + 24 * hours };
  await waiting.remove(ref);
  const moved: { message: EndedMessage; delay: number }[] = [];
  const retries = {
    send: async (messages: readonly EndedMessage[], { delay = 0 } = {}) => {
      moved.push(...messages.map((message) => ({ message, delay })));
      return await Promise.resolve({ failed: [], reasons: [] });
    },
  } as unknown as CallbackQueue;
  const composer = new CallComposer(new OpenedSecrets({ open }));
  const caller = new ReceiverCaller(true);
  const turns = new TurnStore(database, 'attempts');
  const deps = { confirmations, receivers, waiting, composer, caller, retries, turns };
  const message: EndedMessage = { kind, tenantId, challengeId, eventId: 'the-event' };
  const change = async (UpdateExpression: string, values?: Record<string, unknown>) =>
    await database.send(
      new UpdateCommand({
        TableName: 'tenants',
        Key: tenantKeys.client(clientId),
        UpdateExpression,
        ...(values && { ExpressionAttributeValues: values }),
      }),
    );
  return {
    moved,
    message,
    ref,
    waiting,
    first: async () => await firstAttempt(deps, message),
    further: async () => await furtherAttempt(deps, message),
    state: async () => (await receivers.get(kind, clientId))?.state,
    suspend: async () => await change('SET suspendedAt = :now', { ':now': now }),
    resume: async () => await change('REMOVE suspendedAt'),
  };
}

describe('while the tenant is suspended', () => {
  test('nothing is sent, and what waits is sent after the resumption', async () => {
    const { first, further, suspend, resume, waiting, ref, moved, message } = await world();
    await suspend();
    expect(await first()).toMatchObject({ outcome: 'moved' });
    expect(moved).toEqual([{ message, delay: 0 }]);
    const held = await further();
    expect(held).toMatchObject({ outcome: 'held' });
    expect('wait' in held && held.wait).toBeGreaterThan(0);
    expect(await waiting.find(ref)).toMatchObject({ attempts: 0 });
    expect(calls).toEqual([]);
    await resume();
    expect(await further()).toMatchObject({ outcome: 'delivered' });
    expect(await waiting.find(ref)).toBeUndefined();
    expect(calls).toEqual(['/callback']);
  });
});

describe('a call-back that fails', () => {
  const failed = async (attempts: number) => {
    const made = await world(23 * hours);
    await made.waiting.save(made.ref, { attempts, nextAt: 1 }, 1);
    status = 500;
    return made;
  };

  test('waits ten hours before the last attempt', async () => {
    const { further, waiting, ref } = await failed(10);
    const outcome = await further();
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'It answered with HTTP 500.' });
    const wait = 'wait' in outcome ? outcome.wait : 0;
    expect(wait).toBe(10 * hours);
    expect(await waiting.find(ref)).toMatchObject({ attempts: 11 });
  });

  test('is given up after the last attempt, and waits no more', async () => {
    const { further, waiting, ref, state } = await failed(11);
    const outcome = await further();
    expect(outcome).toMatchObject({ outcome: 'given-up', reason: 'It answered with HTTP 500.' });
    // So the Lambda deletes the message.
    expect(outcome).not.toHaveProperty('wait');
    expect(calls).toEqual(['/callback']);
    expect(await waiting.find(ref)).toBeUndefined();
    expect(await state()).toBe('failing');
  });

  test('is delivered by the last attempt if that succeeds', async () => {
    const { further, waiting, ref } = await failed(11);
    status = 204;
    expect(await further()).toMatchObject({ outcome: 'delivered' });
    expect(await waiting.find(ref)).toBeUndefined();
  });
});
