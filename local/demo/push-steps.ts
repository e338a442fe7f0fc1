import type { Challenge, Confirmation, Notification } from '../../client/contract.ts';
import { messageHashOf, verifyEvidence } from '../../client/evidence.ts';
import { bodyOf, ClientError } from '../../client/http.ts';
import { listPushes } from '../client/local-stack.ts';
import { readPush } from '../client/push-payload.ts';
import { masked } from './step-reporter.ts';
import type { DemoContext } from './context.ts';
import { eventually, soon } from '../../client/waiting.ts';

/** @returns the id of the challenge */
export async function sendPush(context: DemoContext, notification: Notification): Promise<string> {
  const { website, phone, userId, reporter } = context;
  return await reporter.step('The website sends a push notification', async (print) => {
    const { deviceId } = phone.identity;
    const sent = bodyOf(await website.sendToDevice(userId, deviceId, notification));
    print(`"${notification.message}", nonce ${masked(notification.nonce)}`);
    print(`${sent.status}, delivery ${sent.delivery}, expires ${sent.expiresAt}`);
    if (sent.delivery !== 'sent') throw new ClientError(`The delivery is ${sent.delivery}`);
    return sent.challengeId;
  });
}

export async function receivePush(context: DemoContext, challengeId: string, message: string): Promise<void> {
  await context.reporter.step('The push arrives', async (print) => {
    const push = await eventually('The push', async () => await findPush(context, challengeId), soon);
    print(`alert "${push.alert}"`);
    print(`data  challengeId ${push.challengeId}, expiresAt ${push.expiresAt}`);
    if (push.alert !== message) throw new ClientError('The alert is not the message');
  });
}

async function findPush({ stack, phone }: DemoContext, challengeId: string) {
  const pushes = await listPushes(stack);
  return pushes
    .filter(({ token }) => token === phone.description.pushToken)
    .map(readPush)
    .find((push) => push.challengeId === challengeId);
}

export async function fetchChallenge(
  { phone, reporter }: DemoContext,
  challengeId: string,
): Promise<Challenge> {
  return await reporter.step('The phone fetches the challenge', async (print) => {
    const { challenges } = bodyOf(await phone.challenges());
    const challenge = challenges.find((open) => open.challengeId === challengeId);
    if (challenge === undefined) throw new ClientError('The phone did not get the challenge');
    if (challenge.messageHash !== messageHashOf(challenge.message))
      throw new ClientError('The message hash does not match the message');
    print(`"${challenge.message}", ${Math.round(challenge.expiresInMs / 1000)} s left`);
    return challenge;
  });
}

export async function confirm({ phone, reporter }: DemoContext, challenge: Challenge): Promise<void> {
  await reporter.step('The user confirms; the phone signs the answer', async (print) => {
    print(`status ${bodyOf(await phone.confirm(challenge)).status}`);
  });
}

export async function decline({ phone, reporter }: DemoContext, challenge: Challenge): Promise<void> {
  await reporter.step('The user declines; the phone signs the answer', async (print) => {
    print(`status ${bodyOf(await phone.deny(challenge, 'user_declined')).status}`);
  });
}

export async function pollFor(
  { website, reporter }: DemoContext,
  nonce: string,
  expected: 'confirmed' | 'denied',
): Promise<Confirmation> {
  return await reporter.step(`The website polls until the confirmation is ${expected}`, async (print) => {
    const ask = async () => {
      const confirmation = bodyOf(await website.getConfirmation(nonce));
      return confirmation.status === 'pending' ? undefined : confirmation;
    };
    const decided = await eventually('A decision', ask, { everyMs: 1000, atMostMs: 10_000 });
    print([decided.status, decided.reason, decided.decidedAt].filter(Boolean).join(', '));
    if (decided.status !== expected) throw new ClientError(`The confirmation is ${decided.status}`);
    return decided;
  });
}

export async function checkEvidence(
  { phone, reporter }: DemoContext,
  confirmation: Confirmation,
  { message, nonce }: Notification,
): Promise<void> {
  await reporter.step('The website verifies the evidence without asking the service', async (print) => {
    const { tenantId } = phone.identity;
    const claims = await verifyEvidence(confirmation, { tenantId, message, nonce });
    print(`signed by the device's key: decision "${claims.decision}"`);
    print(`challenge = SHA-256 of tenant and nonce: ${claims.challengeId}`);
    print(`message hash = SHA-256 of the message:   ${claims.messageHash}`);
  });
}
