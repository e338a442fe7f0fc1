import { beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice, notification, poll, push, pushesTo, tryPush } from '../scenario.ts';

const payment = { type: 'payment', amount: '16.00', currency: 'EUR', to: { name: 'Café Zoë ☕' } };

export function authorizationDetails(stack: TestStack): void {
  let device: SimulatedDevice;
  beforeAll(async () => {
    device = await enrolDevice(stack.website);
  });

  const send = async (to: SimulatedDevice, details: string, more: object = {}, path = 'device') => {
    const body = JSON.stringify({ ...notification(), ...more }).replace(
      /\}$/,
      `,"authorizationDetails":${details}}`,
    );
    const user = `/omi/push/user/${to.identity.userId}`;
    return await stack.website.call(
      {
        method: 'POST',
        path: path === 'device' ? `${user}/device/${to.identity.deviceId}` : user,
        headers: { 'content-type': 'application/json' },
        body,
      },
      v.looseObject({ nonce: v.string(), detailsHash: v.string() }),
    );
  };

  test('send no push and are not echoed if rejected', async () => {
    expect(await pushesTo(stack, device.description.pushToken)).toEqual([]);
    const { text } = await send(device, '[{"iban":"DE02 1203 0000"}]');
    expect(text).not.toContain('DE02');
  });

  test('are neither in the push nor in later answers to the website', async () => {
    const phone = await enrolDevice(stack.website);
    const { nonce } = await push(stack.website, phone, { authorizationDetails: [payment] });
    const pushes = JSON.stringify(await pushesTo(stack, phone.description.pushToken));
    expect(pushes).toContain('12.50');
    for (const told of [pushes, JSON.stringify(await poll(stack.website, nonce))])
      expect(told).not.toContain('Zoë');
  });

  test('may be spaced differently in a repetition, but others cause 409', async () => {
    const phone = await enrolDevice(stack.website);
    const sent = notification({ authorizationDetails: [payment] });
    const first = succeeded(await tryPush(stack.website, phone, sent), 202);
    const again = await send(phone, JSON.stringify([payment], null, 2), { nonce: sent.nonce });
    expect(succeeded(again, 202)).toEqual({ ...first, repeated: true });
    const { type, ...members } = payment;
    for (const authorizationDetails of [
      [{ ...payment, amount: '16.01' }],
      [payment, payment],
      [{ ...members, type }],
      undefined,
    ]) {
      const { nonce } = sent;
      const other = authorizationDetails ? { nonce, authorizationDetails } : { nonce };
      expectProblem(await tryPush(stack.website, phone, other), 409, 'nonce-already-used');
    }
    const plain = await enrolDevice(stack.website);
    const { nonce } = await push(stack.website, plain);
    const added = await tryPush(stack.website, plain, { nonce, authorizationDetails: [payment] });
    expectProblem(added, 409, 'nonce-already-used');
  });
}
