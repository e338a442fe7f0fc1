import { randomUUID } from 'node:crypto';
import { ResourceNotFoundException, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { beforeEach, expect, test } from '@jest/globals';
import { VapidKeyStore } from '../../../core/devices/push/vapid-key-store.ts';
import { newVapidKey, publicKeyOf } from '../../../core/devices/push/vapid-key.ts';
import type { Outcome } from '../../../core/lambda/custom-resource.ts';
import { createHandler } from '../../../lambdas/web-push-key/handler.ts';

const secretArn = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:WebPushKey-abcdef';

/** A secret of Secrets Manager: without a value at first, and a request may be repeated only with the same value. */
class Secret {
  value: string | undefined;
  readonly requests = new Map<string, string>();
  fault: Error | undefined;

  async send({ input }: { input: { SecretString?: string; ClientRequestToken?: string } }) {
    await Promise.resolve();
    if (this.fault) throw this.fault;
    if (input.SecretString === undefined) return this.#read();
    const { ClientRequestToken: token = '', SecretString: text } = input;
    const known = this.requests.get(token);
    if (known !== undefined && known !== text) throw new Error('ResourceExistsException');
    this.requests.set(token, text);
    this.value = text;
    return {};
  }

  #read() {
    if (this.value !== undefined) return { SecretString: this.value };
    throw new ResourceNotFoundException({ message: 'no value', $metadata: {} });
  }
}

let secret: Secret;
let outcomes: Outcome[];

beforeEach(() => {
  secret = new Secret();
  outcomes = [];
});

async function call(
  RequestType: 'Create' | 'Update' | 'Delete',
  RequestId: string = randomUUID(),
  [before, revision]: readonly [string, string] = ['1', '1'],
) {
  const handler = createHandler({
    storeOf: (arn) => {
      expect(arn).toBe(secretArn);
      return new VapidKeyStore(secret as unknown as SecretsManagerClient, arn);
    },
    respond: async (_, outcome) => await Promise.resolve(void outcomes.push(outcome)),
  });
  await handler({
    RequestType,
    RequestId,
    PhysicalResourceId: secretArn,
    ResourceProperties: { secretArn, revision },
    ...(RequestType === 'Update' && { OldResourceProperties: { secretArn, revision: before } }),
  } as unknown as CloudFormationCustomResourceEvent);
  return outcomes.at(-1);
}

const publicKeyIn = (text = '{}') => publicKeyOf(JSON.parse(text) as { x: string; y: string });

test('a new stack gets a new key, and learns only its public half', async () => {
  const outcome = await call('Create');
  const publicKey = publicKeyIn(secret.value);
  expect(outcome).toEqual({ status: 'SUCCESS', physicalResourceId: secretArn, data: { publicKey } });
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
  const { d = '' } = JSON.parse(secret.value ?? '') as { d?: string };
  expect(d).toHaveLength(43);
  expect(JSON.stringify(outcomes)).not.toContain(d);
});

test('a secret with an empty value, as other implementations of the API create it, gets a key', async () => {
  secret.value = '';
  const outcome = await call('Create');
  expect(outcome).toMatchObject({ status: 'SUCCESS', data: { publicKey: publicKeyIn(secret.value) } });
});

test('a later deployment does not replace the key, and another stack has another key', async () => {
  const first = await call('Create');
  const { value } = secret;
  expect(await call('Update')).toEqual(first);
  expect(await call('Create')).toEqual(first);
  expect(secret.value).toBe(value);
  secret = new Secret();
  expect(await call('Create')).not.toEqual(first);
});

test('another revision makes another key, and a repeated request no third one', async () => {
  const first = await call('Create');
  const requestId = randomUUID();
  const renewed = await call('Update', requestId, ['1', '2']);
  expect(renewed).toMatchObject({ status: 'SUCCESS', data: { publicKey: publicKeyIn(secret.value) } });
  expect(renewed).not.toEqual(first);
  const { value } = secret;
  expect(await call('Update', requestId, ['1', '2'])).toMatchObject({ status: 'FAILED' });
  expect(secret.value).toBe(value);
});

test('the deletion of the stack keeps the key, which may outlive it', async () => {
  await call('Create');
  const { value } = secret;
  expect(await call('Delete')).toEqual({ status: 'SUCCESS', physicalResourceId: secretArn });
  expect(secret.value).toBe(value);
});

test('only one of two runs of a request makes a key', async () => {
  const requestId = randomUUID();
  await Promise.all([call('Create', requestId), call('Create', requestId)]);
  expect(secret.requests.size).toBe(1);
  const succeeded = outcomes.filter(({ status }) => status === 'SUCCESS');
  expect(succeeded).toMatchObject([{ data: { publicKey: publicKeyIn(secret.value) } }]);
});

test.each(['text', '{}', JSON.stringify({ ...newVapidKey(), d: undefined })])(
  'a value that is not a key is neither replaced nor quoted: %j',
  async (value) => {
    secret.value = value;
    const reason = 'The secret must hold a private P-256 key as a JWK.';
    expect(await call('Update')).toEqual({ status: 'FAILED', physicalResourceId: secretArn, reason });
    expect(secret.value).toBe(value);
  },
);

test('a failure is reported by its name, and a failed creation deletes nothing', async () => {
  secret.fault = Object.assign(new Error('secret words'), { name: 'AccessDeniedException' });
  const reason = 'AccessDeniedException';
  expect(await call('Create')).toEqual({ status: 'FAILED', physicalResourceId: 'not-created', reason });
  expect(await call('Update')).toEqual({ status: 'FAILED', physicalResourceId: secretArn, reason });
});
