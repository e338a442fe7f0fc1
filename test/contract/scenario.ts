/** Users, devices and pushes to begin a test with. Every user is new, so no limit of one test meets another. */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Challenge, Confirmation, Notification } from '../../client/contract.ts';
import { type Answer, bodyOf } from '../../client/http.ts';
import { listPushes, type ArrivedPush } from '../../tools/local/client/local-stack.ts';
import type { WebsiteClient } from '../../client/website-client.ts';
import { SimulatedDevice, type DeviceDescription } from '../../client/device/simulated-device.ts';
import type { TestStack } from '../support/stack.ts';
import { patiently } from './faults/patience.ts';

export const newUser = (): string => `user-${randomUUID()}`;
export const newNonce = (): string => randomBytes(16).toString('base64url');

/** Does the same several times, one after the other. */
export async function repeatedly<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < times) results.push(await work());
  return results;
}

/** What a test begins with is done as a good caller does it, also on a machine that is busy with other things. */
const done = async <Body>(call: () => Promise<Answer<Body>>): Promise<Body> => bodyOf(await patiently(call));

export async function startEnrolment(website: WebsiteClient, userId: string) {
  return await done(async () => await website.startEnrolment(userId));
}

export async function enrolDevice(
  website: WebsiteClient,
  userId = newUser(),
  description: Partial<DeviceDescription> = {},
): Promise<SimulatedDevice> {
  const device = new SimulatedDevice(description);
  const { qr } = await startEnrolment(website, userId);
  await done(async () => await device.enrol(qr));
  return device;
}

/** A notification that nobody has sent before. */
export const notification = (overrides: Partial<Notification> = {}): Notification => {
  return { message: 'Confirm the payment of 12.50 €?', nonce: newNonce(), ...overrides };
};

/** Sends to a device and expects it to be accepted. */
export async function push(
  website: WebsiteClient,
  device: SimulatedDevice,
  overrides: Partial<Notification> = {},
): Promise<Confirmation> {
  const { userId, deviceId } = device.identity;
  const sent = notification(overrides);
  return await done(async () => await website.sendToDevice(userId, deviceId, sent));
}

export async function tryPush(
  website: WebsiteClient,
  { identity }: SimulatedDevice,
  overrides: Partial<Notification> = {},
) {
  return await website.sendToDevice(identity.userId, identity.deviceId, notification(overrides));
}

export async function openChallenge(device: SimulatedDevice): Promise<Challenge> {
  const { challenges } = await done(async () => await device.challenges());
  const [challenge, ...others] = challenges;
  if (challenge === undefined || others.length > 0)
    throw new Error(`There are ${challenges.length} open challenges instead of one`);
  return challenge;
}

/** A device with one open challenge. */
export async function challengedDevice(website: WebsiteClient, overrides: Partial<Notification> = {}) {
  const device = await enrolDevice(website);
  const sent = await push(website, device, overrides);
  return { device, sent, challenge: await openChallenge(device) };
}

export async function pushAndConfirm(website: WebsiteClient, device: SimulatedDevice): Promise<Confirmation> {
  const sent = await push(website, device);
  const challenge = await openChallenge(device);
  await done(async () => await device.confirm(challenge));
  return sent;
}

export async function pushAndDeny(
  website: WebsiteClient,
  device: SimulatedDevice,
  reason?: 'user_declined' | 'not_me',
): Promise<Confirmation> {
  const sent = await push(website, device);
  const challenge = await openChallenge(device);
  await done(async () => await device.deny(challenge, reason));
  return sent;
}

/** The confirmation as the website sees it now. */
export async function poll(website: WebsiteClient, nonce: string): Promise<Confirmation> {
  return await done(async () => await website.getConfirmation(nonce));
}

/** What the push provider got for a push token, oldest first. */
export async function pushesTo(stack: TestStack, token: string): Promise<ArrivedPush[]> {
  return await listPushes(stack.file, token);
}

/** The device as the website's list has it. */
export async function listed(website: WebsiteClient, { identity }: SimulatedDevice) {
  const { devices } = await done(async () => await website.listDevices(identity.userId));
  const device = devices.find(({ deviceId }) => deviceId === identity.deviceId);
  if (device === undefined) throw new Error('The device is not in the list');
  return device;
}

export async function expectStatus(
  website: WebsiteClient,
  nonce: string,
  status: Confirmation['status'],
  reason?: string,
): Promise<Confirmation> {
  const confirmation = await poll(website, nonce);
  expect({ status: confirmation.status, reason: confirmation.reason }).toEqual({ status, reason });
  return confirmation;
}
