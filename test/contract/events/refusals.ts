import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, expectProblem, succeeded } from '../expectations.ts';
import { createdEvent, logEvent } from './event.ts';
import { post, record, storedWith } from './recorder.ts';

const detail = expect.stringMatching(/^expected \S/);
const at = (...pointers: string[]) => ({ errors: pointers.map((pointer) => ({ pointer, detail })) });

const largestCall = 3 * 1024 * 1024;
const largestEvent = 256 * 1024;

export function refusals(stack: TestStack): void {
  const tenantId = () => stack.file.tenants[0].tenantId;
  const created = (fields: object = {}) => createdEvent(tenantId(), fields);
  const sized = (bytes: number) => {
    const empty = logEvent(tenantId(), '');
    return { ...empty, payload: 'x'.repeat(bytes - Buffer.byteLength(JSON.stringify(empty))) };
  };

  test('is rejected whole if an event has an unknown type or version, and the answer lists the known ones', async () => {
    const good = created();
    const answer = await record(stack.website, [
      good,
      created({ type: 'OrderPaidEvent' }),
      created({ payloadVersion: '2.0' }),
    ]);
    expectFaults(answer, '/events/1/metadata/type', '/events/2/metadata/payloadVersion');
    expect(answer.text).toMatch(/expected one of UserBlockedEvent, UserCreatedEvent, UserSignedInEvent/);
    expect(await storedWith(stack, good)).toEqual([]);
  });

  test('reports every fault of every event at once', async () => {
    const { metadata, payload } = created();
    const twice = created();
    const answer = await record(stack.website, [
      created({ eventId: '1', tenantId: 'mine', occurredTime: '2026-03-01T09:30:00', tags: ['OTHER'] }),
      { metadata: { ...metadata, description: 'x' }, payload: { ...payload, name: 'x' }, more: 1 },
      twice,
      { ...created(), metadata: { ...twice.metadata, eventId: twice.metadata.eventId.toUpperCase() } },
      sized(largestEvent + 1),
      'text',
    ]);
    expectFaults(
      answer,
      '/events/0/metadata/eventId',
      '/events/0/metadata/tenantId',
      '/events/0/metadata/occurredTime',
      '/events/0/metadata/tags/0',
      '/events/1/metadata/description',
      '/events/1/payload/name',
      '/events/1/more',
      '/events/3/metadata/eventId',
      '/events/4',
      '/events/5',
    );
    expect(await storedWith(stack, twice)).toEqual([]);
  });

  test('is rejected without events', async () => {
    for (const body of ['{}', '{"events":[]}', '{"events":{}}'])
      expectFaults(await post(stack.website, body), '/events');
  });

  test("is rejected with another tenant's events", async () => {
    const own = created();
    const call = [
      own,
      created({ tenantId: stack.file.tenants[1].tenantId }),
      created({ tenantId: randomUUID() }),
    ];
    const answer = await record(stack.website, call);
    expectProblem(
      answer,
      403,
      'wrong-tenant',
      at('/events/1/metadata/tenantId', '/events/2/metadata/tenantId'),
    );
    expect(await storedWith(stack, own)).toEqual([]);
  });

  test('is rejected with types that only the service records, in both categories', async () => {
    const own = created();
    const call = [
      created({ type: 'PushNotificationConfirmedEvent' }),
      own,
      logEvent(tenantId(), {}, { type: 'UserDeviceRegisteredEvent' }),
    ];
    const answer = await record(stack.website, call);
    expectProblem(answer, 403, 'reserved-type', at('/events/0/metadata/type', '/events/2/metadata/type'));
    expect(await storedWith(stack, own)).toEqual([]);
  });

  test("is rejected with types that only the operator's commands record, or with the service as producer", async () => {
    const own = created();
    const call = [
      own,
      logEvent(tenantId(), {}, { type: 'UserErasedEvent' }),
      created({ type: 'UserErasedEvent' }),
      created({ producerId: 'omi' }),
      logEvent(tenantId(), {}, { producerId: 'omi' }),
    ];
    const names = ['1/metadata/type', '2/metadata/type', '3/metadata/producerId', '4/metadata/producerId'];
    const answer = await record(stack.website, call);
    expectProblem(answer, 403, 'reserved-type', at(...names.map((name) => `/events/${name}`)));
    expect(await storedWith(stack, own)).toEqual([]);
  });

  test('is rejected if a known id comes with other content in the same aggregate', async () => {
    const known = created();
    succeeded(await record(stack.website, [known]), 202);
    const fresh = created({ aggregateId: known.metadata.aggregateId });
    const answer = await record(stack.website, [fresh, { ...known, payload: { userId: 'bob' } }]);
    expectProblem(answer, 409, 'event-id-already-used', at('/events/1/metadata/eventId'));
    expect(await storedWith(stack, known)).toEqual([JSON.stringify(known)]);

    const elsewhere = created({ eventId: known.metadata.eventId });
    expect(succeeded(await record(stack.website, [elsewhere]), 202)).toEqual({ accepted: 1 });
  });

  test('has at most 100 events', async () => {
    const events = Array.from({ length: 101 }, () => created());
    expectProblem(await record(stack.website, events), 413, 'too-large');
    expect(succeeded(await record(stack.website, events.slice(1)), 202)).toEqual({ accepted: 100 });
  });

  test('has at most 3 MiB', async () => {
    const events = Array.from({ length: 12 }, () => sized(largestEvent - 100));
    const body = JSON.stringify({ events });
    const largest = body + ' '.repeat(largestCall - Buffer.byteLength(body));
    expectProblem(await post(stack.website, `${largest} `), 413, 'too-large');
    expect(succeeded(await post(stack.website, largest), 202)).toEqual({ accepted: 12 });
  });

  test('has events of at most 256 KiB each without white space', async () => {
    const event = sized(largestEvent);
    const spaced = JSON.stringify(event, null, ' '.repeat(10));
    expect(succeeded(await post(stack.website, `{"events":[${spaced}]}`), 202)).toEqual({ accepted: 1 });
    expect(await storedWith(stack, event)).toEqual([JSON.stringify(event)]);
    expectFaults(await record(stack.website, [created(), sized(largestEvent + 1)]), '/events/1');
  });
}
