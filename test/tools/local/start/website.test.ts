/** What a website's developer relies on: the same addresses and credentials at every start. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requestToken } from '../../../../tools/client/access-token.ts';
import { bodyOf } from '../../../../tools/client/http.ts';
import { loadSecrets } from '../../../../tools/local/issuer/secrets.ts';
import { fixedPort } from '../../../support/fixed-port.ts';
import { emulatorSettings, sharedOfRun } from '../../../support/run-services.ts';
import { lambdasOf, refusedStart, RunningStack, startScript, websiteVariablesIn } from './running.ts';

let state: string;
let shared: NodeJS.ProcessEnv;
const running = new Set<RunningStack>();

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'omi-website-'));
  shared = { OMI_BUNDLES: await sharedOfRun('bundles'), ...(await emulatorSettings()) };
});
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await rm(state, { recursive: true, force: true });
});

async function start(environment: NodeJS.ProcessEnv): Promise<RunningStack> {
  const stack = new RunningStack(startScript, state, { ...shared, ...environment });
  running.add(stack);
  await stack.ready();
  return stack;
}

async function stop({ child, exited }: RunningStack): Promise<void> {
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
}

const tokenFrom = async ({
  OMI_TOKEN_URL = '',
  OMI_CLIENT_ID = '',
  OMI_CLIENT_SECRET = '',
}: NodeJS.ProcessEnv) =>
  bodyOf(
    await requestToken({ tokenUrl: OMI_TOKEN_URL, clientId: OMI_CLIENT_ID, clientSecret: OMI_CLIENT_SECRET }),
  ).access_token;

test('settings and token of a website stay valid over a restart on fixed ports', async () => {
  const ports = { OMI_PORT: String(await fixedPort()), OMI_TOKEN_PORT: String(await fixedPort()) };
  const first = await start(ports);
  const settings = await websiteVariablesIn(state);
  expect(settings['OMI_BASE_URL']).toBe(`http://127.0.0.1:${ports.OMI_PORT}`);
  expect(settings['OMI_TOKEN_URL']).toBe(`http://127.0.0.1:${ports.OMI_TOKEN_PORT}/token`);
  const token = await tokenFrom(settings);
  await stop(first);
  expect(await websiteVariablesIn(state)).toEqual(settings);

  const second = await start(ports);
  expect(await websiteVariablesIn(state)).toEqual(settings);
  const url = `${settings['OMI_BASE_URL']}/omi/users/anna/devices`;
  for (const valid of [token, await tokenFrom(settings)])
    expect((await fetch(url, { headers: { authorization: `Bearer ${valid}` } })).status).toBe(200);

  // A start that fails leaves no settings of an earlier one.
  const other = join(state, 'other');
  await mkdir(other);
  await writeFile(join(other, 'website.env'), 'OMI_BASE_URL=http://127.0.0.1:1\n');
  const { code, output } = await refusedStart(other, { ...shared, ...ports, OMI_PORT: '0' });
  expect(code).toBe(1);
  expect(output).toContain(
    `Port ${ports.OMI_TOKEN_PORT} is in use by another program. Choose one for tokens`,
  );
  expect(await readdir(other)).not.toContain('website.env');
  await stop(second);
});

test('settings that would become wrong are removed, and a chosen secret counts for one start', async () => {
  const kept = await websiteVariablesIn(state);
  const OMI_CLIENT_SECRET = 'chosen-for-this-website';
  const stack = await start({ OMI_CLIENT_SECRET });
  const settings = await websiteVariablesIn(state);
  expect(settings).toMatchObject({ OMI_CLIENT_SECRET });
  expect(await tokenFrom(settings)).toMatch(/^ey/);
  // Nobody has called the API, so its Lambdas are loaded only if all of them are.
  expect(lambdasOf(await stack.ready()).loaded).not.toContain('list-devices');
  await stop(stack);
  expect(await readdir(state)).not.toContain('website.env');

  const { clientSecrets } = await loadSecrets([state]);
  expect(clientSecrets['first-website']).toBe(kept['OMI_CLIENT_SECRET']);
});
