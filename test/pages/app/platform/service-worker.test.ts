import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import type { TabMessage } from '../../../../pages/app/src/platform/index.ts';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { usePlatform } from './world.ts';

const describe = await describeIn('chromium');

const world = usePlatform();

const challengeId = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ';

let page: Page;
let cdp: CDPSession;
let registrationId: string;

beforeAll(async () => {
  page = await world.open();
  await world.context.grantPermissions(['notifications'], { origin: world.origin });
  cdp = await world.context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  registrationId = await registered;
  await world.worker(page);
});

type Shown = { title: string; body: string; tag: string; data: unknown };

const shown = async (): Promise<Shown[]> =>
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const all = await registration.getNotifications();
    return all.map(({ title, body, tag, data }) => ({ title, body, tag, data: data as unknown }));
  });

afterEach(async () => {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    for (const notification of await registration.getNotifications()) notification.close();
    while ((await registration.getNotifications()).length > 0);
  });
});

/** The push arrives as the browser's push service delivers it. */
async function deliver(data: string): Promise<void> {
  await cdp.send('ServiceWorker.deliverPushMessage', { origin: world.origin, registrationId, data });
}

/**
 * The notifications after a push. While one is about to be shown, nobody asks for the list: Chromium then forgets the new one,
 * which is not on the screen yet.
 */
async function shownAfter(data: string): Promise<Shown[]> {
  const worker = await world.worker(page);
  const isShown = await worker.evaluateHandle(() => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    const show = ServiceWorkerRegistration.prototype.showNotification.bind(registration);
    return {
      done: new Promise<void>((resolve, reject) => {
        registration.showNotification = async (title, options) =>
          await show(title, options).then(resolve, reject);
      }),
    };
  });
  await deliver(data);
  await isShown.evaluate(async ({ done }) => await done);
  return await shown();
}

const push = (notification: object): string => JSON.stringify({ web_push: 8030, notification });

const question = (expiresAt = Date.now() + 60_000): string =>
  push({
    title: 'Example Bank',
    body: 'Pay 10.00 € to Anna?',
    navigate: `https://elsewhere.example/#/challenge/${challengeId}`,
    tag: challengeId,
    data: { challengeId, expiresAt: new Date(expiresAt).toISOString() },
  });

describe('a push', () => {
  test('shows who asks and what, and once although it arrives twice', async () => {
    await shownAfter(question());
    expect(await shownAfter(question())).toEqual([
      { title: 'Example Bank', body: 'Pay 10.00 € to Anna?', tag: challengeId, data: { challengeId } },
    ]);
  });

  test('has no challenge if it is about further devices', async () => {
    const [notice] = await shownAfter(
      push({ title: 'Example Bank', body: 'A device was added.', navigate: '/#/' }),
    );
    expect(notice).toMatchObject({ body: 'A device was added.', data: {} });
  });

  test.each([
    ['invalid JSON', '{"web_push": 8030,'],
    ['nothing', ''],
    ['another format', JSON.stringify({ notification: { title: 'x' } })],
    ['members of other types', push({ title: 1, body: {}, tag: [], data: 'x' })],
    ['null', 'null'],
    ['empty texts', push({ title: ' ', body: '' })],
  ])('shows one notification even with %s', async (_, data) => {
    expect(await shownAfter(data)).toEqual([
      {
        title: 'Confirmation request',
        body: 'Open the app to see what you are asked to confirm.',
        tag: 'omi',
        data: {},
      },
    ]);
  });

  test('states that it is too late, and asks nothing, if it arrives long after its end', async () => {
    const [late] = await shownAfter(question(Date.now() - 3_600_000));
    expect(late).toMatchObject({ title: 'Example Bank', body: 'This request has expired.' });
  });

  test('is a question if it has expired only by a clock that may be wrong', async () => {
    const [late] = await shownAfter(question(Date.now() - 120_000));
    expect(late).toMatchObject({ body: 'Pay 10.00 € to Anna?' });
  });

  test('opens nothing with an invalid challenge id', async () => {
    const [odd] = await shownAfter(push({ title: 'T', body: 'B', data: { challengeId: '../../evil' } }));
    expect(odd).toMatchObject({ tag: 'omi', data: {} });
  });

  test('notifies open windows, so that they fetch at once, and closes after the answer', async () => {
    const heard = page.evaluate(
      async () => await new Promise<TabMessage>((resolve) => void platform.tabs.onMessage(resolve)),
    );
    expect(await shownAfter(question())).toHaveLength(1);
    expect(await heard).toEqual({ type: 'pushed', challengeId });
    await page.evaluate(async (id) => await platform.push.closeNotification(id), challengeId);
    expect(await shown()).toEqual([]);
  });
});

