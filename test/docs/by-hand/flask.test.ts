/** The programs in Python of docs/websites-by-hand.md and docs/openid-connect.md, as they are written. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bodyOf } from '../../../client/http.ts';
import { eventually } from '../../support/waiting.ts';
import { enrolDevice, newUser, openChallenge } from '../../contract/scenario.ts';
import { fixedPort } from '../../support/fixed-port.ts';
import { pythonWith } from '../../support/python.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { environmentOf } from '../website-examples/example-project.ts';

const run = promisify(execFile);
const stack = useSharedStack();
const flask = pythonWith('flask', 'requests', 'cryptography');
const authlib = pythonWith('authlib', 'requests', 'cryptography');
const itsShop = flask === undefined ? test.skip : test;
const itsClient = authlib === undefined ? test.skip : test;

let shop: ChildProcess | undefined;
let url: string;
let output = '';

const environment = () => ({
  ...process.env,
  ...environmentOf(stack),
  PYTHONPATH: ['packages/python', 'docs/examples/python'].map((path) => resolve(path)).join(delimiter),
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONUTF8: '1',
});

beforeAll(async () => {
  if (flask === undefined) return;
  const port = await fixedPort();
  url = `http://127.0.0.1:${port}`;
  const args = [
    '-m',
    'flask',
    '--app',
    'test/docs/by-hand/shop_with_clock.py',
    'run',
    '--port',
    String(port),
  ];
  shop = spawn(flask, args, { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [shop.stdout, shop.stderr]) stream?.on('data', (data) => (output += String(data)));
  const answers = async (): Promise<boolean | undefined> => {
    if (shop?.exitCode !== null) throw new Error(`Flask ended: ${output}`);
    return await fetch(url).then(
      () => true,
      () => undefined,
    );
  };
  await eventually('Flask listens', answers);
});
afterAll(async () => {
  if (shop?.exitCode !== null) return;
  shop.kill();
  await once(shop, 'close');
});

/** A browser of somebody who is signed in. */
async function signIn(userId: string) {
  const body = new URLSearchParams({ user_id: userId });
  const signedIn = await fetch(`${url}/sign-in`, { method: 'POST', body, redirect: 'manual' });
  const [cookie = ''] = signedIn.headers.get('set-cookie')?.split(';') ?? [];
  return async (method: string, path: string) => {
    const response = await fetch(`${url}${path}`, { method, headers: { cookie }, redirect: 'manual' });
    const text = await response.text();
    return {
      status: response.status,
      location: response.headers.get('location'),
      body: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
    };
  };
}

itsShop('the shop in Flask is paid once its user has confirmed, and once alone', async () => {
  const phone = await enrolDevice(stack.website);
  const { userId } = phone.identity;
  const visit = await signIn(userId);
  const begun = await visit('POST', '/payments?cents=1250');
  expect(begun).toMatchObject({ status: 202, body: { interval: 1 } });
  const path = `/payments/${String(begun.body['id'])}`;
  expect(await visit('GET', path)).toMatchObject({ status: 200, body: { status: 'pending' } });
  const stranger = await signIn(newUser());
  expect((await stranger('GET', path)).status).toBe(404);
  const challenge = await openChallenge(phone);
  expect(challenge.message).toBe('Pay 12.50 € to Example Shop?');
  await phone.confirm(challenge);
  const paid = { status: 200, body: { status: 'paid' } };
  expect(await visit('GET', path)).toMatchObject(paid);
  expect(await visit('GET', path)).toMatchObject(paid);
  expect(output.split(`paid 1250 cents for ${userId}`)).toHaveLength(2);
});

/** Turns the shop's clock, and turns it back afterwards. */
async function ahead(seconds: number, work: () => Promise<void>): Promise<void> {
  const turn = async (by: number): Promise<void> =>
    expect((await fetch(`${url}/clock?seconds=${by}`, { method: 'POST' })).status).toBe(204);
  await turn(seconds);
  await work();
  await turn(0);
}

itsShop('the shop in Flask takes no confirmation that is older than two minutes', async () => {
  const phone = await enrolDevice(stack.website);
  const { userId } = phone.identity;
  const visit = await signIn(userId);
  const begun = await visit('POST', '/payments?cents=1260');
  const path = `/payments/${String(begun.body['id'])}`;
  await phone.confirm(await openChallenge(phone));
  await ahead(121, async () => {
    expect(await visit('GET', path)).toMatchObject({
      status: 200,
      body: { status: 'expired', message: 'You did not answer in time. Shall we ask again?' },
    });
  });
  expect(output).not.toContain(`paid 1260 cents for ${userId}`);
  await ahead(90, async () => {
    expect(await visit('GET', path)).toMatchObject({ body: { status: 'paid' } });
  });
  // What is paid stays paid.
  await ahead(121, async () => {
    expect(await visit('GET', path)).toMatchObject({ body: { status: 'paid' } });
  });
  expect(output.split(`paid 1260 cents for ${userId}`)).toHaveLength(2);
});

itsShop('the shop in Flask has a page, and leads who is signed in to the enrolment of a device', async () => {
  expect(await (await fetch(url)).text()).toContain('Signed in: nobody yet');
  expect((await fetch(`${url}/device`, { method: 'POST' })).status).toBe(401);
  const visit = await signIn(newUser());
  const { status, location } = await visit('POST', '/device');
  expect(status).toBe(302);
  expect(new URL(location ?? '').origin).toBe(new URL(stack.file.appUrl).origin);
});

itsShop('the shop in Flask is not paid when its user denies, and says so', async () => {
  const phone = await enrolDevice(stack.website);
  const visit = await signIn(phone.identity.userId);
  const begun = await visit('POST', '/payments?cents=100');
  await phone.deny(await openChallenge(phone));
  expect(await visit('GET', `/payments/${String(begun.body['id'])}`)).toMatchObject({
    body: { status: 'denied', message: 'You denied it.' },
  });
});

itsShop('the shop in Flask withdraws a payment that its user gives up', async () => {
  const phone = await enrolDevice(stack.website);
  const visit = await signIn(phone.identity.userId);
  const begun = await visit('POST', '/payments?cents=100');
  expect((await visit('DELETE', `/payments/${String(begun.body['id'])}`)).status).toBe(204);
  expect(bodyOf(await phone.challenges()).challenges).toEqual([]);
});

itsShop('the shop in Flask answers in words where nobody can be asked', async () => {
  const visit = await signIn(newUser());
  expect(await visit('POST', '/payments?cents=100')).toMatchObject({
    status: 409,
    body: { message: 'Please add a device first.' },
  });
  expect((await fetch(`${url}/payments?cents=100`, { method: 'POST' })).status).toBe(401);
});

itsClient.each([
  ['confirm', /^\S+ approved at \d+$/],
  ['deny', /^not approved: access_denied$/],
] as const)(
  'the program with Authlib asks by OpenID Connect, and the user answers: %s',
  async (answer, printed) => {
    const phone = await enrolDevice(stack.website);
    const args = ['docs/examples/python/approve.py', phone.identity.userId, 'Pay 16.00 € to Café Zoë?'];
    const program = run(authlib ?? '', args, { env: environment() }).catch(
      (error: unknown) => error as { stderr: string },
    );
    const challenge = await openChallenge(phone);
    await (answer === 'confirm' ? phone.confirm(challenge) : phone.deny(challenge));
    const ended = await program;
    expect(('stdout' in ended && ended.stdout !== '' ? ended.stdout : ended.stderr).trim()).toMatch(printed);
  },
);
