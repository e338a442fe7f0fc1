import { expect, test } from '@jest/globals';
import type { Confirmation } from '../../../core/confirmations/confirmation.ts';
import { type Context, writeContext } from '../../../core/confirmations/context.ts';
import { deliverPush, type PushDeps } from '../../../core/confirmations/deliver-push.ts';
import type { Device } from '../../../core/devices/device.ts';
import type { PushContent } from '../../../core/devices/push/push-payload.ts';

const browser = { platform: 'web', status: 'active', subscription: {} } as unknown as Device;

const question = (confirmation: Partial<Confirmation> = {}, context: Partial<Context> = {}) =>
  ({
    ...{ challengeId: 'c', message: 'Pay?', expiresAt: 0, expiresIn: 30, delivery: 'sent' },
    ...writeContext({ userVerification: 'off', ...context }),
    ...confirmation,
  }) as Confirmation;

/** What a browser is told of a confirmation. */
async function pushed(
  confirmation: Partial<Confirmation>,
  context: Partial<Context> = {},
  genericText?: string,
): Promise<PushContent | undefined> {
  let told: PushContent | undefined;
  const web: PushDeps['push']['web'] = {
    send: async (_, content) => {
      told = content;
      return await Promise.resolve({ delivery: 'sent' });
    },
  };
  const deps = { push: { web } } as unknown as PushDeps;
  await deliverPush(deps, question(confirmation, context), [browser], genericText);
  return told;
}

test.each([
  ['sent', 'kept'],
  ['failed', 'kept'],
  ['unreachable', 'forgotten'],
])('if the push to a browser was %s, its subscription is %s', async (delivery, expected) => {
  let subscription = 'kept';
  const forgetSubscription = async (): Promise<void> => {
    subscription = 'forgotten';
    await Promise.resolve();
  };
  const deps = {
    push: { web: { send: async () => await Promise.resolve({ delivery }) } },
    devices: { forgetSubscription },
    confirmations: { setDelivery: async () => await Promise.resolve() },
  } as unknown as PushDeps;
  await deliverPush(deps, question(), [browser], undefined);
  expect(subscription).toBe(expected);
});

test('a plain question may be confirmed from its notification', async () => {
  expect(await pushed({})).not.toHaveProperty('inApp');
});

test.each([
  ['a number to choose or to type', await pushed({ matchNumbers: { code: '123456' } })],
  ['details', await pushed({ details: '[]' })],
  ['the user to be verified', await pushed({}, { userVerification: 'required' })],
  ['a change of devices', await pushed({}, { purpose: 'add-device' })],
  ['a notification without the message', await pushed({}, {}, 'Open the app')],
])('a question with %s is confirmed in the app alone', (_, content) => {
  expect(content).toHaveProperty('inApp', true);
});
