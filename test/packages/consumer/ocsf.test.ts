/** Every event of the service in the form of OCSF, checked by OCSF's own schema. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { OCSF_VERSION, toOcsf, type Event } from '#consumer';
import { ownLogTypes } from '../../../core/events/own-events.ts';
import { secondKeyOf } from '../../../packages/device/vectors/generator/second-key.ts';
import { currentCatalogue, readSchema } from '../../../core/events/schemas/published.ts';
import {
  claims,
  confirmation,
  deviceId,
  otherKeys,
  publicJwk,
  signJws,
  type Signed,
} from '../website/support/evidence.ts';
import { captionsOf, faultsOf, schema } from './ocsf/published-schema.ts';
import { event } from './support/events.ts';

type Published = { type: string; version: string; payload: object };

/** The examples in the published schemas: at least one for each type and version. */
const published: Published[] = currentCatalogue().payloads.flatMap(({ name, version, schema: file }) => {
  const { examples = [] } = readSchema(file) as { examples?: object[] };
  return examples.map((payload) => ({ type: name, version, payload }));
});

const publicEvent = ({ type, version, payload }: Published, agent?: string): Event =>
  event('aggregate-1', {
    metadata: {
      type,
      payloadVersion: version,
      hostIp: '203.0.113.7',
      producerVersion: '0.1.0',
      tags: ['CREDENTIAL_VERIFICATION'],
      traceId: 'trace-1',
      ...(agent !== undefined && { agent }),
    },
    payload,
  });

const logEvent = (type: string, payload: unknown, metadata: Partial<Event['metadata']> = {}): Event => {
  const own = { category: 'log', type, description: 'What happened', agent: 'alice', ...metadata };
  const all = Object.entries({ ...event('a').metadata, ...own });
  const fields = all.filter(([field]) => field !== 'aggregateId' && field !== 'payloadVersion');
  return {
    metadata: Object.fromEntries(fields) as Event['metadata'],
    ...(payload !== undefined && { payload }),
  };
};

const byOperator = { producerId: 'omi', agent: 'operator' };

describe('the schema accepts', () => {
  test.each(published.map((one) => [`${one.type} ${one.version}`, one] as const))(
    'the event %s',
    (_, one) => {
      for (const agent of [undefined, 'alice', 'help-desk'])
        expect(faultsOf(toOcsf(publicEvent(one, agent)))).toEqual([]);
    },
  );

  test.each(ownLogTypes)('the own log event %s', (type) => {
    const payload = { userId: 'alice', tenantId: 'tenant-1', devices: 2 };
    const ocsf = toOcsf(logEvent(type, payload, { ...byOperator, hostIp: '2001:db8::7' }));
    expect(faultsOf(ocsf)).toEqual([]);
    expect(ocsf.class_uid).not.toBe(0);
  });

  test.each([[{ attempt: 2 }], [null], [['a', 1]], ['text'], [undefined]])(
    'a log entry with %j',
    (payload) => {
      for (const hostIp of ['203.0.113.7', '2001:db8::7', undefined]) {
        const ocsf = toOcsf(
          logEvent('PasswordRefusedEvent', payload, hostIp === undefined ? {} : { hostIp }),
        );
        expect(faultsOf(ocsf)).toEqual([]);
        expect(ocsf).toMatchObject({ class_uid: 0, message: 'What happened' });
        expect(ocsf.unmapped['payload']).toEqual(payload);
      }
    },
  );

  test('the exported examples', () => {
    const { events } = JSON.parse(readFileSync('docs/examples/exported/public.json', 'utf8')) as {
      events: Event[];
    };
    expect(events.map((one) => faultsOf(toOcsf(one)))).toEqual([[], [], []]);
  });
});

describe('the schema', () => {
  const [example] = published;
  if (!example) throw new Error('There should be an example');
  const valid = toOcsf(publicEvent(example));
  test.each<[string, object]>([
    ['an attribute that it does not have', { ...valid, colour: 'red' }],
    ['a missing attribute', { ...valid, metadata: undefined }],
    ['another type of value', { ...valid, time: '2026' }],
    ['an activity of another class', { ...valid, activity_id: 42 }],
    ['a type that is not the class’s', { ...valid, type_uid: 1 }],
    ['another class', { ...valid, class_uid: 1001 }],
    ['an endpoint without anything to name it', { ...valid, src_endpoint: {} }],
    ['an invalid address', { ...valid, src_endpoint: { ip: 'nowhere' } }],
  ])('rejects %s', (_, broken) => {
    expect(faultsOf(JSON.parse(JSON.stringify(broken)) as object)).not.toEqual([]);
  });

  test('is that of the named commit, with its license and origin', () => {
    expect(JSON.stringify(schema)).toMatch(/ocsf\/ocsf-schema at [0-9a-f]{40}/);
    expect(readFileSync('test/packages/consumer/ocsf/LICENSE', 'utf8')).toContain('Apache License');
  });
});

