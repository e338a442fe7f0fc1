import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readSettings } from '../../../../tools/local/command/settings.ts';
import { StartError } from '../../../../tools/local/command/start-error.ts';

test('defaults are the ports 8080 to 8088, the folder .local, and no stored data', () => {
  expect(readSettings({})).toEqual({
    port: 8080,
    appPort: 8081,
    tokenPort: { port: 8082, isChosen: false },
    sitePort: 8083,
    exportsPort: 8084,
    consolePort: 8085,
    staffPort: 8086,
    docsPort: 8087,
    requestsPort: 8088,
    directory: resolve('.local'),
    isWarm: true,
  });
  expect(readSettings({ OMI_PORT: '', OMI_DATA: '', OMI_STATE: '' })).toEqual(readSettings({}));
});

test('each setting has a variable', () => {
  expect(readSettings({ OMI_PORT: '0', OMI_DATA: 'data', OMI_STATE: '/state' })).toEqual({
    port: 0,
    appPort: 0,
    tokenPort: { port: 0, isChosen: false },
    sitePort: 0,
    exportsPort: 0,
    consolePort: 0,
    staffPort: 0,
    docsPort: 0,
    requestsPort: 0,
    directory: '/state',
    dataDirectory: resolve('data'),
    isWarm: true,
  });
});

test('Lambdas are loaded at the start, unless they should be loaded at their first call', () => {
  expect(readSettings({ OMI_WARM: 'yes' }).isWarm).toBe(true);
  expect(readSettings({ OMI_WARM: 'no' }).isWarm).toBe(false);
  expect(() => readSettings({ OMI_WARM: 'maybe' })).toThrow('OMI_WARM must be "yes" or "no", not "maybe".');
});

test('existing bundles and running emulators are used', () => {
  const existing = { OMI_BUNDLES: 'bundles', OMI_DYNAMODB: 'http://127.0.0.1:1', OMI_KINESIS: 'socket' };
  expect(readSettings(existing)).toEqual({
    ...readSettings({}),
    bundles: resolve('bundles'),
    dynamoDbUrl: 'http://127.0.0.1:1',
    kinesisSocket: resolve('socket'),
  });
});

test.each([{ OMI_DYNAMODB: 'http://127.0.0.1:1' }, { OMI_KINESIS: 'socket' }])(
  'shared emulators cannot keep data for the next start: %j',
  (shared) => {
    expect(() => readSettings({ ...shared, OMI_DATA: 'data' })).toThrow(StartError);
  },
);

test.each([
  [{ OMI_PORT: '9000' }, { port: 9_000, appPort: 8_081 }],
  [{ OMI_APP_PORT: '9001' }, { port: 8_080, appPort: 9_001 }],
  [
    { OMI_PORT: '0', OMI_APP_PORT: '9001' },
    { port: 0, appPort: 9_001 },
  ],
])("the web app's port changes only on request, or if no port is fixed: %j", (environment, ports) => {
  expect(readSettings(environment)).toMatchObject(ports);
});

test.each([
  [{ OMI_PORT: '9000' }, 8_083],
  [{ OMI_SITE_PORT: '9003' }, 9_003],
  [{ OMI_PORT: '0', OMI_SITE_PORT: '9003' }, 9_003],
])("the demo bank's port changes only on request, or if no port is fixed: %j", (environment, sitePort) => {
  expect(readSettings(environment).sitePort).toBe(sitePort);
});

test.each([
  [{ OMI_PORT: '9000' }, 8_084],
  [{ OMI_EXPORTS_PORT: '9004' }, 9_004],
  [{ OMI_PORT: '0', OMI_EXPORTS_PORT: '9004' }, 9_004],
])(
  "the exports page's port changes only on request, or if no port is fixed: %j",
  (environment, exportsPort) => {
    expect(readSettings(environment).exportsPort).toBe(exportsPort);
  },
);

