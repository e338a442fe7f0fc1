import { expect, test } from '@jest/globals';
import { bodyOf } from '../../client/http.ts';
import { poll } from '../contract/scenario.ts';
import { giveAuthenticator } from '../support/browser/authenticator.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { askAndReview, beginEnrolment, labelOf, newPerson, openShop } from './flows.ts';

const stack = useSharedStack();

const describe = await describeIn('chromium');

describe('user verification in Chromium', () => {
  const chromium = useChromium(stack);

  test('confirms with the user’s fingerprint', async () => {
    const visitor = await chromium.visitor();
    const authenticator = await giveAuthenticator(visitor);
    const bank = await openShop(stack, 'Careful Bank', '--user-verification', 'required');
    const enrolled = await beginEnrolment(visitor, bank);
    await visitor.clicks('Continue');
    await visitor.clicks('Not now');
    await visitor.sees('Use fingerprint, face or PIN');
    await visitor.clicks('Set up passkey');
    await visitor.sees('This device is ready');
    await visitor.clicks('Done');
    const { nonce } = await askAndReview(visitor, enrolled, { message: 'Transfer 2,500.00 € to Zoë?' });
    await visitor.reads('You confirm with your fingerprint, face or PIN.');
    await authenticator.recognizes(false);
    await visitor.clicks('Confirm');
    await visitor.reads('Your fingerprint, face or PIN was not checked');
    expect((await poll(bank, nonce)).status).toBe('pending');
    await authenticator.recognizes(true);
    await visitor.clicks('Confirm');
    await visitor.sees('Confirmed');
    expect(await poll(bank, nonce)).toMatchObject({ status: 'confirmed', userVerified: true });
  });

  test('names the passkey after the tenant and the account, as lists of passkeys show it', async () => {
    const visitor = await chromium.visitor();
    await giveAuthenticator(visitor);
    await visitor.context.addInitScript({
      content: `{
        const create = navigator.credentials.create.bind(navigator.credentials);
        navigator.credentials.create = async (options) => {
          const { rp, user: { name, displayName } } = options.publicKey;
          self.named = { app: rp.name, name, displayName };
          return await create(options);
        };
      }`,
    });
    const bank = await openShop(stack, 'Careful Bank', '--user-verification', 'required');
    const { userId } = await beginEnrolment(visitor, bank);
    await visitor.clicks('Continue');
    await visitor.clicks('Not now');
    await visitor.clicks('Set up passkey');
    await visitor.sees('This device is ready');
    const name = `Careful Bank · ${labelOf(userId)}`;
    expect(await visitor.page.evaluate('named')).toEqual({ app: 'OMI', name, displayName: name });
  });

  test('denies without user verification', async () => {
    const visitor = await chromium.visitor();
    const authenticator = await giveAuthenticator(visitor);
    const bank = await openShop(stack, 'Careful Bank', '--user-verification', 'required');
    const enrolled = await beginEnrolment(visitor, bank);
    await visitor.clicks('Continue');
    await visitor.clicks('Not now');
    await visitor.clicks('Set up passkey');
    await visitor.clicks('Done');
    const { nonce } = await askAndReview(visitor, enrolled);
    await authenticator.recognizes(false);
    await visitor.clicks('Deny');
    await visitor.sees('Denied');
    expect(await poll(bank, nonce)).toMatchObject({ status: 'denied', userVerified: false });
  });

  test('requires user verification before a device is removed', async () => {
    const visitor = await chromium.visitor();
    const authenticator = await giveAuthenticator(visitor);
    const bank = await openShop(stack, 'Careful Bank', '--user-verification', 'required');
    const { userId } = await beginEnrolment(visitor, bank);
    await visitor.clicks('Continue');
    await visitor.clicks('Not now');
    await visitor.clicks('Set up passkey');
    await visitor.clicks('Done');
    await visitor.clicks('Settings');
    await visitor.link(/^Remove /).click();
    await authenticator.recognizes(false);
    await visitor.clicks('Remove account');
    await visitor.reads('Nothing was removed, because fingerprint, face or PIN was not checked.');
    expect(bodyOf(await bank.listDevices(userId)).devices).toHaveLength(1);
    await authenticator.recognizes(true);
    await visitor.clicks('Remove account');
    await visitor.sees('Settings');
    expect(bodyOf(await bank.listDevices(userId)).devices).toEqual([]);
  });

  test('ends an enrolment at once that requires user verification without an authenticator', async () => {
    const visitor = await chromium.visitor();
    const bank = await openShop(stack, 'Careful Bank', '--user-verification', 'required');
    const { qr } = bodyOf(await bank.startEnrolment(newPerson()));
    await visitor.open(qr);
    await visitor.sees('This device was not set up');
    await visitor.reads('The website requires fingerprint, face or PIN');
  });
});
