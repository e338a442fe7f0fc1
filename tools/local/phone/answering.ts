import { setTimeout as sleep } from 'node:timers/promises';
import { DeviceError, readContext, type Answer, type Challenge, type Device } from '#device';
import type { User } from './user.ts';

const pollMs = 1_000;

/** The consequence of a confirmation with a purpose. */
const consequences: Partial<Record<string, string>> = {
  'add-device': 'This allows another device to confirm for you.',
  'remove-device': 'This removes one of your devices.',
};

/** Refusals that end one challenge, and not the phone. */
const endings = [
  'already-decided',
  'challenge-expired',
  'challenge-not-found',
  'message-mismatch',
  'user-verification-failed',
  'user-verification-required',
  'wrong-number',
];

/**
 * Answers what is asked, until the phone is removed or stopped.
 *
 * @throws {DeviceError} if the phone was removed, or the service does not answer
 */
export async function answerChallenges(device: Device, user: User): Promise<never> {
  for (;;) {
    user.requirePresence();
    const fetchedAt = Date.now();
    const challenges = await device.challenges();
    if (challenges.length > 1)
      console.log(`${challenges.length} requests are open, the next to expire first.`);
    for (const challenge of challenges) {
      // The answers to those before may have taken a while.
      const expiresInMs = challenge.expiresInMs - (Date.now() - fetchedAt);
      if (expiresInMs > 0) await answerOne(device, { ...challenge, expiresInMs }, user);
    }
    await sleep(pollMs);
  }
}

async function answerOne(device: Device, challenge: Challenge, user: User): Promise<void> {
  show(challenge);
  const expiry = AbortSignal.timeout(challenge.expiresInMs);
  try {
    const answer = await user.decide(challenge, expiry);
    const { status } = await send(device, challenge, answer, async () => await user.typeNumber(expiry));
    console.log(`  ${status}`);
  } catch (error) {
    if (error === expiry.reason) console.log('\n  The time to answer is over.');
    else if (error instanceof DeviceError && endings.includes(error.code)) console.log(`  ${error.message}`);
    else throw error;
  }
}

/** Whether a number must be typed shows only when an answer without one is refused. */
async function send(device: Device, challenge: Challenge, answer: Answer, typeNumber: () => Promise<Answer>) {
  try {
    return await device.answer(challenge, answer);
  } catch (error) {
    if (!(error instanceof DeviceError) || error.code !== 'number-required') throw error;
    return await device.answer(challenge, await typeNumber());
  }
}

function show({ message, account, expiresInMs, context, details }: Challenge): void {
  const { requester, purpose, device, requestedFrom } = readContext(context);
  console.log(`"${message}" (${timeLeft(expiresInMs)} left)`);
  if (requester)
    console.log(`  asked by ${[requester.client, requester.tenant].filter(Boolean).join(' of ')}`);
  if (account !== undefined) console.log(`  for the account ${account}`);
  if (details !== undefined) console.log(`  details: ${details}`);
  if (purpose !== undefined) console.log(`  ${consequences[purpose] ?? purpose}`);
  if (device) console.log(`  the device: ${device.name}`);
  if (requestedFrom) console.log(`  started from ${Object.values(requestedFrom).join(', ')}`);
}

/** Seconds, and minutes where these would be many. */
const timeLeft = (milliseconds: number): string =>
  milliseconds < 600_000
    ? `${Math.round(milliseconds / 1000)} s`
    : `${Math.round(milliseconds / 60_000)} min`;
