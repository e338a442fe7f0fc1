import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Refusal } from '../../../core/kernel/refusal.ts';
import { readEvents } from '../../../core/events/read-events.ts';

const tenantId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

const metadata = () => ({
  category: 'log',
  description: 'x',
  eventId: randomUUID(),
  metadataVersion: '1.0',
  occurredTime: '2026-03-01T09:30:00.120+01:00',
  producerId: 'identity',
  producerInstanceId: 'identity-1',
  tenantId,
  type: 'SomethingEvent',
});

const withUnknown = (count: number) => ({
  metadata: {
    ...metadata(),
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 0])),
  },
});

/** An event that must not be looked at. */
const untouchable = (): unknown => {
  const fail = () => {
    throw new Error('looked at');
  };
  return new Proxy({}, { get: fail, ownKeys: fail, has: fail, getOwnPropertyDescriptor: fail });
};

function refusalOf(events: unknown[]): Refusal {
  try {
    readEvents({ events }, tenantId);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('The events were taken');
}

test('the check of a call ends when the highest number of faults is counted', () => {
  const events = [...Array.from({ length: 31 }, () => withUnknown(3_300)), untouchable()];
  const { message, options } = refusalOf(events);
  expect(message).toBe(
    'The request has at least 100000 faults: the first 100 are listed, at least 99900 more are not.',
  );
  expect(options.errors).toHaveLength(100);
});

test('events with one fault each are all listed', () => {
  const { message, options } = refusalOf(Array.from({ length: 100 }, () => withUnknown(1)));
  expect(message).toBe('The request has 100 faults.');
  expect(options.errors?.at(-1)).toEqual({
    pointer: '/events/99/metadata/m0',
    detail: 'expected no such member',
  });
});

test('events that the caller may not record are listed like other faults: at most 100, and the number of the others', () => {
  const reserved = { ...metadata(), type: 'UserErasedEvent', producerId: 'omi' };
  const refused = (count: number) =>
    refusalOf(Array.from({ length: count }, () => ({ metadata: { ...reserved, eventId: randomUUID() } })));
  const message = 'Only the service makes events of this type or producer.';
  expect(refused(50)).toMatchObject({ code: 'reserved-type', message });
  expect(refused(50).options.errors).toHaveLength(100);
  const { code, message: longer, options } = refused(51);
  expect(code).toBe('reserved-type');
  expect(longer).toBe(`${message} The request has 102 faults: the first 100 are listed, 2 more are not.`);
  expect(options.errors).toHaveLength(100);
});