describe('the mapping', () => {
  const find = (type: string, version = '1.0'): Published => {
    const found = published.find((one) => one.type === type && one.version === version);
    if (!found) throw new Error(`There is no example of ${type} ${version}`);
    return found;
  };

  test('rates the denial of a request that the user did not make as severe', () => {
    const denied = find('PushNotificationDeniedEvent');
    const of = (reason: string) => toOcsf(publicEvent({ ...denied, payload: { ...denied.payload, reason } }));
    expect(of('not_me')).toMatchObject({ severity: 'High', status: 'Failure', status_detail: 'not_me' });
    expect(of('user_declined')).toMatchObject({ severity: 'Low', status_code: 'denied' });
  });

  test('reports two factors for a verified user', () => {
    const factors = (version: string) =>
      toOcsf(publicEvent(find('PushNotificationConfirmedEvent', version))).auth_factors?.map(
        ({ factor_type }) => factor_type,
      );
    expect(factors('1.0')).toEqual(['Push Notification']);
    expect(factors('1.1')).toEqual(['Push Notification', 'WebAuthn']);
  });

  test('sets classes and activities', () => {
    const table = published.map((one) => {
      const { class_uid, activity_name, status } = toOcsf(publicEvent(one));
      return [one.type, class_uid, activity_name, status].join(' ');
    });
    expect([...new Set(table)].sort()).toEqual([
      'ConfirmationGroupApprovedEvent 0 ConfirmationGroupApprovedEvent ',
      'ConfirmationGroupCancelledEvent 0 ConfirmationGroupCancelledEvent ',
      'ConfirmationGroupDeniedEvent 0 ConfirmationGroupDeniedEvent ',
      'ConfirmationGroupExpiredEvent 0 ConfirmationGroupExpiredEvent ',
      'ConfirmationGroupRequestedEvent 0 ConfirmationGroupRequestedEvent ',
      'PushNotificationCancelledEvent 3002 Step-up Completed Cancelled',
      'PushNotificationConfirmedEvent 3002 Step-up Completed Success',
      'PushNotificationDeniedEvent 3002 Step-up Completed Failure',
      'PushNotificationExpiredEvent 3002 Step-up Completed Failure',
      'PushNotificationFailedEvent 3002 Step-up Completed Failure',
      'PushNotificationSentEvent 3002 Step-up Requested ',
      'UserBlockedEvent 3007 Lock Success',
      'UserCreatedEvent 3007 Create Success',
      'UserDeviceDeregisteredEvent 3004 Unenroll Success',
      'UserDeviceRegisteredEvent 3004 Enroll Success',
      'UserSignedInEvent 3002 Logon Success',
    ]);
  });

  test('names ids as in the schema', () => {
    const pairs = { activity_id: 'activity_name', severity_id: 'severity', status_id: 'status' } as const;
    const captions = new Set(Object.values(schema.$defs).map(({ title }) => title));
    for (const one of published) {
      const ocsf = toOcsf(publicEvent(one));
      expect(captions).toContain(ocsf.class_name);
      for (const [id, name] of Object.entries(pairs) as [keyof typeof pairs, 'status'][]) {
        // 99 is any other one, which has a name of its own.
        const value = ocsf[id] ?? 99;
        if (value !== 99) expect(ocsf[name]).toBe(captionsOf(ocsf.class_uid, id)[value]);
      }
    }
  });

  test('keeps each text of an event', () => {
    const textsOf = (value: unknown): string[] =>
      typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [String(value)];
    for (const one of published) {
      const whole = publicEvent(one, 'somebody');
      const told = new Set(textsOf(toOcsf(whole)));
      const spelled = new Set([...told, ...[...told].flatMap((text) => text.split(': '))]);
      const lost = textsOf(whole).filter((text) => !spelled.has(text));
      expect(lost).toEqual([]);
    }
  });

  test('sets time, offset, tenant and origin', () => {
    const ocsf = toOcsf(
      event('a', { metadata: { occurredTime: '2026-03-01T05:00:01.5-04:30', hostIp: '203.0.113.7' } }),
    );
    expect(ocsf).toMatchObject({
      time: Date.UTC(2026, 2, 1, 9, 30, 1, 500),
      timezone_offset: -270,
      src_endpoint: { ip: '203.0.113.7' },
      metadata: { version: OCSF_VERSION, original_time: '2026-03-01T05:00:01.5-04:30', log_name: 'public' },
    });
  });

  test.each([
    ['an unknown type', { type: 'UserRenamedEvent' }],
    ['the name of a member that every object has', { type: 'constructor' }],
    ['a later major version', { payloadVersion: '2.0' }],
    ['later metadata', { metadataVersion: '2.0' }],
  ])('keeps %s as a base event', (_, metadata) => {
    const ocsf = toOcsf(event('a', { metadata }));
    expect(ocsf).toMatchObject({ class_uid: 0, unmapped: { payload: { userId: 'a' } } });
    expect(faultsOf(ocsf)).toEqual([]);
  });

  test("keeps a log entry that only resembles an operator's as a base event", () => {
    const forged = logEvent('UserErasedEvent', { userId: 'alice' }, { producerId: 'identity' });
    expect(toOcsf(forged).class_uid).toBe(0);
  });
});

