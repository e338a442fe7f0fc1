import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readSettings } from '../../../local/command/settings.ts';
import { StartError } from '../../../local/command/start-error.ts';

test('without any variable: the ports 8080 and 8081, the folder .local, and no data kept', () => {
  expect(readSettings({})).toEqual({ port: 8080, appPort: 8081, directory: resolve('.local') });
  expect(readSettings({ OMI_PORT: '', OMI_DATA: '', OMI_STATE: '' })).toEqual(readSettings({}));
});

test('each setting has a variable', () => {
  expect(readSettings({ OMI_PORT: '0', OMI_DATA: 'data', OMI_STATE: '/state' })).toEqual({
    port: 0,
    appPort: 0,
    directory: '/state',
    dataDirectory: resolve('data'),
  });
});

test('existing bundles and a running DynamoDB Local are used', () => {
  expect(readSettings({ OMI_BUNDLES: 'bundles', OMI_DYNAMODB: 'http://127.0.0.1:1' })).toEqual({
    ...readSettings({}),
    bundles: resolve('bundles'),
    dynamoDbUrl: 'http://127.0.0.1:1',
  });
});

test('a shared DynamoDB Local cannot keep data for the next start', () => {
  const both = { OMI_DATA: 'data', OMI_DYNAMODB: 'http://127.0.0.1:1' };
  expect(() => readSettings(both)).toThrow(StartError);
});

test.each([
  [{ OMI_PORT: '9000' }, { port: 9_000, appPort: 8_081 }],
  [{ OMI_APP_PORT: '9001' }, { port: 8_080, appPort: 9_001 }],
  [
    { OMI_PORT: '0', OMI_APP_PORT: '9001' },
    { port: 0, appPort: 9_001 },
  ],
])("the web app's port changes only if it is told to, or if no port is fixed: %j", (environment, ports) => {
  expect(readSettings(environment)).toMatchObject(ports);
});

test('public URLs of a proxy are origins with https', () => {
  const environment = { OMI_BASE_URL: 'https://localhost:8443', OMI_APP_URL: 'https://app.example.com/' };
  expect(readSettings(environment)).toMatchObject({
    baseUrl: 'https://localhost:8443',
    appUrl: 'https://app.example.com',
  });
});

test.each(['http://127.0.0.1:8080', 'http://localhost:8081'])(
  '%s, which "omi env" prints, is not the URL of a proxy',
  (OMI_BASE_URL) => {
    expect(readSettings({ OMI_BASE_URL })).toEqual(readSettings({}));
  },
);

describe.each(['OMI_BASE_URL', 'OMI_APP_URL'])('%s', (name) => {
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
  },
);
