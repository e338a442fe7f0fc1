import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { useStack } from '../support/stack.ts';

const run = promisify(execFile);
const stack = useStack();

/** Runs the first block of shell lines with this word in it, as a reader would copy it. */
async function runLinesWith(word: string): Promise<string> {
  const blocks = [...(await readFile('README.md', 'utf8')).matchAll(/```sh\n(.*?)```/gs)];
  const lines = blocks.map(([, block = '']) => block).find((block) => block.includes(word)) ?? '';
  const script = lines.replaceAll('.local/stack.json', `${stack.directory}/stack.json`);
  return (await run('bash', ['-c', script])).stdout;
}

test("the README's lines work as they are printed", async () => {
  const stdout = await runLinesWith('curl');
  expect(stdout).toMatch(/"platform":"fcm","status":"active"/);
  expect(stdout).toMatch(/"status":"pending","delivery":"sent"/);
  expect(stdout).toMatch(/"status":"confirmed".*"evidence":"ey/);
}, 60_000);

test('so do those that read what was exported', async () => {
  expect(await runLinesWith('read-stream')).toMatch(
    /"what":"confirmed","type":"PushNotificationConfirmedEvent"/,
  );
}, 60_000);
