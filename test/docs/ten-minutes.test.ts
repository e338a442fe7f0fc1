/** docs/step-up-in-ten-minutes.md, followed to the letter in an empty folder, with Chromium as website's page and as device. */
import { execFile, type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import { fixedPort } from '../support/fixed-port.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { longestWaitMs } from '../support/waiting.ts';

const run = promisify(execFile);
const stack = useSharedStack();
const describe = await describeIn('chromium');

const page = await readFile('docs/step-up-in-ten-minutes.md', 'utf8');

/** The lines of the shell under a heading that begins with this number. */
function commandsOf(step: number): string {
  const [, section = ''] = page.split(`\n## ${step}. `);
  const [, lines] = /```sh\n(.*?)```/s.exec(section.split('\n## ')[0] ?? '') ?? [];
  if (lines === undefined) throw new Error(`Step ${step} has no commands`);
  return lines;
}

/** The files that the reader saves, by their names. */
const files = [...page.matchAll(/<!-- save: (\S+) -->\n\n```\w+\n(.*?)```/gs)].map(
  ([, name = '', content = '']) => ({ name, content }),
);

/** The folder that has the clone in it. */
let folder: string;
const website = { file: { appUrl: '' } };
let server: ChildProcess | undefined;

const env = {
  ...process.env,
  NODE_ENV: undefined,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
};
const inFolder = () => ({ cwd: join(folder, 'my-website'), env });

/** A clone, as far as the page uses it: other tests make the packages' files in this one. */
async function clone(): Promise<void> {
  const copy = join(folder, 'omi');
  for (const name of ['packages', 'tools/release']) await cp(name, join(copy, name), { recursive: true });
  for (const name of ['package.json', 'tsconfig.json']) await cp(name, join(copy, name));
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
  await symlink(stack.directory, join(copy, '.local'));
}

/** Express comes from the registry. Where that cannot be reached, it is the repository's own. */
async function install(): Promise<void> {
  try {
    await run('bash', ['-ec', commandsOf(2)], { cwd: folder, env, timeout: longestWaitMs });
  } catch (error) {
    if (!/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENOTCACHED|network/i.test(String(error))) throw error;
    process.stderr.write(
      `npm cannot reach a registry. Express is taken from this repository: ${String(error)}\n`,
    );
    await run(
      'npm',
      ['install', '--offline', './omi-website-0.1.0.tgz', './omi-elements-0.1.0.tgz'],
      inFolder(),
    );
    await symlink(resolve('node_modules/express'), join(folder, 'my-website/node_modules/express'));
  }
}

async function startServer(): Promise<void> {
  const PORT = String(await fixedPort());
  server = spawn('bash', ['-c', `exec ${commandsOf(5).trim()}`], { ...inFolder(), env: { ...env, PORT } });
  const output: string[] = [];
  server.stderr?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const started = once(server.stdout ?? server, 'data').then(String);
  const ended = once(server, 'exit').then(() => `The server ended: ${output.join('')}`);
  website.file.appUrl = (await Promise.race([started, ended])).trim();
  expect(website.file.appUrl).toBe(`http://localhost:${PORT}`);
}

describe('an Express app in an empty folder', () => {
  const chromium = useChromium(website);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'omi-ten-minutes-'));
    await clone();
    await install();
    for (const { name, content } of files) {
      const file = join(folder, 'my-website', name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    await startServer();
  });
  afterAll(async () => {
    if (server?.exitCode === null) {
      const exited = once(server, 'exit');
      server.kill();
      await exited;
    }
    await rm(folder, { recursive: true, force: true });
  });

  test('pays only after its user has confirmed', async () => {
    const { page: tab, context } = await chromium.visitor();
    await tab.goto('/device.html');
    const opening = context.waitForEvent('page');
    await tab.getByRole('link', { name: 'Set up this device' }).click();
    const app = await opening;
    await followTheApp(app);
    await tab.waitForFunction("document.querySelector('omi-enrolment').state === 'completed'");

    await tab.getByRole('link', { name: 'Pay' }).click();
    await tab.getByRole('button', { name: 'Pay' }).click();
    await app.getByText('Pay 16.00 € to Café Zoë?').waitFor();
    await app.getByRole('link', { name: 'Review' }).click();
    await app.getByRole('button', { name: 'Confirm' }).click();
    const paid = tab.getByText('Confirmed and paid: Pay 16.00 € to Café Zoë?');
    await paid.waitFor();
    await tab.reload();
    await paid.waitFor();

    const form = { to: 'Café Zoë', amount: '16.00' };
    expect((await context.request.post('/pay', { form })).status()).toBe(403);
  });
});

/** What the web app asks of somebody who has opened an enrolment link. */
async function followTheApp(app: Page): Promise<void> {
  for (const answer of ['Continue', 'Not now', 'Done'])
    await app
      .getByRole('button', { name: answer })
      .or(app.getByRole('link', { name: answer }))
      .click();
}