describe('what a notification offers', () => {
  const actions = async (): Promise<string[][]> =>
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const all = (await registration.getNotifications()) as unknown as { actions: { action: string }[] }[];
      return all.map((one) => one.actions.map(({ action }) => action));
    });

  const questionWith = (data: object): string =>
    push({ title: 'Example Bank', body: 'Pay?', tag: challengeId, data: { challengeId, ...data } });
  const soon = new Date(Date.now() + 60_000).toISOString();

  test.each([
    ['both answers', { expiresAt: soon }, ['confirm', 'deny']],
    ['a denial alone, where the app must be opened to confirm', { expiresAt: soon, inApp: true }, ['deny']],
    ['nothing after its end', { expiresAt: '2026-01-01T00:00:00.000Z' }, []],
    ['nothing after another device answered', { notice: 'answered' }, []],
  ])('is %s', async (_, data, offered) => {
    await shownAfter(questionWith(data));
    expect(await actions()).toEqual([offered]);
  });
});

describe('a push of a tenant with a brand', () => {
  const tenantId = '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01';
  const logo = `/omi/device/tenants/${tenantId}/logo`;

  /** As an enrolment leaves it. */
  const enrol = async (deviceId: string, tenant: string): Promise<void> =>
    await page.evaluate(
      async ([device, of]) => {
        const opening = indexedDB.open('omi');
        const database = await new Promise<IDBDatabase>((resolve) => {
          opening.onsuccess = () => resolve(opening.result);
        });
        const transaction = database.transaction('accounts', 'readwrite');
        const account = { deviceId: device, tenantId: of, tenantName: 'Example Bank', enrolledAt: 0 };
        transaction.objectStore('accounts').put({ account, keyPair: {}, publicKey: {} });
        await new Promise((resolve) => (transaction.oncomplete = resolve));
        database.close();
      },
      [deviceId, tenant],
    );

  const read = async (contentType: string): Promise<void> => {
    await page.route(`**${logo}`, async (route) => await route.fulfill({ contentType, body: 'x' }));
    await page.route(`**/omi/device/tenants/${tenantId}`, async (route) => {
      await route.fulfill({ json: { name: 'Branded', logoUrl: `https://omi.example${logo}` } });
    });
    await page.evaluate(async (id) => void (await platform.brand(id)), tenantId);
    await page.unrouteAll();
  };

  afterEach(async () => {
    await page.evaluate(async () => {
      for (const { deviceId } of await platform.accounts.list()) await platform.accounts.remove(deviceId);
    });
  });

  const icons = async (): Promise<[string, string][]> =>
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const all = await registration.getNotifications();
      return all.map(({ title, icon }): [string, string] => [title, new URL(icon).pathname]);
    });

  test.each([
    ['image/png', logo],
    ['image/svg+xml', '/icons/icon-192.png'],
  ])('shows it beside the registered name, with a logo of %s', async (contentType, icon) => {
    await enrol('phone', tenantId);
    await read(contentType);
    await shownAfter(question());
    expect(await icons()).toEqual([['Example Bank · Branded', icon]]);
  });

  test('shows none if two tenants have the name', async () => {
    await enrol('phone', tenantId);
    await enrol('second', 'another');
    await read('image/png');
    await shownAfter(question());
    expect(await icons()).toEqual([['Example Bank', '/icons/icon-192.png']]);
  });
});

