import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Page, Request, Response } from 'playwright-core';
import { newUser, startEnrolment } from '../../../contract/scenario.ts';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { usePlatform } from './world.ts';

const describe = await describeIn('chromium');

const stack = useSharedStack();
const world = usePlatform({ api: () => stack.file.baseUrl });

/** Chromium's push service is not reachable here: this one gives subscriptions. Pushes to them are tested elsewhere. */
function simulatePushService(): void {
  const encode = (bytes: ArrayBuffer): string =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  type Stored = { endpoint: string; p256dh: string; auth: string; key: string };
  const subscriptionOf = ({ endpoint, p256dh, auth, key }: Stored) => ({
    options: { applicationServerKey: Uint8Array.from(JSON.parse(key) as number[]).buffer },
    unsubscribe: async () => {
      localStorage.removeItem('subscription');
      return await Promise.resolve(true);
    },
    toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh, auth } }),
  });
  const stored = (): Stored | undefined =>
    (JSON.parse(localStorage.getItem('subscription') ?? 'null') as Stored | null) ?? undefined;
  const subscribe = async ({ applicationServerKey }: { applicationServerKey: string }) => {
    const ecdh = { name: 'ECDH', namedCurve: 'P-256' };
    const { publicKey } = await crypto.subtle.generateKey(ecdh, true, ['deriveBits']);
    const binary = atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/'));
    const created = {
      endpoint: `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`,
      p256dh: encode(await crypto.subtle.exportKey('raw', publicKey)),
      auth: encode(crypto.getRandomValues(new Uint8Array(16)).buffer),
      key: JSON.stringify(Array.from(binary, (character) => character.charCodeAt(0))),
    };
    localStorage.setItem('subscription', JSON.stringify(created));
    return subscriptionOf(created);
  };
  const getSubscription = async () => {
    const known = stored();
    return await Promise.resolve(known ? subscriptionOf(known) : null);
  };
  Object.assign(PushManager.prototype, { subscribe, getSubscription });
}

let page: Page;
/** The messages to the service. One that is repeated, because its answer was lost, counts once. */
const told = new Set<string | null>();
const note = (request: Request): void => {
  if (request.method() === 'PUT') told.add(request.postData());
};
/** Those that the service took: one that was signed in the same moment as the one before is signed once more. */
const taken = new Set<string | null>();
const noteTaken = (response: Response): void => {
  if (response.request().method() === 'PUT' && response.ok()) taken.add(response.request().postData());
};

beforeEach(async () => {
  await world.context.grantPermissions(['notifications'], { origin: world.origin });
  page = await world.context.newPage();
  await page.addInitScript(simulatePushService);
  await page.goto(world.origin);
  await page.waitForFunction(() => 'platform' in globalThis);
  page.on('request', note);
  page.on('response', noteTaken);
  told.clear();
  taken.clear();
});

afterEach(async () => {
  await page.evaluate(async () => {
    for (const { deviceId } of await platform.accounts.list()) await platform.accounts.remove(deviceId);
    localStorage.removeItem('subscription');
  });
  await page.close();
});

async function enrol(): Promise<void> {
  const { qr } = await startEnrolment(stack.website, newUser());
  await page.evaluate(async (qr) => {
    const { enrolment } = platform;
    const link = protocol.scan(qr);
    await enrolment.complete(await enrolment.begin(link, 'Laptop', await enrolment.preview(link)));
  }, qr);
}

const refresh = async () => await page.evaluate(async () => await platform.push.refresh());
const endpoint = async () =>
  await page.evaluate(
    () => (JSON.parse(localStorage.getItem('subscription') ?? '{}') as { endpoint: string }).endpoint,
  );

describe('the push subscription', () => {
  test('is sent to the service once for each account, and replaced and sent again when pushes no longer arrive', async () => {
    await enrol();
    await enrol();
    expect(await refresh()).toEqual({ state: 'active' });
    expect(taken.size).toBe(2);
    expect(await refresh()).toEqual({ state: 'active' });
    expect(taken.size).toBe(2);
    const dead = await endpoint();
    expect(await page.evaluate(async () => await platform.push.replace())).toEqual({ state: 'active' });
    expect(await endpoint()).not.toBe(dead);
    expect(taken.size).toBe(4);
  });

  test('is sent with an enrolment if it exists', async () => {
    await refresh();
    await enrol();
    expect(await refresh()).toEqual({ state: 'active' });
    expect(told.size).toBe(0);
  });

  test('is replaced and sent again when it is lost, or is for another key of the service', async () => {
    await enrol();
    await refresh();
    const first = await endpoint();
    told.clear();
    await page.evaluate(() => localStorage.removeItem('subscription'));
    expect(await refresh()).toEqual({ state: 'active' });
    const second = await endpoint();
    expect(second).not.toBe(first);
    expect(told.size).toBeGreaterThan(0);
    told.clear();
    await page.evaluate(() => {
      const stored = JSON.parse(localStorage.getItem('subscription') ?? '{}') as object;
      localStorage.setItem('subscription', JSON.stringify({ ...stored, key: '[4,1,2,3]' }));
    });
    expect(await refresh()).toEqual({ state: 'active' });
    expect(await endpoint()).not.toBe(second);
    expect(told.size).toBeGreaterThan(0);
  });

  test('is created and sent once by two concurrent starts', async () => {
    await enrol();
    const states = await page.evaluate(
      async () => await Promise.all([platform.push.refresh(), platform.push.refresh()]),
    );
    expect(states).toEqual([{ state: 'active' }, { state: 'active' }]);
    expect(told.size).toBe(1);
  });

  test('is active without a network if the service knows it', async () => {
    await enrol();
    await refresh();
    await page.route('**/omi/device/**', async (route) => await route.abort());
    expect(await refresh()).toEqual({ state: 'active' });
    await page.evaluate(() => localStorage.removeItem('subscription'));
    expect(await refresh()).toEqual({ state: 'unreachable' });
  });
});
