import { describe, expect, test } from '@jest/globals';
import { severalSettings } from './settings.ts';
import { environmentsOf, resourcesOf, synthesize } from './synthesize.ts';
import { statementsFor } from './policies.ts';

const production = synthesize('production');
const dev = synthesize('dev');

describe('the VAPID key', () => {
  test.each([
    ['production', production, 'Retain'],
    ['dev', dev, 'Delete'],
  ])(
    'is a secret in %s without a value in the template, and no update replaces it',
    (_, template, deleted) => {
      const [[, secret] = ['', undefined], ...others] = resourcesOf(template, 'AWS::SecretsManager::Secret');
      expect(others).toEqual([]);
      expect(secret).toMatchObject({ UpdateReplacePolicy: 'Retain', DeletionPolicy: deleted });
      expect(Object.keys(secret?.Properties ?? {}).sort()).toEqual(['Description', 'Tags']);
    },
  );

  test('reaches the Lambda that answers the settings with its public half', () => {
    const [[maker, { Properties }] = ['', { Properties: {} }]] = resourcesOf(
      production,
      'Custom::WebPushKey',
    );
    expect(Object.keys(Properties).sort()).toEqual([
      'ServiceTimeout',
      'ServiceToken',
      'revision',
      'secretArn',
    ]);
    const { WEB_PUSH_PUBLIC_KEY } = environmentsOf(production).get('device-settings') ?? {};
    expect(WEB_PUSH_PUBLIC_KEY).toEqual({ 'Fn::GetAtt': [maker, 'publicKey'] });
  });

  test('cannot be read by the Lambda that answers the settings', () => {
    expect(JSON.stringify(statementsFor('device-settings', production))).not.toContain('secretsmanager');
  });
});

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

  test('are those of the browsers, unless the stage adds some', () => {
    for (const environment of environmentsOf(production).values())
      expect(environment).not.toHaveProperty('WEB_PUSH_HOSTS');
  });

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
