import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { thumbprintOf } from '../../../client/digests.ts';
import { scan } from '#device';
import { newPushToken, type SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { RouteLambda } from '../../../lambdas/routes.ts';
import type { WebsiteClient } from '../../../client/website-client.ts';
import { succeeded } from '../expectations.ts';
import { signIn } from '../../support/staff.ts';
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
  const streamId = await newStream(website);
  const [{ tenantId, clientId, clientSecret }] = file.tenants;
  return {
    tenantId,
    streamId,
    basic: Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
    baseUrl: file.baseUrl,
    token: await website.accessToken(),
    staffToken: (await signIn(file, 'olga')).accessToken,
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
  // No target has these events, so none is paused here.
  if (name === 'category') return 'log';
  if (name === 'streamId') return world.streamId;
  const { identity } = lambda === 'send-to-user' ? world.alone : world.target;
  return name === 'deviceId' ? identity.deviceId : identity.userId;
}

export const queryOf = (
  lambda: RouteLambda,
  { nonce, unwanted, enrolmentId, tenantId, streamId }: World,
): string =>
  ({
    'get-confirmation': `?nonce=${nonce}`,
    'withdraw-confirmation': `?nonce=${unwanted}`,
    'get-enrolment': `?enrolmentId=${enrolmentId}`,
    'staff-find-user': `?tenantId=${tenantId}`,
    'staff-remove-device': `?tenantId=${tenantId}`,
    'list-signal-streams': `?stream_id=${streamId}`,
    'get-signal-status': `?stream_id=${streamId}`,
    // Another one, so that the others find theirs.
    'delete-signal-stream': `?stream_id=${randomUUID()}`,
  })[lambda as string] ?? '';

/** The JSON body of a call that would succeed. */
export function bodyOf(lambda: RouteLambda, world: World): object | undefined {
  if (lambda === 'start-enrolment') return { userId: newUser(), accountLabel: 'Anna · …4711' };
  if (lambda === 'set-account-label') return { accountLabel: 'Anna · …4711' };
  if (lambda === 'preview-enrolment') return { code: world.link.code };
  if (lambda === 'record-events') return { events: [newEvent(world.tenantId), newEvent(world.tenantId)] };
  if (lambda === 'staff-change-user') return { tenantId: world.tenantId, act: 'reset-limits' };
  if (lambda === 'staff-steer-export') return { act: 'pause' };
  if (lambda === 'staff-compare-number') return { tenantId: world.tenantId, number: '123456' };
  if (lambda === 'staff-start-replay' || lambda === 'start-replay')
    return { from: '2026-03-01T08:00:00Z', to: '2099-01-01T00:00:00Z' };
  if (lambda === 'staff-allow-recovery' || lambda === 'staff-check-caller')
    return { tenantId: world.tenantId };
  if (lambda.includes('-signal')) return signalsBodyOf(lambda, world);
  return lambda.startsWith('send-to-') ? { ...notification(), nonce: newNonce(), expiresIn: 60 } : undefined;
}

function signalsBodyOf(lambda: RouteLambda, { streamId }: World): object | undefined {
  if (lambda === 'poll-signals') return { returnImmediately: true, maxEvents: 1, ack: ['a'] };
  if (lambda === 'set-signal-status') return { stream_id: streamId, status: 'enabled', reason: 'fuzz' };
  if (lambda === 'verify-signal-stream') return { stream_id: streamId, state: 'fuzz' };
  const delivery = { method: 'urn:ietf:rfc:8936' };
  return { stream_id: streamId, delivery, events_requested: ['urn:any'], description: 'fuzz' };
}

const streamOf = v.looseObject({ stream_id: v.string() });

/** A client has at most ten streams, and random requests make some. */
async function newStream(website: WebsiteClient): Promise<string> {
  const path = '/omi/ssf/stream';
  const streams = await website.call({ method: 'GET', path }, v.array(streamOf));
  for (const { stream_id: id } of succeeded(streams, 200))
    await website.call({ method: 'DELETE', path: `${path}?stream_id=${id}` }, v.unknown());
  return succeeded(await website.call({ method: 'POST', path, json: {} }, streamOf), 201).stream_id;
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
  if (lambda === 'rename-device') return as('omi-device-name+jws', { name: 'Anna’s phone' });
  if (lambda === 'answer-challenge')
    return as('omi-response+jws', { ...asked, decision: 'deny', reason: 'user_declined', number: '12' });
  return as('omi-request+jws', { htm: method, htu: `${baseUrl}${path}` });
}