describe('evidence', () => {
  const answered = (type: string, more: object = {}): Event =>
    event(claims.challengeId, {
      metadata: { type },
      payload: {
        userId: claims.sub,
        deviceId,
        challengeId: claims.challengeId,
        messageHash: claims.messageHash,
        ...more,
      },
    });
  const evidenceOf = (signed: Signed = {}) => {
    const { deviceKey } = confirmation();
    if (!deviceKey) throw new Error('There should be a key');
    return { evidence: signJws(signed), deviceKey };
  };
  const secondKeyFor = ({ evidence, deviceKey }: ReturnType<typeof evidenceOf>) => ({
    evidence,
    deviceKey: secondKeyOf(evidence, deviceKey),
  });
  const confirmed = answered('PushNotificationConfirmedEvent');

  test('becomes an attestation of the profile record_integrity', () => {
    const evidence = evidenceOf();
    const ocsf = toOcsf(confirmed, { evidence });
    expect(faultsOf(ocsf)).toEqual([]);
    expect(ocsf).toMatchObject({
      metadata: { profiles: ['record_integrity'] },
      attestation_list: [{ uid: claims.challengeId, authority_uid: deviceId }],
      unmapped: evidence,
    });
    expect(toOcsf(confirmed).attestation_list).toBeUndefined();
  });

  test('becomes an attestation also for a denial', () => {
    const evidence = evidenceOf({ claims: { ...claims, decision: 'deny' } });
    const denied = answered('PushNotificationDeniedEvent', { reason: 'user_declined' });
    expect(faultsOf(toOcsf(denied, { evidence }))).toEqual([]);
  });

  test.each<[string, Event, () => { evidence: string; deviceKey: never }]>(
    (
      [
        ['another key', confirmed, () => evidenceOf({ key: otherKeys.privateKey })],
        ['a second key that verifies the signature', confirmed, () => secondKeyFor(evidenceOf())],
        ['an invalid key', confirmed, () => ({ ...evidenceOf(), deviceKey: { kty: 'EC' } })],
        ['another challenge', confirmed, () => evidenceOf({ claims: { ...claims, challengeId: 'other' } })],
        ['another message', confirmed, () => evidenceOf({ claims: { ...claims, messageHash: 'other' } })],
        ['another device', confirmed, () => evidenceOf({ claims: { ...claims, iss: 'other' } })],
        ['another decision', confirmed, () => evidenceOf({ claims: { ...claims, decision: 'deny' } })],
        ['an invalid JWS', confirmed, () => ({ ...evidenceOf(), evidence: 'no JWS' })],
        ['claims that are not JSON', confirmed, () => evidenceOf({ claims: '{' })],
        ['an event without an answer', answered('PushNotificationSentEvent'), () => evidenceOf()],
        ['an event of another kind', event('a'), () => evidenceOf()],
      ] as const
    ).map(([name, one, evidence]) => [name, one, evidence as () => never]),
  )('is refused with %s', (_, one, evidence) => {
    expect(() => toOcsf(one, { evidence: evidence() })).toThrow(/^evidence-mismatch: /);
  });

  test('is refused if it was signed by another key than it names', () => {
    const evidence = { ...evidenceOf(), deviceKey: publicJwk(otherKeys.publicKey) };
    expect(() => toOcsf(confirmed, { evidence })).toThrow('evidence-mismatch');
  });
});
