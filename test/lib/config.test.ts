import { App } from 'aws-cdk-lib';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../lib/config.ts';
import { configOf } from './synthesize.ts';

describe('the stage', () => {
  test('is dev unless -c stage= says otherwise', () => {
    const stages = { dev: { appLink: 'https://app.example.com' } };
    expect(readConfig(new App({ context: { stages } })).stage).toBe('dev');
    expect(configOf('production').stage).toBe('production');
  });

  test('must be known: a misspelt one would make a second stack beside the real one', () => {
    expect(() => configOf('prod')).toThrow('Unknown stage "prod": expected one of dev, staging, production.');
  });

  test('must have its values in cdk.json', () => {
    const context = { stage: 'staging', stages: { dev: { appLink: 'https://app.example.com' } } };
    expect(() => readConfig(new App({ context }))).toThrow(/Stage staging: .*cdk\.json/);
    expect(() => readConfig(new App())).toThrow(/context\.stages/);
  });
});

describe('values', () => {
  test('only production keeps its data by default', () => {
    expect(configOf('dev').data).toEqual({ retain: false, customerManagedKey: false });
    expect(configOf('staging').data.retain).toBe(false);
    expect(configOf('production').data.retain).toBe(true);
  });

  test('what a stage sets replaces the default, and leaves its neighbours', () => {
    const { data, api } = configOf('production', {
      data: { customerManagedKey: true },
      api: { corsOrigins: ['https://www.example.com'] },
    });
    expect(data).toEqual({ retain: true, customerManagedKey: true });
    expect(api.throttle).toEqual({ rate: 1000, burst: 2000 });
  });

  test.each([
    [
      'a misspelt setting names those there are',
      { appLinks: 'x' },
      /appLinks: unknown setting; expected one of appLink, data/,
    ],
    [
      'a misspelt setting further in',
      { data: { keep: true } },
      /data\.keep: unknown setting; expected one of retain/,
    ],
    ['a link without TLS', { appLink: 'http://app.example.com' }, /appLink: expected an https URL/],
    ['a link with a slash at its end', { appLink: 'https://app.example.com/' }, /without a slash/],
    [
      'a kind of issuer that there is not',
      { identity: { kind: 'saml' } },
      /identity\.kind: .*"cognito" \| "oidc"/,
    ],
    [
      'an issuer without TLS',
      { identity: { kind: 'oidc', issuer: 'http://id.example.com' } },
      /identity\.issuer/,
    ],
    ['every origin', { api: { corsOrigins: ['*'] } }, /api\.corsOrigins\.0: expected an origin/],
    ['a retention that CloudWatch has not', { logRetentionDays: 8 }, /logRetentionDays: .*7 \| 14/],
    [
      'a limit of a route that there is not',
      { api: { routeThrottles: { 'GET /x': { rate: 1, burst: 1 } } } },
      /GET \/x/,
    ],
    [
      'credentials in place of the secret that holds them',
      { push: { fcm: { key: 'x' } } },
      /push\.fcm\.secretName/,
    ],
  ])('refused: %s', (_, settings, message) => {
    expect(() => configOf('dev', settings)).toThrow(message);
  });

  test('all faults are told at once', () => {
    expect(() => configOf('dev', { appLink: 'x', logRetentionDays: 8 })).toThrow(
      /appLink: .*; logRetentionDays: /,
    );
  });
});
