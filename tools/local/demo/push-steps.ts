import type { Device, FinalConfirmation } from '#website';
import type { Notification } from '../../../client/contract.ts';
import { ClientError } from '../../../client/http.ts';
import { listPushes, type StackFile } from '../client/local-stack.ts';
import { readPush } from '../client/push-payload.ts';
import type { Asked, DemoContext } from './context.ts';
import { capitalized, masked } from './step-reporter.ts';
import { eventually, soon } from '../../../client/waiting.ts';

/** @returns the id of the challenge */
export async function sendPush(
  { website, device, userId, reporter }: DemoContext,
  { deviceId }: Device,
  notification: Notification,
): Promise<string> {
  return await reporter.step('The website sends a push notification', async (print) => {
    const sent = await website.send({ ...notification, userId, deviceId });
    print(`"${notification.message}", nonce ${masked(notification.nonce)}`);
    print(`${sent.status}, delivery ${sent.delivery}, expires ${sent.expiresAt}`);
    if (device.pushToken !== undefined && sent.delivery !== 'sent')
      throw new ClientError(`The delivery is ${sent.delivery}`);
    return sent.challengeId;
  });
}

/** Only where the demo knows the push token: a browser has its pushes for itself. */
export async function receivePush(
  { stack, device: { pushToken }, reporter }: DemoContext,
  { challengeId, message }: Asked,
): Promise<void> {
  if (pushToken === undefined) return;
  await reporter.step('The push arrives', async (print) => {
    const find = async () => await findPush(stack, pushToken, challengeId);
    const push = await eventually('The push', find, soon);
    print(`alert "${push.alert}"`);
    print(`data  challengeId ${push.challengeId}, expiresAt ${push.expiresAt}`);
    if (push.alert !== message) throw new ClientError('The alert is not the message');
  });
}

async function findPush(stack: StackFile, pushToken: string, challengeId: string) {
  const pushes = await listPushes(stack, pushToken);
  return pushes.map(readPush).find((push) => push.challengeId === challengeId);
}

export async function fetchChallenge({ device, reporter }: DemoContext, asked: Asked): Promise<void> {
  await reporter.step(`${capitalized(device.title)} fetches the challenge`, async (print) => {
    await device.show(asked, print);
  });
}

const decisions = { confirm: 'confirms', deny: 'denies' };

export async function answer(
  { device, reporter }: DemoContext,
  asked: Asked,
  decision: 'confirm' | 'deny',
): Promise<void> {
  await reporter.step(`The user ${decisions[decision]}; ${device.title} signs the answer`, async (print) => {
    await device.answer(asked, decision, print);
  });
}

export async function pollFor(
  { website, userId, reporter }: DemoContext,
  notification: Notification,
  expected: 'confirmed' | 'denied',
): Promise<FinalConfirmation> {
  return await reporter.step(`The website polls until the confirmation is ${expected}`, async (print) => {
    const decided = await website.wait({ ...notification, userId });
    print([decided.status, decided.reason, decided.decidedAt].filter(Boolean).join(', '));
    if (decided.status !== expected) throw new ClientError(`The confirmation is ${decided.status}`);
    return decided;
  });
}

export async function checkEvidence(
  { website, userId, reporter }: DemoContext,
  confirmation: FinalConfirmation,
  notification: Notification,
): Promise<void> {
  await reporter.step('The website verifies the evidence without asking the service', async (print) => {
    const claims = await website.verifyEvidence(confirmation, { ...notification, userId });
    print(`signed by the device's key: decision "${claims.decision}"`);
    print(`challenge = SHA-256 of tenant and nonce: ${claims.challengeId}`);
    print(`message hash = SHA-256 of the message:   ${claims.messageHash}`);
  });
}
