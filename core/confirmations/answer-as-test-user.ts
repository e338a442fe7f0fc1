import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import * as v from 'valibot';
import { type Device, thumbprintOf } from '../devices/device.ts';
import { answerClaims } from '../devices/protocol/claims.ts';
import type { PushSenders } from '../devices/push/push-channels.ts';
import type { RequestContext } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { testIntentOf, type TestIntent } from '../kernel/test-users.ts';
import { seconds } from '../kernel/time.ts';
import { answerChallenge, type AnswerDeps } from './answer-challenge.ts';
import { askedDevices, type Confirmation } from './confirmation.ts';

export type TestAnswerDeps = Omit<AnswerDeps, 'push' | 'relyingParty'> & { baseUrl: string };

type Decision = { decision: 'confirm' } | { decision: 'deny'; reason: 'user_declined' | 'not_me' };

/** What the user answers; undefined for one who does not. */
const decisions: Partial<Record<TestIntent, Decision>> = {
  confirms: { decision: 'confirm' },
  'has-two-devices': { decision: 'confirm' },
  denies: { decision: 'deny', reason: 'user_declined' },
  reports: { decision: 'deny', reason: 'not_me' },
};

/**
 * Answers for a test user, as a device does: with the key of the user's device, and by the same checks.
 *
 * @returns false if the user does not answer: by intent, for want of a device of the operator's making, or because the tenant requires a
 * passkey
 */
export async function answerAsTestUser(
  deps: TestAnswerDeps,
  { challengeId, ...asked }: Confirmation,
  context: RequestContext,
): Promise<boolean> {
  const intent = testIntentOf(asked.userId);
  const decision = intent && decisions[intent];
  if (!decision) return false;
  try {
    return await retryOnConflict(async () => {
      const [{ devices, ...record }, confirmation] = await Promise.all([
        deps.devices.loadUser(asked),
        deps.confirmations.find(challengeId, context.now),
      ]);
      const device = devices.find(
        ({ deviceId, testKey }) => testKey !== undefined && askedDevices(asked).includes(deviceId),
      );
      if (!device || confirmation?.status !== 'pending') return false;
      const { claims, jws } = signedAnswer(device, confirmation, decision, deps.baseUrl);
      await answerChallenge(
        { ...deps, push: silent, relyingParty: noPasskeys },
        {
          ...{ ...record, device, confirmation, jws, context },
          claims: v.parse(answerClaims, claims),
        },
      );
      return true;
    });
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Their devices have none. */
const noPasskeys: AnswerDeps['relyingParty'] = { rpId: '', origins: [] };

const unsent = async () => await Promise.resolve({ delivery: 'unreachable' } as const);

/** Notifications of an answer are for people. */
const silent: PushSenders = { native: { publish: unsent }, web: { send: unsent } };

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signedAnswer(
  { key, testKey = '', deviceId, userId, tenantId }: Device,
  { challengeId, messageHash, detailsHash, contextHash, matchNumbers }: Confirmation,
  decision: Decision,
  baseUrl: string,
) {
  const claims = {
    ...{ iss: deviceId, sub: userId, tid: tenantId, aud: baseUrl },
    ...{ iat: Math.floor(Date.now() / seconds), jti: randomUUID(), jkt: thumbprintOf(key) },
    ...{ challengeId, messageHash, contextHash },
    ...(detailsHash !== undefined && { detailsHash }),
    ...decision,
    ...(matchNumbers && decision.decision === 'confirm' && { number: matchNumbers.code }),
  };
  const input = `${encoded({ alg: 'ES256', typ: 'omi-response+jws', kid: deviceId })}.${encoded(claims)}`;
  const privateKey = createPrivateKey({ key: { ...key, d: testKey }, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return { claims, jws: `${input}.${signature.toString('base64url')}` };
}
