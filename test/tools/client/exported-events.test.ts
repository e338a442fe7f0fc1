import { expect, test } from '@jest/globals';
import { linesOf, unwrap } from '../../../tools/client/exported-events.ts';
import { EventValidator } from '../../../tools/local/client/event-validator.ts';
import { createdEvent, logEvent } from '../../contract/events/event.ts';

const tenantId = '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01';
const [created, logged] = [createdEvent(tenantId), logEvent(tenantId, { attempt: 1 })];

test('a record or line is unwrapped to the events that were written', () => {
  const text = JSON.stringify({ events: [created, logged] });
  expect(JSON.stringify({ events: unwrap(text) })).toBe(text);
});

test.each([
  ['no JSON', '{"events":['],
  ['no events', '{"events":[]}'],
  ['more than events', JSON.stringify({ events: [created], more: 1 })],
  ['an event without its wrapper', JSON.stringify(created)],
  ['an event without an id', JSON.stringify({ events: [{ metadata: {} }] })],
])('%s is rejected', (_what, text) => {
  expect(() => unwrap(text)).toThrow('This is not a record of events');
});

test('only a line feed ends a line', () => {
  expect(linesOf('')).toEqual([]);
  expect(linesOf('a\u2028b\r\nc\n')).toEqual(['a\u2028b\r', 'c']);
  expect(() => linesOf('a\nb')).toThrow('does not end');
});

test('an event is validated with its published schemas', () => {
  const published = new EventValidator();
  const readable = (event: object) => unwrap(JSON.stringify({ events: [event] }));
  const faultsOf = (event: object) => readable(event).flatMap((one) => published.errors(one));
  expect([created, logged].flatMap(faultsOf)).toEqual([]);
  expect(faultsOf({ ...created, payload: {} })).toEqual([expect.stringContaining("'userId'")]);
  expect(faultsOf({ ...created, metadata: { ...created.metadata, hostIp: 'here' } })).not.toEqual([]);
  expect(faultsOf({ ...logged, metadata: { ...logged.metadata, metadataVersion: '2.0' } })).toEqual([
    'There is no published schema for log 2.0',
  ]);
  expect(faultsOf({ ...created, metadata: { ...created.metadata, type: 'OrderPaidEvent' } })).toEqual([
    'There is no published schema for OrderPaidEvent 1.0',
  ]);
});
