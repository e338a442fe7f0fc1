/** `<omi-confirmation>` by itself, in a page with a strict policy, with every answer that the routes can give. */
import { describe, expect, test } from '@jest/globals';
import type { OmiConfirmationElement } from '../../../packages/elements/src/index.ts';
import { describeIn } from '../../support/browser/browser-of-run.ts';
import { useChromium } from '../../support/browser/use-chromium.ts';
import type { Visitor } from '../../support/browser/visitor.ts';
import type { Reply, Script } from './support/page-server.ts';
import {
  asked,
  confirmed,
  devicesOf,
  ended,
  pending,
  phone,
  problem,
  service,
  tablet,
} from './support/scripts.ts';
import { usePages } from './support/use-pages.ts';

const inChromium = await describeIn('chromium');

/** Notes what the page is told, and how much moves. */
const observe = (): void => {
  const told: unknown[] = [];
  const shifts: number[] = [];
  Object.assign(globalThis, { told, shifts });
  for (const type of [
    'omi-confirmed',
    'omi-denied',
    'omi-ended',
    'omi-problem',
    'omi-no-device',
    'omi-enrolled',
  ])
    addEventListener(type, (event) => told.push([type, (event as CustomEvent<unknown>).detail]));
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as unknown as { value: number; hadRecentInput: boolean };
      // With the user's own press the element takes its place.
      if (!hadRecentInput) shifts.push(value);
    }
  }).observe({ type: 'layout-shift', buffered: true });
};

