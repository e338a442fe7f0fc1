/** The package against the service, with connections that break and clocks that are wrong. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Device, DeviceError, scan, WebCryptoKey, type Challenge, type Connection } from '#device';
import { verifyEvidence } from '#website';
import { newPushToken } from '../../../client/device/simulated-device.ts';
import { bodyOf } from '../../../client/http.ts';
import { startBreakingProxy, type BreakingProxy } from '../../support/breaking-proxy.ts';
import { trustIn } from '../../support/service-keys.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { expectStatus, newUser, notification, pushesTo, startEnrolment } from '../../contract/scenario.ts';

const stack = useSharedStack();
const hourMs = 3_600_000;
let proxy: BreakingProxy;

beforeAll(async () => {
  proxy = await startBreakingProxy(stack.file.baseUrl);
});
afterAll(async () => {
  await proxy.close();
});

async function enrol(
  options: Partial<Connection> = {},
  { qr }: { qr?: string } = {},
): Promise<{ device: Device; pushToken: string }> {
  const text = qr ?? (await startEnrolment(stack.website, newUser())).qr;
  const pushToken = newPushToken();
  const link = scan(text, { baseUrl: stack.file.baseUrl });
  const connection = { key: await WebCryptoKey.generate(), endpoint: proxy.url, ...options };
  return {
    device: await Device.enrol(link, { name: 'Laptop', platform: 'fcm', pushToken }, connection),
    pushToken,
  };
}

/** The website asks; the device sees it. */
async function ask({ device }: { device: Device }) {
  const { userId, deviceId } = device.identity;
  const sent = notification();
  bodyOf(await stack.website.sendToDevice(userId, deviceId, sent));
  const [challenge] = await device.challenges();
  if (challenge === undefined) throw new Error('There is no challenge');
  return { sent, challenge };
}

const devicesOf = async ({ userId }: { userId: string }): Promise<string[]> =>
  bodyOf(await stack.website.listDevices(userId)).devices.map(({ deviceId }) => deviceId);

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'accepted',
    (error: unknown) => {
      if (error instanceof DeviceError) return error.code;
      throw error;
    },
  );

describe('a lost answer', () => {
  test('leaves one device after an enrolment', async () => {
    proxy.breakNext('answer');
    const { device } = await enrol();
    expect(await devicesOf(device.identity)).toEqual([device.identity.deviceId]);
  });

  test.each(['confirm', 'deny'] as const)('leaves a decision of %s, with evidence', async (decision) => {
    const enrolled = await enrol();
    const { sent, challenge } = await ask(enrolled);
    proxy.breakNext('answer', 'request');
    const before = proxy.broken();
    const status = decision === 'confirm' ? 'confirmed' : 'denied';
    await expect(enrolled.device.answer(challenge, { decision })).resolves.toEqual({ status });
    expect(proxy.broken() - before).toBe(2);
    const reason = decision === 'confirm' ? undefined : 'user_declined';
    const decided = await expectStatus(stack.website, sent.nonce, status, reason);
    const [{ tenantId }] = stack.file.tenants;
    const { userId } = enrolled.device.identity;
    const asked = { ...sent, ...(await trustIn(stack.file)), tenantId, userId };
    expect(await verifyEvidence(decided, asked)).toMatchObject({ decision });
  });

  test('leaves a new push token in use', async () => {
    const enrolled = await enrol();
    const pushToken = newPushToken();
    proxy.breakNext('answer');
    await enrolled.device.refreshPushToken({ pushToken });
    await ask(enrolled);
    expect(await pushesTo(stack, pushToken)).toHaveLength(1);
  });

  test('leaves the device removed', async () => {
    const { device } = await enrol();
    proxy.breakNext('answer');
    await device.unregister();
    expect(await devicesOf(device.identity)).toEqual([]);
    expect(await codeOf(device.challenges())).toBe('invalid-signature');
  });
});

test('the later of two push tokens of a second is used', async () => {
  const enrolled = await enrol();
  const [first, second] = [newPushToken(), newPushToken()];
  await enrolled.device.refreshPushToken({ pushToken: first });
  await enrolled.device.refreshPushToken({ pushToken: second });
  await ask(enrolled);
  expect(await pushesTo(stack, first)).toEqual([]);
  expect(await pushesTo(stack, second)).toHaveLength(1);
});

test.each([
  ['an hour behind', -hourMs],
  ['an hour ahead', hourMs],
])('a clock that is %s has no effect', async (_, error) => {
  const enrolled = await enrol({ now: () => Date.now() + error });
  const { challenge } = await ask(enrolled);
  await enrolled.device.refreshPushToken({ pushToken: newPushToken() });
  await expect(enrolled.device.answer(challenge, { decision: 'confirm' })).resolves.toEqual({
    status: 'confirmed',
  });
});

test('a user can report a request that somebody else made', async () => {
  const enrolled = await enrol();
  const { sent, challenge } = await ask(enrolled);
  await enrolled.device.answer(challenge, { decision: 'deny', reason: 'not_me' });
  await expectStatus(stack.website, sent.nonce, 'denied', 'not_me');
});

test('a stored identity and key give the same device', async () => {
  const key = await WebCryptoKey.generate();
  const { device } = await enrol({ key });
  const again = new Device({
    identity: device.identity,
    key: await WebCryptoKey.from(structuredClone(key.keyPair)),
  });
  const { challenge } = await ask({ device: again });
  await expect(again.answer(challenge, { decision: 'confirm' })).resolves.toEqual({ status: 'confirmed' });
});

describe('the code of the service', () => {
  test('is returned for a code that another device used', async () => {
    const { qr } = await startEnrolment(stack.website, newUser());
    await enrol({}, { qr });
    expect(await codeOf(enrol({}, { qr }))).toBe('enrolment-code-used');
  });

  test('is returned for a code that does not exist', async () => {
    const { qr } = await startEnrolment(stack.website, newUser());
    expect(await codeOf(enrol({}, { qr: `${qr}x` }))).toBe('enrolment-not-found');
  });

  test('is returned for a challenge that was answered before', async () => {
    const enrolled = await enrol();
    const { challenge } = await ask(enrolled);
    await enrolled.device.answer(challenge, { decision: 'deny' });
    expect(await codeOf(enrolled.device.answer(challenge, { decision: 'confirm' }))).toBe('already-decided');
  });

  test("is returned for another device's challenge", async () => {
    const { challenge }: { challenge: Challenge } = await ask(await enrol());
    const { device } = await enrol();
    expect(await codeOf(device.answer(challenge, { decision: 'confirm' }))).toBe('challenge-not-found');
  });
});
