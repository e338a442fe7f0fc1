/** The programs in Python of docs/websites-by-hand.md and docs/openid-connect.md, as they are written. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
  const args = ['-m', 'flask', '--app', 'docs/examples/python/shop.py', 'run', '--port', String(port)];
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
  let cookie = '';
  const send = async (method: string, path: string, fields?: Record<string, string>) => {
    const body = fields && new URLSearchParams(fields);
    const headers = { cookie, 'omi-page': '1' };
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body && { body }),
    });
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return { status: response.status, text: await response.text() };
  };
  await send('POST', '/sign-in', { user_id: userId });
  return send;
}

itsShop('the shop in Flask is paid once its user has confirmed this amount, and once alone', async () => {
  const phone = await enrolDevice(stack.website);
  const { userId } = phone.identity;
  const visit = await signIn(userId);
  const asked = await visit('POST', '/omi/confirmations', { amount: '12' });
  expect(asked.status).toBe(201);
  const { id } = JSON.parse(asked.text) as { id: string };
  await phone.confirm(await openChallenge(phone));
  const pay = async (amount: string) => await visit('POST', '/pay', { amount, 'omi-confirmation': id });
  expect(await pay('1200')).toMatchObject({ status: 403, text: expect.stringContaining('something else') });
  expect((await pay('12')).status).toBe(303);
  expect((await visit('GET', '/')).text).toContain(`Signed in as ${userId}. Paid.`);
  expect((await pay('12')).status).toBe(403);
  expect(output.split(`Pay 12 € to Example Shop? Paid by ${userId}.`)).toHaveLength(2);
});

itsShop('the shop in Flask pays nothing for who is not signed in, or asks for no amount', async () => {
  expect(await (await fetch(url)).text()).toContain('<button>Sign in</button>');
  expect((await fetch(`${url}/pay`, { method: 'POST' })).status).toBe(401);
  const visit = await signIn(newUser());
  expect(await visit('POST', '/pay', { amount: '-1', 'omi-confirmation': 'x' })).toMatchObject({
    ...{ status: 403, text: expect.stringContaining('We take 1 to 9999 €.') },
  });
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
