import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Response } from 'playwright-core';
import { requestToken } from '../../tools/client/access-token.ts';
import { bodyOf } from '../../tools/client/http.ts';
import { WebsiteClient } from '../../tools/client/website-client.ts';
import { jsonOn } from '../cli/omi.ts';
import { type StreamPolicies, TenantAccount } from '../cli/tenant-account.ts';
import { createdEvent } from '../contract/events/event.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { useSharedStack } from '../support/use-stack.ts';

const stack = useSharedStack();

const describe = await describeIn('chromium');

const scopes = ['omi:exports:get', 'omi:exports:post'];
/** Half a minute, and more on a busy machine. */
const replayMs = 100_000;
/** What waits is delivered by its next attempt. A call that a busy machine slows down is followed by half a minute of quiet. */
const recoveryMs = 150_000;
const wide = { viewport: { width: 1_000, height: 900 } };

/** The answer that tells of a test which was asked for later than that. */
const hasPassedSince =
  (moment: string) =>
  async (response: Response): Promise<boolean> => {
    if (response.request().method() !== 'GET' || !response.url().includes('/exports')) return false;
    const text = await response.text().catch(() => '');
    return [...text.matchAll(/"lastTest":(\{[^{}]*\})/g)].some(([, json = '{}']) => {
      const { requestedAt = '', outcome } = JSON.parse(json) as { requestedAt?: string; outcome?: string };
      return requestedAt >= moment && outcome === 'passed';
    });
  };

