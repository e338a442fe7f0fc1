/** The last steps of docs/first-deployment.md, as they are printed: a phone enrols and confirms. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { longestWaitMs } from '../support/waiting.ts';

const run = promisify(execFile);
const stack = useSharedStack();

/** The page's pauses are long enough for a machine with nothing else to do. Here they last as long as what they wait for. */
const pauses = `
get() { curl -s -H "Authorization: Bearer $TOKEN" "$API$1"; }
sleep() {
  if [ -z "$NONCE" ]; then until get /omi/users/alice/devices | grep -q deviceId; do command sleep 0.1; done
  else while get "/omi/push/confirmation?nonce=$NONCE" | grep -q '"status":"pending"'; do command sleep 0.1; done; fi
}
`;

/** The shell lines with calls, of the sections that have this in their heading. */
async function linesUnder(...headings: string[]): Promise<string> {
  const page = await readFile('docs/first-deployment.md', 'utf8');
  const sections = page.split(/^## /m).filter((section) => headings.some((one) => section.startsWith(one)));
  return sections
    .flatMap((section) => Array.from(section.matchAll(/```sh\n(.*?)```/gs), ([, lines = '']) => lines))
    .filter((lines) => lines.includes('curl'))
    .join('');
}

test('the checklist for the first deployment ends with a confirmation', async () => {
  const [{ clientId, clientSecret }] = stack.file.tenants;
  const lines = (await linesUnder('9. ', '10. '))
    .replace('<BaseUrl>', stack.file.baseUrl)
    .replace('<TokenUrl>', stack.file.tokenUrl)
    .replace('read -rs CLIENT', `read -rs CLIENT <<< '${clientId}:${clientSecret}'`);
  // Other pages' examples ask Alice, too.
  const script = `${pauses}${lines}`.replaceAll('alice', randomUUID());
  const { stdout } = await run('bash', ['-c', script], { timeout: longestWaitMs });
  expect(stdout).toMatch(/"devices":\[\{[^\]]*"status":"active"/);
  expect(stdout).toMatch(/"status":"pending","delivery":"sent"/);
  expect(stdout).toMatch(/"status":"confirmed".*"evidence":"ey/);
});
