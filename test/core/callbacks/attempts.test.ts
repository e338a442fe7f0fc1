/** Attempts on DynamoDB Local, at a real receiver: when they are held, and when they end. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { transact } from '../../../core/aws/dynamodb-client.ts';
import { GroupStore } from '../../../core/confirmations/groups/group-store.ts';
import { ReceiverCaller } from '../../../core/outbound/call-receiver.ts';
import type { EndedMessage } from '../../../core/callbacks/callback-message.ts';
import type { CallbackQueue } from '../../../core/callbacks/callback-queue.ts';
import { CallbackStore } from '../../../core/callbacks/callback-store.ts';
import { CallComposer } from '../../../core/callbacks/compose-call.ts';
import { firstAttempt } from '../../../core/callbacks/first-attempt.ts';
import { furtherAttempt } from '../../../core/callbacks/further-attempt.ts';
import { OpenedSecrets } from '../../../core/outbound/opened-secrets.ts';
import type { Receiver, ReceiverKind, Registration } from '../../../core/callbacks/receiver.ts';
import { type CallSlot, CallSlotStore } from '../../../core/callbacks/call-slot-store.ts';
import { WaitingStore } from '../../../core/callbacks/waiting-store.ts';
import { hours, seconds } from '../../../core/kernel/time.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { clientId, PushWorld } from '../../support/push-world.ts';

let database: DynamoDBDocumentClient;
let website: Server;
let status: number;
let headers: Record<string, string>;
let calls: string[];

beforeAll(async () => {
  database = await PushWorld.database();
  website = createServer((request, response) => {
    calls.push(request.url ?? '');
    request.resume().on('end', () => response.writeHead(status, headers).end());
  });
  await once(website.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void website.close());
beforeEach(() => {
  [status, headers, calls] = [204, {}, []];
});

type Options = { age?: number; kind?: ReceiverKind; ping?: string };

/** A confirmation that ended, and a receiver that is known to be quick. */
async function world({ age = 0, kind = 'callback', ping }: Options = {}) {
  const pushes = new PushWorld(database);
  const { tenantId, confirmations } = pushes;
  await pushes.addDevice('phone', 1);
  const now = Date.now() - age;
  const { challengeId, messageHash } = await pushes.send(
    { nonce: 'a-nonce-of-its-own', ...(ping !== undefined && { ping }) },
    now - seconds,
  );
  const claims = { challengeId, messageHash, decision: 'confirm' } as const;
  await pushes.answer('phone', claims, 'the signed answer', now);

  const receivers = new CallbackStore(database, 'tenants');
  const { port } = website.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/${kind}`;
  const secrets = kind === 'callback' ? [{ sealed: 'secret', createdAt: 1 }] : [];
  const registered = { clientId, tenantId, url, secrets };
  const client = { ...tenantKeys.client(clientId), tenantId };
  const writes = [
    { Put: { TableName: 'tenants', Item: client } },
    receivers.registration(kind, registered, 1),
  ];
  await transact(database, writes);
  const current = async (): Promise<Receiver> => {
    const found = await receivers.get(kind, clientId);
    if (!found) throw new Error('The receiver is gone');
    return found;
  };
  await receivers.answered(kind, await current(), { isFast: true }, now);

  const waiting = new WaitingStore(database, 'attempts');
  const ref = { kind, clientId, challengeId, until: now + 24 * hours };
  await waiting.remove(ref);
  const moved: { message: EndedMessage; delay: number }[] = [];
  const refused: EndedMessage[] = [];
  const retries = {
    send: async (messages: readonly EndedMessage[], { delay = 0 } = {}) => {
      moved.push(...messages.map((message) => ({ message, delay })));
      return await Promise.resolve({ failed: refused, reasons: refused.map(() => 'Busy') });
    },
  } as unknown as CallbackQueue;
  const opened: unknown[] = [];
  /** Stands for KMS: what is sealed is known. */
  const open = async (sealed: string, context: Record<string, string>): Promise<string> => {
    opened.push({ sealed, context });
    const pinged = JSON.stringify({ authReqId: 'the-request', token: 'the-token' });
    return await Promise.resolve(kind === 'ping' ? pinged : 'whsec_c2VjcmV0');
  };
  const composer = new CallComposer(new OpenedSecrets({ open }));
  const caller = new ReceiverCaller(true);
  const slots = new CallSlotStore(database, 'attempts');
  const groups = new GroupStore(database, 'confirmations');
  const deps = { confirmations, groups, receivers, waiting, composer, caller, retries, slots };
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
  /** As if other calls of the receiver were under way. */
  const takeSlots = async (count: number): Promise<CallSlot[]> => {
    const seen = await current();
    const taken = await Promise.all(
      Array.from(
        { length: count },
        async (_, index) => await slots.take(seen, Date.now(), () => index / count),
      ),
    );
    return taken.filter((slot) => slot !== undefined);
  };
  const register = async (changes: Partial<Registration>) =>
    await transact(database, [receivers.registration(kind, { ...registered, ...changes }, 2)]);
  return {
    moved,
    refused,
    opened,
    message,
    ref,
    waiting,
    register,
    takeSlots,
    release: async (taken: CallSlot[]) =>
      await Promise.all(taken.map(async (slot) => await slots.release(slot))),
    first: async (about = message) => await firstAttempt(deps, about),
    further: async (about = message) => await furtherAttempt(deps, about),
    receiver: current,
    becomeSlow: async () => {
      await receivers.slow(kind, await current());
    },
    isSealed: async () => (await confirmations.find(challengeId, Date.now()))?.ping !== undefined,
    state: async () => (await current()).state,
    suspend: async () => await change('SET suspendedAt = :now', { ':now': now }),
    resume: async () => await change('REMOVE suspendedAt'),
  };
}

describe('a suspended tenant', () => {
  test('gets no callbacks until it is resumed', async () => {
    const { first, further, suspend, resume, waiting, ref, moved, message } = await world();
    await suspend();
    expect(await first()).toMatchObject({ outcome: 'moved' });
    expect(moved).toEqual([{ message, delay: 0 }]);
    const held = await further();
    expect(held).toMatchObject({ outcome: 'held' });
    expect('waitMs' in held && held.waitMs).toBeGreaterThan(0);
    expect(await waiting.find(ref)).toMatchObject({ attempts: 0 });
    expect(calls).toEqual([]);
    await resume();
    expect(await further()).toMatchObject({ outcome: 'delivered' });
    expect(await waiting.find(ref)).toBeUndefined();
    expect(calls).toEqual(['/callback']);
  });
});

describe('a failing callback', () => {
  const failed = async (attempts: number) => {
    const made = await world({ age: 23 * hours });
    await made.waiting.save(made.ref, { attempts, nextAt: 1 }, 1);
    status = 500;
    return made;
  };

  test('waits ten hours before the last attempt', async () => {
    const { further, waiting, ref } = await failed(10);
    const outcome = await further();
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'It answered with HTTP 500.' });
    const wait = 'waitMs' in outcome ? outcome.waitMs : 0;
    expect(wait).toBe(10 * hours);
    expect(await waiting.find(ref)).toMatchObject({ attempts: 11 });
  });

  test('is given up after the last attempt, and no longer waits', async () => {
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

describe('the first attempt', () => {
  test('is delivered to a fast receiver', async () => {
    const { first, moved } = await world();
    expect(await first()).toMatchObject({ outcome: 'delivered', reason: 'It answered with HTTP 204.' });
    expect([calls, moved]).toEqual([['/callback'], []]);
  });

  test('is left to further attempts when the receiver is not known to be fast', async () => {
    const { first, becomeSlow, moved, message } = await world();
    await becomeSlow();
    expect(await first()).toMatchObject({ outcome: 'moved' });
    expect([calls, moved]).toEqual([[], [{ message, delay: 0 }]]);
  });

  test.each([
    [500, 'failing'],
    [503, 'failing'],
    [410, 'stopped'],
  ] as const)('is not repeated after the answer %i, and the receiver is %s', async (code, state) => {
    const made = await world();
    [status, headers] = [code, code === 503 ? { 'retry-after': '100' } : {}];
    await made.first();
    expect(await made.state()).toBe(state);
    expect(await made.first()).toMatchObject({ outcome: 'moved' });
    expect(calls).toHaveLength(1);
  });

  test('is followed by one a second later, or when the receiver asks for it, if it fails', async () => {
    const { first, moved, message, waiting, ref, receiver } = await world();
    status = 500;
    expect(await first()).toMatchObject({ outcome: 'moved', reason: 'It answered with HTTP 500.' });
    expect(moved).toEqual([{ message, delay: 1 * seconds }]);
    expect(await waiting.find(ref)).toMatchObject({ attempts: 1 });
    expect((await receiver()).pausedUntil).toBeUndefined();

    const other = await world();
    [status, headers] = [503, { 'retry-after': '100' }];
    const before = Date.now();
    await other.first();
    expect(other.moved).toEqual([{ message: other.message, delay: 100 * seconds }]);
    expect((await other.waiting.find(other.ref))?.nextAt).toBeGreaterThanOrEqual(before + 100 * seconds);
    expect((await other.receiver()).pausedUntil).toBeGreaterThanOrEqual(before + 100 * seconds);
  });

  test('fails if the queue of further attempts does not accept the callback, so that it is repeated', async () => {
    const { first, becomeSlow, refused, message } = await world();
    await becomeSlow();
    refused.push(message);
    await expect(first()).rejects.toThrow('SQS did not accept the callback: Busy');
  });
});

describe('a further attempt', () => {
  const expectHeld = async ({ further }: Awaited<ReturnType<typeof world>>, atLeast: number) => {
    const outcome = await further();
    expect(outcome).toMatchObject({ outcome: 'held' });
    expect('waitMs' in outcome ? outcome.waitMs : 0).toBeGreaterThan(atLeast);
    expect(calls).toEqual([]);
  };

  test('waits until its time has come, allowing for clock differences', async () => {
    const made = await world();
    await made.waiting.save(made.ref, { attempts: 1, nextAt: Date.now() + 60 * seconds }, 1);
    await expectHeld(made, 50 * seconds);
    await made.waiting.save(made.ref, { attempts: 1, nextAt: Date.now() + 45 }, 1);
    expect(await made.further()).toMatchObject({ outcome: 'delivered' });
  });

  test('waits until the pause requested by the receiver is over', async () => {
    const made = await world();
    [status, headers] = [503, { 'retry-after': '100' }];
    await made.first();
    await made.waiting.remove(made.ref);
    calls = [];
    await expectHeld(made, 90 * seconds);
  });

  test('waits while the receiver is stopped', async () => {
    const made = await world();
    status = 410;
    await made.first();
    await made.waiting.remove(made.ref);
    calls = [];
    await expectHeld(made, 0);
  });

  test('waits for a slot, unless the receiver is fast', async () => {
    const made = await world();
    const all = await made.takeSlots(20);
    expect(all).toHaveLength(20);
    expect(await made.further()).toMatchObject({ outcome: 'delivered' });
    calls = [];
    await made.becomeSlow();
    await expectHeld(made, 0);
    await made.release(all);
  });

  test('releases its slot when it is over', async () => {
    const made = await world();
    status = 500;
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await made.waiting.save(made.ref, { attempts: 1, nextAt: 1 }, 1);
      expect(await made.further()).toMatchObject({ outcome: 'failed' });
    }
    expect(calls).toHaveLength(4);
  });
});

describe('a ping', () => {
  const ping = 'the sealed ping';

  test('is forgotten after it arrived, and not before', async () => {
    const { further, isSealed, waiting, ref } = await world({ kind: 'ping', ping });
    status = 500;
    expect(await further()).toMatchObject({ outcome: 'failed' });
    expect(await isSealed()).toBe(true);
    await waiting.save(ref, { attempts: 1, nextAt: 1 }, 1);
    status = 204;
    expect(await further()).toMatchObject({ outcome: 'delivered' });
    expect(await isSealed()).toBe(false);
    expect(await waiting.find(ref)).toBeUndefined();
  });

  test('does not stop its receiver with a 410, because nobody could test the receiver', async () => {
    const { further, state } = await world({ kind: 'ping', ping });
    status = 410;
    expect(await further()).toMatchObject({ outcome: 'failed' });
    expect(await state()).toBe('failing');
  });

  test('is dropped, and no longer waits, when there is nothing to send', async () => {
    const { first, further, waiting, ref, moved } = await world({ kind: 'ping' });
    expect(await first()).toEqual({ outcome: 'dropped' });
    await waiting.save(ref, { attempts: 1, nextAt: 1 }, 1);
    expect(await further()).toEqual({ outcome: 'dropped' });
    expect(await waiting.find(ref)).toBeUndefined();
    expect([calls, moved]).toEqual([[], []]);
  });
});

describe.each(['callback', 'ping'] as const)('a queued %s', (kind) => {
  const ping = 'the sealed ping';

  test('is not sent for a deleted confirmation', async () => {
    const { first, further, message } = await world({ kind, ping });
    const forgotten = { ...message, challengeId: 'A'.repeat(43) };
    expect(await first(forgotten)).toEqual({ outcome: 'dropped' });
    expect(await further(forgotten)).toEqual({ outcome: 'dropped' });
    expect(calls).toEqual([]);
  });

  test('is not sent for a former tenant of the client', async () => {
    const { first, further, register, isSealed } = await world({ kind, ping });
    await register({ tenantId: randomUUID() });
    expect(await first()).toEqual({ outcome: 'dropped' });
    expect(await further()).toEqual({ outcome: 'dropped' });
    expect(calls).toEqual([]);
    expect(await isSealed()).toBe(kind === 'callback');
  });
});

test('sealed data can be opened only for its client or confirmation', async () => {
  const callback = await world();
  await callback.further();
  expect(callback.opened).toEqual([{ sealed: 'secret', context: { use: 'callback', clientId } }]);
  const pinged = await world({ kind: 'ping', ping: 'the sealed ping' });
  await pinged.further();
  const { challengeId } = pinged.message;
  expect(pinged.opened).toEqual([{ sealed: 'the sealed ping', context: { use: 'ping', challengeId } }]);
});
