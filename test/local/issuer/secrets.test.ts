import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadSecrets } from '../../../local/issuer/secrets.ts';
import { localTenants } from '../../../local/resources/tenants.ts';

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'omi-secrets-'));
});

afterEach(async () => {
  await rm(parent, { recursive: true });
});

test('are new for every stack, one for each client', async () => {
  const [one, other] = await Promise.all([loadSecrets(), loadSecrets()]);
  expect(Object.keys(one.clientSecrets)).toEqual(localTenants.map(({ clientId }) => clientId));
  const all = [one, other].flatMap(({ clientSecrets, signingKey }) => [
    ...Object.values(clientSecrets),
    signingKey.n,
  ]);
  expect(new Set(all).size).toBe(6);
});

test('stay the same in a data folder, in a file that only its owner can read', async () => {
  const data = join(parent, 'data');
  const secrets = await loadSecrets(data);
  expect(await loadSecrets(data)).toEqual(secrets);
  expect((await stat(join(data, 'secrets.json'))).mode & 0o777).toBe(0o600);
});
