import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { StackDescription } from '../../../../tools/local/stack/stack-file.ts';
import { environmentByDocker, hasDocker } from './docker-environment.ts';
import {
  removeWebsiteFile,
  websiteFileIn,
  writeWebsiteFile,
} from '../../../../tools/local/stack/website-file.ts';

const variables = {
  OMI_BASE_URL: 'http://127.0.0.1:8080',
  OMI_TOKEN_URL: 'http://127.0.0.1:8082/token',
  OMI_TENANT_ID: '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01',
  OMI_CLIENT_ID: 'demo-website',
  // All characters of a chosen secret.
  OMI_CLIENT_SECRET: '-aZ09_./==',
};

const description = {
  baseUrl: variables.OMI_BASE_URL,
  tokenUrl: variables.OMI_TOKEN_URL,
  tenants: [
    {
      tenantId: variables.OMI_TENANT_ID,
      name: 'Demo',
      clientId: variables.OMI_CLIENT_ID,
      clientSecret: variables.OMI_CLIENT_SECRET,
    },
    { tenantId: 'another', name: 'Neighbour', clientId: 'another', clientSecret: 'another' },
  ],
} as StackDescription;

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-website-env-'));
  file = websiteFileIn(folder);
  await writeFile(file, 'old', { mode: 0o644 });
  await writeWebsiteFile(folder, description);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

test('only its owner can read it', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

describe('it means the same to', () => {
  const print = 'JSON.stringify(process.env)';
  const node = process.execPath;
  const printed = (command: string, args: string[]): unknown =>
    JSON.parse(execFileSync(command, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } }));

  test('node --env-file', () => {
    expect(printed(node, [`--env-file=${file}`, '-p', print])).toMatchObject(variables);
  });

  test.each(['sh', 'bash'])('%s', (shell) => {
    const script = 'set -eu; set -a; . "$1"; exec "$2" -p "$3"';
    expect(printed(shell, ['-c', script, shell, file, node, print])).toMatchObject(variables);
  });

  test('dotenv, by the syntax that Node.js shares with it', async () => {
    expect(parseEnv(await readFile(file, 'utf8'))).toEqual(variables);
  });

  (hasDocker ? test : test.skip)('docker run --env-file', async () => {
    expect(await environmentByDocker(['--env-file', file])).toEqual(variables);
  });

  // Docker knows no quotes, so none may be needed: https://docs.docker.com/reference/cli/docker/container/run/#env
  test('readers that know whole lines and comments only', async () => {
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => !/^(#|$)/.test(line));
    expect(Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))).toEqual(variables);
  });
});

test('it can be removed', async () => {
  removeWebsiteFile(folder);
  await expect(stat(file)).rejects.toThrow('ENOENT');
});
