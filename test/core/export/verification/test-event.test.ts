/** A test that sends an event, to targets of several kinds. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TargetRef } from '../../../../core/events/target-ref.ts';
import { testEventFor } from '../../../../core/export/verification/test-event.ts';
import { proving, Receiver, type Behaviour } from '../../../support/receiver.ts';
import { VerificationWorld } from '../../../support/verification-world.ts';

let world: VerificationWorld;
let receiver: Receiver;
beforeAll(async () => {
  world = await VerificationWorld.start();
  receiver = await Receiver.start(proving);
});
afterAll(async () => {
  await receiver.close();
  await world.close();
});

const type = 'UserCreatedEvent';
const newEvent = () => ({ type, eventId: randomUUID() });

async function webhook(): Promise<TargetRef> {
  const ref: TargetRef = { tenantId: randomUUID(), category: 'public' };
  const { sealed } = await world.exports.newSecret(ref);
  const destination = { kind: 'webhook', url: receiver.url, lanes: 2 } as const;
  await world.targets.register(ref, destination, Date.now(), undefined, [sealed]);
  await world.goLive(ref);
  receiver.calls.length = 0;
  return ref;
}

/** Proves the URL, and takes no events. */
const refusing: Behaviour = (response, call, calls) =>
  call.text.includes('"challenge"') ? proving(response, call, calls) : void response.writeHead(400).end();

describe('a test with an event', () => {
  test('sends it to a stream, in no count of the target', async () => {
    const { ref, name } = await world.streamTarget();
    await world.goLive(ref);
    await world.exports.read(name);
    const event = newEvent();
    expect(await world.verify(ref, { event })).toEqual({ outcome: 'verified' });
    const records = (await world.exports.read(name)).map(({ data }) => JSON.parse(data) as object);
    const sent = records.filter((record) => JSON.stringify(record).includes(event.eventId));
    expect(sent).toMatchObject([{ events: [{ metadata: { ...event, producerId: 'omi-test' } }] }]);
    expect(await world.target(ref)).toMatchObject({
      ...{ state: 'active', acceptedCount: 0, deliveredCount: 0 },
      lastTest: { outcome: 'passed', event },
    });
  });

  test('writes a line of a bucket', async () => {
    const { ref, name } = await world.exports.bucketTarget('log');
    const event = { type: 'InvoicesOpenedEvent', eventId: randomUUID() };
    expect(await world.deps.sendEvent(await world.target(ref), event, Date.now())).toBeUndefined();
    const [line = '', ...others] = (await world.exports.written(name)).split('\n');
    expect(JSON.parse(line)).toMatchObject({ events: [{ metadata: { ...event, category: 'log' } }] });
    expect(others).toEqual(['']);
  });

  test('says that the receiver refused it, and leaves the target as it is', async () => {
    const ref = await webhook();
    receiver.behave = refusing;
    const event = newEvent();
    expect(await world.verify(ref, { event })).toEqual({ outcome: 'verified' });
    const target = await world.target(ref);
    expect(target).toMatchObject({
      state: 'active',
      lastTest: { outcome: 'failed', code: 'Webhook.Http400', reason: expect.any(String), event },
    });
    expect(target.lastTest).not.toHaveProperty('nextAt');
    expect(target).not.toHaveProperty('fault');
    receiver.behave = proving;
    await world.verify(ref);
    expect((await world.target(ref)).lastTest).not.toHaveProperty('event');
  });

  test('sends nothing before the target is proven', async () => {
    const ref = await webhook();
    receiver.behave = (response) => void response.writeHead(200).end('{}');
    const event = newEvent();
    expect(await world.verify(ref, { event })).toMatchObject({ outcome: 'failed' });
    expect(receiver.calls.filter(({ text }) => text.includes(event.eventId))).toEqual([]);
    expect((await world.target(ref)).lastTest).toMatchObject({ outcome: 'failed', event });
    receiver.behave = proving;
  });

  test('is not dropped for a later test without one', async () => {
    const ref = await webhook();
    const { id, requestedAt } = { id: randomUUID(), requestedAt: Date.now() + 1_000 };
    await world.deps.lastTests.begun(await world.target(ref), { id, requestedAt, outcome: 'passed' });
    const event = newEvent();
    expect(await world.verify(ref, { event, message: { receives: 2 } })).toEqual({ outcome: 'verified' });
    expect(receiver.calls.some(({ text }) => text.includes(event.eventId))).toBe(true);
  });
});

describe('a test with an event is refused', () => {
  test('for a type that the target does not get, by name of the field', async () => {
    const ref = await webhook();
    const target = { ...(await world.target(ref)), types: ['UserCreatedEvent'] };
    for (const asked of ['UserBlockedEvent', 'NoSuchEvent'])
      expect(() => testEventFor(target, asked)).toThrow(
        expect.objectContaining({
          code: 'invalid-request',
          options: { errors: [{ pointer: '/type', detail: expect.stringContaining('UserCreatedEvent') }] },
        }),
      );
    expect(testEventFor(target, type)).toEqual({ type, eventId: expect.any(String) });
  });

  test('while the target is validated', async () => {
    const { ref } = await world.streamTarget();
    const target = await world.target(ref);
    expect(() => testEventFor(target, type)).toThrow(expect.objectContaining({ code: 'not-verified' }));
  });
});
