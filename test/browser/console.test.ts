/** The help desk's page in Chromium. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { expectProblem, succeeded } from '../contract/expectations.ts';
import { enrolDevice, pushAndDeny, tryPush } from '../contract/scenario.ts';
import { jsonOn } from '../cli/omi.ts';
import { actsOf, openShop } from '../contract/staff/desk.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { givesItsStageABrand, seesTheBrandOfTheStage } from '../support/browser/stage-brand.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { proving, Receiver } from '../support/receiver.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { calls, type Member, members, signIn } from './console/calls.ts';
import { inChromium } from './console/seat.ts';

const stack = useSharedStack();

const describe = await describeIn('chromium');

const wide = { viewport: { width: 1_440, height: 900 } };
const tablet = { viewport: { width: 768, height: 1_024 } };

describe('the help desk in Chromium', () => {
  const chromium = useChromium({
    get file() {
      return { appUrl: stack.file.consoleUrl };
    },
  });

  async function signedIn(member: Member): Promise<Visitor> {
    const visitor = await chromium.visitor(wide);
    await signIn(inChromium(visitor), stack.file.consoleUrl, member);
    return visitor;
  }

  async function finds(visitor: Visitor, userId: string, tenantId?: string): Promise<void> {
    if (tenantId !== undefined) await visitor.page.getByLabel('Tenant').selectOption(tenantId);
    await visitor.page.getByLabel('User id, exactly').fill(userId);
    await visitor.clicks('Find the user');
  }

  calls(stack, async (size) => inChromium(await chromium.visitor(size === 'tablet' ? tablet : wide)));

  test("a member of staff tries another tenant's user: it is not offered, and refused", async () => {
    const { userId } = (await enrolDevice(stack.neighbour)).identity;
    const visitor = await signedIn('Sam');
    const tenants = visitor.page.getByLabel('Tenant');
    expect(await tenants.getByRole('option').allTextContents()).toEqual(['Demo']);
    expect(await visitor.link('Exports').count()).toBe(0);
    const [, { tenantId }] = stack.file.tenants;
    // As somebody would who knows how the page works.
    await tenants.evaluate((select, value) => {
      const [option] = (select as unknown as { options: { value: string }[] }).options;
      if (option) option.value = value;
    }, tenantId);
    const refused = visitor.page.waitForResponse(/\/omi\/staff\/users\//);
    await visitor.page.getByLabel('User id, exactly').fill(userId);
    await visitor.clicks('Find the user');
    expect((await refused).status()).toBe(403);
    await visitor.reads('You are not in the help desk of this tenant.');
  });

  test("the page has the name and the colour of its stage, and shows how the user's tenant presents itself", async () => {
    const shop = await openShop(stack);
    const { userId } = (await enrolDevice(shop.website)).identity;
    const looks = ['--brand-name', 'Corner Shop', '--brand-logo', 'pages/exports/icons/icon.svg'];
    await jsonOn(stack)('tenant', 'set', shop.tenantId, ...looks);
    const visitor = await chromium.visitor(wide);
    await givesItsStageABrand(visitor);
    await signIn(inChromium(visitor), stack.file.consoleUrl, 'Olga');
    await seesTheBrandOfTheStage(visitor, 'help desk');
    await finds(visitor, userId, shop.tenantId);
    const tenant = visitor.page.getByRole('definition').filter({ hasText: 'Corner Shop' });
    // With its id, where there are other shops.
    expect(await tenant.innerText()).toMatch(/^Shop(?: \([\da-f-]{36}\))?\s+Corner Shop$/);
    const logo = tenant.locator('img');
    await visitor.waitsFor(
      async () => await logo.evaluate((image) => Reflect.get(image, 'naturalWidth') > 0),
      true,
    );
    await visitor.expectAccessible();
  });

  test('a recovery where the tenant wants two: a second member of staff agrees, and the first cannot', async () => {
    const [{ tenantId }] = stack.file.tenants;
    const setting = async (by: 'one' | 'two') =>
      await jsonOn(stack)('tenant', 'set', tenantId, '--recovery-by', by);
    const { userId } = (await enrolDevice(stack.website)).identity;
    await setting('two');
    const first = await signedIn('Olga');
    await finds(first, userId, tenantId);
    await first.clicks('Ask for a recovery …');
    await first.clicks(/^Ask for a recovery$/);
    await first.reads('Waits for a second person');
    await first.button('Withdraw the recovery').waitFor();
    expect(await first.button('Agree as the second person').count()).toBe(0);
    const second = await signedIn('Sam');
    await finds(second, userId);
    await second.reads('Asked for by olga');
    await second.clicks('Agree as the second person');
    await second.reads('The website can enrol one device for this user.');
    expect(await actsOf(stack, { tenantId, userId }, 'sam')).toContain('StaffRecoveryAllowedEvent');
    await setting('one');
  });

  test('a suspended tenant: the page says so, and offers neither a question nor a recovery', async () => {
    const { website, tenantId } = await openShop(stack);
    const { userId } = (await enrolDevice(website)).identity;
    await jsonOn(stack)('tenant', 'suspend', '--tenant', tenantId);
    const visitor = await signedIn('Olga');
    await finds(visitor, userId, tenantId);
    await visitor.reads('The tenant is suspended');
    expect(await visitor.button(/^Ask on all devices$|^Allow a recovery/).count()).toBe(0);
    await visitor.expectAccessible();
  });

  test('the limits of a user who was asked too often are reset', async () => {
    const phone = await enrolDevice(stack.website);
    await pushAndDeny(stack.website, phone, 'not_me');
    expectProblem(await tryPush(stack.website, phone), 429, 'too-many-notifications');
    const visitor = await signedIn('Sam');
    await finds(visitor, phone.identity.userId);
    await visitor.reads('Reached until');
    await visitor.clicks('Reset the limits: they are reached');
    await visitor.reads('The limits are reset: the user can be asked again.');
    await visitor.button(/^Reset the limits$/).waitFor();
    succeeded(await tryPush(stack.website, phone), 202);
  });

  test("an operator pauses a tenant's export, resumes it, and has the last day sent again", async () => {
    const json = jsonOn(stack);
    const receiver = await Receiver.start(proving);
    const name = `Steered bank ${randomUUID().slice(0, 8)}`;
    const { tenantId } = await json<{ tenantId: string }>('tenant', 'create', '--name', name);
    await json('target', 'set', 'webhook', tenantId, 'log', '--url', `${receiver.origin}/${randomUUID()}`);
    await json('target', 'test', tenantId, 'log');
    const title = `${name}, log events`;
    const visitor = await signedIn('Olga');
    await visitor.clicks(/^Exports$/);
    await visitor.clicks(`Pause ${title}`);
    await visitor.clicks('Leave it as it is');
    await visitor.clicks(`Pause ${title}`);
    await visitor.clicks('Pause the export');
    await visitor.reads('The export is paused.');
    await visitor.clicks(`Resume ${title}`);
    await visitor.reads('The export is resumed.');
    await visitor.button(`Pause ${title}`).waitFor();
    await visitor.clicks(`Replay the last 24 hours of ${title}`);
    await visitor.reads('The replay has begun.');
    expect(await actsOf(stack, { tenantId }, 'olga')).toEqual([
      'StaffExportPausedEvent',
      'StaffExportResumedEvent',
      'StaffExportReplayedEvent',
    ]);
    await receiver.close();
  });

  test('the sign-in stays in the window, and another one asks who it is', async () => {
    const visitor = await signedIn('Sam');
    expect(await visitor.page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe(
      '[{},{}]',
    );
    expect(new URL(visitor.page.url()).search).toBe('');
    await visitor.clicks('Sign out');
    await visitor.sees('Help desk');
    await visitor.clicks('Sign in');
    await visitor.clicks(members.Olga);
    await visitor.link('Exports').waitFor();
    await visitor.examines('console-start');
  });
});
