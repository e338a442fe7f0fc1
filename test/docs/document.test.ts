import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openApiDocument } from '../../tools/documents/api/document.ts';

const run = promisify(execFile);
const committed = 'docs/api/openapi.yaml';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-docs-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

const generate = async (...args: string[]) =>
  await run(process.execPath, ['tools/documents/api/generate.ts', ...args]);

/** Without a look for newer versions or a report of its use: nothing here needs the network. */
const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

async function redocly(...args: string[]): Promise<string> {
  const program = ['node_modules/@redocly/cli/bin/cli.js', ...args];
  const { stdout } = await run(process.execPath, program, { env: { ...process.env, ...offline } });
  return stdout;
}

/** The document as another program reads it. */
async function read(file: string): Promise<unknown> {
  const json = `${file}.json`;
  await redocly('bundle', file, '--ext', 'json', '--output', json);
  return JSON.parse(await readFile(json, 'utf8'));
}

describe('the committed document', () => {
  test('passes the recommended rules without a warning', async () => {
    const { totals } = JSON.parse(await redocly('lint', committed, '--format', 'json')) as { totals: object };
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 1 });
  });

  test('is the YAML of what the generator built', async () => {
    const copy = join(folder, 'openapi.yaml');
    await writeFile(copy, await readFile(committed));
    expect(await read(copy)).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  });
});

describe('the generator', () => {
  test('fails with one clear line if the file is stale', async () => {
    const stale = join(folder, 'stale.yaml');
    await writeFile(stale, 'openapi: 3.1.0\n');
    const stderr = `${stale} is not what its sources say: run npm run docs:generate.\n`;
    await expect(generate('--check', stale)).rejects.toMatchObject({ code: 1, stderr });
    expect(await readFile(stale, 'utf8')).toBe('openapi: 3.1.0\n');
  });

  test('fails if the file is missing', async () => {
    await expect(generate('--check', join(folder, 'missing.yaml'))).rejects.toMatchObject({ code: 1 });
  });

  test('writes the document', async () => {
    const fresh = join(folder, 'fresh.yaml');
    await generate(fresh);
    expect(await readFile(fresh, 'utf8')).toBe(await readFile(committed, 'utf8'));
  });
});
