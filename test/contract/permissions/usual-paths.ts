import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { scan } from '#device';
import { Omi } from '#website';
import { testUserId } from '../../../core/kernel/test-users.ts';
import { jsonOn } from '../../cli/omi.ts';
import { postPreview } from '../../../client/device/device-api.ts';
import { messageHashOf } from '../../../client/digests.ts';
import { newPushToken, SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { newEvent, postEvents } from '../events.ts';
import { confirmedOn, openBank } from '../further-devices/bank.ts';
import type { Notification } from '../../../client/contract.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { patiently } from '../faults/patience.ts';
import {
  challengedDevice,
  enrolDevice,
  expectStatus,
  newNonce,
  newUser,
  notification,
  openChallenge,
  poll,
  push,
  pushAndConfirm,
  pushAndDeny,
  repeatedly,
  startEnrolment,
  tryPush,
} from '../scenario.ts';
import { BrowserSubscription } from '../../support/browser-subscription.ts';
import { question, websiteWithShownVotes } from '../website/groups.ts';
import { enrolWebDevice, refresh } from '../web-device/enrol.ts';
import { challengedWithPasskey } from '../user-verification/scene.ts';

async function enrolment({ website }: TestStack): Promise<void> {
  const userId = newUser();
  succeeded(await website.setAccountLabel(userId, 'Anna · …4711'), 204);
  succeeded(await website.setAccountLabel(userId, null), 204);
  const { qr, enrolmentId } = await startEnrolment(website, userId);
  const { baseUrl, code } = scan(qr);
  succeeded(await postPreview(baseUrl, { code }), 200);
  succeeded(await website.getEnrolment(enrolmentId), 200);
  const device = new SimulatedDevice();
  succeeded(await device.enrol(qr), 201);
  succeeded(await device.enrol(qr), 201);
  expectProblem(await new SimulatedDevice().enrol(qr), 409, 'enrolment-code-used');
  succeeded(await website.getEnrolment(enrolmentId), 200);
  succeeded(await website.listDevices(device.identity.userId), 200);
}

async function pushes({ website }: TestStack): Promise<void> {
  const device = await enrolDevice(website);
  const { userId, deviceId } = device.identity;
  expectProblem(await website.getConfirmation(newNonce()), 404, 'confirmation-not-found');
  await pushAndConfirm(website, device);
  await pushAndDeny(website, device);
  for (const send of [
    async (asked = notification()) => await website.sendToUser(userId, asked),
    async (asked = notification()) => await website.sendToDevice(userId, deviceId, asked),
  ]) {
    const asked = notification();
    const { nonce } = succeeded(await send(asked), 202);
    succeeded(await send(asked), 202);
    expectProblem(await send({ ...asked, message: 'Another' }), 409, 'nonce-already-used');
    expectProblem(await send(), 409, 'confirmation-pending');
    succeeded(await device.confirm(await openChallenge(device)), 200);
    await poll(website, nonce);
  }
}

async function allDevices({ website, file }: TestStack): Promise<void> {
  const userId = newUser();
  const phone = await enrolDevice(website, userId);
  await enrolDevice(website, userId);
  const subscription = new BrowserSubscription(`${file.webPushUrl}/${randomUUID()}`).toJSON();
  await enrolWebDevice(website, { subscription }, userId);
  succeeded(await website.sendToUser(userId, notification({ devices: 'all' })), 202);
  succeeded(await phone.confirm(await openChallenge(phone)), 200);
}

async function groups(stack: TestStack): Promise<void> {
  const { website, file } = stack;
  const first = await enrolDevice(website);
  const subscription = new BrowserSubscription(`${file.webPushUrl}/${randomUUID()}`).toJSON();
  const browser = await enrolWebDevice(website, { subscription });
  const all = [first, await enrolDevice(website), browser];
  const asked = question(all, 1);
  succeeded(await website.requestGroup(asked), 202);
  succeeded(await website.requestGroup(asked), 202);
  succeeded(await website.getGroup(asked.nonce), 200);
  succeeded(await first.confirm(await openChallenge(first)), 200);
  const withdrawn = question(all, 3);
  succeeded(await website.requestGroup(withdrawn), 202);
  succeeded(await website.withdrawGroup(withdrawn.nonce), 204);
  const open = await websiteWithShownVotes(stack);
  const [voter, observer] = [await enrolDevice(open), await enrolDevice(open)];
  succeeded(await open.requestGroup(question([voter, observer], 2)), 202);
  succeeded(await voter.confirm(await openChallenge(voter)), 200);
  expect(await openChallenge(observer)).toMatchObject({ votes: { confirmed: 1 } });
  // A member who loses the device decides, whoever removes it.
  for (const remove of [
    async ({ identity }: SimulatedDevice) => await website.removeDevice(identity.userId, identity.deviceId),
    async (phone: SimulatedDevice) => await phone.remove(),
  ]) {
    const [lost, other] = [await enrolDevice(website), await enrolDevice(website)];
    succeeded(await website.requestGroup(question([lost, other], 2)), 202);
    succeeded(await remove(lost), 204);
  }
}

/** They answer by the Lambda of expiries. */
async function testUsers(stack: TestStack): Promise<void> {
  const json = jsonOn(stack);
  const { tenantId } = await json<{ tenantId: string }>(
    ...['tenant', 'create', '--name', 'Test users', '--test-users', 'on'],
  );
  const made = await json<{ clientId: string; clientSecret: string }>(
    ...['client', 'create', '--tenant', tenantId, '--name', 'website', '--scope', 'all'],
  );
  const omi = new Omi({ ...stack.file, ...made, testUsers: true });
  const members = (['confirms', 'has-two-devices'] as const).map(testUserId);
  expect((await omi.confirmGroup({ members, required: 1, message: 'Pay?' })).status).toBe('approved');
}

async function mismatches({ website }: TestStack): Promise<void> {
  const { device, sent, challenge } = await challengedDevice(website);
  const claims = { messageHash: messageHashOf('Another message') };
  await repeatedly(3, async () => {
    expectProblem(await device.confirm(challenge, { claims }), 422, 'message-mismatch');
  });
  await expectStatus(website, sent.nonce, 'failed', 'too_many_bad_responses');
  expectProblem(await device.confirm(challenge), 409, 'already-decided');
}

async function removals({ website }: TestStack): Promise<void> {
  const one = await enrolDevice(website);
  const sent = await push(website, one);
  succeeded(await website.removeDevice(one.identity.userId, one.identity.deviceId), 204);
  await expectStatus(website, sent.nonce, 'cancelled', 'device_removed');
  const other = await enrolDevice(website);
  await push(website, other);
  succeeded(await other.remove(), 204);
  expectProblem(await tryPush(website, other), 404, 'device-not-found');
}

async function withdrawal({ website }: TestStack): Promise<void> {
  const { nonce } = await push(website, await enrolDevice(website));
  succeeded(await website.withdraw(nonce), 204);
  const { userId } = await push(website, await enrolDevice(website));
  succeeded(await website.withdrawAll(userId), 204);
}

/** Where the tenant wants a confirmation for them, and the other devices are told. */
async function furtherDevices(stack: TestStack): Promise<void> {
  const bank = await openBank(stack, 'confirm');
  const first = await enrolDevice(bank.website);
  const { userId, deviceId } = first.identity;
  const added = await confirmedOn(bank, first, 'add-device');
  const { qr } = succeeded(await bank.website.startEnrolment(userId, added), 201);
  const second = new SimulatedDevice();
  succeeded(await second.enrol(qr), 201);
  const removed = await confirmedOn(bank, second, 'remove-device', first);
  succeeded(await bank.website.removeDevice(userId, deviceId, removed), 204);
  succeeded(await second.remove(), 204);
  const both = await openBank(stack, 'notify');
  const leaving = await enrolDevice(both.website);
  await enrolDevice(both.website, leaving.identity.userId);
  succeeded(await leaving.remove(), 204);
}

async function tokens({ website }: TestStack): Promise<void> {
  const device = await enrolDevice(website);
  succeeded(await device.refreshPushToken(newPushToken()), 204);
  const iat = Math.floor(Date.now() / 1000) - 60;
  expectProblem(await device.refreshPushToken(newPushToken(), { claims: { iat } }), 409, 'stale-request');
  succeeded(await device.rename('Kitchen phone'), 204);
  const sharer = await enrolDevice(website, newUser(), { pushToken: device.description.pushToken });
  succeeded(await device.remove(), 204);
  succeeded(await sharer.remove(), 204);
}

/** A browser that gets web pushes: challenges, and notices of each change of the user's devices. */
async function browsers(stack: TestStack): Promise<void> {
  const { website } = await openBank(stack, 'notify');
  const subscription = () => new BrowserSubscription(`${stack.file.webPushUrl}/${randomUUID()}`).toJSON();
  const told = await enrolWebDevice(website, { subscription: subscription() });
  const { userId, deviceId } = told.identity;
  for (const send of [
    async (asked: Notification) => await website.sendToUser(userId, asked),
    async (asked: Notification) => await website.sendToDevice(userId, deviceId, asked),
  ]) {
    const asked = notification();
    expect(succeeded(await patiently(async () => await send(asked)), 202).delivery).toBe('sent');
    const challenge = await openChallenge(told);
    succeeded(await patiently(async () => await told.confirm(challenge)), 200);
  }
  const next = subscription();
  succeeded(await patiently(async () => await refresh(told, { subscription: next })), 204);
  const second = await enrolDevice(website, userId);
  succeeded(await website.removeDevice(userId, second.identity.deviceId), 204);
  succeeded(await (await enrolDevice(website, userId)).remove(), 204);
}

async function events({ website, file }: TestStack): Promise<void> {
  const [{ tenantId }] = file.tenants;
  const known = newEvent(tenantId);
  succeeded(await postEvents(website, known), 202);
  succeeded(await postEvents(website, known, newEvent(tenantId)), 202);
  const other = { ...known, payload: { userId: 'another' } };
  expectProblem(await postEvents(website, other), 409, 'event-id-already-used', {
    errors: expect.anything(),
  });
}

/** With an authenticator that counts, so that its counter is written. */
async function verifiedUser(stack: TestStack): Promise<void> {
  const { device, authenticator, challenge } = await challengedWithPasskey(stack, { counts: true });
  const claims = { userVerification: authenticator.assert(challenge, 'confirm') };
  succeeded(await device.confirm(challenge, { claims }), 200);
}

async function brands({ file }: TestStack): Promise<void> {
  const [{ tenantId }] = file.tenants;
  const at = (path: string) => `${file.baseUrl}/omi/device/tenants/${tenantId}${path}`;
  expect((await fetch(at(''))).status).toBe(200);
  expect((await fetch(at('/logo'))).status).toBe(404);
}

async function tokenKeys({ file }: TestStack): Promise<void> {
  expect((await fetch(`${file.baseUrl}/.well-known/omi-keys`)).status).toBe(200);
  const { status } = await fetch(`${file.baseUrl}/oauth/jwks`);
  expect(status).toBe(200);
}

/** What a working day brings. */
export const usualPaths = [
  enrolment,
  pushes,
  allDevices,
  groups,
  testUsers,
  mismatches,
  removals,
  furtherDevices,
  withdrawal,
  tokens,
  browsers,
  verifiedUser,
  tokenKeys,
  brands,
  events,
];
