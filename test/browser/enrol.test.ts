import { expect, test } from '@jest/globals';
import { bodyOf } from '../../client/http.ts';
import { startEnrolment } from '../contract/scenario.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { ask, askUser, beginEnrolment, enrol, labelOf, newPerson } from './flows.ts';

const stack = useSharedStack();

const describe = await describeIn('chromium');

describe('enrolling in Chromium', () => {
  const chromium = useChromium(stack);

  test('begins with the purpose of the app, and how to get a link', async () => {
    const visitor = await chromium.visitor();
    await visitor.open('/');
    await visitor.sees('Confirm with this device');
    await visitor.examines('welcome');
    await visitor.clicks('Set up this device');
    await visitor.sees('Set up this device');
  });

  test('needs no mouse, and works without notifications', async () => {
    const visitor = await chromium.visitor();
    const { page } = visitor;
    const { userId, website } = await beginEnrolment(visitor, stack.website);
    // The one-time code is in the address for a moment only.
    expect(page.url()).toBe(`${stack.file.appUrl}/#/enrol`);
    await visitor.reads(stack.file.tenants[0].name);
    await visitor.reads(labelOf(userId));
    await visitor.tabsTo(page.getByLabel('Device name'));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Anna’s laptop');
    await page.keyboard.press('Enter');
    await visitor.sees('Allow notifications');
    await visitor.tabsTo(visitor.button('Allow notifications'));
    await page.keyboard.press('Enter');
    await visitor.sees('Notifications are blocked for this app');
    await visitor.tabsTo(visitor.button('Continue'));
    await page.keyboard.press('Enter');
    await visitor.sees('This device is ready');
    await visitor.reads(labelOf(userId));
    const { devices } = bodyOf(await website.listDevices(userId));
    expect(devices).toEqual([expect.objectContaining({ name: 'Anna’s laptop', platform: 'web' })]);
    await visitor.tabsTo(visitor.link('Done'));
    await page.keyboard.press('Enter');
    await visitor.sees('Nothing to confirm');
  });

  test('refuses a pasted text that was cut at the &', async () => {
    const visitor = await chromium.visitor();
    const { qr } = await startEnrolment(stack.website, newPerson());
    await visitor.open('/#/enrol');
    await visitor.page.getByLabel('Enrolment link').fill(qr.split('&')[0] ?? '');
    await visitor.clicks('Use this link');
    await visitor.reads('This is not a complete enrolment link.');
    await visitor.expectAccessible();
  });

  test('accepts a pasted link, and shows at once if its code was used', async () => {
    const [first, second] = [await chromium.visitor(), await chromium.visitor()];
    const { qr } = await startEnrolment(stack.website, newPerson());
    for (const visitor of [first, second]) {
      await visitor.open('/#/enrol');
      await visitor.page.getByLabel('Enrolment link').fill(qr);
      await visitor.clicks('Use this link');
      if (visitor === second) continue;
      await visitor.clicks('Continue');
      await visitor.clicks('Not now');
      await visitor.sees('This device is ready');
    }
    await second.sees('This device was not set up');
    await second.reads('The code in this link was already used.');
  });

  test('shows a request while the screen still says that the device is ready', async () => {
    const visitor = await chromium.visitor();
    const enrolled = await beginEnrolment(visitor, stack.website);
    await visitor.clicks('Continue');
    await visitor.clicks('Not now');
    await visitor.sees('This device is ready');
    await askUser(enrolled);
    await visitor.sees('Confirm this request?');
  });

  test('adds a second account of another tenant, renames the device of the one, and removes it', async () => {
    const visitor = await chromium.visitor();
    const one = await enrol(visitor, stack.website, newPerson());
    const other = await enrol(visitor, stack.neighbour, newPerson());
    await ask(visitor, one);
    await ask(visitor, other, { message: 'Log in at the neighbour?' });
    await visitor.clicks('Settings');
    await visitor.sees('Settings');
    for (const { userId } of [one, other]) {
      await visitor.reads(labelOf(userId));
      expect(await visitor.page.locator('body').innerText()).not.toContain(userId);
    }
    await visitor
      .link(/^Rename the device for /)
      .first()
      .click();
    await visitor.sees('Rename this device');
    await visitor.page.getByLabel('Device name').fill('  Annas Küche ');
    await visitor.clicks('Save name');
    await visitor.sees('Settings');
    await visitor.reads('Annas Küche');
    const [renamed] = bodyOf(await one.website.listDevices(one.userId)).devices;
    expect(renamed?.name).toBe('Annas Küche');
    await visitor
      .link(/^Remove /)
      .first()
      .click();
    await visitor.sees('Remove this account?');
    await visitor.clicks('Remove account');
    await visitor.sees('Settings');
    const left = await Promise.all(
      [one, other].map(
        async ({ website, userId }) => bodyOf(await website.listDevices(userId)).devices.length,
      ),
    );
    expect(left).toEqual([0, 1]);
    await visitor.reads(labelOf(other.userId));
  });
});
