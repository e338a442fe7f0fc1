import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Response } from 'playwright-core';
import { requestToken } from '../../client/access-token.ts';
import { bodyOf } from '../../client/http.ts';
import { WebsiteClient } from '../../client/website-client.ts';
import { jsonOn } from '../cli/omi.ts';
import { type StreamPolicies, TenantAccount } from '../cli/tenant-account.ts';
import { createdEvent } from '../contract/events/event.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { givesItsStageABrand, seesTheBrandOfTheStage } from '../support/browser/stage-brand.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { giveUp } from '../support/give-up.ts';
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
    return [...text.matchAll(/"lastTest":(\{(?:[^{}]|\{[^{}]*\})*\})/g)].some(([, json = '{}']) => {
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
    await visitor.reads('Nordbank');
  };

  const opened = async (options = {}): Promise<Visitor> => {
    const visitor = await chromium.visitor(options);
    await signedIn(visitor);
    await visitor.clicks('Public events');
    await visitor.sees('Public events');
    return visitor;
  };

  test('the page has the name and the colour of its stage', async () => {
    const visitor = await chromium.visitor(wide);
    await givesItsStageABrand(visitor);
    await visitor.open('/');
    await seesTheBrandOfTheStage(visitor, 'exports');
  });

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

  const ines = 'Ines (engineer of Demo)';

  const signsInAs = async (visitor: Visitor, member: string): Promise<void> => {
    await visitor.clicks('Sign in');
    await visitor.clicks(member);
  };

  test('signs an engineer in, shows the exports of one tenant, and forgets the sign-in with the window', async () => {
    const visitor = await chromium.visitor(wide);
    await visitor.open('/#/log');
    await visitor.button('Sign in').waitFor();
    await signsInAs(visitor, ines);
    // Where it was begun.
    await visitor.sees('Log events');
    await visitor.reads(`${ines}, signed in until`);
    await visitor.page.getByRole('banner').getByText('Demo', { exact: true }).waitFor();
    expect(visitor.page.url()).toBe(`${stack.file.exportsUrl}/#/log`);
    expect(await visitor.page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe(
      '[{},{}]',
    );
    await visitor.clicks('Sign out');
    await visitor.sees('See and steer your exports');
    await signsInAs(visitor, ines);
    await visitor.sees('Log events');
    await visitor.page.reload();
    await visitor.sees('See and steer your exports');
  });

  test('shows a member of no tenant nothing, and says why', async () => {
    const visitor = await chromium.visitor(wide);
    await visitor.open('/');
    await visitor.tabsTo(visitor.button('Sign in'));
    await visitor.page.keyboard.press('Enter');
    await visitor.clicks('Sam (support of Demo)');
    await visitor.reads('You are not in the group of exactly one tenant whose exports you may see.');
  });

  test('says that a sign-in has ended, or that it did not work, and offers another one', async () => {
    const visitor = await chromium.visitor(wide);
    await visitor.open('/?code=a-code-of-nobody&state=x');
    await visitor.reads('The sign-in did not work. Try it once more.');
    expect(new URL(visitor.page.url()).search).toBe('');
    await signsInAs(visitor, ines);
    await visitor.sees('Your exports');
    await visitor.page.route(
      /\/omi\/exports$/,
      async (route) => await route.fulfill({ status: 401, json: {} }),
    );
    await visitor.reads('Your sign-in has ended. Sign in again.');
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
    // The token is gone with a reload, the replay is not.
    await visitor.page.reload();
    await visitor.sees('See and steer your exports');
    await signedIn(visitor);
    await visitor.clicks('Public events');
    // The service waits until the index of the events table has all events of the range.
    await visitor.page.getByText('Done: everything is on its way').waitFor({ timeout: replayMs });
    await visitor.reads('3 events sent, 100 % of the range');
  });

  test('checks the log, and knows at the next visit that nothing was changed', async () => {
    const visitor = await opened(wide);
    await visitor.clicks('Check the log');
    await visitor.reads('This browser sees the log for the first time');
    const text = await visitor.page.getByRole('region', { name: 'The checkpoint' }).innerText();
    await visitor.page.reload();
    await signedIn(visitor);
    await visitor.clicks('Public events');
    await visitor.clicks('Check the log');
    await visitor.reads(/Nothing was changed since \d/);
    await visitor.page.getByText('Compare with a checkpoint that you kept').click();
    const compare = async (pasted: string): Promise<void> => {
      await visitor.page.getByLabel('Checkpoint', { exact: true }).fill(pasted);
      await visitor.clicks('Compare');
    };
    await compare(text);
    await visitor.reads('Nothing was changed since your checkpoint');
    // A log of this size would have been there before.
    await compare(text.replace(/\n\d+\n/, '\n999\n'));
    await visitor.reads('The log does not continue the earlier checkpoint');
  });

  test('shows how events look, and sends one as a test', async () => {
    const visitor = await opened(wide);
    await visitor.clicks('Show the samples');
    await visitor.page.getByLabel('Type').selectOption('UserBlockedEvent');
    await visitor.page.getByLabel('A sample of UserBlockedEvent').getByText('@omi.test').waitFor();
    const passed = visitor.page.waitForResponse(hasPassedSince(new Date().toISOString()));
    await visitor.clicks('Send this event as a test');
    await passed;
    await visitor.reads('a UserBlockedEvent.');
  });

  test('leaves missing what was given up, for a reason', async () => {
    await giveUp(stack, tenantId, [
      { cause: 'errors', from: Date.now() - 60_000, to: Date.now(), events: 26 },
    ]);
    const visitor = await opened(wide);
    await visitor.reads('26 events did not arrive.');
    await visitor.page.getByLabel('Or say why they may stay missing').fill('The bank has them.');
    await visitor.clicks('Leave them missing');
    await visitor.page.getByText('26 events did not arrive.').waitFor({ state: 'hidden' });
    await visitor.page.locator('.chip', { hasText: 'Active' }).waitFor();
  });

  test('sends one event again from the deliveries', async () => {
    const visitor = await opened(wide);
    const panel = visitor.page.getByRole('region', { name: 'Deliveries' });
    // A busy service may not note a delivery; it notes the next one.
    await visitor.waitsFor(async () => {
      bodyOf(await producer.recordEvents([createdEvent(tenantId)]));
      await panel.getByRole('button').first().click();
      return (await panel.getByText('by id').count()) > 0;
    }, true);
    await panel.getByText('by id').first().click();
    await visitor.page.getByRole('button', { name: 'Send again' }).first().click();
    await visitor.reads('of 1 event by id');
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
    await account.createRole(roleName, policies);
    const passed = visitor.page.waitForResponse(hasPassedSince(new Date().toISOString()));
    await visitor.clicks('Test now');
    await passed;
    await visitor.reads('The test has passed.');
    await visitor.page.locator('.chip', { hasText: 'Active' }).waitFor({ timeout: recoveryMs });
  });
});
