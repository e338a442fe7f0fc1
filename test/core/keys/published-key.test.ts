import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { publishKeys } from '../../../core/keys/publish-keys.ts';
import type { KeyUse } from '../../../core/keys/key-use.ts';
import { publicJwkOf } from '../../../core/keys/public-jwk.ts';
import { type CurrentKey, publishedKeyView } from '../../../core/keys/published-key.ts';
import { PublishedKeyStore } from '../../../core/keys/published-key-store.ts';
import { testDatabase } from '../../support/dynamodb.ts';

const now = Date.UTC(2026, 2, 1) + 900;
const hour = 3_600_000;

const newKey = (use: KeyUse): CurrentKey => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { for: use, jwk: publicJwkOf(publicKey.export({ type: 'spki', format: 'der' }), use) };
};

/** A stage of its own, in which keys are published. */
async function newStage() {
  const client = await testDatabase({ tenants: 'tenants' });
  const store = new PublishedKeyStore(client, 'tenants');
  const deploy = async (keys: CurrentKey[], at: number) => {
    await publishKeys(store, keys, at);
  };
  const published = async () =>
    (await store.list()).map(publishedKeyView).map(({ kid, from, until }) => ({ kid, from, until }));
  return { store, deploy, published };
}

describe('the record of keys', () => {
  test('has a new key from the second of its deployment, without an end', async () => {
    const { store, deploy } = await newStage();
    const key = newKey('receipt');
    await deploy([key], now);
    expect((await store.list()).map(publishedKeyView)).toEqual([
      { ...key.jwk, for: 'receipt', from: '2026-03-01T00:00:00.000Z' },
    ]);
  });

  test('keeps a key that a deployment no longer names, because it may sign until that deployment ends', async () => {
    const { deploy, published } = await newStage();
    const [old, next] = [newKey('receipt'), newKey('receipt')];
    await deploy([old], now);
    await deploy([next], now + 24 * hour);
    await deploy([next], now + 48 * hour);
    const kept = await published();
    expect(kept).toHaveLength(2);
    expect(kept).toContainEqual({
      kid: old.jwk.kid,
      from: '2026-03-01T00:00:00.000Z',
      until: '2026-03-02T02:00:00.000Z',
    });
    expect(kept).toContainEqual({ kid: next.jwk.kid, from: '2026-03-02T00:00:00.000Z', until: undefined });
  });

  test('continues a key that is named again, as after a rollback', async () => {
    const { deploy, published } = await newStage();
    const [old, next] = [newKey('token'), newKey('token')];
    await deploy([old], now);
    await deploy([next], now + hour);
    await deploy([old], now + 2 * hour);
    expect(await published()).toContainEqual({
      kid: old.jwk.kid,
      from: '2026-03-01T00:00:00.000Z',
      until: undefined,
    });
  });

  test('has the keys of all uses', async () => {
    const { store, deploy } = await newStage();
    await deploy([newKey('token'), newKey('receipt'), newKey('log')], now);
    expect((await store.list()).map((key) => key.for)).toEqual(['log', 'receipt', 'token']);
  });
});
