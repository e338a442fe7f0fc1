import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { lookByAxe } from '../../../../packages/ui/testing/axe.ts';
import { enrolDevice, newNonce, newUser, openChallenge, push } from '../../../contract/scenario.ts';
import { useBrowser } from '../../../support/browser/use-chromium.ts';
import { useSharedStack } from '../../../support/use-stack.ts';

const stack = useSharedStack();
const browser = useBrowser();
const contexts: BrowserContext[] = [];
let faults: string[] = [];

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser().newContext(options);
  contexts.push(context);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(stack.file.requestsUrl);
  return page;
}

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  const found = faults;
  faults = [];
  expect(found).toEqual([]);
});

/** What the stream says up to this. Not by `fetch`, whose answers the tests of a stack read to their end. */
async function liveUntil(wanted: string): Promise<string> {
  const sent = get(`${stack.file.requestsUrl}/live`);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes(wanted)) break;
  }
  return text;
}

const only = async (page: Page, text: string): Promise<void> =>
  await page.getByRole('searchbox', { name: 'Show only calls with' }).fill(text);

const itemOf = (page: Page, text: string) => page.locator('#calls > li', { hasText: text }).first();

test('shows a refused call live: its problem, its traceId, what it read in AWS, and the line of the log', async () => {
  const page = await open();
  const userId = newUser();
  await only(page, userId);
  const { body } = await stack.website.sendToUser(userId, { message: 'Pay 16.00 €?', nonce: newNonce() });
  const { traceId } = body as unknown as { traceId: string };
  const item = itemOf(page, `POST /omi/push/user/${userId}`);
  await item.getByText('device-not-found').first().waitFor();
  await item.locator('summary').click();
  await item.getByRole('heading', { name: 'Why it was refused' }).waitFor();
  await item.getByText(traceId, { exact: true }).waitFor();
  await item
    .getByText(/dynamodb \w+ omi-local-devices/)
    .first()
    .waitFor();
  await item.getByText('"outcome":"device-not-found"').waitFor();
  await only(page, traceId);
  expect(await page.locator('#calls > li:not([hidden])').count()).toBe(1);
});

test('shows what the phone showed of a question, and hides what would answer it', async () => {
  const device = await enrolDevice(stack.website);
  const nonce = newNonce();
  await push(stack.website, device, { nonce, message: 'Pay 16.00 € to Café Zoë?' });
  const challenge = await openChallenge(device);
  await device.confirm(challenge);
  await stack.website.getConfirmation(nonce);
  const page = await open();
  const { userId } = device.identity;
  await only(page, userId);
  const item = itemOf(page, `POST /omi/push/user/${userId}/device/`);
  await item.locator('summary').click();
  await item.getByRole('heading', { name: 'What the phone showed' }).waitFor();
  await item.locator('.phone', { hasText: 'Pay 16.00 € to Café Zoë?' }).waitFor();

  const text = await liveUntil(challenge.challengeId);
  expect(text).toContain(nonce.slice(0, 6));
  for (const secret of [nonce, await stack.website.accessToken()]) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/);
});

describe.each([
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
] as const)('in %s colours', (_, colours) => {
  test('the page keeps the rules of axe, and fits on a screen of 360 px', async () => {
    const userId = newUser();
    await stack.website.sendToUser(userId, { message: 'Pay?', nonce: newNonce() });
    const page = await open({ ...colours, viewport: { width: 360, height: 740 } });
    const item = itemOf(page, userId);
    await item.locator('summary').click();
    await item.getByRole('heading', { name: 'Trace' }).waitFor();
    expect((await lookByAxe(page)).faults).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });
});

describe('the server of the viewer', () => {
  test('lets the page load nothing from elsewhere, and no other page show it', async () => {
    const { headers } = await fetch(stack.file.requestsUrl);
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'/,
    );
  });

  test.each(['/../shown.ts', '/page.ts', '/log?traceId=a', '/log', '/constructor'])(
    'answers nothing but its page: %s',
    async (path) => {
      expect((await fetch(`${stack.file.requestsUrl}${path}`)).status).toBe(404);
    },
  );

  test('takes no other method', async () => {
    expect((await fetch(stack.file.requestsUrl, { method: 'POST' })).status).toBe(405);
  });
});
