/** `new Omi()` takes its options from the environment, by the names of `.local/website.env`. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Omi, OmiError, type OmiOptions } from '#website';
import { json, ScriptedService } from '../support/scripted-service.ts';
import { credentialsOf } from './support/website.ts';

const service = new ScriptedService();
const devices = [
  json(200, { access_token: 't1', token_type: 'Bearer', expires_in: 3600 }),
  json(200, { devices: [] }),
];
let variables: Record<string, string>;

beforeAll(async () => {
  await service.start();
});
beforeEach(() => {
  const { baseUrl, tokenUrl, clientId, clientSecret } = credentialsOf(service);
  variables = {
    OMI_BASE_URL: baseUrl,
    OMI_TOKEN_URL: tokenUrl,
    OMI_TENANT_ID: '00000000-0000-4000-8000-000000000000',
    OMI_CLIENT_ID: clientId,
    OMI_CLIENT_SECRET: clientSecret,
  };
  Object.assign(process.env, variables, { OMI_CALLBACK_SECRET: '', NEXT_PHASE: '' });
});
afterAll(async () => {
  await service.stop();
});

function refusalOf(options?: OmiOptions): unknown {
  try {
    new Omi(options);
    return undefined;
  } catch (error) {
    return error instanceof OmiError && [error.code, error.detail];
  }
}

test('a website without options calls the service that the environment names, with its client', async () => {
  service.reply(...devices);
  const omi = new Omi();
  expect(await omi.devices('anna')).toEqual([]);
  const [token] = service.requests;
  const pair = Buffer.from((token?.authorization ?? '').replace('Basic ', ''), 'base64').toString();
  expect(pair.split(':').map(decodeURIComponent)).toEqual(['client 1', 'secret:äß']);
  expect(omi.baseUrl).toBe(service.url);
});

test('other options count beside the environment', () => {
  const omi = new Omi({ now: () => 7 });
  expect([omi.baseUrl, omi.now()]).toEqual([service.url, 7]);
});

test.each(['OMI_BASE_URL', 'OMI_TOKEN_URL', 'OMI_TENANT_ID', 'OMI_CLIENT_ID', 'OMI_CLIENT_SECRET'])(
  'a website without options needs %s, and says so',
  (name) => {
    process.env[name] = '';
    expect(refusalOf()).toEqual(['invalid-options', `${name} is not set.`]);
  },
);

test('`next build` loads a website without its variables, and its start needs them', () => {
  process.env = { ...process.env, OMI_BASE_URL: undefined, OMI_CLIENT_SECRET: undefined };
  process.env['NEXT_PHASE'] = 'phase-production-build';
  expect(refusalOf()).toBeUndefined();
  process.env['NEXT_PHASE'] = 'phase-production-server';
  expect(refusalOf()).toEqual(['invalid-options', 'OMI_BASE_URL is not set.']);
});

test('a connection that is given is completed by no variable: the client could be another one', () => {
  const { clientId: _clientId, ...without } = credentialsOf(service);
  const forgotten = { ...without, clientId: process.env['HELP_DESK_CLIENT_ID'] } as unknown as OmiOptions;
  expect(refusalOf(forgotten)).toEqual(['invalid-options', 'clientId is not set.']);
});

test('a client without a base URL has no valid type', () => {
  const { baseUrl: _baseUrl, ...client } = credentialsOf(service);
  // @ts-expect-error: the base URL could be that of another stage
  expect(new Omi(client).baseUrl).toBe(service.url);
});

test('a base URL that is given, but undefined, is not replaced by a variable', () => {
  const forgotten = { ...credentialsOf(service), baseUrl: undefined } as unknown as OmiOptions;
  expect(refusalOf(forgotten)).toEqual(['invalid-options', 'baseUrl is not a URL with https.']);
});

test('the secret of callbacks may be a variable, and an empty one is none', () => {
  expect(new Omi().hasCallbacks).toBe(false);
  process.env['OMI_CALLBACK_SECRET'] = `whsec_${Buffer.from('a secret').toString('base64')}`;
  expect(new Omi().hasCallbacks).toBe(true);
});
