import { generateKeyPairSync, randomBytes, randomUUID, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { Challenge, Enrolled } from '../contract.ts';
import {
  deleteDevice,
  devicePaths,
  getChallenges,
  postAnswer,
  postEnrolment,
  putPushToken,
} from './device-api.ts';
import { readEnrolmentLink, type EnrolmentLink } from './enrolment-link.ts';
import { signCompact, type SigningKey } from './jws.ts';

export type DeviceDescription = {
  name: string;
  platform: string;
  pushToken: string;
  model?: string;
  osVersion?: string;
  appVersion?: string;
};

/** How a call differs from a correct one. Members replace the device's own; `undefined` removes one. */
export type Deviation = {
  typ?: string;
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  key?: SigningKey;
};

export type Reason = 'user_declined' | 'not_me';
export type Decision = { decision: 'confirm' | 'deny'; reason?: Reason; number?: string };

type Identity = Enrolled & { api: string };
export type KeyPair = { privateKey: KeyObject; publicKey: KeyObject };

export const newKeyPair = (): KeyPair => generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const newPushToken = (): string => randomBytes(32).toString('hex');

/**
 * A phone with the app. It has a P-256 key, enrols with a QR code, and signs each of its calls.
 *
 *     const phone = new SimulatedDevice({ name: 'My phone' });
 *     await phone.enrol(qr);
 *     const { challenges } = bodyOf(await phone.challenges());
 *     await phone.confirm(challenges[0]);
 *
 * Each call takes a deviation, to simulate a hostile or broken app: another header, claim, key or type. The option
 * `clock` sets another time. The methods `sign…` only make the JWS, for the calls of `device-api.ts`.
 */
export class SimulatedDevice {
  readonly description: DeviceDescription;
  readonly keys: KeyPair;
  readonly #clock: () => number;
  #identity: Identity | undefined;

  constructor(
    description: Partial<DeviceDescription> = {},
    { clock = Date.now, keys = newKeyPair() }: { clock?: () => number; keys?: KeyPair } = {},
  ) {
    this.description = {
      name: 'Simulated phone',
      platform: 'fcm',
      pushToken: newPushToken(),
      ...description,
    };
    this.keys = keys;
    this.#clock = clock;
  }

  /** The identity of an enrolled device. */
  get identity(): Identity {
    if (this.#identity === undefined) throw new Error('The device is not enrolled');
    return this.#identity;
  }

  get publicJwk(): JsonWebKey {
    return this.keys.publicKey.export({ format: 'jwk' });
  }

  async enrol(qr: string, deviation: Deviation = {}) {
    const link = readEnrolmentLink(qr);
    const answer = await postEnrolment(link.api, this.signEnrolment(link, deviation));
    if (answer.ok) this.#identity = { ...answer.body, api: link.api };
    return answer;
  }

  signEnrolment({ api, code }: EnrolmentLink, { typ, header, claims, key }: Deviation = {}): string {
    return signCompact({
      header: { typ: typ ?? 'omi-enrolment+jws', jwk: this.publicJwk, ...header },
      claims: { ...this.#stamp(), aud: api, code, ...this.description, ...claims },
      key: key ?? this.keys.privateKey,
    });
  }

  async challenges(deviation: Deviation = {}) {
    return await getChallenges(this.identity.api, this.signRequest('GET', devicePaths.challenges, deviation));
  }

  async confirm(challenge: Challenge, deviation: Deviation = {}) {
    return await this.answer(challenge, { decision: 'confirm' }, deviation);
  }

  async deny(challenge: Challenge, reason?: Reason, deviation: Deviation = {}) {
    return await this.answer(challenge, { decision: 'deny', ...(reason && { reason }) }, deviation);
  }

  async answer(challenge: Challenge, decision: Decision, deviation: Deviation = {}) {
    const jws = this.signAnswer(challenge, decision, deviation);
    return await postAnswer(this.identity.api, challenge.challengeId, jws);
  }

  signAnswer({ challengeId, messageHash }: Challenge, decision: Decision, deviation: Deviation = {}): string {
    return this.sign('omi-response+jws', { challengeId, messageHash, ...decision }, deviation);
  }

  /** Tells the service where pushes reach the device from now on. */
  async refreshPushToken(pushToken: string, deviation: Deviation = {}) {
    const jws = this.sign('omi-push-token+jws', { pushToken }, deviation);
    const answer = await putPushToken(this.identity.api, jws);
    if (answer.ok) this.description.pushToken = pushToken;
    return answer;
  }

  async remove(deviation: Deviation = {}) {
    return await deleteDevice(this.identity.api, this.signRequest('DELETE', devicePaths.device, deviation));
  }

  /** The JWS of a call without a body, bound to method and URL. */
  signRequest(method: string, path: string, deviation: Deviation = {}): string {
    return this.sign('omi-request+jws', { htm: method, htu: `${this.identity.api}${path}` }, deviation);
  }

  /** Signs claims as the enrolled device; the deviation has the last word. */
  sign(typ: string, own: Record<string, unknown>, deviation: Deviation = {}): string {
    const { deviceId, tenantId, userId, api } = this.identity;
    const { header, claims, key } = deviation;
    return signCompact({
      header: { typ: deviation.typ ?? typ, kid: deviceId, ...header },
      claims: { ...this.#stamp(), iss: deviceId, tid: tenantId, sub: userId, aud: api, ...own, ...claims },
      key: key ?? this.keys.privateKey,
    });
  }

  #stamp() {
    return { iat: Math.floor(this.#clock() / 1000), jti: randomUUID() };
  }
}
