/** Evidence in exported events: what `verifyEvidence` and `audit` of consumers say to it. */
import { describe, expect, test } from '@jest/globals';
import { audit, EvidenceError, verifyEvidence, type Event, type KnownQuestion } from '#consumer';
import { evidenceFile, vectorNamed } from '../evidence/evidence-vectors.ts';
import { event } from './support/events.ts';

const { baseUrl, keys } = evidenceFile;
const { confirmation, asked } = vectorNamed('a confirmation with details, of a verified user');
const { tenantId, status: _status, ...members } = confirmation;

/** As tenants with the setting `evidenceInEvents` get it. */
const eventWith = (changes: object = {}, metadata: object = {}): Event =>
  event('aggregate-1', {
    metadata: {
      type: 'PushNotificationConfirmedEvent',
      payloadVersion: '1.1',
      occurredTime: '2026-03-02T10:00:08.000Z',
      tenantId,
      ...metadata,
    },
    payload: { ...members, ...changes },
  });

const codeOf = async (one: Event, known: KnownQuestion = {}): Promise<string> =>
  await verifyEvidence(one, { keys, baseUrl, ...known }).then(
    ({ decision }) => decision,
    (error: unknown) => {
      if (error instanceof EvidenceError) return error.code;
      throw error;
    },
  );

test('the evidence in an event proves the decision alone, and is compared with what is known of the question', async () => {
  expect(await codeOf(eventWith())).toBe('confirm');
  const { nonce, message, details } = asked;
  expect(await codeOf(eventWith(), { nonce, message, details: details ?? [] })).toBe('confirm');
});

test.each<[string, KnownQuestion]>([
  ['messageHash', { message: 'Pay 1600 €?' }],
  ['detailsHash', { message: asked.message }],
  ['challengeId', { nonce: 'another-nonce-0123456789' }],
  ['sub', { userId: 'bert@shop' }],
  ['tid', { tenantId: 'another' }],
  ['unknown-key', { knownKeys: [] }],
  ['purpose', { purpose: 'add-device' }],
])('the evidence in an event is refused (%s) if known was %j', async (code, known) => {
  expect(await codeOf(eventWith(), known)).toBe(code);
});

test.each<[string, object]>([
  ['challengeId', { challengeId: 'x' }],
  ['messageHash', { messageHash: 'x' }],
  ['detailsHash', { detailsHash: undefined }],
  ['sub', { userId: 'bert@shop' }],
  ['kid', { deviceId: 'another' }],
  ['user-verified', { userVerified: false }],
  ['missing', { receipt: undefined }],
  ['status', { evidence: 7 }],
])('the evidence in an event is refused (%s) if the event has %j', async (code, changes) => {
  expect(await codeOf(eventWith(changes))).toBe(code);
});

test('evidence exists only for confirmations and denials', async () => {
  expect(await codeOf(eventWith({}, { type: 'PushNotificationDeniedEvent' }))).toBe('decision');
  expect(await codeOf(eventWith({}, { type: 'PushNotificationExpiredEvent' }))).toBe('status');
  expect(await codeOf(eventWith({}, { type: 'toString' }))).toBe('status');
});

describe('the audit', () => {
  const removal = (occurredTime: string): Event =>
    eventWith({}, { type: 'UserDeviceDeregisteredEvent', occurredTime });
  const prove = async (...events: Event[]) =>
    await audit({
      confirmation: eventWith(),
      message: asked.message,
      details: JSON.stringify(asked.details),
      keys,
      events: [eventWith(), ...events],
    });

  test('shows by exported events that the device was not removed earlier', async () => {
    expect(await prove(removal('2026-03-02T10:00:08.001Z'))).toMatchObject({ proved: true });
    for (const time of ['2026-03-02T10:00:08Z', '2026-03-01T10:00:00Z', 'no time'])
      expect(await prove(removal(time))).toMatchObject({ failure: { code: 'removed-before' } });
  });
});
