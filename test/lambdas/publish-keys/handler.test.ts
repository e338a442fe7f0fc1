import { generateKeyPairSync } from 'node:crypto';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { beforeEach, expect, test } from '@jest/globals';
import type { KeyUse } from '../../../core/keys/key-use.ts';
import { publicJwkOf } from '../../../core/keys/public-jwk.ts';
import type { PublishedKey } from '../../../core/keys/published-key.ts';
import type { Outcome } from '../../../core/lambda/custom-resource.ts';
import { createHandler } from '../../../lambdas/publish-keys/handler.ts';

const table = 'omi-tenants';

/** Keys of KMS by their ids, each made when it is first read. */
const spkis = new Map<string, Buffer>();
const readKey = async (keyId: string, use: KeyUse) => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = spkis.get(keyId) ?? publicKey.export({ type: 'spki', format: 'der' });
  spkis.set(keyId, spki);
  return await Promise.resolve(publicJwkOf(spki, use));
};

let recorded: PublishedKey[];
let outcome: Outcome | undefined;
beforeEach(() => {
  recorded = [];
  outcome = undefined;
});

async function call(RequestType: 'Create' | 'Update' | 'Delete', properties: object, fault?: Error) {
  const handler = createHandler({
    storeOf: (name) => {
      expect(name).toBe(table);
      return {
        list: async () => await (fault ? Promise.reject(fault) : Promise.resolve(recorded)),
        put: async (key) => await Promise.resolve(void recorded.push(key)),
      };
    },
    readKey,
    respond: async (_, its) => await Promise.resolve(void (outcome = its)),
  });
  const ResourceProperties = { table, ...properties };
  await handler({
    RequestType,
    PhysicalResourceId: table,
    ResourceProperties,
  } as unknown as CloudFormationCustomResourceEvent);
  return outcome;
}

const keys = { token: ['t1', 't2'], receipt: ['r1', 'r2'], log: ['l1'] };

test('records every key, and returns the names of the signing keys to the stack: the first of each use', async () => {
  const token = await readKey('t1', 'token');
  const receipt = await readKey('r1', 'receipt');
  const log = await readKey('l1', 'log');
  expect(await call('Create', keys)).toEqual({
    status: 'SUCCESS',
    physicalResourceId: table,
    data: { tokenKid: token.kid, receiptKid: receipt.kid, logKid: log.kid },
  });
  expect(recorded.map((key) => key.for)).toEqual(['token', 'token', 'receipt', 'receipt', 'log']);
  expect(recorded.map(({ jwk }) => jwk.kid)).toEqual(expect.arrayContaining([token.kid, receipt.kid]));
});

test('keeps the record when the stack is deleted', async () => {
  await call('Create', keys);
  const before = structuredClone(recorded);
  expect(await call('Delete', keys)).toEqual({ status: 'SUCCESS', physicalResourceId: table });
  expect(recorded).toEqual(before);
});

test.each([
  ['a table that cannot be read', keys, new Error('throttled'), 'throttled'],
  ['no key for receipts', { token: ['t1'], receipt: [], log: ['l1'] }, undefined, 'ValiError'],
])(
  'a fault fails the deployment, so that no unrecorded key signs: %s',
  async (_, properties, fault, reason) => {
    expect(await call('Update', properties, fault)).toEqual({
      status: 'FAILED',
      physicalResourceId: table,
      reason,
    });
    expect(recorded).toEqual([]);
  },
);
