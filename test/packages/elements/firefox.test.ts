/** The elements in Firefox: the way of a user through each, and what axe says of it. */
import { expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { lookByAxe, rulesOfAxe } from '#ui/testing/axe.ts';
import { describeIn } from '../../support/browser/browser-of-run.ts';
import { clicks, reads, useFirefox } from '../../support/browser/firefox.ts';
import { confirmed, pending, phone, service, started } from './support/scripts.ts';
import { usePages } from './support/use-pages.ts';

const describe = await describeIn('firefox');

describe('the elements in Firefox', () => {
  const pages = usePages();
  const firefox = useFirefox();

  const expectAccessible = async (page: Page): Promise<void> => {
    const { kept, faults } = await lookByAxe(page, rulesOfAxe);
    expect(faults).toEqual([]);
    expect(kept).toBeGreaterThanOrEqual(10);
  };

  test('a form is sent with the confirmation of its content', async () => {
    let answer: object = pending;
    const form = `<form method="post" action="/done"><label>To <input name="to" value="Jo"></label>
      <omi-confirmation></omi-confirmation><button>Pay</button></form>`;
    pages.show(form, service({ look: () => ({ body: answer }) }));
    const page = await firefox.open(pages.file.appUrl);
    await reads(page, phone.name);
    await expectAccessible(page);
    await clicks(page, 'Pay');
    await reads(page, 'Pay 20.00 EUR to Jo?');
    await expectAccessible(page);
    expect(pages.submits).toEqual([]);
    answer = confirmed;
    await reads(page, 'Done');
    expect(pages.submits.map(String)).toEqual(['to=Jo&omi-confirmation=confirmation-1']);
    await page.close();
  });

  test('a device is enrolled by a QR code or its link, and named afterwards', async () => {
    let status: object = { status: 'waiting' };
    pages.show('<omi-enrolment></omi-enrolment>', service({ enrolment: () => ({ body: status }) }));
    const page = await firefox.open(pages.file.appUrl);
    const { link } = (started() as { body: { link: string } }).body;
    const offered = await page.waitForSelector('omi-enrolment >>> a');
    expect(await offered?.evaluate((anchor) => anchor.getAttribute('href'))).toBe(link);
    await expectAccessible(page);
    status = { status: 'completed', device: { deviceId: 'phone', name: 'Anna’s phone' } };
    await reads(page, 'You can now confirm with it: Anna’s phone');
    await expectAccessible(page);
    await page.close();
  });
});
