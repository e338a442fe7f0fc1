import { beforeEach, expect, test } from '@jest/globals';
import type { FrameLocator, Locator, Page as ChromiumPage } from 'playwright-core';
import type { Frame, Page } from 'puppeteer-core';
import { animationsAfterChange } from '#ui/testing/animations.ts';
import { bodyOf } from '../../tools/client/http.ts';
import { useBankStack } from '../pages/bank/bank-stack.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import { clicks, reads, sees, useFirefox } from '../support/browser/firefox.ts';
import { BankWindow } from './bank-window.ts';

const customers = ['customer-2071', 'customer-4418', 'customer-9036'];

const stack = useBankStack({ perTenMinutes: 1000, perDay: 1000, pauseAfter: 100, notMePauseSeconds: 0 });

const inChromium = await describeIn('chromium');
const inFirefox = await describeIn('firefox');

inChromium('the demo bank in Chromium', () => {
  const chromium = useChromium(stack);
  const open = async (options = {}) => await BankWindow.open(chromium, stack, options);

  beforeEach(async () => {
    for (const userId of customers) {
      const { devices } = bodyOf(await stack.bank.listDevices(userId));
      for (const { deviceId } of devices) await stack.bank.removeDevice(userId, deviceId);
    }
  });

  test('shows the whole flow, from sign-in to verified evidence', async () => {
    const bank = await open();
    await bank.page.getByRole('heading', { name: 'A stolen password should not be enough.' }).waitFor();
    await bank.page.getByRole('button', { name: /^Chiara / }).waitFor();
    await bank.examines();
    await bank.isPictured('welcome', 'body');
    await bank.signIn('Anna');
    await bank.website.getByRole('button', { name: 'Connect a phone' }).click();
    await bank.phoneShows('Name this device');
    await bank.phoneReads(/^Anna · /);
    await bank.examines();
    await bank.isPictured('code', '#phone-title');
    await bank.setsUpPhone();
    await bank.phoneShows('Nothing to confirm');
    await bank.events.getByText('A phone was connected').waitFor();
    const before = await bank.balance();
    await bank.asksToPay();
    await bank.phoneReads(/^Chrome on .* · now$/);
    await bank.examines();
    await bank.isPictured('asked', '#phone-title');
    await bank.taps('Confirm');
    await bank.phoneShows('Confirmed');
    await bank.reads('Paid 20.00 € to Café Zoë.');
    await bank.verifies();
    await expect(bank.failedChecks()).resolves.toEqual([]);
    await bank.events.getByText('The user confirmed').waitFor();
    await bank.calls.getByText('200 confirmed').waitFor();
    expect([before, await bank.balance()]).toEqual(['2,480.50 €', '2,460.50 €']);
    await bank.examines();
    await bank.isPictured('evidence', '#evidence-title');
  });

  test('pays above the limit only if another customer agrees', async () => {
    const bank = await open();
    await bank.arrive('Ben');
    await bank.page.getByRole('button', { name: 'Sign out' }).click();
    await bank.arrive('Anna');
    const before = await bank.balance();
    await bank.website.getByLabel('Amount').fill('800');
    await bank.website.getByRole('button', { name: 'Pay', exact: true }).click();
    await bank.reads('This is above your limit of 500.00 €.');
    await bank.examines();
    await bank.website.getByRole('button', { name: 'Ask the others' }).click();
    await bank.reads('Chiara Rossi has no phone');
    await bank.taps('Review');
    await bank.phoneIsNamed('Ben’s phone');
    await bank.phoneReads('Agree that Anna Weber pays 800.00 € to Café Zoë?');
    await bank.phoneReads('1 of 2 people must confirm');
    await bank.taps('Confirm');
    await bank.reads('Paid 800.00 € to Café Zoë. Ben Okafor agreed.');
    await expect(bank.balance()).resolves.not.toBe(before);
  });

  test('removes a lost only phone, and connects a new one', async () => {
    const bank = await open();
    await bank.arrive('Anna');
    await bank.opens('Phones');
    await bank.website.getByRole('button', { name: /^I lost it/ }).click();
    await bank.page.getByRole('dialog', { name: 'Remove Anna’s phone?' }).waitFor();
    await bank.page.getByRole('button', { name: 'Keep it' }).click();
    await expect(bank.website.locator('#devices li').count()).resolves.toBe(1);
    await bank.website.getByRole('button', { name: /^I lost it/ }).click();
    await bank.page.getByRole('button', { name: 'Remove it' }).click();
    await bank.reads('A real bank now checks in another way that it is you');
    await bank.phoneReads(/was removed$/);
    await bank.taps('Delete from this device');
    await bank.phoneShows('Confirm with this device');
    await bank.connect();
  });

  test('works with the keyboard alone, from sign-in to payment', async () => {
    const bank = await open();
    const press = async (
      target: Locator,
      document: ChromiumPage | FrameLocator = bank.page,
    ): Promise<void> => {
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

  // Last: from then on, this person is another user of OMI.
  test('starts again without phones, payments and pauses', async () => {
    const bank = await open();
    await bank.arrive('Anna');
    await bank.asksToPay();
    await bank.taps('Confirm');
    await bank.reads('Paid 20.00 € to Café Zoë.');
    await bank.website.getByRole('button', { name: 'Start again' }).click();
    await bank.website.getByRole('button', { name: 'Connect a phone' }).waitFor();
    await expect(bank.balance()).resolves.toBe('2,480.50 €');
    await bank.connect();
  });
});

inFirefox('the demo bank in Firefox', () => {
  const firefox = useFirefox();

  /** The web app, on the phone in front. */
  async function phoneOn(page: Page): Promise<Frame> {
    const screen = await page.waitForSelector('#phone-screen iframe:not([hidden])');
    const app = await screen?.contentFrame();
    if (!app) throw new Error('The phone shows no app');
    return app;
  }

  // Ben, as Anna has a phone from the tests before.
  test('pays after a confirmation on the phone', async () => {
    const page = await firefox.open(stack.file.siteUrl);
    await sees(page, 'A stolen password should not be enough.');
    await page.locator('button::-p-text(Ben)').click();
    await sees(page, 'Hello, Ben');
    await clicks(page, 'Connect a phone');
    const app = await phoneOn(page);
    await clicks(app, 'Continue');
    await sees(app, 'This device is ready');
    await clicks(app, 'Done');
    await page.locator('#pay button.primary').click();
    await clicks(app, 'Review');
    await reads(app, 'Pay 20.00 € to Café Zoë?');
    await clicks(app, 'Confirm');
    await sees(app, 'Confirmed');
    await reads(page, 'Paid 20.00 € to Café Zoë.');
    await reads(page, 'Verified in this browser');
  });
});

/** Presses the Tab key until this element has the focus. */
async function tabsTo(
  { page }: BankWindow,
  target: Locator,
  document: ChromiumPage | FrameLocator,
): Promise<void> {
  await target.waitFor();
  const focused = target.and(document.locator(':focus'));
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`60 times Tab did not reach ${String(target)}`);
}
