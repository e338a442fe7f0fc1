/** The package against a running stack: the whole of a website's life with it. */
import { describe, expect, test } from '@jest/globals';
import { type Confirmation, newNonce, Omi, OmiError } from '#website';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { enrolDevice, newUser, openChallenge } from '../../contract/scenario.ts';
import { useSharedStack } from '../../support/use-stack.ts';

const stack = useSharedStack();
const message = 'Pay 12.50 € to Example Shop?';

function connect(): Omi {
  const { baseUrl, tokenUrl, tenants } = stack.file;
  const [{ tenantId, clientId, clientSecret }] = tenants;
  return new Omi({ baseUrl, tokenUrl, clientId, clientSecret, tenantId });
}

const codeOf = async (call: Promise<unknown>): Promise<string> =>
  await call.then(
    () => 'none',
    (error: unknown) => {
      expect(error).toBeInstanceOf(OmiError);
      return (error as OmiError).code;
    },
  );

async function answer(device: SimulatedDevice, decision: 'confirm' | 'deny' = 'confirm'): Promise<void> {
  const challenge = await openChallenge(device);
  await (decision === 'confirm' ? device.confirm(challenge) : device.deny(challenge, 'not_me'));
}

describe('confirm', () => {
  test('returns a confirmation with evidence', async () => {
    const [omi, device] = [connect(), await enrolDevice(stack.website)];
    const { userId, deviceId } = device.identity;
    const seen: Confirmation[] = [];
    const onPending = async (pending: Confirmation): Promise<void> => {
      seen.push(pending);
      await answer(device);
    };
    const confirmation = await omi.confirm({ userId, message, onPending });
    expect(confirmation).toMatchObject({ status: 'confirmed', userId, deviceId, deviceKey: { kty: 'EC' } });
    expect(seen).toEqual([expect.objectContaining({ status: 'pending', nonce: confirmation.nonce })]);
  });

  test('returns a denial as a result', async () => {
    const [omi, device] = [connect(), await enrolDevice(stack.website)];
    const { userId } = device.identity;
    const onPending = async (): Promise<void> => await answer(device, 'deny');
    const result = await omi.confirm({ userId, message, onPending });
    expect(result).toMatchObject({ status: 'denied', reason: 'not_me' });
  });

  test('withdraws after an abort', async () => {
    const [omi, device] = [connect(), await enrolDevice(stack.website)];
    const { userId } = device.identity;
    const nonce = newNonce();
    const controller = new AbortController();
    const reason = new Error('The user left.');
    const onPending = (): void => {
      controller.abort(reason);
    };
    await expect(omi.confirm({ userId, message, nonce, onPending, signal: controller.signal })).rejects.toBe(
      reason,
    );
    await expect(omi.poll(nonce)).resolves.toMatchObject({ status: 'cancelled', reason: 'withdrawn' });
  });

  test('explains what the website must do', async () => {
    const omi = connect();
    const error = await omi.confirm({ userId: newUser(), message }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'OmiError',
      code: 'device-not-found',
      status: 404,
      hint: expect.stringContaining('enrol'),
      traceId: expect.any(String),
    });
  });
});

test('consists of send, poll, wait and withdraw', async () => {
  const [omi, device] = [connect(), await enrolDevice(stack.website)];
  const { userId, deviceId } = device.identity;
  const asked = { userId, deviceId, message, nonce: newNonce() };
  await expect(omi.send(asked)).resolves.toMatchObject({ status: 'pending' });
  await expect(omi.send(asked)).resolves.toMatchObject({ status: 'pending', repeated: true });
  await expect(omi.poll(asked.nonce)).resolves.toMatchObject({ status: 'pending' });
  await answer(device);
  const confirmation = await omi.wait(asked);
  expect(confirmation.status).toBe('confirmed');
  expect(await codeOf(omi.withdraw(asked.nonce))).toBe('already-decided');
  await expect(omi.verifyEvidence(confirmation, asked)).resolves.toMatchObject({ iss: deviceId });
  await expect(omi.verifyEvidence(confirmation, { ...asked, message: 'Pay 9000 €?' })).rejects.toMatchObject({
    name: 'EvidenceError',
    code: 'messageHash',
  });
});

test('devices can be added and removed', async () => {
  const [omi, userId] = [connect(), newUser()];
  await expect(omi.devices(userId)).resolves.toEqual([]);
  const { enrolmentId, qr } = await omi.enrol({ userId });
  expect(qr).toContain('/enrol#v=1');
  await expect(omi.enrolment(enrolmentId)).resolves.toEqual({ status: 'waiting' });
  const device = await enrolDevice(stack.website, userId);
  const [listed] = await omi.devices(userId);
  expect(listed).toMatchObject({ deviceId: device.identity.deviceId, status: 'active' });
  await omi.removeDevice(userId, device.identity.deviceId);
  await expect(omi.devices(userId)).resolves.toEqual([]);
});