describe('the exports page in Chromium', () => {
  const chromium = useChromium({
    get file() {
      return { appUrl: stack.file.exportsUrl };
    },
  });
  let account: TenantAccount;
  let credentials: { clientId: string; clientSecret: string };
  let producer: WebsiteClient;
  let policies: StreamPolicies;
  let tenantId: string;
  const roleName = `exports-page-${randomUUID().slice(0, 8)}`;

  /** A tenant with a stream of its own, which was tested. */
  beforeAll(async () => {
    const json = jsonOn(stack);
    account = new TenantAccount(stack, '111122223333');
    ({ tenantId } = await json<{ tenantId: string }>('tenant', 'create', '--name', 'Nordbank'));
    const client = async (name: string, ...scope: string[]) =>
      await json<typeof credentials>(...['client', 'create', tenantId, '--name', name, '--scope', ...scope]);
    credentials = await client('page', ...scopes);
    producer = new WebsiteClient({ ...stack.file, ...(await client('producer', 'omi:events:post')) });
    await account.createStream(roleName);
    const stream = ['--stream-arn', account.streamArn(roleName)];
    const external = ['--external-id', randomUUID()];
    ({ policies } = await json<{ policies: StreamPolicies }>(
      ...['target', 'policies', tenantId, ...stream, ...external, '--role-name', roleName],
    ));
    const role = await account.createRole(roleName, policies);
    await json('target', 'set', 'stream', tenantId, 'public', ...stream, ...external, '--role-arn', role);
  });

  const token = async (scope = scopes.join(' ')): Promise<string> =>
    bodyOf(await requestToken({ ...stack.file, ...credentials }, { scope })).access_token;

  const signedIn = async (visitor: Visitor, text?: string): Promise<void> => {
    await visitor.open('/');
    await visitor.page.getByLabel('Access token').fill(text ?? (await token()));
    await visitor.clicks('Show my exports');
    await visitor.sees('Your exports');
  };

  const opened = async (options = {}): Promise<Visitor> => {
    const visitor = await chromium.visitor(options);
    await signedIn(visitor);
    await visitor.clicks('Public events');
    await visitor.sees('Public events');
    return visitor;
  };

  test("refuses a website's token, and keeps its own token only in this window", async () => {
    const visitor = await chromium.visitor();
    await visitor.open('/');
    const { tenants } = stack.file;
    const usual = bodyOf(await requestToken({ ...stack.file, ...tenants[0] })).access_token;
    await visitor.page.getByLabel('Access token').fill(usual);
    await visitor.clicks('Show my exports');
    await visitor.reads('This token can do more than this page needs');
    expect(await visitor.page.getByLabel('Access token').inputValue()).toBe('');
    await signedIn(visitor);
    expect(await visitor.page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe(
      '[{},{}]',
    );
    await visitor.page.reload();
    await visitor.sees('See and steer your exports');
    await signedIn(visitor);
    await visitor.clicks('Forget the token');
    await visitor.sees('See and steer your exports');
  });

  test('needs no mouse to test an export, and follows the test until it has passed', async () => {
    const visitor = await chromium.visitor();
    await visitor.open('/');
    await visitor.tabsTo(visitor.page.getByLabel('Access token'));
    await visitor.page.keyboard.insertText(await token());
    await visitor.tabsTo(visitor.button('Show my exports'));
    await visitor.page.keyboard.press('Enter');
    await visitor.sees('Your exports');
    await visitor.tabsTo(visitor.link('Public events'));
    await visitor.page.keyboard.press('Enter');
    await visitor.sees('Public events');
    await visitor.tabsTo(visitor.button('Test now'));
    // Setting the target has tested it already: the page must follow this test, not that one.
    const passed = visitor.page.waitForResponse(hasPassedSince(new Date().toISOString()));
    await visitor.page.keyboard.press('Enter');
    await passed;
    await visitor.reads('The test has passed.');
    await visitor.page.locator('.chip', { hasText: 'Active' }).waitFor();
    await visitor.examines('tenants-live-export');
  });

  test('pauses after a second question, and resumes', async () => {
    const visitor = await opened();
    await visitor.clicks('Pause …');
    await visitor.clicks('No, leave it as it is');
    await visitor.clicks('Pause …');
    await visitor.clicks('Yes, pause');
    await visitor.page.locator('.chip', { hasText: 'Paused' }).waitFor();
    await visitor.clicks('Resume');
    await visitor.page.locator('.chip', { hasText: 'Active' }).waitFor();
  });

  test('shows accepted events as bars and rows, and replays an hour of them', async () => {
    const events = Array.from({ length: 3 }, () => createdEvent(tenantId));
    bodyOf(await producer.recordEvents(events));
    const visitor = await opened(wide);
    // The index of the ledger follows within some seconds.
    await visitor.waitsFor(async () => {
      await visitor.clicks('Refresh');
      return await visitor.page.locator('.ledger tbody td.number').first().textContent();
    }, '3');
    const row = visitor.page.locator('.ledger tbody tr').first();
    await row.getByRole('button').click();
    await visitor.page.getByRole('row', { name: /UserCreatedEvent 3/ }).waitFor();
    await visitor.clicks('Choose this hour for a replay');
    await visitor.clicks('Start the replay');
    await visitor.reads('begins after half a minute');
    // The service waits until the index of the events table has all events of the range.
    await visitor.page.getByText('Done: everything is on its way').waitFor({ timeout: replayMs });
    await visitor.reads('3 events sent, 100 % of the range');
    await visitor.examines('tenants-live-ledger');
  });

  test('shows what the tenant must change, with the policy to paste, and notices the change', async () => {
    const visitor = await opened(wide);
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const other = { Effect: 'Allow', Action: 'kinesis:ListShards', Resource: account.streamArn(roleName) };
    const useless = { Version: '2012-10-17', Statement: [other] };
    await account.createRole(roleName, { ...policies, permissionPolicy: useless });
    bodyOf(await producer.recordEvents([createdEvent(tenantId)]));
    await visitor.page.locator('.chip', { hasText: 'Parked' }).waitFor();
    await visitor.reads('You must act.');
    await visitor.sees('Public events');
    await visitor.clicks('Copy the statement');
    await visitor.reads('Copied');
    const copied = String(await visitor.page.evaluate('navigator.clipboard.readText()'));
    expect(JSON.parse(copied)).toEqual(
      expect.objectContaining({ Resource: account.streamArn(roleName), Effect: 'Allow' }),
    );
    await visitor.examines('tenants-live-parked');
    await account.createRole(roleName, policies);
    const passed = visitor.page.waitForResponse(hasPassedSince(new Date().toISOString()));
    await visitor.clicks('Test now');
    await passed;
    await visitor.reads('The test has passed.');
    await visitor.page.locator('.chip', { hasText: 'Active' }).waitFor({ timeout: recoveryMs });
  }, 300_000);
});
