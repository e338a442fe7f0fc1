import { expect, test } from '@jest/globals';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { animationsAfterChange } from '#ui/testing/animations.ts';
import type { BankWindow } from './bank-window.ts';
import type { BankWorld } from './world.ts';

/** Without a mouse, without a connection, with large text. */
export function testUse({ open }: BankWorld): void {
  test('works with the keyboard alone, from sign-in to payment', async () => {
    const bank = await open();
    const press = async (target: Locator, document: Page | FrameLocator = bank.page): Promise<void> => {
      await tabsTo(bank, target, document);
      await bank.page.keyboard.press('Enter');
    };
    await press(bank.page.getByRole('button', { name: /^Anna / }));
    await bank.hasGreeted('Anna');
    await press(bank.website.getByRole('button', { name: 'Connect a phone' }));
    await press(bank.screen.getByRole('button', { name: 'Continue' }), bank.screen);
    await bank.phoneShows('This device is ready');
    await press(bank.screen.getByRole('link', { name: 'Done' }), bank.screen);
    await bank.phoneShows('Nothing to confirm');
    await tabsTo(bank, bank.website.getByRole('tab', { name: 'Pay' }), bank.page);
    await bank.page.keyboard.press('ArrowRight');
    await bank.website.getByLabel('Your new address').waitFor();
    await bank.page.keyboard.press('Home');
    await press(bank.website.getByRole('button', { name: 'Pay', exact: true }));
    await press(bank.screen.getByRole('link', { name: 'Review' }), bank.screen);
    await press(bank.screen.getByRole('button', { name: 'Confirm' }), bank.screen);
    await bank.phoneShows('Confirmed');
    await bank.reads('Paid 20.00 € to Café Zoë.');
    await expect(bank.screen.locator(':focus').textContent()).resolves.toBe('Confirmed');
  });

  test('reports that the bank does not answer, and continues when it does', async () => {
    const bank = await open();
    await bank.page.getByRole('button', { name: /^Anna / }).waitFor();
    await bank.page.route('**/bank/**', async (route) => await route.abort());
    await bank.page.reload();
    await bank.page.getByRole('heading', { name: 'The bank does not answer' }).waitFor();
    await bank.examines();
    await bank.page.unroute('**/bank/**');
    await bank.page.getByRole('button', { name: 'Try again' }).click();
    await bank.arrive('Anna');
    await bank.page.route('**/omi/device/**', async (route) => await route.abort());
    const notice = bank.screen.getByText('The service cannot be reached at the moment.');
    await notice.waitFor();
    await bank.page.unroute('**/omi/device/**');
    await notice.waitFor({ state: 'hidden' });
  });

  test('keeps the result of a payment when a late event of the phone arrives', async () => {
    const bank = await open();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    await bank.page.route('**/step-up/enrolments/*', async (route) => {
      await promise;
      await route.continue();
    });
    await bank.signIn('Anna');
    await bank.website.getByRole('button', { name: 'Connect a phone' }).click();
    await bank.setsUpPhone();
    await bank.asksToPay();
    await bank.taps('Confirm');
    await bank.reads('Paid 20.00 € to Café Zoë.');
    const refreshed = bank.page.waitForResponse('**/bank/session');
    resolve(undefined);
    await bank.page.locator('omi-enrolment').waitFor({ state: 'detached' });
    await (await refreshed).finished();
    // The page has drawn the account by its next frame.
    await bank.page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
    await expect(bank.website.locator('#bank-says').innerText()).resolves.toMatch(
      /^Paid 20\.00 € to Café Zoë\./,
    );
  });

  test('moves nothing at load and reload on a phone, with one script and no fault on the console', async () => {
    const bank = await open({ viewport: { width: 390, height: 844 } });
    const { page } = bank;
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.addInitScript(`
      globalThis.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script' && request.frame() === page.mainFrame())
        scripts.push(new URL(request.url()).pathname);
    });
    await page.reload();
    await page.getByRole('button', { name: /^Anna / }).waitFor();
    expect(scripts).toEqual(['/assets/page.js']);
    expect(faults).toEqual([]);
    expect(Number(await page.evaluate('shift'))).toBeLessThan(0.05);
    await bank.arrive('Anna');
    await page.reload();
    await bank.hasGreeted('Anna');
    await bank.phoneShows('Nothing to confirm');
    expect(Number(await page.evaluate('shift'))).toBeLessThan(0.05);
  });

  test('says why nobody is asked for a while after "This was not me"', async () => {
    const bank = await open();
    await bank.page.route('**/step-up/confirmations?*', async (route) => {
      const body = JSON.stringify({ code: 'too-many-notifications', detail: 'Wait.' });
      const headers = { 'retry-after': '60' };
      await route.fulfill({ status: 429, contentType: 'application/problem+json', headers, body });
    });
    await bank.arrive('Ben');
    await bank.website.getByRole('button', { name: 'Pay', exact: true }).click();
    await bank.reads('OMI asks this person nothing for a while');
    await bank.reads(/You can try again in/);
  });

  test('fits text of twice the size, and moves nothing when reduced motion is set', async () => {
    const bank = await open({ viewport: { width: 640, height: 900 } });
    await bank.arrive('Anna');
    await bank.asksToPay();
    await bank.page.evaluate("document.documentElement.setAttribute('class', 'large')");
    await bank.page.evaluate(`{
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('html { font-size: 200% !important }');
      document.adoptedStyleSheets = [sheet];
    }`);
    await expect(bank.page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(640);
    await expect(animationsAfterChange(bank.page)).resolves.toEqual([]);
  });

  test('notifies of a request while the phone shows something else', async () => {
    const bank = await open();
    await bank.arrive('Anna');
    await bank.taps('Settings');
    await bank.website.getByRole('button', { name: 'Pay', exact: true }).click();
    await bank.phone.getByRole('link', { name: /Pay 20.00 € to Café Zoë/ }).click();
    await bank.phoneShows('Confirm this request?');
    await bank.taps('Deny');
    await bank.reads('The request was denied');
  });

  test('leads to the phone by a banner when it is out of view', async () => {
    const bank = await open({ viewport: { width: 390, height: 500 } });
    await bank.arrive('Anna');
    await bank.website.getByRole('button', { name: 'Pay', exact: true }).click();
    const banner = bank.page.getByRole('link', { name: /Your phone asks/ });
    await banner.waitFor();
    await banner.click();
    await banner.waitFor({ state: 'hidden' });
    await bank.phoneShows('Confirm this request?');
    await bank.taps('Confirm');
    await bank.reads('Paid 20.00 € to Café Zoë.');
  });
}

/** Presses the Tab key until this element has the focus. */
async function tabsTo({ page }: BankWindow, target: Locator, document: Page | FrameLocator): Promise<void> {
  await target.waitFor();
  const focused = target.and(document.locator(':focus'));
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`60 times Tab did not reach ${String(target)}`);
}
