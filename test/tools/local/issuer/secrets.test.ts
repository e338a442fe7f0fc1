import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { StartError } from '../../../../tools/local/command/start-error.ts';
import { loadSecrets } from '../../../../tools/local/issuer/secrets.ts';
import { localClients } from '../../../../tools/local/resources/tenants.ts';

let parent: string;
let state: string;
let data: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'omi-secrets-'));
  [state, data] = [join(parent, 'state'), join(parent, 'data')];
});

afterEach(async () => {
  await rm(parent, { recursive: true });
});

const fileIn = (folder: string): string => join(folder, 'secrets.json');

test('secrets are random, one for each client', async () => {
  const both = await Promise.all([loadSecrets([state]), loadSecrets([data])]);
  expect(Object.keys(both[0].clientSecrets)).toEqual(localClients.map(({ clientId }) => clientId));
  const all = both.flatMap(({ clientSecrets, signingKey }) => [
    ...Object.values(clientSecrets),
    signingKey.n,
  ]);
  expect(new Set(all).size).toBe(all.length);
});

test('secrets stay the same in a folder, in a file that only its owner can read', async () => {
  const secrets = await loadSecrets([state]);
  expect(await loadSecrets([state])).toEqual(secrets);
  expect((await stat(fileIn(state))).mode & 0o777).toBe(0o600);
});

test('secrets of the state folder are also used in a new data folder', async () => {
  const secrets = await loadSecrets([state]);
  expect(await loadSecrets([data, state])).toEqual(secrets);
  await rm(state, { recursive: true });
  expect(await loadSecrets([data, state])).toEqual(secrets);
  expect(await loadSecrets([state])).toEqual(secrets);
});

test('secrets of a data folder are its own and do not replace those of the state folder', async () => {
  const ofState = await loadSecrets([state]);
  const ofData = await loadSecrets([data]);
  expect(await loadSecrets([data, state])).toEqual(ofData);
  expect(await loadSecrets([state])).toEqual(ofState);
});

test('secrets of clients that an earlier version did not have are added once', async () => {
  const { clientSecrets, signingKey } = await loadSecrets([state]);
  const [[first, kept] = ['', '']] = Object.entries(clientSecrets);
  await writeFile(fileIn(state), JSON.stringify({ clientSecrets: { [first]: kept }, signingKey }));
  const completed = await loadSecrets([state]);
  expect(Object.keys(completed.clientSecrets)).toEqual(Object.keys(clientSecrets));
  expect(completed).toMatchObject({ clientSecrets: { [first]: kept }, signingKey });
  expect(await loadSecrets([state])).toEqual(completed);
});

test.each(['', '{', '{}', '{"clientSecrets":{},"signingKey":{}}'])(
  'a malformed file, %j, is not replaced silently',
  async (content) => {
    await loadSecrets([state]);
    await writeFile(fileIn(state), content);
    const loading = loadSecrets([state]);
    await expect(loading).rejects.toThrow(StartError);
    await expect(loading).rejects.toThrow(`${fileIn(state)} is malformed. Delete it`);
    expect(await readFile(fileIn(state), 'utf8')).toBe(content);
  },
);
