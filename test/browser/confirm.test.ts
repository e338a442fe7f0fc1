import { expect, test } from '@jest/globals';
import { bodyOf } from '../../client/http.ts';
import { expectStatus, poll } from '../contract/scenario.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { ask, askAndReview, askUser, enrol, openShop } from './flows.ts';

const stack = useSharedStack();

const describe = await describeIn('chromium');

describe('answering in Chromium', () => {
  const chromium = useChromium(stack);

  test('confirms without a mouse, with evidence', async () => {
    const visitor = await chromium.visitor();
    const { page } = visitor;
    const enrolled = await enrol(visitor, stack.website);
    const { nonce } = await ask(visitor, enrolled, {
      requestedFrom: { browser: 'Firefox on Windows', place: 'Köln' },
    });
    await visitor.tabsTo(visitor.link('Review'));
    await page.keyboard.press('Enter');
    await visitor.sees('Confirm this request?');
    await visitor.examines('request');
    await visitor.tabsTo(visitor.button('Confirm'));
    await page.keyboard.press('Enter');
    await visitor.sees('Confirmed');
    await visitor.examines('result-confirmed');
    await expectStatus(stack.website, nonce, 'confirmed');
    await visitor.clicks('Back to requests');
    await visitor.clicks('History');
    await visitor.sees('History');
    await visitor.reads('Pay 16.00 € to Café Zoë?');
  });

  test('denies, and reports it to the website', async () => {
    const visitor = await chromium.visitor();
    const { nonce } = await askAndReview(visitor, await enrol(visitor, stack.website));
    await visitor.clicks('Deny');
    await visitor.sees('Denied');
    await expectStatus(stack.website, nonce, 'denied', 'user_declined');
  });

  test('shows where the request was made, and which device it removes', async () => {
    const visitor = await chromium.visitor();
    const enrolled = await enrol(visitor, stack.website);
    const [device] = bodyOf(await stack.website.listDevices(enrolled.userId)).devices;
    const { nonce } = await askAndReview(visitor, enrolled, {
      message: 'Remove a device from your account?',
      purpose: 'remove-device',
      subjectDeviceId: device?.deviceId ?? '',
      requestedFrom: { browser: 'Firefox on Windows', place: 'Köln', ip: '192.0.2.44' },
    });
    await visitor.reads(`${device?.name ?? ''} (this device)`);
    await visitor.reads('Firefox on Windows · Köln · now');
    await visitor.clicks('Confirm');
    await visitor.sees('Confirmed');
    await expectStatus(stack.website, nonce, 'confirmed');
    await visitor.open('/#/history');
    await visitor.reads('Firefox on Windows · Köln');
  });

  test('offers three numbers to pick from', async () => {
    const visitor = await chromium.visitor();
    const shop = await openShop(stack, 'Pick Shop', '--number-matching', 'pick');
    const enrolled = await enrol(visitor, shop);
    const right = await askAndReview(visitor, enrolled);
    await visitor.examines('request-pick');
    await visitor.clicks('Confirm');
    await visitor.reads('Choose the number that the website shows.');
    await visitor.page.getByRole('radio', { name: right.matchCode ?? '' }).check();
    await visitor.clicks('Confirm');
    await visitor.sees('Confirmed');
    await expectStatus(shop, right.nonce, 'confirmed');
    await visitor.clicks('Back to requests');
    const wrong = await askAndReview(visitor, enrolled);
    const numbers = await visitor.page.getByRole('radio').all();
    const values = await Promise.all(numbers.map(async (number) => await number.inputValue()));
    const [other = ''] = values.filter((value) => value !== wrong.matchCode);
    await visitor.page.getByRole('radio', { name: other }).check();
    await visitor.clicks('Confirm');
    await visitor.sees('Wrong number');
    await expectStatus(shop, wrong.nonce, 'failed', 'wrong_number');
  });

  test('asks for the number to type', async () => {
    const visitor = await chromium.visitor();
    const shop = await openShop(stack, 'Type Shop', '--number-matching', 'type');
    const { nonce, matchCode = '' } = await askAndReview(visitor, await enrol(visitor, shop));
    await visitor.clicks('Confirm');
    const field = visitor.page.getByLabel('Type the number that the website shows');
    await field.waitFor();
    await field.fill('12');
    await visitor.clicks('Confirm');
    await visitor.reads('The number has 6 digits.');
    await field.fill(`${matchCode.slice(0, 3)} ${matchCode.slice(3)}`);
    await visitor.clicks('Confirm');
    await visitor.sees('Confirmed');
    await expectStatus(shop, nonce, 'confirmed');
  });

  test('keeps the key after a reload', async () => {
    const visitor = await chromium.visitor();
    const enrolled = await enrol(visitor, stack.website);
    const { deviceId } = await poll(stack.website, (await ask(visitor, enrolled)).nonce);
    await visitor.page.reload();
    await visitor.clicks('Review');
    await visitor.clicks('Confirm');
    await visitor.sees('Confirmed');
    const { devices } = bodyOf(await stack.website.listDevices(enrolled.userId));
    expect(devices.map((device) => device.deviceId)).toEqual([deviceId]);
  });

  test('shows the only request that waits when it is opened, and the list on the way back', async () => {
    const visitor = await chromium.visitor();
    const enrolled = await enrol(visitor, stack.website);
    await visitor.page.goto('about:blank');
    await askUser(enrolled);
    await visitor.open('/');
    await visitor.sees('Confirm this request?');
    await visitor.clicks('Back');
    await visitor.clicks('Review');
    await visitor.sees('Confirm this request?');
  });

  test('works offline except for the call itself', async () => {
    const visitor = await chromium.visitor();
    const enrolled = await enrol(visitor, stack.website);
    const { nonce } = await askAndReview(visitor, enrolled);
    await visitor.isControlled();
    await visitor.context.setOffline(true);
    await visitor.reads('You are offline.');
    await visitor.clicks('Confirm');
    await visitor.reads('Your answer may not have arrived.');
    await visitor.context.setOffline(false);
    await visitor.clicks('Confirm');
    await visitor.sees('Confirmed');
    await expectStatus(stack.website, nonce, 'confirmed');
    await visitor.context.setOffline(true);
    await visitor.page.reload();
    // A new page does not know at once that there is no network.
    await visitor.reads(/You are offline|The service cannot be reached/);
    await visitor.clicks('Back to requests');
    // Nobody knows whether something waits, so nothing says that there is nothing.
    await visitor.sees(/^(You are offline|The requests could not be loaded)$/);
    await visitor.clicks('History');
    await visitor.reads('Pay 16.00 € to Café Zoë?');
  });

  test('shows that the time is over', async () => {
    const visitor = await chromium.visitor();
    await visitor.page.clock.install();
    await askAndReview(visitor, await enrol(visitor, stack.website), { expiresIn: 40 });
    // Less than the minute from which the app would rather tell that the clock is wrong.
    await visitor.page.clock.fastForward(40_000);
    await visitor.sees('Time is over');
  });

  test('shows that its key is gone when the browser deleted it', async () => {
    const visitor = await chromium.visitor();
    await enrol(visitor, stack.website);
    await visitor.losesItsKeys();
    await visitor.open('/');
    await visitor.reads(/^The key of .* is gone$/);
  });

  test('shows that the clock is wrong, and answers by the service’s time', async () => {
    const visitor = await chromium.visitor();
    await visitor.page.clock.install({ time: Date.now() + 600_000 });
    const { nonce } = await askAndReview(visitor, await enrol(visitor, stack.website));
    await visitor.reads(/clock is 10 minutes fast/);
    await visitor.clicks('Confirm');
    await visitor.sees('Confirmed');
    await expectStatus(stack.website, nonce, 'confirmed');
  });
});
