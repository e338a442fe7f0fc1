import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { withFault } from '../../../../tools/local/client/local-stack.ts';
import { useExclusiveStack } from '../../../support/use-stack.ts';

async function demo(directory: string, ...args: string[]) {
  const child = spawn(process.execPath, ['tools/local/demo/demo.ts', ...args], {
    env: { ...process.env, OMI_STATE: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...output };
}

describe('npm run demo', () => {
  const stack = useExclusiveStack();

  let run: Awaited<ReturnType<typeof demo>>;

  beforeAll(async () => {
    run = await demo(stack.directory);
  });

  test('runs the whole flow', () => {
    expect(run).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/All \d+ steps succeeded/) });
    for (const { streamName, bucket } of stack.file.exports.slice(0, 2))
      expect(run.out).toContain(streamName ? `stream ${streamName}` : `bucket ${String(bucket)}`);
  });

  test('prints the steps that the README shows, and no secret or token in full', async () => {
    const { out } = run;
    const shown = (await readFile('README.md', 'utf8')).match(/^ ?\d+\. [^(\n]+ \(/gm) ?? [];
    expect(shown.length).toBeGreaterThan(3);
    for (const step of shown) expect(out).toContain(`\n${step}`);
    expect(out).not.toContain(stack.file.tenants[0].clientSecret);
    expect(out).not.toMatch(/eyJ[\w-]{20}/);
    expect(out).not.toContain('code=');
  });

  test('reports the step that failed', async () => {
    const fault = { service: 'sns', operation: 'Publish', fault: 'access-denied' } as const;
    const { code, out, err } = await withFault(stack.file, fault, async () => await demo(stack.directory));
    expect(code).toBe(1);
    expect(err).toMatch(/^Step \d+ \(The website sends a push notification\) failed: .+\n$/);
    expect(out).not.toMatch(/steps succeeded/);
  });

  test('explains how to start the stack', async () => {
    const { code, err } = await demo(join(stack.directory, 'nothing'));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^.*npm start.*\n$/) });
  });
});
