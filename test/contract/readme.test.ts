import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { longestWaitMs } from '../support/waiting.ts';

const run = promisify(execFile);
const stack = useExclusiveStack();

/**
 * The README's pauses are long enough for a machine that has nothing else to do. Here the one of three seconds is as long
 * as the phone takes to enrol, and each of one as long as it takes to confirm.
 */
const pauses = `
get() { curl -s -H "Authorization: Bearer $TOKEN" "$OMI_BASE_URL$1"; }
sleep() {
  if [ "$1" = 3 ]; then until get /omi/users/alice/devices | grep -q deviceId; do command sleep 0.1; done
  elif [ "$1" = 1 ]; then while get "/omi/push/confirmation?nonce=$NONCE" | grep -q '"status":"pending"'; do command sleep 0.1; done
  else command sleep "$1"; fi
}
`;

/** Runs the first block of shell lines with this word in it, as a reader would copy it. */
async function runLinesWith(word: string): Promise<string> {
  const blocks = [...(await readFile('README.md', 'utf8')).matchAll(/```sh\n(.*?)```/gs)];
  const lines = blocks.map(([, block = '']) => block).find((block) => block.includes(word)) ?? '';
  const env = { ...process.env, OMI_STATE: stack.directory };
  return (await run('bash', ['-c', pauses + lines], { timeout: longestWaitMs, env })).stdout;
}

test("the README's commands work as printed", async () => {
  const stdout = await runLinesWith('curl');
  expect(stdout).toMatch(/"platform":"fcm","status":"active"/);
  expect(stdout).toMatch(/"status":"pending","delivery":"sent"/);
  expect(stdout).toMatch(/"status":"confirmed".*"evidence":"ey/);
});

test("the README's commands that read exported events work", async () => {
  const confirmed = '"what":"confirmed","type":"PushNotificationConfirmedEvent"';
  // They show what is there when they are run: the event may still be on its way.
  while (!(await runLinesWith('read-stream')).includes(confirmed)) continue;
});
