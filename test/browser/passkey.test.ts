import { expect, test } from '@jest/globals';
import { poll } from '../contract/scenario.ts';
import { giveAuthenticator } from '../support/browser/authenticator.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { askAndReview, beginEnrolment, openShop } from './flows.ts';

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
    await visitor.examines('enrol-passkey');
    await visitor.clicks('Set up passkey');
    await visitor.sees('This device is ready');
    await visitor.clicks('Done');
    const { nonce } = await askAndReview(visitor, enrolled, { message: 'Transfer 2,500.00 € to Zoë?' });
    await visitor.reads('You confirm with your fingerprint, face or PIN.');
    await visitor.examines('request-verified');
    await authenticator.recognizes(false);
    await visitor.clicks('Confirm');
    await visitor.reads('Your fingerprint, face or PIN was not checked');
    expect((await poll(bank, nonce)).status).toBe('pending');
    await authenticator.recognizes(true);
    await visitor.clicks('Confirm');
    await visitor.sees('Confirmed');
    expect(await poll(bank, nonce)).toMatchObject({ status: 'confirmed', userVerified: true });
  });

  test('denies without it', async () => {
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

  test('cannot enrol at a tenant that requires it where there is none', async () => {
    const visitor = await chromium.visitor();
    const bank = await openShop(stack, 'Careful Bank', '--user-verification', 'required');
    await beginEnrolment(visitor, bank);
    await visitor.clicks('Continue');
    await visitor.clicks('Not now');
    await visitor.sees('This device was not set up');
    await visitor.reads('The website requires fingerprint, face or PIN');
  });
});
