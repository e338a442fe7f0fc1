import { expect, test } from '@jest/globals';
import { bodyOf } from '../../../client/http.ts';
import type { usePages } from '../../packages/elements/support/use-pages.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { newPerson } from '../flows.ts';
import { openShopAt, type Shop } from './shop.ts';
import type { Tab } from './tab.ts';

type World = {
  stack: TestStack;
  pages: ReturnType<typeof usePages>;
  /** A phone that nobody has used yet, with one tab. */
  phone: () => Promise<Tab>;
};

/** From the website to the app and back, in one browser of one phone. */
export function testWays({ stack, pages, phone }: World): void {
  /** The user of a shop has set up the app, and stands before the page that asks for a confirmation. */
  async function arrive(...settings: string[]): Promise<{ website: Tab; shop: Shop }> {
    const userId = newPerson();
    const shop = await openShopAt(pages.file.appUrl, stack, userId, ...settings);
    pages.show('<omi-confirmation></omi-confirmation>', shop.serve);
    const website = await phone();
    await website.goesTo(bodyOf(await shop.client.startEnrolment(userId)).qr);
    await website.taps('Continue');
    await website.taps('Not now');
    await website.sees('This device is ready');
    await website.goesTo(pages.file.appUrl);
    await website.taps('Ask for confirmation');
    return { website, shop };
  }

  async function openApp(website: Tab): Promise<Tab> {
    const app = await website.opens('Open the app');
    await app.sees('Confirm this request?');
    await app.reads('Pay 99.00 € to the bike shop?');
    return app;
  }

  test('leads to the app with the request, and from the answer back to the page that the website named', async () => {
    const { website, shop } = await arrive();
    const app = await openApp(website);
    // It names the request, which nobody can answer without the key: no nonce, no code.
    expect(app.url()).toMatch(new RegExp(`^${stack.file.appUrl}/#/challenge/[\\w-]{43}$`));
    await app.taps('Confirm');
    await app.sees('Confirmed');
    expect(await app.links()).toContain('Back to Bike shop');
    await app.taps('Back to Bike shop');
    await app.sees('Done');
    // The website's session decides what the page shows: the link says nothing about the answer.
    expect(app.url()).toBe(shop.returnTo);
    // The page that was left open has the answer too.
    await website.isSeen();
    await website.reads('You confirmed on');
  });

  test('leads back after a denial, too', async () => {
    const { website, shop } = await arrive();
    const app = await openApp(website);
    await app.taps('Deny');
    await app.sees('Denied');
    await app.taps('Back to Bike shop');
    await app.sees('Done');
    expect(app.url()).toBe(shop.returnTo);
    await website.isSeen();
    await website.reads('The request was denied on');
  });

  test('leads nobody back who reports that this was not them', async () => {
    const { website } = await arrive();
    const app = await openApp(website);
    await app.taps('This was not me');
    await app.sees('Reported: this was not you');
    const links = await app.links();
    expect(links).toContain('Back to requests');
    expect(links).not.toContain('Back to Bike shop');
    await website.isSeen();
    await website.reads('The request was stopped.');
  });

  test('leads nowhere while the website shows a number to compare, which must stay in view', async () => {
    const { website } = await arrive('--number-matching', 'pick');
    await website.reads('Your device asks for this number:');
    await until(async () => await Promise.resolve(pages.posts().length === 1));
    expect(await website.links()).toEqual([]);
  });
}
