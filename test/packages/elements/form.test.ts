/** The element in a form, in a page with a strict policy: nothing is sent before the user has confirmed it. */
import { expect, test } from '@jest/globals';
import { describeIn } from '../../support/browser/browser-of-run.ts';
import { useChromium } from '../../support/browser/use-chromium.ts';
import { usePages } from './support/use-pages.ts';
import { confirmed, pending, service } from './support/scripts.ts';

const inChromium = await describeIn('chromium');

inChromium('a form', () => {
  const pages = usePages();
  const chromium = useChromium(pages);
  const form = `<form method="post" action="/done"><label>To <input name="to" required></label>
    <omi-confirmation></omi-confirmation><button name="action" value="pay">Pay</button></form>`;

  test('is sent once, with the confirmation, after the user has confirmed what it says', async () => {
    const visitor = await chromium.visitor();
    let status = pending;
    pages.show(form, service({ status: () => status }));
    await visitor.open('/');
    await visitor.clicks('Pay');
    expect(pages.posts()).toEqual([]);
    await visitor.page.getByLabel('To').fill('Jo');
    await visitor.button('Pay').dblclick();
    await visitor.reads('Pay 20.00 EUR to Jo?');
    await visitor.clicks('Pay');
    expect(pages.submits).toEqual([]);
    status = confirmed;
    await visitor.page.waitForURL('**/done');
    expect(pages.submits.map(String)).toEqual(['to=Jo&omi-confirmation=confirmation-1&action=pay']);
    expect(pages.posts()).toEqual([{ path: '/omi/confirmations?device=phone', body: 'to=Jo&action=pay' }]);
  });
});
