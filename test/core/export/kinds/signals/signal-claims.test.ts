import { describe, expect, test } from '@jest/globals';
import { isSignal, signalTypes, sourcesOf } from '../../../../../core/events/signal-events.ts';
import { signalClaims, verificationEvent } from '../../../../../core/export/kinds/signals/signal-claims.ts';

const issuer = 'https://omi.example.org';
const place = { streamId: '0193ab52-7a10-4c1e-8f3d-2b6a9c0e4d71', audience: 'receiver' };
const now = Date.parse('2026-03-02T10:00:00.900Z');

const event = (type: string, payload: object = {}, more: object = {}): string =>
  JSON.stringify({
    metadata: { eventId: 'e-1', occurredTime: '2026-03-02T09:59:58.500Z', traceId: 't-1', type, ...more },
    payload: { userId: 'anna@shop', ...payload },
  });

const claimsOf = (text: string) => signalClaims(text, place, issuer, now);

describe('the claims of a signal', () => {
  test('name the user by the base URL, and the event by its id', () => {
    expect(claimsOf(event('UserDeviceRegisteredEvent', { clientId: 'shop' }))).toEqual({
      iss: issuer,
      jti: 'e-1',
      iat: 1_772_445_600,
      aud: 'receiver',
      txn: 't-1',
      sub_id: { format: 'iss_sub', iss: issuer, sub: 'anna@shop' },
      events: {
        'https://schemas.openid.net/secevent/caep/event-type/credential-change': {
          credential_type: 'app',
          change_type: 'create',
          initiating_entity: 'system',
          reason_admin: { en: 'The user enrolled a device.' },
          event_timestamp: 1_772_445_598,
        },
      },
    });
  });

  test.each([
    ['the user, in the app', {}, 'unregister-device', 'user'],
    ['a website', { clientId: 'shop' }, 'remove-device', 'system'],
    ['the help desk', { clientId: 'omi-help-desk' }, 'staff-remove-device', 'admin'],
    ['the operator', {}, 'omi-cli', 'admin'],
  ])('say that %s removed a device', (_, payload, producerInstanceId, entity) => {
    const [of] = Object.values(
      claimsOf(event('UserDeviceDeregisteredEvent', payload, { producerInstanceId }))['events'] as Record<
        string,
        unknown
      >,
    );
    expect(of).toMatchObject({ change_type: 'delete', initiating_entity: entity });
  });

  test('say that the risk of a user who reported a request is high', () => {
    expect(claimsOf(event('PushNotificationDeniedEvent', { reason: 'not_me' }))['events']).toMatchObject({
      'https://schemas.openid.net/secevent/caep/event-type/risk-level-change': {
        principal: 'USER',
        current_level: 'HIGH',
      },
    });
  });

  test('a verification names the stream, with the state if there is one', () => {
    const type = 'https://schemas.openid.net/secevent/ssf/event-type/verification';
    const occurred = '2026-03-02T09:59:58.500Z';
    expect(claimsOf(verificationEvent('v-1', 'a state', occurred))).toMatchObject({
      jti: 'v-1',
      sub_id: { format: 'opaque', id: place.streamId },
      events: { [type]: { state: 'a state' } },
    });
    expect(claimsOf(verificationEvent('v-2', undefined, occurred))['events']).toEqual({ [type]: {} });
  });

  test('have no device, key, receipt or client, whatever the event has', () => {
    const text = event('UserDeviceRegisteredEvent', {
      ...{ clientId: 'shop-client', deviceId: 'device-1', jkt: 'thumbprint', receipt: 'a.b.c' },
    });
    for (const kept of ['shop-client', 'device-1', 'thumbprint', 'a.b.c'])
      expect(JSON.stringify(claimsOf(text))).not.toContain(kept);
  });

  test('cannot be made of an event that is no signal', () => {
    expect(() => claimsOf(event('UserBlockedEvent'))).toThrow('There is no signal for UserBlockedEvent.');
  });

  test('can be made of each event that is a source of signals', () => {
    for (const type of sourcesOf(signalTypes)) expect(claimsOf(event(type))['events']).toBeDefined();
  });
});

describe('signals', () => {
  test.each([
    ['UserDeviceRegisteredEvent', {}, true],
    ['UserDeviceDeregisteredEvent', {}, true],
    ['PushNotificationDeniedEvent', { reason: 'not_me' }, true],
    ['PushNotificationDeniedEvent', { reason: 'user_declined' }, false],
    ['PushNotificationDeniedEvent', {}, false],
    ['PushNotificationConfirmedEvent', { reason: 'not_me' }, false],
    ['UserBlockedEvent', {}, false],
  ])('%s with %j: %s', (type, payload, expected) => {
    expect(isSignal({ type, event: event(type, payload) })).toBe(expected);
  });
});
