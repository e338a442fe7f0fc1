import { writeContext, type Purpose } from '../../../core/confirmations/context.ts';
import { plainContext } from '../../support/plain-context.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Confirmation, Transition } from '../../../core/confirmations/confirmation.ts';
import { thumbprintOf, type Device } from '../../../core/devices/device.ts';
import { fromStoredJws } from '../../../core/devices/protocol/stored-jws.ts';
import type { Authorization } from '../../../core/enrolment/device-changes.ts';
import { eventOf, type StateChange } from '../../../core/events/event.ts';
import { challengeIdOf, messageHashOf, sha256 } from '../../../core/kernel/identifiers.ts';
import {
  type Answer,
  confirmationEnded,
  confirmationSent,
} from '../../../core/confirmations/confirmation-events.ts';
import {
  type Group,
  groupTransitions,
  type GroupTransition,
} from '../../../core/confirmations/groups/group.ts';
import { groupEnded, groupRequested } from '../../../core/confirmations/groups/group-events.ts';
import { deviceDeregistered, deviceRegistered } from '../../../core/enrolment/device-events.ts';
import { ownLogTypes, ownPublicTypes } from '../../../core/events/own-events.ts';
import { reservedTypes } from '../../../core/events/catalogue.ts';
import { isPublishedEvent } from '../../support/published-schemas.ts';
import { anyReceipt } from '../../support/receipts.ts';

const now = Date.UTC(2026, 2, 1);
const tenantId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const user = { tenantId, userId: 'alice', deviceId: 'phone' };
const [message, nonce, pushToken] = ['Pay 12.50 EUR?', 'M3n7Qx1pVt0aZ8kL', 'token-of-the-phone'];

const device: Device = {
  ...user,
  name: 'Phone',
  platform: 'apns',
  status: 'active',
  enrolledAt: now,
  key: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
  receipt: anyReceipt,
  pushToken,
  endpointArn: 'arn:aws:sns:endpoint',
};
const confirmation: Confirmation = {
  ...user,
  challengeId: challengeIdOf(tenantId, nonce),
  clientId: 'website',
  nonce,
  message,
  messageHash: messageHashOf(message),
  ...plainContext,
  expiresIn: 120,
  status: 'pending',
  delivery: 'sent',
  createdAt: now,
  expiresAt: now + 120_000,
  attemptId: 'attempt',
};

const reasons: Record<Transition, Confirmation['reason'][]> = {
  confirm: [undefined],
  deny: ['user_declined', 'not_me'],
  fail: ['wrong_number', 'too_many_bad_responses'],
  cancel: ['device_removed', 'withdrawn', 'group_decided'],
  expire: [undefined],
};

const authorizations: Authorization[] = [
  { by: 'recovery' },
  { by: 'confirmation', challengeId: confirmation.challengeId, deviceId: 'tablet' },
];

const detailsText = '[{"type":"payment","to":"Café Zoë"}]';
const detailed: Confirmation = { ...confirmation, details: detailsText, detailsHash: sha256(detailsText) };

const withPurpose = (of: Confirmation, purpose: Purpose): Confirmation => ({
  ...of,
  ...writeContext({ purpose, userVerification: 'off' }),
});

/** Of a tenant that wants the evidence in its events. */
const evident: Confirmation = { ...confirmation, evidenceInEvents: true };
const key = { kty: 'EC', crv: 'P-256', x: sha256('x'), y: sha256('y') } as const;
const answer: Answer = { evidence: 'e30.e30.c2ln', deviceKey: key, receipt: anyReceipt };
const verified: Answer = { ...answer, userVerified: true, passkeyKey: key };

const ends = (of: Confirmation): StateChange[] =>
  Object.entries(reasons).flatMap(([transition, its]) =>
    its.map((reason) => confirmationEnded(of, transition as Transition, { reason })),
  );

const group: Group = {
  ...{ tenantId, clientId: 'website', nonce, members: ['alice', 'boris', 'carla'], required: 2 },
  groupId: sha256('group'),
  ...{ confirmedBy: ['alice'], lostBy: ['boris'], messageHash: messageHashOf(message) },
  ...{ status: 'pending', createdAt: now, expiresAt: now + 120_000, attemptId: 'attempt' },
};
const { deviceId: _deviceId, ...unasked } = confirmation;
const vote: Confirmation = { ...unasked, groupId: group.groupId, asked: ['phone', 'tablet'] };

const changes: StateChange[] = [
  deviceRegistered(device, 'website'),
  deviceDeregistered(device, 'website'),
  deviceDeregistered(device),
  ...authorizations.flatMap((authorization) => [
    deviceRegistered(device, 'website', authorization),
    deviceDeregistered(device, 'website', authorization),
  ]),
  confirmationSent(confirmation),
  confirmationSent(withPurpose(confirmation, 'add-device')),
  ...ends(confirmation),
  confirmationEnded(confirmation, 'confirm', { answer: verified }),
  confirmationEnded(confirmation, 'deny', { reason: 'not_me', answer: verified }),
  confirmationSent(detailed),
  confirmationSent(withPurpose(detailed, 'remove-device')),
  ...ends(detailed),
  confirmationEnded(detailed, 'confirm', { answer: verified }),
  confirmationEnded(detailed, 'deny', { reason: 'not_me', answer: verified }),
  confirmationEnded(evident, 'confirm', { answer }),
  confirmationEnded(evident, 'deny', { reason: 'not_me', answer: verified }),
  ...ends(evident),
  groupRequested(group),
  groupRequested({ ...group, detailsHash: sha256(detailsText) }),
  ...Object.keys(groupTransitions).map((transition) => groupEnded(group, transition as GroupTransition)),
  confirmationSent(vote),
  confirmationEnded(vote, 'cancel', { reason: 'group_decided' }),
  confirmationEnded({ ...unasked, groupId: group.groupId }, 'fail', { reason: 'not_reachable' }),
];

