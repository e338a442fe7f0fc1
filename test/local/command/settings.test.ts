import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { readSettings } from '../../../local/command/settings.ts';
import { StartError } from '../../../local/command/start-error.ts';

test('without any variable: port 8080, the folder .local, and no data kept', () => {
  expect(readSettings({})).toEqual({ port: 8080, directory: resolve('.local') });
  expect(readSettings({ OMI_PORT: '', OMI_DATA: '', OMI_STATE: '' })).toEqual(readSettings({}));
});

test('each setting has a variable', () => {
  expect(readSettings({ OMI_PORT: '0', OMI_DATA: 'data', OMI_STATE: '/state' })).toEqual({
    port: 0,
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

test.each(['abc', '-1', '65536', '80.5', ' 80', '0x50', '1e3', '808000'])(
  'OMI_PORT=%s is rejected',
  (OMI_PORT) => {
    expect(() => readSettings({ OMI_PORT })).toThrow(StartError);
    expect(() => readSettings({ OMI_PORT })).toThrow(`not "${OMI_PORT}"`);
  },
);
