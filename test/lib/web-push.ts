import { describe, expect, test } from '@jest/globals';
import { severalSettings } from './settings.ts';
import { environmentsOf, synthesize } from './synthesize.ts';

describe('the hosts of push services', () => {
  /** Lambdas that accept subscriptions, or push to them. */
  const users = [
    ...[
      'enrol-device',
      'refresh-push-token',
      'send-to-device',
      'send-to-user',
      'bc-authorize',
      'request-group',
    ],
    ...['answer-challenge', 'remove-device', 'unregister-device'],
    ...['staff-check-caller', 'staff-remove-device', 'staff-allow-recovery'],
  ];

  test('reach the Lambdas that accept subscriptions or push if a stage adds them', () => {
    for (const [name, environment] of environmentsOf(synthesize('dev', severalSettings)))
      expect([name, environment['WEB_PUSH_HOSTS']]).toEqual([
        name,
        users.includes(name) ? 'push.example.com,*.push.example.org' : undefined,
      ]);
  });

  test.each([
    '*',
    '*.com',
    'localhost',
    '127.0.0.1',
    '10.0.0.1',
    'a,b.com',
    'https://push.example.com',
    'x.com/y',
    'X.com',
  ])('cannot include %s', (host) => {
    expect(() => synthesize('dev', { webPush: { allowedHosts: [host] } })).toThrow('webPush.allowedHosts');
  });
});