/** The user clicks the notification that is shown. */
async function click(): Promise<void> {
  const worker = await world.worker(page);
  await worker.evaluate(async () => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration };
    const [notification] = await scope.registration.getNotifications();
    const event = Object.assign(new Event('notificationclick'), {
      notification,
      waitUntil: () => undefined,
    });
    dispatchEvent(event);
  });
}

describe('a click on the notification', () => {
  test('opens the challenge in the existing window', async () => {
    const heard = page.evaluate(
      async () =>
        await new Promise<TabMessage>((resolve) => {
          platform.tabs.onMessage((message) => {
            if (message.type === 'opened') resolve(message);
          });
        }),
    );
    await shownAfter(question());
    await click();
    expect(await heard).toEqual({ type: 'opened', challengeId });
    expect(await shown()).toEqual([]);
  });
});

describe('a click on the notification, where the open window does not show the challenge,', () => {
  test.each([
    ['must not be focused', 'InvalidAccessError', undefined, true],
    ['is gone', 'NotFoundError', undefined, true],
    ['takes no message', undefined, 'DataCloneError', true],
    ['never answers', undefined, undefined, false],
  ])('opens another one: the window %s', async (_, focusError, postError, answers) => {
    const worker = await world.worker(page);
    const opened = await worker.evaluateHandle(
      ([onFocus, onPost, doesAnswer]) => {
        const { clients } = globalThis as unknown as { clients: object };
        const window = {
          visibilityState: 'visible',
          frameType: 'top-level',
          postMessage: (_message: unknown, [port]: MessagePort[]) => {
            if (onPost !== undefined) throw new DOMException('', onPost);
            if (doesAnswer) port?.postMessage('taken');
          },
          focus: async () => await Promise.reject(new DOMException('', onFocus)),
        };
        return {
          address: new Promise<string>((resolve) => {
            const openWindow = (url: string) => {
              resolve(url);
            };
            Object.assign(clients, { matchAll: async () => await Promise.resolve([window]), openWindow });
          }),
        };
      },
      [focusError, postError, answers] as const,
    );
    try {
      await shownAfter(question());
      await click();
      expect(await opened.evaluate(async ({ address }) => await address)).toBe(`/#/challenge/${challengeId}`);
    } finally {
      await worker.evaluate(() => {
        const { clients } = globalThis as unknown as { clients: Record<string, unknown> };
        for (const name of ['matchAll', 'openWindow']) Reflect.deleteProperty(clients, name);
      });
    }
  });
});

describe('the app without a network', () => {
  test.each(['/', '/enrol#v=1', '/#/challenge/x'])('opens at %s', async (path) => {
    await world.context.setOffline(true);
    try {
      const offline = await world.open(path);
      expect(await offline.evaluate(() => document.title)).toBe('OMI');
      await offline.close();
    } finally {
      await world.context.setOffline(false);
    }
  });

  test('keeps the address of the service, and stores nothing of the service', async () => {
    const config = await page.evaluate(async () => await platform.config());
    await world.context.setOffline(true);
    try {
      expect(await page.evaluate(async () => await platform.config())).toEqual(config);
      const kept = await page.evaluate(async () => {
        const names = await caches.keys();
        const requests = await Promise.all(names.map(async (name) => await (await caches.open(name)).keys()));
        return requests.flat().map(({ url }) => new URL(url).pathname);
      });
      expect(kept.filter((path) => !path.startsWith('/assets/'))).toEqual(['/index.html']);
      expect(kept.length).toBeGreaterThan(2);
    } finally {
      await world.context.setOffline(false);
    }
  });
});