inChromium('the element', () => {
  const pages = usePages();
  const chromium = useChromium(pages);

  async function visit(
    script: Script,
    element = '<omi-confirmation></omi-confirmation>',
    lang = 'en',
  ): Promise<Visitor> {
    pages.show(`${element}<p>Below.</p>`, script, lang);
    const visitor = await chromium.visitor();
    await visitor.context.addInitScript(observe);
    await visitor.open('/');
    return visitor;
  }

  const told = async ({ page }: Visitor): Promise<unknown> => await page.evaluate('told');
  const read = async <Value>(
    visitor: Visitor,
    look: (element: OmiConfirmationElement) => Value,
  ): Promise<Value> => await visitor.page.locator('omi-confirmation').evaluate(look);
  const looks = (): number =>
    pages.calls.filter(({ method, path }) => method === 'GET' && path.includes('/confirmations/')).length;

  const asks = async (visitor: Visitor): Promise<void> => {
    await visitor.clicks('Ask for confirmation');
    await visitor.reads('Pay 20.00 EUR to Jo?');
  };

  // jsdom and happy-dom have none of these.
  test('the element asks and tells in a DOM without internals, observers and constructed styles', async () => {
    pages.show('<omi-confirmation></omi-confirmation>', service({ look: () => ({ body: confirmed }) }), 'en');
    const visitor = await chromium.visitor();
    await visitor.context.addInitScript(observe);
    await visitor.context.addInitScript(() => {
      Reflect.deleteProperty(HTMLElement.prototype, 'attachInternals');
      Reflect.deleteProperty(globalThis, 'IntersectionObserver');
      Reflect.deleteProperty(CSSStyleSheet.prototype, 'replaceSync');
    });
    await visitor.open('/');
    await visitor.clicks('Ask for confirmation');
    await visitor.reads('Confirmed');
    expect(await read(visitor, (element) => element.checkValidity())).toBe(true);
  });

  test('the flow leads from the button to the result, with the focus inside and without movement of the page', async () => {
    let answer: object = pending;
    const visitor = await visit(service({ look: () => ({ body: answer }) }));
    const { page } = visitor;
    const idle = await read(visitor, ({ offsetHeight }) => offsetHeight);
    await visitor.tabsTo(visitor.button('Ask for confirmation'));
    await page.keyboard.press('Enter');
    await visitor.reads('1:50 left');
    const height = await read(visitor, ({ offsetHeight }) => offsetHeight);
    expect(height).toBeGreaterThan(idle);
    expect(await page.getByRole('status').innerText()).toContain('Check Anna’s phone');
    const focused = async (): Promise<unknown> =>
      await page.evaluate(() => document.activeElement?.localName);
    expect(await focused()).toBe('omi-confirmation');
    answer = confirmed;
    await visitor.reads('You confirmed on Anna’s phone.');
    expect(await focused()).toBe('omi-confirmation');
    expect(await told(visitor)).toEqual([
      ['omi-confirmed', { id: 'confirmation-1' }],
      ['omi-ended', { status: 'confirmed' }],
    ]);
    expect(await read(visitor, ({ value, state }) => [value, state])).toEqual([
      'confirmation-1',
      'confirmed',
    ]);
    expect(await read(visitor, ({ offsetHeight }) => offsetHeight)).toBe(height);
    expect(await page.evaluate('shifts')).toEqual([]);
    await visitor.expectAccessible();
  });

  test.each([
    ['denied', 'user_declined', 'The request was denied on'],
    ['denied', 'not_me', 'The request was stopped.'],
    ['expired', undefined, 'The request was not answered in time.'],
    ['cancelled', 'withdrawn', 'The request was withdrawn.'],
    ['cancelled', 'device_removed', 'Device removed'],
    ['failed', 'wrong_number', 'Wrong number'],
    ['failed', 'too_many_bad_responses', 'Request stopped'],
  ])('the flow ends as "%s" (%s)', async (status, reason, text) => {
    const visitor = await visit(service({ look: () => ({ body: ended(status, reason) }) }));
    await visitor.clicks('Ask for confirmation');
    await visitor.reads(text);
    const events = status === 'denied' ? ['omi-denied', 'omi-ended'] : ['omi-ended'];
    expect(((await told(visitor)) as string[][]).map(([type]) => type)).toEqual(events);
    expect(await told(visitor)).toContainEqual([
      'omi-ended',
      { status, ...(reason !== undefined && { reason }) },
    ]);
    // Who reads "this was not me" here may be the thief.
    expect(await visitor.button('Try again').count()).toBe(reason === 'not_me' ? 0 : 1);
    expect(await visitor.page.evaluate('shifts')).toEqual([]);
  });

  test.each<[string, Reply, string, boolean]>([
    ['network', 'broken', 'The request was not sent.', true],
    ['unauthorized', problem(401, 'unauthorized'), 'You are signed out', false],
    ['unexpected-answer', { status: 302, headers: { location: '/sign-in' } }, 'You are signed out', false],
    ['denied', problem(403, 'denied'), 'Not now.', true],
    ['user-suspended', problem(403, 'user-suspended'), 'The help desk suspended your account.', true],
    ['device-not-found', problem(404, 'device-not-found'), 'Device not found', true],
    ['unexpected', problem(500, 'unexpected'), 'Something went wrong', true],
    ['unexpected-answer', { status: 201, body: { id: 7 } }, 'Something went wrong', true],
  ])('a refusal "%s" is shown', async (code, confirm, text, mayRepeat) => {
    const visitor = await visit(service({ confirm: () => confirm }));
    await visitor.clicks('Ask for confirmation');
    await visitor.reads(text);
    expect(await told(visitor)).toEqual([['omi-problem', { code }]]);
    expect(await visitor.button('Try again').count()).toBe(mayRepeat ? 1 : 0);
  });

  test('the flow waits as long as the server demands', async () => {
    let isOver = false;
    const refused = problem(429, 'too-many-notifications', { 'retry-after': '2' });
    const visitor = await visit(
      service({ confirm: () => (isOver ? { status: 201, body: asked } : refused) }),
    );
    await visitor.clicks('Ask for confirmation');
    await visitor.reads('Too many requests');
    await visitor.reads(/You can try again in 0:0[12]\./);
    expect(await visitor.button('Try again').isDisabled()).toBe(true);
    isOver = true;
    await visitor.clicks('Try again');
    await visitor.reads('Pay 20.00 EUR to Jo?');
  });

  describe('another request of the user', () => {
    const refused = problem(409, 'confirmation-pending', { 'retry-after': '90' });

    test('is withdrawn if the user wants that', async () => {
      let isOpen = true;
      const visitor = await visit(
        service({
          confirm: () => (isOpen ? refused : { status: 201, body: asked }),
          withdrawOthers: () => {
            isOpen = false;
            return { status: 204 };
          },
        }),
      );
      await visitor.clicks('Ask for confirmation');
      await visitor.clicks('Withdraw it and ask here');
      await visitor.reads('Pay 20.00 EUR to Jo?');
    });
  });

  test('the user can choose a device with the keyboard', async () => {
    const visitor = await visit(service({ devices: () => devicesOf(tablet, phone) }));
    expect(await visitor.page.getByLabel(phone.name).isChecked()).toBe(true);
    await visitor.tabsTo(visitor.page.getByLabel(phone.name));
    await visitor.page.keyboard.press('ArrowUp');
    expect(await visitor.page.getByLabel('Tablet (open the app there)').isChecked()).toBe(true);
    await visitor.clicks('Ask for confirmation');
    await visitor.reads('Pay 20.00 EUR to Jo?');
    expect(pages.posts()).toMatchObject([{ path: '/omi/confirmations?device=tablet' }]);
  });

  test('the app to open is named if the notification may not arrive, and the number to compare is shown', async () => {
    const body = { ...asked, delivery: 'unreachable', matchCode: '42' };
    const visitor = await visit(service({ confirm: () => ({ status: 201, body }) }));
    await visitor.clicks('Ask for confirmation');
    await visitor.reads('Open the app on Anna’s phone');
    expect(await visitor.page.getByRole('status').innerText()).toMatch(/asks for this number:\s+42/);
  });

  test('an app that may be in this browser is said to be that', async () => {
    const body = { ...asked, delivery: 'unreachable', perhapsHere: true };
    const visitor = await visit(service({ confirm: () => ({ status: 201, body }) }));
    await visitor.clicks('Ask for confirmation');
    await visitor.reads('It may be in this browser.');
  });

  describe('a user without a device', () => {
    const element = `<omi-confirmation><a slot="no-device" href="/devices">Set up a device</a></omi-confirmation>`;

    test('sees the way that the page offers, until there is a device', async () => {
      let devices = devicesOf();
      const visitor = await visit(service({ devices: () => devices }), element);
      await visitor.reads('No device yet');
      expect(await visitor.link('Set up a device').isVisible()).toBe(true);
      expect(await told(visitor)).toEqual([['omi-no-device', {}]]);
      devices = devicesOf(phone);
      await read(visitor, (omi) => omi.dispatchEvent(new CustomEvent('omi-enrolled', { bubbles: true })));
      await visitor.reads('You will get a request on');
      expect(await visitor.link('Set up a device').isVisible()).toBe(false);
    });
  });

  test('a cancellation withdraws the request, but shows the answer if that came first', async () => {
    let answer: object = pending;
    // The answer comes with the withdrawal, not before: else the next look could take the button away.
    let withdraw = (): Reply => {
      answer = ended('denied');
      return problem(409, 'already-decided');
    };
    const visitor = await visit(service({ look: () => ({ body: answer }), withdraw: () => withdraw() }));
    await asks(visitor);
    await visitor.clicks('Cancel');
    await visitor.reads('The request was denied on');
    answer = pending;
    withdraw = () => ({ status: 204 });
    await visitor.clicks('Try again');
    await visitor.reads('Pay 20.00 EUR to Jo?');
    await visitor.clicks('Cancel');
    await visitor.reads('The request was withdrawn.');
    expect(await told(visitor)).toContainEqual(['omi-ended', { status: 'cancelled', reason: 'withdrawn' }]);
  });

  test('the flow keeps waiting without a connection, and shows the result when it is back', async () => {
    let look: Reply = { body: pending };
    const visitor = await visit(service({ look: () => look }));
    await asks(visitor);
    await visitor.context.setOffline(true);
    await visitor.reads('Connection lost');
    look = { body: confirmed };
    await visitor.context.setOffline(false);
    await visitor.reads('You confirmed on');
  });

  test('a hidden tab sends no polls, and updates at once when it is visible', async () => {
    let look: Reply = { body: pending };
    const visitor = await visit(service({ look: () => look }));
    await asks(visitor);
    const hide = async (isHidden: boolean): Promise<void> =>
      await visitor.page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await hide(true);
    // What was on its way when the tab was hidden arrives, on a busy machine after a while; then there is silence.
    let before = -1;
    for (let seconds = 0; seconds < 5 && before !== looks(); seconds += 1) {
      before = looks();
      await visitor.page.waitForTimeout(1_000);
    }
    expect(looks()).toBe(before);
    look = { body: confirmed };
    await hide(false);
    await visitor.reads('You confirmed on');
    expect(looks()).toBe(before + 1);
  });

  test('the countdown follows the time of the server', async () => {
    const visitor = await visit(
      service({ look: () => ({ body: { ...pending, expiresInMs: 25_000, interval: 1 } }) }),
    );
    await asks(visitor);
    await visitor.reads('Less than 30 seconds left.');
    await visitor.reads(/0:2[45] left/);
  });

  test('the request is withdrawn when the page is left', async () => {
    const visitor = await visit(service());
    await asks(visitor);
    await visitor.open('/done');
    await visitor.waitsFor(
      async () => await Promise.resolve(pages.withdrawals()),
      ['/omi/confirmations/confirmation-1'],
    );
  });

  test('a reload withdraws the request, and the page says so once', async () => {
    const visitor = await visit(service());
    await asks(visitor);
    await visitor.page.reload();
    await visitor.reads('The request was withdrawn.');
    expect(pages.withdrawals()).toEqual(['/omi/confirmations/confirmation-1']);
    await visitor.page.reload();
    await visitor.reads(/^You will get a request/);
  });

  test('a page restored from the cache shows the current state', async () => {
    let look: Reply = { body: { ...pending, interval: 60 } };
    const visitor = await visit(
      service({ confirm: () => ({ status: 201, body: { ...asked, interval: 60 } }), look: () => look }),
    );
    await asks(visitor);
    look = { body: ended('cancelled', 'withdrawn') };
    await visitor.page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await visitor.reads('The request was withdrawn.');
    expect(pages.withdrawals().length).toBe(1);
  });

  test('the request is withdrawn when the element is removed from the page, but not when it is moved', async () => {
    const visitor = await visit(service());
    await asks(visitor);
    await read(visitor, (element) => document.querySelector('main')?.append(element));
    await visitor.reads('Pay 20.00 EUR to Jo?');
    expect(await read(visitor, ({ state }) => state)).toBe('pending');
    expect(pages.withdrawals()).toEqual([]);
    await read(visitor, (element) => element.remove());
    await visitor.waitsFor(
      async () => await Promise.resolve(pages.withdrawals()),
      ['/omi/confirmations/confirmation-1'],
    );
  });

  test.each([
    ['a phone offers the app, also one that opens it in place of the page, and the request stays', true],
    ['any other screen does not, as the app is on another device', false],
  ])('%s', async (_, hasTouch) => {
    const appUrl = `${pages.file.appUrl}/#/challenge/x`;
    const confirm = () => ({ status: 201, body: { ...asked, appUrl } });
    let look: Reply = { body: pending };
    pages.show('<omi-confirmation></omi-confirmation>', service({ confirm, look: () => look }));
    const visitor = await chromium.visitor({ hasTouch });
    await visitor.open('/');
    await asks(visitor);
    const link = visitor.page.getByRole('link', { name: 'Open the app' });
    expect(await link.count()).toBe(hasTouch ? 1 : 0);
    if (!hasTouch) return;
    const opened = visitor.context.waitForEvent('page');
    await link.tap();
    const app = await opened;
    expect(app.url()).toBe(appUrl);
    await app.close();
    expect(await read(visitor, ({ state }) => state)).toBe('pending');
    look = { body: ended('denied') };
    await visitor.page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await visitor.waitsFor(async () => await read(visitor, ({ state }) => state), 'ended');
    expect(pages.withdrawals()).toEqual([]);
  });

  test('nothing is requested before the element is visible', async () => {
    const visitor = await visit(service(), '<div hidden><omi-confirmation></omi-confirmation></div>');
    await visitor.page.waitForFunction(() => customElements.get('omi-confirmation'));
    // Two frames: by then an element that is in view has been noticed.
    await visitor.page.evaluate(
      async () => await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(pages.calls).toEqual([]);
    await read(visitor, (element) => element.parentElement?.removeAttribute('hidden'));
    await visitor.reads(phone.name);
    expect(pages.calls.map(({ path }) => path)).toEqual(['/omi/devices']);
  });

  test('the element has the language of its surroundings, and the words of the page', async () => {
    const visitor = await visit(
      service(),
      '<div lang="de-AT"><omi-confirmation></omi-confirmation></div>',
      'fr',
    );
    await visitor.reads('Die Anfrage kommt auf');
    await read(visitor, (element) => (element.lang = 'nl'));
    await visitor.reads('U krijgt een verzoek op');
    await read(visitor, (element) => (element.texts = { start: 'Naar mijn telefoon' }));
    expect(await visitor.button('Naar mijn telefoon').count()).toBe(1);
    await read(visitor, (element) => element.setAttribute('lang', 'xx'));
    await visitor.reads('You will get a request on');
  });

  test('a user who reports a request reads the words that the website has for it', async () => {
    const visitor = await visit(service({ look: () => ({ body: ended('denied', 'not_me') }) }));
    await read(
      visitor,
      (element) => (element.texts = { notMe: ['This has ended', 'The bank has paid nothing.'] }),
    );
    await visitor.clicks('Ask for confirmation');
    await visitor.reads('This has ended');
    await visitor.reads('The bank has paid nothing.');
    expect(await visitor.page.getByText('Request stopped').count()).toBe(0);
  });

  test('the element uses the device that the page names, and properties set before its definition', async () => {
    pages.show('', service());
    const visitor = await chromium.visitor();
    await visitor.page.route('**/elements.js', async (route) => {
      await visitor.page.evaluate(() => {
        const element = document.createElement('omi-confirmation');
        Object.assign(element, { deviceId: 'tablet', data: { to: 'Jo' } });
        document.querySelector('main')?.append(element);
      });
      await route.continue();
    });
    await visitor.open('/');
    await visitor.clicks('Ask for confirmation');
    await visitor.reads('Pay 20.00 EUR to Jo?');
    expect(pages.calls.map(({ path }) => path)[0]).toBe('/omi/confirmations?device=tablet');
    expect(pages.posts()).toMatchObject([{ body: '{"to":"Jo"}' }]);
  });
});
