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
    { tenantId: 'first', name: 'Demo', clientId: 'first', clientSecret: 'first' },
    { tenantId: 'another', name: 'Neighbour', clientId: 'another', clientSecret: 'another' },
    {
      tenantId: variables.OMI_TENANT_ID,
      name: 'Demo bank',
      clientId: variables.OMI_CLIENT_ID,
      clientSecret: variables.OMI_CLIENT_SECRET,
    },
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

test('website.env can be read only by its owner', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

describe('website.env', () => {
  const print = 'JSON.stringify(process.env)';
  const node = process.execPath;
  const printed = (command: string, args: string[]): unknown =>
    JSON.parse(execFileSync(command, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } }));

  test('is read correctly by node --env-file', () => {
    expect(printed(node, [`--env-file=${file}`, '-p', print])).toMatchObject(variables);
  });

  test.each(['sh', 'bash'])('is read correctly by %s', (shell) => {
    const script = 'set -eu; set -a; . "$1"; exec "$2" -p "$3"';
    expect(printed(shell, ['-c', script, shell, file, node, print])).toMatchObject(variables);
  });

  test('is read correctly by dotenv, whose syntax Node.js shares', async () => {
    expect(parseEnv(await readFile(file, 'utf8'))).toEqual(variables);
  });

  (hasDocker ? test : test.skip)('docker run --env-file', async () => {
    expect(await environmentByDocker(['--env-file', file])).toEqual(variables);
  });

  // Docker knows no quotes, so none may be needed: https://docs.docker.com/reference/cli/docker/container/run/#env
  test('is read correctly by readers that know only whole lines and comments', async () => {
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => !/^(#|$)/.test(line));
    expect(Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))).toEqual(variables);
  });
});

test('website.env says how its limits differ from the defaults of a tenant', async () => {
  expect(await readFile(file, 'utf8')).toContain("for 60 s. A tenant's default is 1200 s.");
});

test('website.env can be removed', async () => {
  removeWebsiteFile(folder);
  await expect(stat(file)).rejects.toThrow('ENOENT');
});
