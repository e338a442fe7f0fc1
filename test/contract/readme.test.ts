import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { useStack } from '../support/stack.ts';

const run = promisify(execFile);
const stack = useStack();

/** The first block of shell lines that speaks to the API, as a reader would copy it. */
async function linesOfReadme(): Promise<string> {
  const blocks = [...(await readFile('README.md', 'utf8')).matchAll(/```sh\n(.*?)```/gs)];
  return blocks.map(([, lines = '']) => lines).find((lines) => lines.includes('curl')) ?? '';
}

test("the README's lines work as they are printed", async () => {
  const lines = await linesOfReadme();
  const script = lines.replaceAll('.local/stack.json', `${stack.directory}/stack.json`);
  const { stdout } = await run('bash', ['-c', script]);
  expect(stdout).toMatch(/"platform":"fcm","status":"active"/);
  expect(stdout).toMatch(/"status":"pending","delivery":"sent"/);
  expect(stdout).toMatch(/"status":"confirmed".*"evidence":"ey/);
}, 30_000);
