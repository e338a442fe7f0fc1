import { randomUUID } from 'node:crypto';
import { thumbprintOf } from '../../../tools/client/digests.ts';
import { scan } from '#device';
import { newPushToken, type SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import type { RouteLambda } from '../../../lambdas/routes.ts';
import type { TestStack } from '../../support/stack.ts';
import { newEvent } from '../events.ts';
import {
  enrolDevice,
  newNonce,
  newUser,
  notification,
  openChallenge,
  push,
  startEnrolment,
} from '../scenario.ts';

/** Things that exist, so that calls reach beyond the first check. */
export type World = Awaited<ReturnType<typeof newWorld>>;

export async function newWorld({ website, file }: TestStack) {
  const device = await enrolDevice(website);
  const target = await enrolDevice(website, device.identity.userId);
  const alone = await enrolDevice(website);
  const sent = await push(website, device);
  const { challengeId, messageHash, contextHash } = await openChallenge(device);
  const unwanted = await push(website, await enrolDevice(website));
  const started = await startEnrolment(website, newUser());
  const [{ tenantId, clientId, clientSecret }] = file.tenants;
  return {
    tenantId,
    basic: Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
    baseUrl: file.baseUrl,
    token: await website.accessToken(),
    device,
    /** What websites push to, and remove. */
    target,
    /** Their user's only one. */
    alone,
    nonce: sent.nonce,
    /** Of another confirmation, which may be withdrawn. */
    unwanted: unwanted.nonce,
    /** What an answer repeats of its challenge. */
    asked: { challengeId, messageHash, contextHash },
    enrolmentId: started.enrolmentId,
    link: scan(started.qr),
  };
}

const iat = (): number => Math.floor(Date.now() / 1000);

/** Values for the placeholders of a path. */
export function parameterOf(name: string, lambda: RouteLambda, world: World): string {
  if (name === 'challengeId') return world.asked.challengeId;
  if (name === 'tenantId') return world.tenantId;
  const { identity } = lambda === 'send-to-user' ? world.alone : world.target;
  return name === 'deviceId' ? identity.deviceId : identity.userId;
}

export const queryOf = (lambda: RouteLambda, { nonce, unwanted, enrolmentId }: World): string =>
  ({
    'get-confirmation': `?nonce=${nonce}`,
    'withdraw-confirmation': `?nonce=${unwanted}`,
    'get-enrolment': `?enrolmentId=${enrolmentId}`,
  })[lambda as string] ?? '';

/** The JSON body of a call that would succeed. */
export function bodyOf(lambda: RouteLambda, world: World): object | undefined {
  if (lambda === 'start-enrolment') return { userId: newUser(), accountLabel: 'Anna · …4711' };
  if (lambda === 'set-account-label') return { accountLabel: 'Anna · …4711' };
  if (lambda === 'preview-enrolment') return { code: world.link.code };
  if (lambda === 'record-events') return { events: [newEvent(world.tenantId), newEvent(world.tenantId)] };
  return lambda.startsWith('send-to-') ? { ...notification(), nonce: newNonce(), expiresIn: 60 } : undefined;
}

/** The form of an OAuth client's call that would succeed, if the user had no open request and had answered. */
export function formOf(lambda: RouteLambda, { alone, nonce }: World): Record<string, string> {
  if (lambda === 'oauth-token')
    return { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: nonce };
  const { message } = notification();
  return { scope: 'openid', login_hint: alone.identity.userId, binding_message: message };
}

type Signed = { header: Record<string, unknown>; claims: Record<string, unknown>; device: SimulatedDevice };

/** Header and claims of a device's call that would succeed. */
export function signedOf(
  lambda: RouteLambda,
  { method, path }: { method: string; path: string },
  world: World,
): Signed {
  const { device, link, baseUrl, asked, tenantId } = world;
  const { deviceId, userId } = device.identity;
  const stamp = { iat: iat(), jti: randomUUID(), aud: baseUrl, jkt: thumbprintOf(device.publicJwk) };
  if (lambda === 'enrol-device') {
    const claims = {
      ...stamp,
      code: link.code,
      ...device.description,
      model: 'X',
      osVersion: '1',
      appVersion: '2',
    };
    return { header: { typ: 'omi-enrolment+jws', jwk: device.publicJwk }, claims, device };
  }
  const own = { ...stamp, iss: deviceId, tid: tenantId, sub: userId };
  const as = (typ: string, claims: object): Signed => {
    return { header: { typ, kid: deviceId }, claims: { ...own, ...claims }, device };
  };
  if (lambda === 'refresh-push-token') return as('omi-push-token+jws', { pushToken: newPushToken() });
  if (lambda === 'answer-challenge')
    return as('omi-response+jws', { ...asked, decision: 'deny', reason: 'user_declined', number: '12' });
  return as('omi-request+jws', { htm: method, htu: `${baseUrl}${path}` });
}
