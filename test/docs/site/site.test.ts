import { afterEach, describe, expect, test } from '@jest/globals';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { lookByAxe } from '../../../packages/ui/testing/axe.ts';
import { useBrowser } from '../../support/browser/use-chromium.ts';
import { useBuiltSite } from './built-site.ts';

const site = useBuiltSite();
const browser = useBrowser();
const contexts: BrowserContext[] = [];
let faults: string[] = [];

/** Whoever looks at the site. What the console says, and calls of other origins, are faults. */
async function arrive(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser().newContext(options);
  contexts.push(context);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== site.url) faults.push(`a request to ${request.url()}`);
  });
  await page.goto(`${site.url}${path}`, { waitUntil: 'networkidle' });
  return page;
}

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  const found = faults;
  faults = [];
  expect(found).toEqual([]);
});

/** One of each form: the start, a page with diagrams, one with programs, and the two references. */
const looked = [
  '/',
  '/project/architecture.html',
  '/websites/ten-minutes.html',
  '/reference/api/openid.html',
  '/reference/types/elements.html',
];

describe('each page', () => {
  test('links only to pages and headings that exist', async () => {
    const pages = await site.pages();
    const ids = new Map<string, Set<string>>();
    const texts = new Map<string, string>();
    for (const page of pages) {
      const text = await site.read(page);
      texts.set(page, text);
      ids.set(page, new Set(Array.from(text.matchAll(/\sid="([^"]+)"/g), ([, id = '']) => id)));
    }
    const broken: string[] = [];
    for (const [page, text] of texts)
      for (const [, href = ''] of text.matchAll(/<a [^>]*?href="(\/[^"]*|#[^"]*)"/g)) {
        const [path = '', anchor = ''] = decodeURI(href).split('#');
        const target = path === '' ? page : `${path.slice(1)}${path.endsWith('/') ? 'index.html' : ''}`;
        const known = ids.get(target);
        if (!known || (anchor !== '' && !known.has(anchor))) broken.push(`${page}: ${href}`);
      }
    expect([...new Set(broken)]).toEqual([]);
    expect(pages.length).toBeGreaterThan(80);
  });

  test('allows nothing from elsewhere, by its policy', async () => {
    for (const page of await site.pages()) {
      const text = await site.read(page);
      expect(text).toContain(
        `http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' `,
      );
      expect(text).not.toMatch(/<(script|link|img)[^>]+(src|href)="(https?:)?\/\//);
    }
  });

  test('leads to the sources of this revision', async () => {
    const page = await site.read('project/contributing.html');
    expect(page).toContain('href="https://github.example/owner/omi/tree/abcdef/core"');
    expect(page).toContain('href="https://github.example/owner/omi/blob/abcdef/jest.config.js"');
  });
});

test.each(looked)(
  '%s keeps the rules of axe in light and dark, and fits on a screen of 360 px',
  async (path) => {
    const page = await arrive(path, { viewport: { width: 360, height: 740 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect((await lookByAxe(page)).faults).toEqual([]);
    // The two differ in their colours only.
    await page.emulateMedia({ colorScheme: 'dark' });
    expect((await lookByAxe(page, ['color-contrast'])).faults).toEqual([]);
  },
);

test('the search finds how to rotate a key, without a call to anybody else', async () => {
  const page = await arrive('/');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.locator('#localsearch-input').fill('rotate');
  const found = page
    .locator('#localsearch-list')
    .getByRole('link', { name: /Rotate keys and secrets/ })
    .first();
  await found.click();
  await page.waitForURL(/\/operators\/rotate\.html/);
});

test('the chooser of versions offers each version, and leads to it', async () => {
  const page = await arrive('/reference/glossary.html');
  const chooser = page.getByRole('combobox', { name: 'Version' }).first();
  await page.waitForFunction("document.querySelectorAll('.version-chooser option').length >= 2");
  expect(await chooser.locator('option').allTextContents()).toEqual(['main', 'v0.1.0']);
  await page.route('**/v0.1.0/', async (route) => await route.fulfill({ body: 'the release' }));
  await chooser.selectOption('v0.1.0');
  await page.waitForURL(`${site.url}/v0.1.0/`);
});

describe('the playground', () => {
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await arrive('/websites/playground.html', options);
    await page.getByRole('button', { name: 'Pay', exact: true }).waitFor();
    return page;
  };
  const phoneOf = (page: Page) => page.getByRole('region', { name: 'Phone' });
  const websiteOf = (page: Page) => page.getByRole('region', { name: 'Website' });

  test('pays what the phone confirmed, and shows what was signed', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await phoneOf(page).getByText('Pay 16.00 € to Café Zoë?').waitFor();
    await phoneOf(page).getByRole('button', { name: 'Confirm' }).click();
    await websiteOf(page).getByText('Confirmed and paid: Pay 16.00 € to Café Zoë?').waitFor();
    await page.getByText('"decision": "confirm"').waitFor();
    expect((await lookByAxe(page)).faults).toEqual([]);
  });
});
