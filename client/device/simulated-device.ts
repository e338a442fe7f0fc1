import { generateKeyPairSync, randomBytes, type JsonWebKey, type KeyObject } from 'node:crypto';
import {
  answerMessage,
  commonClaims,
  devicePaths,
  enrolmentMessage,
  nameMessage,
  pushTokenMessage,
  requestMessage,
  scan,
  type Answer,
  type Deny,
  type DeviceDescription as Description,
  type DeviceIdentity,
  type EnrolmentLink,
  type Message,
} from '#device';
import type { Challenge } from '../contract.ts';
import { thumbprintOf } from '../digests.ts';
import {
  deleteDevice,
  getChallenges,
  postAnswer,
  postEnrolment,
  putName,
  putPushToken,
} from './device-api.ts';
import { signCompact, type SigningKey } from './jws.ts';

/** Also of a platform that does not exist. */
export type DeviceDescription = Omit<Description, 'platform' | 'pushToken'> & {
  platform: string;
  pushToken: string;
};

/** How a call differs from a correct one. Members replace the device's own; `undefined` removes one. */
export type Deviation = {
  typ?: string;
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  key?: SigningKey;
};

export type Reason = NonNullable<Deny['reason']>;

export type KeyPair = { privateKey: KeyObject; publicKey: KeyObject };

export const newKeyPair = (): KeyPair => generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const newPushToken = (): string => randomBytes(32).toString('hex');

/**
 * A phone with the app, for tests of one that misbehaves: `Device` of `#device` cannot. It has a P-256 key, enrols with a
 * QR code, and signs each of its calls.
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
  #identity: DeviceIdentity | undefined;

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
  get identity(): DeviceIdentity {
    if (this.#identity === undefined) throw new Error('The device is not enrolled');
    return this.#identity;
  }

  get publicJwk(): JsonWebKey {
    return this.keys.publicKey.export({ format: 'jwk' });
  }

  get #thumbprint(): string {
    return thumbprintOf(this.publicJwk);
  }

  async enrol(qr: string, deviation: Deviation = {}) {
    const link = scan(qr);
    const answer = await postEnrolment(link.baseUrl, this.signEnrolment(link, deviation));
    if (answer.ok) this.#identity = { ...answer.body, baseUrl: link.baseUrl };
    return answer;
  }

  signEnrolment({ baseUrl, code }: EnrolmentLink, deviation: Deviation = {}): string {
    const { typ, claims } = enrolmentMessage(code, this.description);
    const common = commonClaims(baseUrl, this.#thumbprint, this.#clock());
    return this.#compact({ typ, jwk: this.publicJwk }, { ...common, ...claims }, deviation);
  }

  async challenges(deviation: Deviation = {}) {
    const jws = this.signRequest('GET', devicePaths.challenges, deviation);
    return await getChallenges(this.identity.baseUrl, jws);
  }

  async confirm(challenge: Challenge, deviation: Deviation = {}) {
    return await this.answer(challenge, { decision: 'confirm' }, deviation);
  }

  async deny(challenge: Challenge, reason?: Reason, deviation: Deviation = {}) {
    return await this.answer(challenge, { decision: 'deny', ...(reason && { reason }) }, deviation);
  }

  async answer(challenge: Challenge, answer: Answer, deviation: Deviation = {}) {
    const jws = this.signAnswer(challenge, answer, deviation);
    return await postAnswer(this.identity.baseUrl, challenge.challengeId, jws);
  }

  signAnswer(challenge: Challenge, answer: Answer, deviation: Deviation = {}): string {
    return this.#signMessage(answerMessage(challenge, answer), deviation);
  }

  /** Tells the service where pushes reach the device from now on. */
  async refreshPushToken(pushToken: string, deviation: Deviation = {}) {
    const jws = this.#signMessage(pushTokenMessage({ pushToken }), deviation);
    const answer = await putPushToken(this.identity.baseUrl, jws);
    if (answer.ok) this.description.pushToken = pushToken;
    return answer;
  }

  async rename(name: string, deviation: Deviation = {}) {
    return await putName(this.identity.baseUrl, this.#signMessage(nameMessage(name), deviation));
  }

  async remove(deviation: Deviation = {}) {
    const jws = this.signRequest('DELETE', devicePaths.device, deviation);
    return await deleteDevice(this.identity.baseUrl, jws);
  }

  /** The JWS of a call without a body, bound to method and URL. */
  signRequest(method: 'GET' | 'DELETE', path: string, deviation: Deviation = {}): string {
    return this.#signMessage(requestMessage(method, `${this.identity.baseUrl}${path}`), deviation);
  }

  /** Signs claims as the enrolled device; the deviation has the last word. */
  sign(typ: string, claims: Record<string, unknown>, deviation: Deviation = {}): string {
    const { identity } = this;
    const common = commonClaims(identity.baseUrl, this.#thumbprint, this.#clock(), identity);
    return this.#compact({ typ, kid: identity.deviceId }, { ...common, ...claims }, deviation);
  }

  #signMessage({ typ, claims }: Message, deviation: Deviation): string {
    return this.sign(typ, claims, deviation);
  }

  #compact(header: Record<string, unknown>, claims: Record<string, unknown>, deviation: Deviation): string {
    return signCompact({
      header: { ...header, ...(deviation.typ !== undefined && { typ: deviation.typ }), ...deviation.header },
      claims: { ...claims, ...deviation.claims },
      key: deviation.key ?? this.keys.privateKey,
    });
  }
}