test.each([
  [{ OMI_PORT: '9000' }, { port: 8_082, isChosen: false }],
  [{ OMI_TOKEN_PORT: '9002' }, { port: 9_002, isChosen: true }],
  [
    { OMI_PORT: '0', OMI_TOKEN_PORT: '9002' },
    { port: 9_002, isChosen: true },
  ],
])('the port for tokens changes only on request, or if no port is fixed: %j', (environment, tokenPort) => {
  expect(readSettings(environment).tokenPort).toEqual(tokenPort);
});

describe("the client's secret", () => {
  const OMI_CLIENT_SECRET = 'website-1';

  test('can be chosen', () => {
    expect(readSettings({ OMI_CLIENT_SECRET }).clientSecret).toBe(OMI_CLIENT_SECRET);
    const ofDemo = { OMI_CLIENT_ID: 'demo-website', OMI_CLIENT_SECRET };
    expect(readSettings(ofDemo).clientSecret).toBe(OMI_CLIENT_SECRET);
  });

  test("is not taken from another client's credentials in the shell", () => {
    const ofAnother = { OMI_CLIENT_ID: 'website-of-a-stage', OMI_CLIENT_SECRET };
    expect(readSettings(ofAnother)).toEqual(readSettings({}));
  });

  test.each([
    'short',
    'with space',
    "with'quote",
    'with#comment',
    '$variable',
    '~tilde~tilde',
    'line\nbreak',
    'a'.repeat(129),
  ])('%j is rejected, because readers of website.env would not agree on it', (secret) => {
    expect(() => readSettings({ OMI_CLIENT_SECRET: secret })).toThrow(StartError);
    expect(() => readSettings({ OMI_CLIENT_SECRET: secret })).toThrow('OMI_CLIENT_SECRET must have 8 to 128');
  });
});

test('public URLs of a proxy are origins with https', () => {
  const environment = { OMI_BASE_URL: 'https://localhost:8443', OMI_APP_URL: 'https://app.example.com/' };
  expect(readSettings(environment)).toMatchObject({
    baseUrl: 'https://localhost:8443',
    appUrl: 'https://app.example.com',
  });
});

test('former base URLs are a list', () => {
  const OMI_FORMER_BASE_URLS = 'https://a.example.com,https://b.example.com/';
  expect(readSettings({ OMI_FORMER_BASE_URLS })).toEqual({
    ...readSettings({}),
    formerBaseUrls: ['https://a.example.com', 'https://b.example.com'],
  });
});

test.each(['http://127.0.0.1:8080', 'http://localhost:8081'])(
  '%s, which "omi env" prints, is not the URL of a proxy',
  (OMI_BASE_URL) => {
    expect(readSettings({ OMI_BASE_URL })).toEqual(readSettings({}));
  },
);

describe.each(['OMI_BASE_URL', 'OMI_FORMER_BASE_URLS', 'OMI_APP_URL'])('%s', (name) => {
  test.each([
    'localhost:8443',
    'http://omi.example.com',
    'https://localhost:8443/omi',
    'https://localhost:8443/?a=b',
    'https://user@localhost:8443',
    'https://',
  ])('%s is rejected', (url) => {
    expect(() => readSettings({ [name]: url })).toThrow(StartError);
    expect(() => readSettings({ [name]: url })).toThrow(`${name} must be an https URL without a path`);
  });
});

test.each(['abc', '-1', '65536', '80.5', ' 80', '0x50', '1e3', '808000'])(
  'OMI_PORT=%s is rejected',
  (OMI_PORT) => {
    expect(() => readSettings({ OMI_PORT })).toThrow(StartError);
    expect(() => readSettings({ OMI_PORT })).toThrow(`not "${OMI_PORT}"`);
    expect(() => readSettings({ OMI_APP_PORT: OMI_PORT })).toThrow('OMI_APP_PORT must be a port number');
    expect(() => readSettings({ OMI_SITE_PORT: OMI_PORT })).toThrow('OMI_SITE_PORT must be a port number');
    expect(() => readSettings({ OMI_TOKEN_PORT: OMI_PORT })).toThrow('OMI_TOKEN_PORT must be a port number');
  },
);
