import { beforeEach, expect, test } from '@jest/globals';
import type { Frame, Page } from 'puppeteer-core';
import { bodyOf } from '../../client/http.ts';
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
    await bank.hasInView('Confirm');
    await bank.examines();
    await bank.isPictured('asked', '#phone-title');
    await bank.taps('Confirm');
    await bank.phoneShows('Confirmed');
    await bank.reads('Paid 20.00 € to Café Zoë.');
    await bank.verifies();
    await bank.seesAllBelow();
    await expect(bank.failedChecks()).resolves.toEqual([]);
    await bank.events.getByText('The user confirmed').waitFor();
    await bank.calls.getByText('200 confirmed').waitFor();
    expect([before, await bank.balance()]).toEqual(['2,480.50 €', '2,460.50 €']);
    await bank.examines();
    await bank.isPictured('evidence', '#evidence-title');
  });

  test('pays above the limit once a second customer has confirmed, whose phone shows how many have', async () => {
    const [payer, second] = [await open(), await open()];
    await payer.arrive('Anna');
    await second.arrive('Chiara');
    await payer.website.getByLabel('Amount in €').fill('600');
    await payer.website.getByRole('button', { name: 'Pay', exact: true }).click();
    await payer.reads('Two must confirm it, you and one of the bank’s other customers');
    await payer.website.getByRole('button', { name: 'Ask you and the others' }).click();
    const question = 'Let Anna Weber pay 600.00 € to Café Zoë?';
    for (const bank of [payer, second]) {
      await bank.phoneReads(question);
      await bank.taps('Review');
    }
    await second.phoneReads('Nobody has confirmed yet');
    await payer.taps('Confirm');
    await second.phoneReads('1 of 3 has confirmed');
    await payer.examines();
    await second.taps('Confirm');
    await payer.reads('Paid 600.00 € to Café Zoë. Anna Weber and Chiara Rossi agreed.');
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
