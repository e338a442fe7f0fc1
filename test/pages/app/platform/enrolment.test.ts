import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { bodyOf } from '../../../../client/http.ts';
import { newNonce, newUser, startEnrolment } from '../../../contract/scenario.ts';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { usePlatform } from './world.ts';

const describe = await describeIn('chromium');

const stack = useSharedStack();
const world = usePlatform({ api: () => stack.file.baseUrl });

let page: Page;
let authenticator: { cdp: CDPSession; id: string };
beforeEach(async () => {
  page = await world.open();
  authenticator = await addAuthenticator(page);
});
afterEach(async () => await page.close());

/** Fingerprint and face of this device. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await world.context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id };
}

const calls = '**/omi/device/enrolments';

const begin = async (page: Page, qr: string) =>
  await page.evaluate(async (qr) => {
    const { baseUrl } = await platform.config();
    const link = protocol.scan(qr, { baseUrl });
    await platform.enrolment.begin(link, 'Laptop', await platform.enrolment.preview(link));
  }, qr);

/** Completes what is pending; the account, or the code of the failure. */
const complete = async (page: Page) =>
  await page.evaluate(async () => {
    const pending = await platform.enrolment.pending();
    if (!pending) return { code: 'nothing-pending' };
    try {
      const { deviceId, userId, name, baseUrl, passkey } = await platform.enrolment.complete(pending);
      return { account: { deviceId, userId, name, baseUrl, passkey } };
    } catch (error) {
      return { code: error instanceof protocol.DeviceError ? error.code : String(error) };
    }
  });

const addPasskey = async (page: Page) =>
  await page.evaluate(async () => {
    const pending = await platform.enrolment.pending();
    return pending && (await platform.enrolment.addPasskey(pending));
  });

const isPending = async (page: Page) =>
  await page.evaluate(async () => (await platform.enrolment.pending()) !== undefined);

async function devicesOf(userId: string) {
  const { devices } = bodyOf(await stack.website.listDevices(userId));
  return devices;
}

describe('an enrolment', () => {
  test('makes an account that the website lists', async () => {
    const userId = newUser();
    await begin(page, (await startEnrolment(stack.website, userId)).qr);
    const { account } = await complete(page);
    expect(account).toMatchObject({ userId, name: 'Laptop', baseUrl: stack.file.baseUrl });
    expect(await devicesOf(userId)).toMatchObject([
      { deviceId: account?.deviceId, name: 'Laptop', platform: 'web' },
    ]);
    expect(await isPending(page)).toBe(false);
  });

  test('continues after a lost answer and a reload, with the same key', async () => {
    const userId = newUser();
    await begin(page, (await startEnrolment(stack.website, userId)).qr);
    await page.route(calls, async (route) => {
      await route.fetch();
      await route.abort();
    });
    expect(await complete(page)).toEqual({ code: 'network' });
    await page.unroute(calls);
    await page.reload();
    await page.waitForFunction(() => 'platform' in globalThis);
    const { account } = await complete(page);
    expect(await devicesOf(userId)).toMatchObject([{ deviceId: account?.deviceId }]);
  });

  test('makes one account in two windows at once', async () => {
    const userId = newUser();
    const other = await world.open();
    await begin(page, (await startEnrolment(stack.website, userId)).qr);
    const [one, two] = await Promise.all([complete(page), complete(other)]);
    const deviceIds = [one, two].flatMap(({ account }) => account?.deviceId ?? []);
    expect(new Set(deviceIds).size).toBe(1);
    expect(await devicesOf(userId)).toHaveLength(1);
    await other.close();
  });

  test('does not begin with an unknown code', async () => {
    const { qr } = await startEnrolment(stack.website, newUser());
    const unknown = qr.replace(/code=[^&]+/, `code=${'x'.repeat(43)}`);
    await expect(begin(page, unknown)).rejects.toThrow('enrolment');
    expect(await isPending(page)).toBe(false);
  });

  test('continues with a code that this device has used, because the answer may be lost', async () => {
    const { qr } = await startEnrolment(stack.website, newUser());
    await begin(page, qr);
    await page.route(calls, async (route) => {
      await route.fetch();
      await route.abort();
    });
    expect(await complete(page)).toEqual({ code: 'network' });
    await page.unroute(calls);
    await begin(page, qr);
    expect(await complete(page)).toMatchObject({ account: { name: 'Laptop' } });
  });
});

describe('a passkey', () => {
  test('is created once for an enrolment, and verifies the user of a confirmation', async () => {
    await page.close();
    page = await world.openAt(stack.file.appUrl);
    authenticator = await addAuthenticator(page);
    const userId = newUser();
    await begin(page, (await startEnrolment(stack.website, userId)).qr);
    expect(await addPasskey(page)).toEqual({ outcome: 'created' });
    expect(await addPasskey(page)).toEqual({ outcome: 'created' });
    const { cdp, id } = authenticator;
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id });
    expect(credentials).toHaveLength(1);
    expect((await complete(page)).account).toMatchObject({ passkey: { rpId: 'localhost' } });

    const nonce = newNonce();
    bodyOf(await stack.website.sendToUser(userId, { message: 'Pay 10 €?', nonce }));
    const status = await page.evaluate(async (userId) => {
      const account = (await platform.accounts.list()).find((one) => one.userId === userId);
      if (!account) throw new Error('There is no account');
      const device = platform.device(account);
      const [challenge] = await device.challenges();
      if (!challenge) throw new Error('There is no challenge');
      const asserted = await platform.passkeys.assert(account, challenge, 'confirm');
      if (asserted.outcome !== 'verified') throw new Error(asserted.outcome);
      const { userVerification } = asserted;
      return await device.answer(challenge, { decision: 'confirm', userVerification });
    }, userId);
    expect(status).toEqual({ status: 'confirmed' });
    expect(bodyOf(await stack.website.getConfirmation(nonce))).toMatchObject({
      status: 'confirmed',
      userVerified: true,
    });
  });

  test('is not created when the user cancels the check, and can be tried again', async () => {
    await begin(page, (await startEnrolment(stack.website, newUser())).qr);
    const { cdp, id: authenticatorId } = authenticator;
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    expect(await addPasskey(page)).toEqual({ outcome: 'cancelled' });
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    expect(await addPasskey(page)).toEqual({ outcome: 'created' });
  });

  test('is unavailable for an account without one', async () => {
    const userId = newUser();
    await begin(page, (await startEnrolment(stack.website, userId)).qr);
    await complete(page);
    const outcome = await page.evaluate(async (userId) => {
      const account = (await platform.accounts.list()).find((one) => one.userId === userId);
      const challenge = { challengeId: 'c', messageHash: 'h', expiresInMs: 60_000 };
      return account && (await platform.passkeys.assert(account, challenge as never, 'confirm'));
    }, userId);
    expect(outcome).toEqual({ outcome: 'unavailable' });
  });
});
