import { expect, test } from '@jest/globals';
import { animationsAfterChange } from '#ui/testing/animations.ts';
import { useGallery } from '#ui/testing/gallery-page.ts';
import { testStates } from '#ui/testing/test-states.ts';
import { languages } from '../../../../pages/app/src/i18n/texts.ts';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { useBrowser } from '../../../support/browser/use-chromium.ts';
import { states } from './states.ts';
import { renewPicture } from '../../../support/browser/pictures.ts';

const names = Object.keys(states);

const describe = await describeIn('chromium');

describe('every screen in every state', () => {
  const gallery = useGallery(useBrowser(), {
    script: 'test/pages/app/gallery/gallery.tsx',
    style: 'pages/app/src/styles/app.css',
    root: 'app',
    names,
  });

  testStates(gallery, { examined: names, width: 390, languages });

  test('shows no ids, which are for the website alone', async () => {
    for (const { text } of await gallery().inspect()) expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
  });

  test.each(['light', 'dark'] as const)(
    'shows twenty requests in a list that stays usable (%s)',
    async (colorScheme) => {
      await gallery().set({ width: 390, colorScheme });
      await gallery().show('many-requests');
      const { page } = gallery();
      const heights = await page
        .locator('.request')
        .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().height));
      expect(heights).toHaveLength(20);
      // However long a message is, at least three requests are on a screen.
      expect(Math.max(...heights)).toBeLessThan(780 / 3);
    },
  );

  test.each([
    ['nothing-open', 'Nothing to confirm'],
    ['offline', 'You are offline'],
    ['offline-since-start', 'You are offline'],
    ['unreachable', 'The requests could not be loaded'],
    ['unreachable-one-of-two', 'The requests could not be loaded'],
    ['first-fetch', 'Loading…'],
  ])(
    'says that there is nothing only once the service was asked for every account: %s',
    async (name, title) => {
      await gallery().set({ width: 390 });
      await gallery().show(name);
      const titles = await gallery().page.getByRole('heading', { level: 1 }).allInnerTexts();
      expect(titles).toEqual([title]);
    },
  );

  test.each([
    ['challenge-gone', 'It was answered, withdrawn', true],
    ['challenge-key-lost', 'The key of “Nordbank · Zoë · …4711” is gone', false],
    ['settings-key-lost', 'The key of “Nordbank · Zoë · …4711” is gone', false],
    ['challenge-device-removed', 'was removed', false],
    ['challenge-without-device', 'Set up this device', false],
  ])(
    'says that a request has ended only if this device can know it, else how to set it up: %s',
    async (name, said, isOver) => {
      await gallery().set({ width: 390 });
      await gallery().show(name);
      const text = await gallery().page.locator('#app').innerText();
      expect(text).toContain(said);
      expect(text.includes('It was answered')).toBe(isOver);
      expect((await gallery().page.locator('a[href="#/enrol"]').count()) > 0).toBe(!isOver);
    },
  );

  test('names the members of details as the tenant does, and shows every one', async () => {
    await gallery().set({ width: 390 });
    await gallery().show('challenge-labels');
    const names = await gallery().page.locator('.details dt').allInnerTexts();
    expect(names).toEqual(expect.arrayContaining(['Amount', 'To', 'IBAN', 'urgent', 'currency', 'type']));
    expect(names).not.toContain('instructedAmount');
  });

  test('shows a message from right to left as such', async () => {
    await gallery().set({ width: 390 });
    await gallery().show('challenge-rtl');
    const direction = await gallery()
      .page.locator('.message .foreign')
      .evaluate((message) => getComputedStyle(message).direction);
    expect(direction).toBe('rtl');
  });

  test('hints at a request from an unusual place', async () => {
    await gallery().set({ width: 390 });
    await gallery().show('challenge-unusual-origin');
    const hint = await gallery().page.locator('.unusual').innerText();
    expect(hint).toContain('Last time it was: Firefox on Windows · Köln');
  });

  test.each(['challenge-brand-wine', 'challenge-brand-forest'])('shows other brands: %s', async (name) => {
    const { page } = gallery();
    const logo = { path: 'pages/app/icons/icon.svg', contentType: 'image/svg+xml' };
    await page.route('**/omi/device/tenants/*/logo', async (route) => await route.fulfill(logo));
    for (const colorScheme of ['light', 'dark'] as const) {
      await gallery().set({ width: 390, colorScheme });
      await gallery().show(name);
      await page.locator('.tenant-brand strong').waitFor();
      await renewPicture(`${name}-${colorScheme}.png`, page);
    }
    await page.unrouteAll();
  });

  test.each(['challenge-brand', 'settings-brand', 'enrol-brand'])(
    'shows a brand beside the registered name, which comes first: %s',
    async (name) => {
      const { page } = gallery();
      const logo = { path: 'pages/app/icons/icon.svg', contentType: 'image/svg+xml' };
      await page.route('**/omi/device/tenants/*/logo', async (route) => await route.fulfill(logo));
      for (const colorScheme of ['light', 'dark'] as const) {
        await gallery().set({ width: 390, colorScheme });
        await gallery().show(name);
        const text = await page.locator('main').innerText();
        expect(text).toMatch(/Nordbank\b[^]*Nordbank · hell & klar/);
        const drawn = async () =>
          await page.locator('.tenant-brand img').evaluate((img) => (img as HTMLImageElement).naturalWidth);
        while ((await drawn()) === 0);
        await renewPicture(`${name}-${colorScheme}.png`, page);
      }
      await page.unrouteAll();
    },
  );

  test('shows a brand without the logo if it cannot be loaded', async () => {
    const { page } = gallery();
    await page.route('**/omi/device/tenants/*/logo', async (route) => await route.fulfill({ status: 404 }));
    await gallery().set({ width: 390 });
    await gallery().show('challenge-brand');
    await page.locator('.tenant-brand img').waitFor({ state: 'hidden' });
    expect(await page.locator('.tenant-brand').innerText()).toBe('Nordbank · hell & klar');
    await page.unrouteAll();
  });

  test('says how many of those who are asked have confirmed, and who', async () => {
    await gallery().set({ width: 390 });
    await gallery().show('challenge-vote-seen');
    const asker = await gallery().page.locator('.asker').innerText();
    expect(asker).toMatch(/3 of 4 people must confirm\s+2 of 4 have confirmed\s+Anna · …4711/);
  });

  test.each(['challenge-unsigned', 'requests-unsigned', 'history-unsigned'])(
    'names as the requester only what the device signs: %s',
    async (name) => {
      await gallery().set({ width: 390 });
      await gallery().show(name);
      const text = await gallery().page.locator('main').innerText();
      // The account is one of Nordbank, which the context does not name.
      expect(text).not.toMatch(/Nordbank|klar|Sparkasse|Online banking|Opera|allows/);
      expect(text.includes('A website that uses this service')).toBe(name !== 'history-unsigned');
    },
  );

  test.each([
    ['challenge-origin', 'Firefox on Windows · Köln · 2 minutes ago'],
    ['challenge-origin-ip', '2001:db8:85a3:8d3:1319:8a2e:370:7348 · now'],
    ['challenge-remove-device', 'Pixel, Chrome'],
    ['challenge-remove-this-device', 'iPhone, Safari (this device)'],
  ])('shows where a request comes from, and what it concerns: %s', async (name, shown) => {
    await gallery().set({ width: 390 });
    await gallery().show(name);
    await gallery().page.getByText(shown, { exact: true }).waitFor();
  });

  test('says when an account last answered, which is not when a request ended without the user', async () => {
    await gallery().set({ width: 390 });
    await gallery().show('settings');
    const rows = await gallery().page.locator('.card .row', { hasText: 'Last used on' }).allInnerTexts();
    // Ten minutes ago, and never on the other device.
    expect(rows).toEqual([expect.stringMatching(/Nov 22, 2026, \d+:20/)]);
  });

  test('shows its colours without transition when reduced motion is set', async () => {
    await gallery().set({ width: 390 });
    await gallery().show('starting');
    expect(await animationsAfterChange(gallery().page)).toEqual([]);
  });

  test('ignores the second click of a double click', async () => {
    await gallery().set({ width: 390 });
    await gallery().show('challenge');
    const button = gallery().page.getByRole('button', { name: 'Confirm' });
    const pointerAt = async (time: number): Promise<string> =>
      await button.evaluate((element, currentTime) => {
        for (const animation of element.getAnimations()) animation.currentTime = currentTime;
        return getComputedStyle(element).pointerEvents;
      }, time);
    // Begun anew: on a busy machine it may have ended, and then it is not among them any more.
    await button.evaluate((element: HTMLElement) => {
      element.style.animation = 'none';
      element.getBoundingClientRect();
      element.style.animation = '';
      element.getAnimations().forEach((animation) => animation.pause());
    });
    expect([await pointerAt(10), await pointerAt(400), await pointerAt(500)]).toEqual([
      'none',
      'none',
      'auto',
    ]);
  });
});
