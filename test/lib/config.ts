import { describe, expect, test } from '@jest/globals';
import { behindCloudFront } from './settings.ts';
import { configIn, configOf, newApp } from './synthesize.ts';

describe('the stage', () => {
  test('is dev by default; -c stage= names another', () => {
    const stages = { dev: {} };
    expect(configIn(newApp({ stages })).stage).toBe('dev');
    expect(configOf('production').stage).toBe('production');
  });

  test('must be known, because a misspelt name would create a second stack', () => {
    expect(() => configOf('prod')).toThrow('Unknown stage "prod": expected one of dev, staging, production.');
  });

  test('must have settings in cdk.json', () => {
    const context = { stage: 'staging', stages: { dev: {} } };
    expect(() => configIn(newApp(context))).toThrow(/Stage staging: .*cdk\.json/);
    expect(() => configIn(newApp({}))).toThrow(/context\.stages/);
  });
});

describe('the retention of data', () => {
  test('only production keeps its data by default', () => {
    expect(configOf('dev').data).toEqual({
      retain: false,
      customerManagedKey: false,
      keys: {},
      warmThroughput: {},
      tables: {},
    });
    expect(configOf('staging').data.retain).toBe(false);
    expect(configOf('production').data.retain).toBe(true);
  });

  test('replaces its default and no other', () => {
    const { data, api } = configOf('production', {
      data: { customerManagedKey: true },
      api: { corsOrigins: ['https://www.example.com'] },
    });
    expect(data).toEqual({
      retain: true,
      customerManagedKey: true,
      keys: {},
      warmThroughput: {},
      tables: {},
    });
    expect(api.throttle).toEqual({ rate: 1000, burst: 2000 });
  });

  test.each([
    [
      'a misspelt setting, with the known ones in the error',
      { appLinks: 'x' },
      /appLinks: unknown setting; expected one of env, appLink, webApp, exportsPage, console, staff, data/,
    ],
    [
      'a misspelt nested setting',
      { data: { keep: true } },
      /data\.keep: unknown setting; expected one of retain/,
    ],
    ['a link without TLS', { appLink: 'http://app.example.com' }, /appLink: expected an https URL/],
    ['a link with a slash at its end', { appLink: 'https://app.example.com/' }, /without a slash/],
    ['an unknown kind of issuer', { identity: { kind: 'saml' } }, /identity\.kind: .*"cognito" \| "oidc"/],
    [
      'the service itself as the issuer of access tokens',
      {
        identity: { kind: 'oidc', issuer: 'https://api.example.com/' },
        api: { domain: { name: 'api.example.com', certificateArn: 'arn:aws:acm:x' } },
      },
      /identity\.issuer must not be the service itself/,
    ],
    [
      'an issuer without TLS',
      { identity: { kind: 'oidc', issuer: 'http://id.example.com' } },
      /identity\.issuer/,
    ],
    [
      'a former base URL with a path, or with a slash at its end',
      { api: { formerBaseUrls: ['https://old.example.com/'] } },
      /api\.formerBaseUrls\.0: expected a base URL/,
    ],
    [
      'a former base URL without TLS',
      { api: { formerBaseUrls: ['http://old.example.com'] } },
      /expected a base URL/,
    ],
    [
      'the present domain as a former base URL',
      {
        api: {
          domain: { name: 'api.example.com', certificateArn: 'arn:aws:acm:x' },
          formerBaseUrls: ['https://api.example.com'],
        },
      },
      /api\.formerBaseUrls must not name the present domain/,
    ],
    [
      'a former address that bypasses a required CloudFront',
      {
        api: {
          ...behindCloudFront.api,
          formerBaseUrls: ['https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com'],
        },
      },
      /api\.edge\.required must be false while api\.formerBaseUrls names API Gateway's own address/,
    ],
    ['every origin', { api: { corsOrigins: ['*'] } }, /api\.corsOrigins\.0: expected an origin/],
    ['a retention that CloudWatch has not', { logRetentionDays: 8 }, /logRetentionDays: .*7 \| 14/],
    [
      'a limit of an unknown route',
      { api: { routeThrottles: { 'GET /x': { rate: 1, burst: 1 } } } },
      /GET \/x/,
    ],
    ['credentials instead of the name of a secret', { push: { fcm: { key: 'x' } } }, /push\.fcm\.secretName/],
  ])('is rejected: %s', (_, settings, message) => {
    expect(() => configOf('dev', settings)).toThrow(message);
  });

  test('is reported together with all other faults', () => {
    expect(() => configOf('dev', { appLink: 'x', logRetentionDays: 8 })).toThrow(
      /appLink: .*; logRetentionDays: /,
    );
  });
});
