/** A form that is sent before the page's script has loaded, in a browser. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testOmi } from '#testing';
import { createRoutes, memoryStore, toNodeHandler } from '#website';
import { describeIn } from '../../support/browser/browser-of-run.ts';
import { useChromium } from '../../support/browser/use-chromium.ts';
import { pageOf } from './support/use-pages.ts';

const describe = await describeIn('chromium');

describe('a form that is sent before the script has loaded', () => {
  const session = { id: 'session', userId: 'anna' };
  const routes = createRoutes(testOmi(), {
    session: () => session,
    message: () => 'Pay?',
    store: memoryStore(),
  });
  const form = `<form method="post" action="/pay"><label>To <input name="to" value="Jo"></label>
    <omi-confirmation></omi-confirmation><button>Pay</button></form>`;

  let isSlow = true;

  const answerTo = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('.js') && isSlow) return await new Promise<never>(() => undefined);
    if (pathname.endsWith('.js')) return new Response('', { headers: { 'content-type': 'text/javascript' } });
    if (pathname !== '/pay')
      return new Response(pageOf(form, 'en'), { headers: { 'content-type': 'text/html; charset=utf-8' } });
    await routes.consume(request, session);
    return new Response('Paid');
  };

  const server = createServer((request, response) => void toNodeHandler(answerTo)(request, response));
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const file = {
    get appUrl() {
      return `http://localhost:${(server.address() as AddressInfo).port}`;
    },
  };
  const chromium = useChromium({ file });

  test('is refused in the language of the visitor, whom the way back leads to what they have typed', async () => {
    const visitor = await chromium.visitor({ locale: 'de-DE' });
    const { page } = visitor;
    await page.goto('/', { waitUntil: 'commit' });
    await page.getByLabel('To').fill('Zoë');
    await page.getByRole('button', { name: 'Pay' }).click();
    await visitor.sees('Noch ist nichts geschehen');
    await visitor.expectAccessible();
    isSlow = false;
    await page.getByRole('link', { name: 'Zurück zum Formular' }).click();
    await visitor.waitsFor(async () => await page.getByLabel('To').inputValue(), 'Zoë');
    expect(new URL(page.url()).pathname).toBe('/');
  });
});
