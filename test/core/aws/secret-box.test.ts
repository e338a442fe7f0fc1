import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { kmsClient } from '../../../core/aws/kms-client.ts';
import { SecretBox } from '../../../core/aws/secret-box-client.ts';
import { kms as protocol } from '../../../tools/local/aws/protocols/services.ts';
import { createKms } from '../../../tools/local/aws/stand-ins/kms/backend.ts';
import { metricLines } from '../../support/metric-lines.ts';
import { type Alone, clientOf, startAlone } from '../../tools/local/aws/clients.ts';

let endpoint: Alone;
let kms: KMSClient;
let keyId = '';

const newKey = async (): Promise<string> => {
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({}));
  return KeyMetadata?.KeyId ?? '';
};

beforeAll(async () => {
  endpoint = await startAlone(protocol, createKms().backend);
  kms = new KMSClient(clientOf(endpoint.url));
  keyId = await newKey();
});
afterAll(async () => {
  kms.destroy();
  await endpoint.close();
});

test('a sealed text can be opened only with its context', async () => {
  const box = new SecretBox(kms, keyId);
  const sealed = await box.seal('whsec_ünïcode', { use: 'callback', clientId: 'one' });
  expect(sealed).toMatch(/^[A-Za-z0-9+/]+=*$/);
  expect(await box.open(sealed, { clientId: 'one', use: 'callback' })).toBe('whsec_ünïcode');
  await expect(box.open(sealed, { use: 'callback', clientId: 'two' })).rejects.toMatchObject({
    name: 'InvalidCiphertextException',
  });
});

test('the same text is sealed differently each time', async () => {
  const box = new SecretBox(kms, keyId);
  const [one, other] = [await box.seal('text', { use: 'ping' }), await box.seal('text', { use: 'ping' })];
  expect(one).not.toBe(other);
});

test('a text of another key cannot be opened', async () => {
  const sealed = await new SecretBox(kms, await newKey()).seal('text', { use: 'ping' });
  await expect(new SecretBox(kms, keyId).open(sealed, { use: 'ping' })).rejects.toMatchObject({
    name: 'InvalidCiphertextException',
  });
});

describe('the service’s client', () => {
  const before = { ...process.env };
  const lines = metricLines();
  let client: KMSClient;

  beforeAll(() => {
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_KMS: endpoint.url,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'TEST',
      AWS_SECRET_ACCESS_KEY: 'secret',
    });
    client = kmsClient();
  });
  afterAll(() => {
    client.destroy();
    process.env = before;
  });

  test('repeats a call that KMS briefly refused', async () => {
    lines.length = 0;
    endpoint.faults.add({ service: 'kms', fault: 'throttle', times: 1 });
    endpoint.faults.add({ service: 'kms', fault: 'unavailable', times: 1 });
    const box = new SecretBox(client, keyId);
    expect(await box.open(await box.seal('text', {}), {})).toBe('text');
    expect(lines).toEqual([]);
  });

  test('counts a call that KMS refused at every attempt, by operation', async () => {
    lines.length = 0;
    const fault = endpoint.faults.add({ service: 'kms', fault: 'disabled' });
    await expect(new SecretBox(client, keyId).seal('text', {})).rejects.toMatchObject({
      name: 'DisabledException',
    });
    endpoint.faults.remove(fault.id);
    expect(lines).toEqual([expect.objectContaining({ KeyFaults: 1, operation: 'Encrypt' })]);
  });
});