const events = changes.map(
  (change) =>
    eventOf(
      change,
      { now, origin: { traceId: 'trace', hostIp: '2001:db8::1' } },
      { instanceId: 'send-to-user', version: '1.2.3' },
    ).event,
);

test.each(events)(
  '$metadata.type with $payload matches its published schema, and contains no secret',
  (event) => {
    expect(isPublishedEvent(event)).toBe(true);
    const text = JSON.stringify(event);
    for (const secret of [message, nonce, pushToken, 'Café Zoë']) expect(text).not.toContain(secret);
  },
);

test('every type of the service is reserved', () => {
  expect(new Set(events.map(({ metadata }) => metadata.type))).toEqual(new Set(ownPublicTypes));
  expect(new Set(reservedTypes)).toEqual(new Set([...ownPublicTypes, ...ownLogTypes]));
});

/** The sources of what runs in the cloud, and of the operator's commands. */
const sources = ['cli', 'core', 'lambdas'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name: join(folder, name), text: readFileSync(join(folder, name), 'utf8') })),
);

test('no source makes an event of an unreserved type, or as another producer', () => {
  const made = sources.flatMap(({ text }) =>
    [...text.matchAll(/\b(?:type|event): '([A-Z]\w*Event)'/g)].map(([, type]) => type),
  );
  expect(made).toContain('UserErasedEvent');
  for (const type of made) expect(reservedTypes).toContain(type);
  const producers = sources.filter(({ text }) => /\bproducerId: (?!string|\{)/.test(text));
  // The smoke test records from outside, as a service of the platform does.
  const own = producers.map(({ name }) => name).filter((name) => !name.startsWith('cli/smoke/'));
  // A test event is nobody's.
  expect(own).toEqual(['core/events/event.ts', 'core/events/sample-event.ts']);
});

const receipt = fromStoredJws(anyReceipt);
const hash = { detailsHash: sha256(detailsText) };

const { evidence, deviceKey } = answer;
const proof = { evidence, deviceKey, receipt, context: confirmation.context };

test('events have evidence, context and receipt only if the tenant wants them and there was an answer', () => {
  const evidents = events.filter(({ payload }) => 'evidence' in payload);
  expect(evidents.map(({ metadata }) => metadata.type)).toEqual([
    'PushNotificationConfirmedEvent',
    'PushNotificationDeniedEvent',
  ]);
  for (const { payload } of evidents) expect(payload).toMatchObject(proof);
  expect(events.filter(({ payload }) => 'context' in payload || 'passkeyKey' in payload)).toHaveLength(2);
});

test('a payload has the lowest version that allows it', () => {
  const higher = events.filter(({ metadata }) => metadata.payloadVersion !== '1.0');
  expect(higher.map(({ metadata, payload }) => [metadata.payloadVersion, payload])).toEqual([
    ['1.1', expect.objectContaining({ jkt: thumbprintOf(device.key), receipt })],
    ...Array.from({ length: 2 }, () => ['1.1', expect.objectContaining({ jkt: thumbprintOf(device.key) })]),
    ...['recovery', 'recovery', 'confirmation', 'confirmation'].map((authorizedBy) => [
      '1.1',
      expect.objectContaining({ jkt: thumbprintOf(device.key), authorizedBy }),
    ]),
    ['1.1', expect.objectContaining({ purpose: 'add-device' })],
    ['1.1', expect.objectContaining({ reason: 'withdrawn' })],
    ['1.1', expect.objectContaining({ reason: 'group_decided' })],
    ['1.1', expect.objectContaining({ userVerified: true })],
    ['1.1', expect.objectContaining({ userVerified: true, reason: 'not_me' })],
    ['1.1', expect.objectContaining(hash)],
    ['1.1', expect.objectContaining({ ...hash, purpose: 'remove-device' })],
    ['1.1', expect.objectContaining({ ...hash, userVerified: false })],
    ['1.1', expect.objectContaining({ ...hash, userVerified: false, reason: 'user_declined' })],
    ['1.1', expect.objectContaining({ ...hash, userVerified: false, reason: 'not_me' })],
    ['1.1', expect.objectContaining({ ...hash, reason: 'wrong_number' })],
    ['1.1', expect.objectContaining({ ...hash, reason: 'too_many_bad_responses' })],
    ['1.1', expect.objectContaining({ ...hash, reason: 'device_removed' })],
    ['1.1', expect.objectContaining({ ...hash, reason: 'withdrawn' })],
    ['1.1', expect.objectContaining({ ...hash, reason: 'group_decided' })],
    ['1.1', expect.objectContaining(hash)],
    ['1.1', expect.objectContaining({ ...hash, userVerified: true })],
    ['1.1', expect.objectContaining({ ...hash, userVerified: true, reason: 'not_me' })],
    ['1.1', expect.objectContaining({ ...proof, userVerified: false })],
    ['1.1', expect.objectContaining({ ...proof, passkeyKey: key, userVerified: true })],
    ['1.1', expect.objectContaining({ reason: 'withdrawn' })],
    ['1.1', expect.objectContaining({ reason: 'group_decided' })],
    ['1.1', expect.objectContaining({ groupId: group.groupId, deviceIds: ['phone', 'tablet'] })],
    ['1.1', expect.objectContaining({ reason: 'group_decided', deviceIds: ['phone', 'tablet'] })],
    ['1.1', expect.objectContaining({ reason: 'not_reachable' })],
  ]);
  for (const event of higher) {
    const lower = { ...event, metadata: { ...event.metadata, payloadVersion: '1.0' } };
    expect(isPublishedEvent(lower)).toBe(false);
  }
});
