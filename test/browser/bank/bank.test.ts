import { beforeEach, expect, test } from '@jest/globals';
import { bodyOf } from '../../../tools/client/http.ts';
import { useBankStack } from '../../pages/bank/bank-stack.ts';
import { describeIn } from '../../support/browser/browser-of-run.ts';
import { useChromium } from '../../support/browser/use-chromium.ts';
import { BankWindow } from './bank-window.ts';
import { testBothEnds } from './both-ends.ts';
import { testPhones } from './phones.ts';
import { testUse } from './use.ts';
import { testWindows } from './windows.ts';

const customers = ['customer-2071', 'customer-4418', 'customer-9036'];

const stack = useBankStack({ perTenMinutes: 1000, perDay: 1000, pauseAfter: 100, notMePauseSeconds: 0 });

const describe = await describeIn('chromium');

describe('the demo bank in Chromium', () => {
  const chromium = useChromium(stack);
  const open = async (options = {}) => await BankWindow.open(chromium, stack, options);

  beforeEach(async () => {
    for (const userId of customers) {
      const { devices } = bodyOf(await stack.bank.listDevices(userId));
      for (const { deviceId } of devices) await stack.bank.removeDevice(userId, deviceId);
    }
  });

  const world = { stack, chromium, open };
  testBothEnds(world);
  testPhones(world);
  testWindows(world);
  testUse(world);

  test('serves only the page and its packages', async () => {
    const { page } = await open();
    const answer = await page.request.get('/tsconfig.json');
    expect([answer.status(), (await page.request.get('/../package.json')).status()]).toEqual([404, 404]);
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
